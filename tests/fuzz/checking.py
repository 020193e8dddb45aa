"""What must hold of every spin of every machine that loads."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from math import hypot, inf, tan

import numpy as np

from sim.documents.faults import BadInput
from sim.engines import plate_batch
from sim.engines.draws import draw_starts
from sim.engines.simulated import simulated
from sim.machines import PlateMachine, build
from sim.rules.library import load
from sim.scenario.loading import _checked
from tests.fuzz.generator import scenario_at

SPINS = 1
rulebook = cache(load)
_ROOM = 2e-3  # m, by which a ball may have sunk into what it lies on


@dataclass
class Tally:
    """What became of the scenarios: how many were refused at load, how the spins ended, and what broke."""

    played: int = 0
    refused: int = 0
    endings: Counter = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        self.played += other.played
        self.refused += other.refused
        self.endings += other.endings
        self.broken += other.broken


def check(seed: int, index: int) -> Tally:
    """Load one random scenario and play it, if it is a possible one."""
    name, base, overrides = scenario_at(seed, index)
    tally = Tally()
    try:
        try:
            scenario = _checked(base, overrides)
        except BadInput as error:
            tally.refused = 1
            tally.broken += ["a fault without words" for fault in error.faults if not fault.message.strip()]
        else:
            tally.played = 1
            tally.broken += _wrong(scenario, tally.endings)
    except Exception as error:
        tally.broken.append(f"{type(error).__name__}: {error}")
    words = " ".join(f"--set '{each}'" for each in overrides)
    tally.broken = [f"{seed}/{index}: {what}: {name} {words}" for what in tally.broken]
    return tally


def _wrong(scenario, endings: Counter) -> Iterator[str]:
    table = simulated(scenario, rulebook(scenario.rulebook), 1, range(SPINS))
    for row in table.to_pylist():
        endings[row["ending"]] += 1
        yield from (f"{k} is {v}" for k, v in row.items() if isinstance(v, float) and not abs(v) < inf)
        if row["valid"] != (row["void_code"] is None):
            yield "neither valid nor void"
        if row["ending"] not in ("rest", "left_apparatus", "time_limit"):
            yield f"ends with {row['ending']}"
        if row["duration_s"] > scenario.solver.time_limit + 0.1:
            yield f"went on for {row['duration_s']} s"
    machine = build(scenario)
    if isinstance(machine, PlateMachine):
        yield from _outside(scenario, machine)


def _outside(scenario, machine: PlateMachine) -> Iterator[str]:
    """Balls that are where none can be, or that are said to have left and have not gone over the wall."""
    starts = draw_starts(scenario, 1, range(SPINS))
    ends = np.empty((SPINS, 4))
    _play_to_end(plate_batch.plan_of(machine), starts, ends)
    parts = scenario.machine
    deepest = min(_floor(parts.hollow_at(index)) for index in range(parts.hollows.count))
    lean = parts.plate.run_out.axial if parts.plate.run_out else 0.0
    edge = parts.band.outer_radius
    wall_top = (machine.wall_radius - edge) * tan(parts.cone.slope) + parts.groove.wall_height
    for x, y, z, ending in ends:
        where = f"r = {hypot(x, y):.4f} m, z = {z:.4f} m"
        if ending == plate_batch.LEFT:
            if z < wall_top - _ROOM:
                yield f"left through what is solid, at {where}"
        elif hypot(x, y) > machine.wall_radius or z < deepest + machine.ball_radius - lean - _ROOM:
            yield f"ends inside what is solid, at {where}"


def _floor(hollow) -> float:
    return min(z for _, z in hollow.points) if hollow.profile == "points" else -hollow.depth


@plate_batch.routine
def _play_to_end(plan, starts, ends):
    """Where each ball is at the end, m, and how it ended."""
    for row in range(starts.shape[0]):
        flight, ending = plate_batch.fly(plan, starts[row])
        for axis in range(3):
            ends[row, axis] = flight.ball.position[axis]
        ends[row, 3] = ending
