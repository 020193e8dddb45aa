"""Rows of lines in which a cell may be quoted and run over several lines."""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sim.spinlog.lines import LONGEST_LINE
from sim.spinlog.sheet import Rejected

LONGEST_QUOTE = 100
"""Lines over which one quoted cell may run."""
TOO_LONG = f"a line longer than {LONGEST_LINE} bytes"


def is_too_long(line: str) -> bool:
    """Whether a line is not read at all."""
    return 4 * len(line) > LONGEST_LINE and len(line.encode()) > LONGEST_LINE


class _Unclosed(Exception):  # noqa: N818
    """A quotation mark that nothing closes."""


class Records:
    """Rows of a stream of lines: number and text of the first line of each, and its cells.

    A quoted cell may hold line ends. One that does not close in time is a fault of the line on which it opens;
    reading goes on with the line after it.
    """

    def __init__(self, lines: Iterator[tuple[int, str]], delimiter: str, rejected: list[Rejected]) -> None:
        self._lines = lines
        self._delimiter = delimiter
        self._rejected = rejected
        self._again: list[tuple[int, str]] = []
        self._taken: list[tuple[int, str]] = []

    def __iter__(self) -> Iterator[tuple[int, str, list[str]]]:
        reader = csv.reader(_Feed(self._next), delimiter=self._delimiter)
        while True:
            self._taken = []
            try:
                row = next(reader, None)
            except _Unclosed:
                words = f"a quotation mark opens a cell that does not close within {LONGEST_QUOTE} lines"
                self._rejected.append(Rejected(self._taken[0][0], words))
                self._again = self._taken[1:] + self._again
            except csv.Error:
                words = f"a cell longer than {csv.field_size_limit()} characters"
                self._rejected.append(Rejected(self._taken[0][0], words))
            else:
                if row is None:
                    return
                yield *self._taken[0], row
                continue
            reader = csv.reader(_Feed(self._next), delimiter=self._delimiter)

    def _next(self) -> str:
        """The next line for ``csv``, which asks for a second one only inside a quoted cell."""
        if len(self._taken) >= LONGEST_QUOTE:
            raise _Unclosed
        while True:
            entry = self._again.pop(0) if self._again else next(self._lines, None)
            if entry is None:
                if self._taken:
                    raise _Unclosed
                raise StopIteration
            if self._taken or not is_too_long(entry[1]):
                self._taken.append(entry)
                return f"{entry[1]}\n"
            self._rejected.append(Rejected(entry[0], TOO_LONG))


@dataclass
class _Feed:
    """An iterator of what a function returns; unlike a generator it outlives an exception."""

    call: Callable[[], str]

    def __iter__(self) -> "_Feed":
        return self

    def __next__(self) -> str:
        return self.call()
