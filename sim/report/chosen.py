"""Which spins of a run are worth a look."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from sim.report.archived import Ended
from sim.spinlog.log import Floats, SpinLog

_EXTREMES = (
    ("hops", np.argmax, "most hops"),
    ("settling_s", np.argmax, "longest from bell to rest"),
    ("settling_s", np.argmin, "shortest from bell to rest"),
    ("turns", np.argmin, "fewest turns"),
    ("roll_back_deg", np.argmax, "rolled back farthest"),
    ("turns", np.argmax, "most turns"),
    ("peak_speed_m_s", np.argmax, "fastest after the groove"),
)
_AS_LONG = 0.05


def chosen(log: SpinLog, most: int) -> list[tuple[int, str]]:
    """Return rows of a run's log, at most so many, and why: first of every kind of void, extremes, then evenly spread.

    In the order of the log, each row once.
    """
    picked: dict[int, str] = {}
    for row, why in _candidates(log):
        if len(picked) == most:
            break
        picked.setdefault(row, why)
    return sorted(picked.items())


def _candidates(log: SpinLog) -> Iterator[tuple[int, str]]:
    codes = log.table.column("void_code").cast("string")
    for code in sorted(filter(None, pc.unique(codes).to_pylist())):
        yield int(pc.index(codes, code).as_py()), f"void in the run: {code}"
    for name, extreme, why in _EXTREMES:
        values = log.floats(name)
        if np.isfinite(values).any():
            worst = -np.inf if extreme is np.argmax else np.inf
            yield int(extreme(np.where(np.isfinite(values), values, worst))), why
    # Halves, quarters, eighths: wherever it is cut off, they are spread over the whole run.
    parts = 1
    while parts <= len(log):
        for part in range(parts):
            yield (2 * part + 1) * len(log) // (2 * parts), ""
        parts *= 2


@dataclass(frozen=True, slots=True)
class Pick:
    """A spin that tells something of a wheel.

    why: what. rows: of the log, the best first. alike: whether a spin that ended so when it is played again tells it
    still, by how it ended in the log and here.
    """

    why: str
    rows: tuple[int, ...]
    alike: Callable[[Ended, Ended], bool]


def telling(log: SpinLog, often: tuple[int, str] | None, tries: int) -> Iterator[Pick]:
    """Yield what is worth a look in an inspection, with so many rows each: voids, extremes, the usual.

    often: index and name of a hole that is suspected of catching too many.
    """
    codes = log.table.column("void_code").cast("string")
    for code in sorted(filter(None, pc.unique(codes).to_pylist())):
        rows = np.flatnonzero(pc.equal(codes, code).fill_null(False).to_numpy())
        yield Pick(f"void: {code}", _first(rows, tries), lambda then, now: then.void_code == now.void_code)
    if often is not None:
        rows = np.flatnonzero(log.valid & (log.integers("rest_index") == often[0]))
        yield Pick(f"into {often[1]}, which came most often", _first(rows, tries), _same_place)
    turns, took = log.floats("turns"), log.floats("settling_s")
    what = "from bell to rest"
    if not np.isfinite(took).any():
        took, what = log.floats("duration_s"), "from the launch to rest"
    yield Pick(f"longest {what}", _least(-took, log.valid, tries), _took_as_long)
    yield Pick("fewest turns", _least(turns, np.isfinite(turns), 1), lambda then, now: True)
    away = _from_median(turns, log.valid) + _from_median(took, log.valid)
    yield Pick("typical: turns and time near their medians", _least(away, log.valid, tries), _took_as_long)


def _same_place(then: Ended, now: Ended) -> bool:
    return (then.rest_index, then.void_code) == (now.rest_index, now.void_code)


def _took_as_long(then: Ended, now: Ended) -> bool:
    return now.void_code is None and abs(now.duration_s - then.duration_s) < _AS_LONG * then.duration_s


def _first(rows: np.ndarray, most: int) -> tuple[int, ...]:
    return tuple(int(row) for row in rows[:most])


def _least(values: Floats, among: np.ndarray, most: int) -> tuple[int, ...]:
    """The rows with the least values, those without one left out; of equal ones, the first."""
    rows = np.flatnonzero(among & np.isfinite(values))
    if len(rows) > most:
        bound = np.partition(values[rows], most - 1)[most - 1]
        rows = rows[values[rows] <= bound]
    return _first(rows[np.argsort(values[rows], kind="stable")], most)


def _from_median(values: Floats, among: np.ndarray) -> Floats:
    """How far each value is from the median of some, in standard deviations of theirs; 0 where there are none."""
    known = values[among & np.isfinite(values)]
    if len(known) < 2 or known.std() == 0.0:
        return np.zeros(len(values))
    return np.asarray(np.abs(values - np.median(known)) / known.std(), np.float64)
