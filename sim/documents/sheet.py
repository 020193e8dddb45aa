"""A small table of measurements in a text file: named columns, numbers, comment lines beginning with ``#``."""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sim.documents.document import near, shown
from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.reading import MAX_BYTES, read_text

_NUMBER = re.compile(r"[-+]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})([eE][-+]?\d{1,2})?", re.ASCII)
_COMMA = re.compile(r"[-+]?\d+,\d+", re.ASCII)
_DELIMITERS = (",", ";", "\t")


@dataclass
class Sheet:
    """The rows of a table, as text. rows: line in the file, and the cell of every column that has one there."""

    label: str
    names: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]
    faults: list[Fault] = field(default_factory=list)

    def fault(self, line: int, column: str, message: str) -> None:
        """Note what is wrong with a cell, or with the header (line 0)."""
        self.faults.append(Fault(Mark(self.label, line), column, message))

    def check(self) -> None:
        """Raise BadInput when any fault was noted."""
        if self.faults:
            raise BadInput(self.faults)

    def number(self, line: int, cells: dict[str, str], column: str) -> float | None:
        """A cell as a number; None, with a fault, where it is none, and None where it is empty or missing."""
        text = cells.get(column, "")
        if not text:
            return None
        if _NUMBER.fullmatch(text):
            return float(text)
        why = "a decimal comma; write a decimal point" if _COMMA.fullmatch(text) else "must be a bare number"
        self.fault(line, column, f"{why}, such as 1.25; given {shown(text)}")
        return None


def read_sheet(path: Path, label: str, columns: Iterable[str]) -> Sheet:
    """Read a CSV or TSV file whose first line that is no comment names its columns; some may be absent.

    columns: those that are allowed. Raises BadInput for a file that cannot be read, is empty or has another column.
    """
    allowed = tuple(columns)
    lines = read_text(path, label, MAX_BYTES).splitlines()
    kept = [
        (i, text) for i, text in enumerate(lines, 1) if text.strip() and not text.lstrip().startswith("#")
    ]
    if not kept:
        raise BadInput(
            [Fault(Mark(label), "file", f"has no rows; the first must name columns of {_list(allowed)}")]
        )
    delimiter = max(_DELIMITERS, key=kept[0][1].count)
    parted = [(line, [cell.strip() for cell in _cells(text, delimiter)]) for line, text in kept]
    first, names = parted[0]
    faults = []
    for name in names:
        if name not in allowed:
            message = f"no such column; allowed: {_list(allowed)}; given {shown(name)}{near(name, allowed)}"
            faults.append(Fault(Mark(label, first), "header", message))
    faults += [
        Fault(Mark(label, first), "header", f"each column once; {shown(name)} is given twice")
        for name in dict.fromkeys(names)
        if name in allowed and names.count(name) > 1
    ]
    faults += [
        Fault(
            Mark(label, line),
            "row",
            f"must have at most {len(names)} cells as the header; given {len(cells)}",
        )
        for line, cells in parted[1:]
        if len(cells) > len(names)
    ]
    if faults:
        raise BadInput(faults)
    rows = tuple((line, dict(zip(names, cells, strict=False))) for line, cells in parted[1:])
    return Sheet(label, tuple(names), rows)


def _cells(text: str, delimiter: str) -> list[str]:
    return next(csv.reader([text.replace("\0", "")], delimiter=delimiter), [])


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(names)
