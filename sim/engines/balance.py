"""The static balance test: turn the wheel by hand, step by step and both ways, clapper clear, and see what it does.

Written down for paddlewheels by Minnesota (rule 7861.0300 and its manual): steps of 45 to 90 degrees, looking for
reverse rotation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, ceil, cos, pi, sin

from sim.machines.wheel import WheelMachine
from sim.physics.clapper import coast
from sim.physics.rim import full_turn


@dataclass(frozen=True, slots=True)
class Step:
    """One standstill. direction: +1 counter-clockwise, -1 clockwise, the way the wheel was turned by hand.

    held: azimuth of the zero mark when the hand let go, rad in [0, 2 pi). moved: by which it then turned by itself,
    rad, signed. rested: whether it came to rest within the time limit.
    """

    direction: int
    held: float
    moved: float
    rested: bool

    @property
    def reverse(self) -> bool:
        """Whether it turned back against the hand."""
        return self.moved * self.direction < 0.0


@dataclass(frozen=True, slots=True)
class Balance:
    """What the test has shown.

    threshold: N m, below which an imbalance M g e is hidden by the bearing, here and in any such test.
    heavy_side: what hung lowest, in the mean, where the wheel came to rest after it had moved: rad in [0, 2 pi),
    counter-clockwise from the zero mark; None where it never moved.
    spread: rad, by which those rests lie off the mean at most: the bearing stops the wheel early; None as above.
    """

    steps: tuple[Step, ...]
    threshold: float
    heavy_side: float | None
    spread: float | None

    @property
    def moves(self) -> int:
        """How many standstills the wheel left by itself."""
        return sum(step.moved != 0.0 for step in self.steps)


def balance(machine: WheelMachine, step: float, first: float = 0.0) -> Balance:
    """Turn the wheel once round in each direction, letting it go every ``step`` rad.

    first: azimuth of the zero mark before the first step, rad. The hand waits until the wheel stands, then goes on to
    the next multiple of the step.
    """
    solver, steps = machine.solver, list[Step]()
    for direction in (1, -1):
        for number in range(ceil(2.0 * pi / step - 1e-9)):
            held = first + direction * number * step
            angle, speed, _ = coast(held, 0.0, machine.wheel, solver.step, solver.time_limit)
            steps.append(Step(direction, full_turn(held), angle - held, speed == 0.0))
    heavy_side, spread = _heavy_side(steps)
    return Balance(tuple(steps), machine.wheel.inertia * machine.wheel.constant, heavy_side, spread)


def _heavy_side(steps: Sequence[Step]) -> tuple[float | None, float | None]:
    """Mean of what hung lowest at the rests of a wheel that had moved, and how far they lie off it.

    The bearing stops the wheel short of its lowest place, on either side; steps both ways let that cancel.
    """
    lowest = [-0.5 * pi - step.held - step.moved for step in steps if step.moved != 0.0]
    if not lowest:
        return None, None
    middle = atan2(sum(map(sin, lowest)), sum(map(cos, lowest)))
    return full_turn(middle), max(abs((angle - middle + pi) % (2.0 * pi) - pi) for angle in lowest)
