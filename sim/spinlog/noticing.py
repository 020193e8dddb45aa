"""What the order of a log tells: numbers given twice or left out, time running backwards."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sim.spinlog.settling import coded

Integers = npt.NDArray[np.int64]
_SHOWN = 5


def notice(
    columns: dict[str, pa.Array], lines: Integers, times: Integers | None, kept: npt.NDArray[np.bool_]
) -> list[str]:
    """Return what is to be remarked of the numbers and times of spins, in the order of the log.

    kept: ``(n,)`` which rows can be used; the numbers of the others count, their times do not. Each table and wheel
    counts for itself. Numbers may begin again at 0 or 1 (each day does in some places).
    """
    if not len(lines):
        return []
    groups = _groups(columns, len(lines))
    remarks = []
    for group in np.unique(groups):
        rows = np.flatnonzero(groups == group)
        if "spin_no" in columns:
            given = np.asarray(pc.is_valid(columns["spin_no"]))
            numbered = rows[given[rows]]
            remarks += _numbering(
                np.asarray(columns["spin_no"].fill_null(0).to_numpy())[numbered], lines[numbered]
            )
        if times is not None:
            timed = rows[kept[rows]]
            steps = np.flatnonzero(np.diff(times[timed]) < 0)
            if len(steps):
                remarks.append(f"time runs backwards {_often(len(steps))}: {_at(lines[timed[steps + 1]])}")
    return remarks


def _groups(columns: dict[str, pa.Array], size: int) -> Integers:
    groups = np.zeros(size, np.int64)
    for name in ("table_id", "wheel_serial"):
        if name in columns:
            column = coded(columns[name])
            groups = groups * (len(column.words) + 1) + column.codes + 1
    return groups


def _numbering(numbers: Integers, lines: Integers) -> list[str]:
    """Gaps and repetitions of the numbers of one table."""
    if not len(numbers):
        return []
    steps = np.diff(numbers)
    restarts = (steps < 0) & (numbers[1:] <= 1)
    remarks = []
    gaps = np.flatnonzero(steps > 1)
    if len(gaps):
        missing, gap = int((steps[gaps] - 1).sum()), "gap" if len(gaps) == 1 else "gaps"
        remarks.append(f"numbers of spins left out: {missing}, in {len(gaps)} {gap}; {_at(lines[gaps + 1])}")
    back = np.flatnonzero((steps < 0) & ~restarts)
    if len(back):
        remarks.append(f"numbers of spins run backwards {_often(len(back))}: {_at(lines[back + 1])}")
    rounds = np.concatenate(([0], np.cumsum(restarts)))
    order = np.lexsort((lines, numbers, rounds))
    same = (np.diff(numbers[order]) == 0) & (np.diff(rounds[order]) == 0)
    if same.any():
        twice = np.sort(lines[order[1:][same]])
        remarks.append(f"numbers of spins given again: {len(twice)}; {_at(twice)} (all are kept)")
    if restarts.any():
        remarks.append(f"numbers of spins begin again {_often(int(restarts.sum()))}")
    return remarks


def _often(times: int) -> str:
    return "once" if times == 1 else f"{times} times"


def _at(lines: Integers) -> str:
    shown = ", ".join(map(str, lines[:_SHOWN]))
    return f"line{'s' if len(lines) > 1 else ''} {shown}{', …' if len(lines) > _SHOWN else ''}"
