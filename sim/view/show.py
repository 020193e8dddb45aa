"""One machine that is shown: its table, the spin under way, the spin to come, and its stage."""

import re
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from math import pi

import pygame

from sim.engines.rigid import Spin
from sim.machines import PlateMachine, build
from sim.rules.outcome import decide
from sim.rules.rulebook import Rulebook
from sim.scenario import PlateScenario, Scenario
from sim.view.motion import Motion
from sim.view.paint import canvas
from sim.view.playing import CHIP_DIAMETER, Dropped, Order, computed, standing, start_of
from sim.view.sitting import Sitting
from sim.view.stage import Stage, View
from sim.view.tallies import Tallies

Opener = Callable[[str, list[str]], tuple[Scenario, Rulebook]]
FALL_S = 0.45  # from a hand to the plate


class Show:
    """A machine and its spins, computed ahead by a company while something else is shown.

    open_table: loads a scenario and its rulebook, each checked against the other.
    """

    def __init__(self, name: str, seed: int, open_table: Opener, company: Executor) -> None:
        self.name, self.seed, self.open_table, self.company = name, seed, open_table, company
        self.overrides: tuple[str, ...] = ()
        self.index = 0
        self.weak = False
        self.order: Order | None = None
        self.spin: Spin | None = None
        self.counted = False
        self.pending: tuple[Order, Future[Spin]] | None = None
        self.changing: tuple[Order, Future[Spin]] | None = None
        self.size = (0, 0)
        self._load()
        self.sitting = Sitting(self.rulebook)
        self.tallies = Tallies(len(self.scenario.machine.ring))

    def _load(self) -> None:
        self.scenario, self.rulebook = self.open_table(self.name, list(self.overrides))
        self.machine = build(self.scenario)
        self.stand()

    # --- the spin to come --------------------------------------------------------------------------------------

    @property
    def following(self) -> Order:
        """The order of the next spin."""
        return Order(self.name, self.overrides, self.seed, self.index, self.weak)

    @property
    def ready(self) -> bool:
        """Whether the next spin can begin; if not, it is being computed."""
        if self.pending is None or self.pending[0] != self.following:
            if self.pending is not None:
                self.pending[1].cancel()
            self.pending = self.following, self.company.submit(computed, self.following)
        return self.pending[1].done()

    def stand(self) -> None:
        """Show the machine as it waits for its next launch."""
        self.spin = self.order = None
        self.motion = Motion(standing(self.machine, start_of(self.scenario, self.following)))

    def begin(self) -> None:
        """Launch the spin that was computed."""
        assert self.pending is not None
        self.order, future = self.pending
        self.pending, self.changing, self.counted = None, None, False
        self._take(future.result())
        assert self.motion.outcome is not None
        self.sitting.launch(self.motion.outcome)
        self.index += 1

    def _take(self, spin: Spin) -> None:
        outcome = decide(self.rulebook, self.scenario.machine.ring, spin.landing, spin.events)
        dropped = self.order.chips if self.order is not None else ()
        sizes = [(chip.time, CHIP_DIAMETER) for chip in dropped]
        if isinstance(self.machine, PlateMachine):
            sizes += [(chip.time, chip.diameter) for chip in self.machine.objects]
        assert spin.trace is not None
        diameters = [diameter for _, diameter in sorted(sizes)]
        self.spin, self.motion = spin, Motion(spin.trace, spin.events, outcome, spin.chips, diameters)

    # --- what happens to the spin under way ----------------------------------------------------------------------

    def drop_chip(self, time: float, radius: float, azimuth: float) -> float:
        """Let a chip fall on the plate; returns when it lands, s. What follows is computed anew."""
        assert self.order is not None and isinstance(self.machine, PlateMachine)
        reach = self.machine.plate_radius - 0.5 * CHIP_DIAMETER
        chip = Dropped(time + FALL_S, min(radius, reach), azimuth % (2 * pi))
        order = replace(self.order, chips=(*self.order.chips, chip))
        self.changing = order, self.company.submit(computed, order)
        return chip.time

    def settle_change(self) -> bool:
        """Take up the spin as it goes on after a chip, once it is computed; whether nothing is waited for."""
        if self.changing is None:
            return True
        order, future = self.changing
        if not future.done():
            return False
        self.order, self.changing = order, None
        self._take(future.result())
        assert self.motion.outcome is not None
        self.sitting.foresee(self.motion.outcome)
        return True

    def count(self) -> None:
        """Add the spin, which has ended, to the tallies, once."""
        if self.spin is not None and not self.counted:
            self.counted = True
            self.tallies.add(self.spin.landing)

    # --- the machine itself ----------------------------------------------------------------------------------------

    @property
    def file_name(self) -> str:
        """What files about it are called, whatever the scenario's name is made of."""
        return "fairwheel-" + re.sub(r"[^\w.]+", "-", self.scenario.name).strip("-.")[:60]

    @property
    def tilts(self) -> bool:
        """Whether the machine has a level."""
        return isinstance(self.scenario, PlateScenario)

    def rebuild(self, overrides: tuple[str, ...]) -> None:
        """Build the machine anew with other overrides, for the next spin; a spin under way is left as it is."""
        self.overrides = overrides
        spin, order, motion = self.spin, self.order, self.motion
        self._load()
        self.tallies = Tallies(len(self.scenario.machine.ring))
        if spin is not None:
            self.spin, self.order, self.motion = spin, order, motion

    def fit(self, size: tuple[int, int]) -> None:
        """Prepare the stage for a size, px."""
        if size != self.size:
            self.size = size
            self.stage = Stage(self.scenario, self.machine, self.rulebook, size)
            self.canvas = canvas(size)

    def draw(self, time: float, view: View) -> pygame.Surface:
        """Draw the stage at a time of the spin."""
        self.stage.draw(self.canvas, self.motion.at(time), view)
        return self.canvas
