"""A log as it was found: columns of text or of numbers, in batches, with the line of every row."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

_SHOWN = 8


@dataclass(frozen=True, order=True, slots=True)
class Rejected:
    """A row that was not read: its line (a row's number where there are no lines) and why, in one line."""

    line: int
    reason: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Rejections:
    """Rows that were not read for one reason: their file (empty: the log itself) and lines, in its order."""

    reason: str
    file: str
    lines: tuple[int, ...]

    @property
    def where(self) -> str:
        """How many rows and their lines: ``600 rows, lines 2 to 601``; of many stretches, the first ones."""
        if len(self.lines) == 1:
            return f"line {self.lines[0]}"
        return f"{len(self.lines)} rows, lines {self.stretches(_SHOWN)}"

    def stretches(self, most: int) -> str:
        """The lines as stretches of them, ``2 to 601, 640``; dots for those beyond so many."""
        lines = np.asarray(self.lines)
        found = np.split(lines, np.flatnonzero(np.diff(lines) != 1) + 1)
        words = [f"{one[0]} to {one[-1]}" if len(one) > 1 else str(one[0]) for one in found[:most]]
        return f"{', '.join(words)}{', …' if len(found) > most else ''}"


def by_reason(rejected: Iterable[Rejected]) -> tuple[Rejections, ...]:
    """Return rejected rows by file and reason, in the order in which each first occurs."""
    groups: dict[tuple[str, str], list[int]] = {}
    for row in rejected:
        groups.setdefault((row.file, row.reason), []).append(row.line)
    return tuple(Rejections(reason, file, tuple(lines)) for (file, reason), lines in groups.items())


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows in the order of the log. columns: by position in the header, only those wanted; lines: ``(n_rows,)``."""

    columns: dict[int, pa.Array]
    lines: npt.NDArray[np.int64]


@dataclass
class Sheet:
    """One table of a log.

    header: names of its columns, or None where they are only numbered. line: of the header. width: number of
    columns. rejected, remarks: grow while the batches are drawn. is_list: its only column holds results.
    """

    label: str
    header: tuple[str, ...] | None
    line: int
    width: int
    rejected: list[Rejected] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    is_list: bool = False

    def batches(self, wanted: frozenset[int]) -> Iterator[Batch]:
        """Yield the rows once, with the columns at these positions."""
        raise NotImplementedError


def strings(values: list[str | None]) -> pa.Array:
    """Return an Arrow array of text."""
    return pa.array(values, pa.string())
