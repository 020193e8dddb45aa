"""Which spins of a run are worth a look."""

from collections.abc import Iterator

import numpy as np
import pyarrow.compute as pc

from sim.spinlog.log import SpinLog

_EXTREMES = (
    ("hops", np.argmax, "most hops"),
    ("settling_s", np.argmax, "longest from bell to rest"),
    ("settling_s", np.argmin, "shortest from bell to rest"),
    ("turns", np.argmin, "fewest turns"),
    ("roll_back_deg", np.argmax, "rolled back farthest"),
    ("turns", np.argmax, "most turns"),
    ("peak_speed_m_s", np.argmax, "fastest after the groove"),
)


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
