"""fairwheel from Python: three calls, arrays out.

Angles are degrees counted counter-clockwise seen from above (a pegged wheel: from the front), *lab* is the table,
*plate* turns with the plate. Bad input raises `sim.documents.faults.BadInput`, with a line for every fault.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sim import __version__
from sim.engines import play
from sim.engines.rulebook import rulebook_of
from sim.engines.run import CHUNK, Task, chunks, pool, task_of
from sim.engines.simulated import simulated
from sim.engines.tally import Tally
from sim.landing import Event, Landing, Push, Start
from sim.machines import build
from sim.report.batch import summary
from sim.rules.outcome import Outcome, decide
from sim.scenario import Scenario, load_scenario

__all__ = ["OneSpin", "Spins", "load_scenario", "simulate", "spin"]


class Spins(Mapping[str, NDArray[Any]]):
    """The spins of a run: a mapping from the name of a column to its array, of shape (n_spins,), in index order.

    The columns are those of `sim.spinlog.schema.COLUMNS`; a name ends in its unit (``_deg``, ``_mm``, ``_s``,
    ``_m_s``, ``_rad_s``, ``_j_kg``). Among them:

    spin_no: index of the spin. rest_index: hollow or section that counts, from 0 in ring order. symbol: the result.
    valid: whether there is one. void_code: why there is none. rest_angle_deg, rest_angle_plate_deg, offset_mm: where
    the ball rests. hops, settling_s, duration_s, bell_time (s). Of a pegged wheel: turns, turns_net, section, on_peg,
    roll_back_deg. What was drawn: ball_speed_m_s, plate_rpm, plate_phase_deg, ... or push_speed_rad_s, push_phase_deg.

    What did not happen is NaN in a column of floats, -1 in one of whole numbers, False in one of truths and None in
    one of texts. table: the same as a `pyarrow.Table`, with nulls. summary: counts, shares and edges, as
    ``fairwheel batch --json`` prints them.
    """

    def __init__(self, task: Task, table: pa.Table) -> None:
        self._task = task
        self.table = table

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.table.column_names:
            raise KeyError(name)
        column = self.table[name].combine_chunks()
        if pa.types.is_string(column.type):
            return np.array(column.to_pylist(), dtype=object)
        missing = {"int64": -1, "bool": False}.get(str(column.type), np.nan)
        return np.array(column.fill_null(missing).to_numpy(zero_copy_only=False))

    def __iter__(self) -> Iterator[str]:
        return iter(self.table.column_names)

    def __len__(self) -> int:
        return len(self.table.column_names)

    @property
    def summary(self) -> dict[str, Any]:
        """Counts, shares with their intervals, quantiles, and bets beside their exact odds."""
        tally = Tally.of(len(self._task.scenario.machine.ring))
        tally.add(self.table)
        return summary(self._task, tally)


@dataclass(frozen=True, slots=True)
class OneSpin:
    """One spin with all that happened in it.

    start: what was drawn. landing: where and how it ended. events: in order of time. outcome: what the rulebook makes
    of it. trace: shape (n_steps, 11), or (n_steps, 5) of a pegged wheel, columns as in `sim.landing.COLUMNS` and
    `sim.landing.WHEEL_COLUMNS`, s, m, rad, m/s and rad/s; None unless asked for. All of it is SI and radians.
    """

    start: Start | Push
    landing: Landing
    events: tuple[Event, ...]
    outcome: Outcome
    trace: NDArray[np.float64] | None


def simulate(
    scenario: Scenario | str | Path, spins: int, seed: int = 0, *, first: int = 0, workers: int = 1
) -> Spins:
    """Simulate spins ``first`` to ``first + spins`` of a run with the compiled batch engine.

    scenario: as `load_scenario` gives it, or its name or path. seed: 0 to 2^64 - 1. workers: threads. A spin depends on
    the scenario, the seed and its index alone, not on what else is simulated or by how many workers; it is the same
    as in ``fairwheel batch``. Raises ValueError for fewer than one spin, BadInput for a scenario that is none.
    """
    if spins < 1 or first < 0 or workers < 1 or not 0 <= seed < 2**64 or first + spins > 2**64:
        raise ValueError(
            "spins and workers must be at least 1, first at least 0, the seed from 0 to 2^64 - 1"
        )
    loaded = scenario if isinstance(scenario, Scenario) else load_scenario(scenario)
    task = task_of(loaded, rulebook_of(loaded), seed, __version__)
    parts = chunks(first, first + spins, CHUNK)
    with pool(workers) as each_chunk:
        return Spins(task, pa.concat_tables(each_chunk(_table, task, parts)).combine_chunks())


def _table(task: Task, first: int, last: int) -> pa.Table:
    return simulated(task.scenario, task.rulebook, task.seed, range(first, last))


def spin(
    scenario: Scenario | str | Path, seed: int = 0, index: int = 0, *, trace_step: float | None = None
) -> OneSpin:
    """Play one spin with the rigid engine: the same draws as row ``index`` of `simulate`, with every event.

    trace_step: s between two rows of the trace; None for no trace.
    """
    loaded = scenario if isinstance(scenario, Scenario) else load_scenario(scenario)
    made = play.spin(build(loaded), play.draw(loaded, seed, index), trace_step)
    outcome = decide(rulebook_of(loaded), loaded.machine.ring, made.landing, made.events)
    return OneSpin(made.start, made.landing, made.events, outcome, made.trace)
