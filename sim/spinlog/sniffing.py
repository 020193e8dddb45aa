"""Finding out how a text is written: its header, its delimiter, or that it is a bare list of results."""

import csv
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from sim.documents.document import shown
from sim.documents.faults import BadInput, Fault, Mark
from sim.spinlog.lines import LONGEST_LINE
from sim.spinlog.names import RESULTS

DELIMITERS = ("\t", ";", ",", "|", "^", "~", ":", " ")
LOOKED_AT = 60
_MOST_COLUMNS = 1000
_SEPARATORS = re.compile(r"[\s,;|]+")
FieldOf = Callable[[str], str | None]
IsResult = Callable[[str], bool]


def find_header(
    sample: Sequence[str], field_of: FieldOf, delimiters: Sequence[str]
) -> tuple[int, str, list[str]] | None:
    """Return line, delimiter and names of the header, or None.

    It is the line with most names that are known, the result's among them; of equal lines, the first.
    """
    best: tuple[int, str, list[str]] | None = None
    most = 0
    for number, line in enumerate(sample, start=1):
        for delimiter in delimiters:
            names = _cells(line, delimiter)
            while names and not names[-1].strip():
                names.pop()
            fields = [field_of(name) for name in names[:_MOST_COLUMNS]]
            score = sum(each is not None for each in fields)
            if score > most and RESULTS & set(fields):
                best, most = (number, delimiter, names), score
    return best


def _cells(line: str, delimiter: str) -> list[str]:
    if len(line) > LONGEST_LINE:
        return []
    return next(csv.reader([line], delimiter=delimiter), [])


def commonest(sample: Sequence[str]) -> str:
    """Return the delimiter that parts most lines alike."""

    def alike(delimiter: str) -> tuple[int, int]:
        counts = [line.count(delimiter) for line in sample if _is_data(line)]
        most = max(set(counts), key=counts.count, default=0)
        return (counts.count(most) if most else 0, most)

    return max(DELIMITERS, key=alike)


def width_of(sample: Sequence[str], delimiter: str) -> int:
    """Return how many cells most lines have."""
    widths = [len(_cells(line, delimiter)) for line in sample if _is_data(line)]
    return max(set(widths), key=widths.count, default=1)


def want_list(sample: Sequence[str], label: str, is_result: IsResult) -> None:
    """Raise BadInput unless the text looks like a bare list of results."""
    lines = [(number, line) for number, line in enumerate(sample, start=1) if _is_data(line)]
    rows = [tokens(line, is_result) for _, line in lines]
    every = [token for row in rows for token in row]
    place = Mark(label, lines[0][0], 1) if lines else Mark(label)
    is_headed = bool(rows) and len(rows[0]) > 1 and not any(map(is_result, rows[0]))
    if is_headed or 2 * sum(map(is_result, every)) < max(1, len(every)):
        shown_line = shown(lines[0][1].strip()) if lines else "nothing"
        message = (
            "no column gives the result of a spin, and the text is no list of results; name the column "
            "(--map COLUMN=symbol, or rest_index for holes counted from 0, rest_index_from_1), or its number where "
            f"there is no header (--map 2=symbol); given {shown_line}"
        )
        raise BadInput([Fault(place, "header", message)])
    numbers = [row[0] for row in rows]
    counted = all(number.isascii() and number.isdecimal() and len(number) < 10 for number in numbers)
    if len(rows) > 2 and counted and {len(row) for row in rows} in ({2}, {3}, {4}):
        steps = {int(after) - int(before) for before, after in pairwise(numbers)}
        if steps == {1}:
            message = (
                "the first column counts the rows and no header says what the others are; "
                f"name the column of results by its number (--map 2=symbol); given {shown(lines[0][1].strip())}"
            )
            raise BadInput([Fault(place, "header", message)])


def _is_data(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("#")


def tokens(line: str, is_result: IsResult) -> list[str]:
    """Return the results on a line of a bare list: the line itself when it is one, else what blanks and commas part."""
    line = line.strip()
    if is_result(line):
        return [line]
    return [token for token in _SEPARATORS.split(line) if token]
