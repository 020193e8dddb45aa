"""All that a report is made of."""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import atan, atan2, degrees, floor, hypot, log10, pi, sqrt, tau
from typing import Any

import numpy as np

from sim.documents.faults import BadInput
from sim.inspection.board import Board, Spins
from sim.inspection.drop_zone import Dropped
from sim.inspection.inspection import Inspection
from sim.inspection.levelling import Levelling, Reading, Undetermined, level
from sim.inspection.result import Result
from sim.report.inspection.form import Form
from sim.report.inspection.replays import Replays
from sim.rules.rulebook import Rulebook
from sim.scenario import PlateScenario, Scenario
from sim.scenario.loading import parse_scenario
from sim.spinlog.log import Input, SpinLog

LONGEST_WORD = 60


@dataclass(frozen=True, slots=True)
class Lean:
    """How a table stands. tilt: rad. low_side: lab azimuth, rad, None where unknown. uncertainty: of the tilt at
    95 %, rad. source: who says so. anywhere: whether the uncertainty leaves the low side open.
    """

    tilt: float
    low_side: float | None
    uncertainty: float | None
    source: str
    anywhere: bool = False

    @property
    def points(self) -> bool:
        """Whether anything is known of the low side."""
        return self.low_side is not None and not self.anywhere

    def __str__(self) -> str:
        spread = degrees(self.uncertainty or 0.0)
        places = min(5, max(2, 1 - floor(log10(spread)))) if spread else 3
        within = f" ± {spread:.{places}f}" if spread else ""
        side = "" if self.low_side is None else f", low side at {degrees(self.low_side) % 360:.0f} deg"
        side += ", or anywhere" if self.anywhere else ""
        return f"{degrees(self.tilt):.{places}f}{within} deg{side}"


def _short(word: str) -> str:
    return word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…"


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was found, in what, by which rules.

    form, scenario: where given. inputs: files beside the log's. drops: what the drop zone says of the tilt. replays:
    of spins that were simulated, some played again.
    """

    found: Inspection
    log: SpinLog
    rulebook: Rulebook
    board: Board
    spins: Spins
    form: Form = field(default_factory=Form)
    scenario: Scenario | None = None
    inputs: tuple[Input, ...] = ()
    drops: Dropped | None = None
    replays: Replays | None = None

    @property
    def confidence(self) -> float:
        """Of intervals that hold together."""
        return 1.0 - self.found.alpha

    @cached_property
    def ran(self) -> tuple[Result, ...]:
        """The tests that ran."""
        return tuple(test for test in self.found.tests if test.p is not None)

    @property
    def level_of_one(self) -> float:
        """Level that the family leaves to one test."""
        return self.found.alpha / max(1, len(self.ran))

    @cached_property
    def days(self) -> tuple[str, str] | None:
        """First and last moment of the log, ISO 8601 to the minute, where it has any."""
        times = self.log.times
        if times is None or not len(times):
            return None
        known = times[times > np.iinfo(np.int64).min]
        if not len(known):
            return None
        first, last = (
            str(np.datetime64(int(each), "us").astype("datetime64[m]")).replace("T", " ")
            for each in (known.min(), known.max())
        )
        return first, last

    @property
    def manifest(self) -> Mapping[str, Any] | None:
        """What a batch run says of itself."""
        return self.log.manifest

    @cached_property
    def levelling(self) -> Levelling | None:
        """What the form's readings of a spirit level come to, None where they leave the tilt open.

        The standard uncertainty of a reading is that of rounding to the coarsest sensitivity of the instruments read,
        its twelfth part's root, where every one states it; else it comes from the residuals.
        """
        readings = []
        for one in self.form.level.readings:
            if one.azimuth is None or one.reading is None:
                continue
            place, towards = one.azimuth.value, (one.towards or one.azimuth).value
            readings.append(Reading(place, towards, one.reading.value))
            if one.reversed is not None:
                readings.append(Reading(place, towards, one.reversed.value, reversed=True))
        with suppress(Undetermined):
            return level(readings, self._rounding)
        return None

    @property
    def _rounding(self) -> float | None:
        """Standard uncertainty of reading the instruments, a tangent."""
        finest = {one.id: one.finest_slope for one in self.form.instruments if one.id}
        used = [finest.get(one.instrument or "") for one in self.form.level.readings]
        known = [each for each in used if each]
        return max(known) / sqrt(12.0) if known and len(known) == len(used) else None

    @cached_property
    def tilt(self) -> Lean | None:
        """How the table stands: as the form states, else by its readings, by the drops, by the scenario simulated."""
        stated = self.form.level
        if stated.tilt is not None:
            side = stated.low_side.value if stated.low_side else None
            spread = atan(stated.uncertainty.value) if stated.uncertainty else None
            return Lean(atan(abs(stated.tilt.value)), side, spread, "measured by the inspector")
        found = self.levelling
        if found is not None:
            spread, anywhere = None, False
            if found.tilt is not None:
                low, high = found.tilt.interval(0.95)
                spread = max(high - found.tilt.angle, found.tilt.angle - low)
                anywhere = found.tilt.half_width(0.95) >= pi
            side = atan2(found.y, found.x) % tau
            source = "from the inspector's level readings"
            return Lean(atan(hypot(found.x, found.y)), side, spread, source, anywhere)
        if self.drops is not None:
            drops = self.drops.found
            angle = drops.tilt.angle
            spread = None if drops.high is None else max(drops.high - angle, angle - drops.low)
            anywhere = drops.tilt.half_width(0.95) >= pi
            source = f"from {drops.n} drops and the rim law of the scenario"
            return Lean(angle, drops.tilt.low_side, spread, source, anywhere)
        return self.simulated_tilt

    @property
    def simulated_tilt(self) -> Lean | None:
        """How the table of simulated spins stood, by their scenario."""
        if self.log.is_simulated and isinstance(self.scenario, PlateScenario):
            stands = self.scenario.level
            return Lean(stands.tilt, stands.low_side if stands.tilt else None, None, "of the scenario")
        return None

    def words(self, name: str, most: int = 12) -> list[tuple[str, int]]:
        """How many spins of a log have each value of a column, in the order of their number; the rest as one."""
        codes, words = self.log.codes(name)
        counts = np.bincount(codes[codes >= 0], minlength=len(words))
        order = sorted(range(len(words)), key=lambda each: (-counts[each], words[each]))
        told = [(_short(words[each]), int(counts[each])) for each in order if counts[each]]
        if len(told) > most:
            rest = told[most - 1 :]
            told = [*told[: most - 1], (f"{len(rest)} others", sum(count for _, count in rest))]
        return told


def gather(
    found: Inspection,
    log: SpinLog,
    rulebook: Rulebook,
    board: Board,
    spins: Spins,
    scenario: Scenario | None,
    filled: tuple[Form, Input] | None,
) -> Evidence:
    """Return the evidence, with the hash of the rulebook, and the scenario by which a run says it was simulated.

    filled: the form and what it was read from.
    """
    law = rulebook.model_dump_json().encode()
    inputs = [Input(f"rulebook {rulebook.id}, resolved", hashlib.sha256(law).hexdigest(), len(law))]
    if scenario is not None:
        text = scenario.document.text.encode()
        name = scenario.document.label
        inputs.append(Input(name, hashlib.sha256(text).hexdigest(), len(text)))
    elif log.manifest is not None:
        with suppress(BadInput):
            scenario = parse_scenario(str(log.manifest.get("scenario_text", "")), log.name)
    form = Form()
    if filled is not None:
        form = filled[0]
        inputs.append(filled[1])
    return Evidence(found, log, rulebook, board, spins, form, scenario, tuple(inputs))
