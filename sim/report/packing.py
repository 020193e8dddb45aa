"""Traces small enough for a page: few moments, joined by straight lines, within a stated distance of the engine's."""

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

TIME_QUANTUM_S = 1e-5
LENGTH_QUANTUM_M = 2e-5
TOLERANCE_M = 6e-5
MOST_S = 0.3
_LARGEST = 2**15 - 1


@dataclass(frozen=True, slots=True)
class Channel:
    """Columns of a trace that are judged together.

    columns: their indices. reach: m that one unit of them moves a point of the machine (1 for lengths). quantum: the
    unit in which they are stored.
    """

    columns: tuple[int, ...]
    reach: float
    quantum: float


def lengths(*columns: int) -> Channel:
    """Columns in m."""
    return Channel(columns, 1.0, LENGTH_QUANTUM_M)


def angle(column: int, radius: float) -> Channel:
    """A column in rad, that turns something of this radius (m)."""
    return Channel((column,), radius, 0.5 * LENGTH_QUANTUM_M / radius)


def pack(rows: NDArray[np.float64], channels: tuple[Channel, ...]) -> dict[str, Any]:
    """Return the packed trace: ``count``, ``time`` and ``columns``, each a quantum and base64 of int16 differences.

    rows: shape (n, n_columns), n >= 2, column 0 the time, s. The first difference of every series is its first value,
    stored apart as ``first`` in quanta. ``error_mm``: the largest distance at the rows' own times between the rows
    and what `unpack` makes of it. Raises ValueError where two rows are too far apart (0.6 m) to be stored.
    """
    kept = _kept(rows, channels)
    sizes = {column: channel.quantum for channel in channels for column in channel.columns}
    packed: dict[str, Any] = {
        "count": len(kept),
        "time": _series(rows[kept, 0], TIME_QUANTUM_S),
        "columns": [_series(rows[kept, column], quantum) for column, quantum in sizes.items()],
    }
    times, values = unpack(packed)
    at = np.clip(rows[:, 0], times[0], times[-1])
    again = np.column_stack([np.interp(at, times, values[:, i]) for i in range(len(sizes))])
    place = {column: i for i, column in enumerate(sizes)}
    worst = max(
        channel.reach
        * float(
            np.max(
                np.linalg.norm(
                    again[:, [place[c] for c in channel.columns]] - rows[:, list(channel.columns)], axis=1
                )
            )
        )
        for channel in channels
    )
    return packed | {"error_mm": round(1000 * worst, 4)}


def unpack(packed: dict[str, Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the times, s, shape (n,), and the values, shape (n, n_columns), of a packed trace."""
    return _values(packed["time"]), np.column_stack([_values(series) for series in packed["columns"]])


def _values(series: dict[str, Any]) -> NDArray[np.float64]:
    steps = np.frombuffer(base64.b64decode(series["steps"]), dtype="<i2").astype(np.int64)
    return np.asarray((series["first"] + np.concatenate([[0], np.cumsum(steps)])) * series["quantum"])


def _series(values: NDArray[np.float64], quantum: float) -> dict[str, Any]:
    counts = np.rint(values / quantum).astype(np.int64)
    steps = np.diff(counts)
    if np.max(np.abs(steps), initial=0) > _LARGEST:
        raise ValueError("two rows of the trace are too far apart to be stored")
    return {
        "quantum": quantum,
        "first": int(counts[0]),
        "steps": base64.b64encode(steps.astype("<i2").tobytes()).decode(),
    }


def _kept(rows: NDArray[np.float64], channels: tuple[Channel, ...]) -> list[int]:
    """Indices of the rows to keep: a stretch is halved at its worst row until a straight line will do.

    After Ramer (1972) and Douglas and Peucker (1973), with distances at equal times.
    """
    times = rows[:, 0]
    kept = [0, len(rows) - 1]
    stretches = [(0, len(rows) - 1)]
    while stretches:
        first, last = stretches.pop()
        if last - first < 2:
            continue
        worst, where = 0.0, (first + last) // 2
        span = times[last] - times[first]
        share = (times[first + 1 : last] - times[first]) / span if span > 0 else np.zeros(last - first - 1)
        fits = span <= MOST_S
        for channel in channels:
            columns = list(channel.columns)
            part = rows[first : last + 1, columns]
            straight = part[0] + share[:, None] * (part[-1] - part[0])
            off = channel.reach * np.linalg.norm(part[1:-1] - straight, axis=1)
            fits &= bool(np.max(np.abs(part[-1] - part[0])) < 0.9 * _LARGEST * channel.quantum)
            if off.max() > worst:
                worst, where = float(off.max()), first + 1 + int(off.argmax())
        if worst <= TOLERANCE_M:
            if fits:
                continue
            where = (first + last) // 2
        kept.append(where)
        stretches += [(first, where), (where, last)]
    return sorted(kept)
