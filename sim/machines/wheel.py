"""Pegged wheels: the wheel, its pegs and its clapper as the engines read them."""

from bisect import bisect_right
from dataclasses import dataclass
from math import asin, atan2, hypot, pi, tan
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.physics.clapper import Clapper, Wheel, tip_of

if TYPE_CHECKING:
    from sim.scenario import WheelScenario
    from sim.scenario.pegged_wheel import Solver


@dataclass(frozen=True, slots=True)
class WheelMachine:
    """A pegged wheel: SI values and arrays only; seen from the front, origin on the axis.

    radius: of the wheel, m.
    pegs: shape (n_pegs, 3), of each standing peg its angle from the zero mark (rad), distance from the axis and
    radius (m). peg_index: shape (n_pegs,), its number. bounds: angles at which the sections begin, rad, rising,
    within a turn of the first; bound_pegs: row of `pegs` that stands there, -1 where it is missing; section: index of
    the section that begins there.
    """

    name: str
    sha256: str
    radius: float
    wheel: Wheel
    clapper: Clapper
    pegs: NDArray[np.float64]
    peg_index: tuple[int, ...]
    bounds: tuple[float, ...]
    bound_pegs: tuple[int, ...]
    section: tuple[int, ...]
    solver: "Solver"

    def read(self, wheel_angle: float, clapper_angle: float, direction: int) -> tuple[int, bool, float]:
        """What the indicator shows: its section, whether it stands on a peg, and its place in the section.

        The tip stands on a peg when the middle of the tip, seen from the axis, is within the peg's own width; the
        section is then the one that passed last, for a wheel pushed in ``direction`` (+1 counter-clockwise). The
        place is the distance from the middle of the section along the circle of the pegs, m, signed.
        """
        angle = self.bearing_of_tip(clapper_angle) - wheel_angle
        count = len(self.bounds)
        below = bisect_right(self.bounds, self.bounds[0] + (angle - self.bounds[0]) % (2.0 * pi)) - 1
        above = (below + 1) % count
        width = (self.bounds[above] - self.bounds[below]) % (2.0 * pi)
        into = (angle - self.bounds[below]) % (2.0 * pi)
        radius = float(self.pegs[0, 1])
        place = (into - 0.5 * width) * radius
        for bound, distance in ((below, into), (above, width - into)):
            row = self.bound_pegs[bound]
            if row >= 0 and distance * self.pegs[row, 1] <= self.pegs[row, 2]:
                # Turning counter-clockwise, the section beyond a peg passes before it.
                passed = bound if direction > 0 else (bound - 1) % count
                return self.section[passed], True, place
        return self.section[below], False, place

    def bearing_of_tip(self, clapper_angle: float) -> float:
        """Azimuth of the middle of the tip about the wheel's axis, rad."""
        x, y = tip_of(clapper_angle, self.clapper)
        return atan2(y, x)

    def clear_phase(self, phase: float) -> float:
        """The angle of the wheel nearest to ``phase`` at which the resting tip touches neither peg beside it, rad.

        Where the tip is clear already, or reaches no peg, it is ``phase``.
        """
        x, y = tip_of(self.clapper.rest_angle, self.clapper)
        deep = float(np.max(self.pegs[:, 1] + self.pegs[:, 2])) - hypot(x, y)
        if deep <= -self.clapper.radius:
            return phase
        tip = atan2(y, x)
        angle = (tip - phase) % (2.0 * pi)
        order = np.argsort(self.pegs[:, 0] % (2.0 * pi))
        standing = self.pegs[order, 0] % (2.0 * pi)
        above = int(np.searchsorted(standing, angle))
        low, high = order[above - 1], order[above % len(order)]
        width = (self.pegs[high, 0] - self.pegs[low, 0]) % (2.0 * pi)
        into = (angle - self.pegs[low, 0]) % (2.0 * pi)
        lean = max(deep, 0.0) * abs(tan(self.clapper.rest_angle - tip + 0.5 * pi))
        near, far = (
            asin((float(self.pegs[row, 2]) + self.clapper.radius + lean) / float(self.pegs[row, 1]))
            for row in (low, high)
        )
        if near <= into <= width - far:
            return phase
        free = min(max(into, near), width - far) if near + far < width else 0.5 * width
        return float((tip - self.pegs[low, 0] - free) % (2.0 * pi))


def build_wheel(scenario: "WheelScenario") -> WheelMachine:
    """Build the machine of a scenario whose ``machine.kind`` is ``pegged``; the scenario has been checked at load."""
    machine, pair = scenario.machine, scenario.materials.tip
    wheel, pegs, clapper = machine.wheel, machine.pegs, machine.clapper
    standing = pegs.standing
    rows = {peg.index: row for row, peg in enumerate(standing)}
    marks = [(standing[rows[i]].angle if i in rows else i * pegs.pitch, i) for i in range(pegs.count)]
    first = min(angle for angle, _ in marks)
    marks = sorted((first + (angle - first) % (2.0 * pi), i) for angle, i in marks)
    x, y = machine.pivot
    return WheelMachine(
        name=scenario.name,
        sha256=scenario.sha256,
        radius=wheel.diameter / 2,
        wheel=Wheel(
            wheel.moment,
            wheel.bearing.constant,
            wheel.bearing.linear,
            wheel.bearing.quadratic,
            wheel.heavy_torque,
            wheel.imbalance.angle,
        ),
        clapper=Clapper(
            pivot_x=x,
            pivot_y=y,
            arm=clapper.worn_arm,
            radius=clapper.tip_radius,
            inertia=clapper.moment,
            weight=clapper.weight,
            rest_angle=clapper.rest_angle,
            spring=clapper.spring,
            damper=clapper.damper,
            restitution=pair.restitution,
            friction=pair.friction,
        ),
        pegs=np.array([[peg.angle, pegs.circle_radius, peg.radius] for peg in standing]),
        peg_index=tuple(peg.index for peg in standing),
        bounds=tuple(angle for angle, _ in marks),
        bound_pegs=tuple(rows.get(i, -1) for _, i in marks),
        section=tuple(i for _, i in marks),
        solver=scenario.solver,
    )
