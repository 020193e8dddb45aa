"""Worksheets of an ``.xlsx`` file, read row by row without formulas being worked out."""

import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

import numpy as np

from sim.documents.faults import BadInput, Fault, Mark
from sim.spinlog.names import RESULTS
from sim.spinlog.sheet import Batch, Rejected, Sheet, strings

MOST_BYTES = 1 << 30
_BOMB_BYTES, _BOMB_RATIO = 50_000_000, 200
_MOST_ROWS = 1 << 20
_LOOKED_AT = 60
_ROWS = 50_000
_BROKEN = (
    zipfile.BadZipFile, zlib.error, ParseError, OSError, EOFError, KeyError, ValueError, TypeError, IndexError,
    AttributeError, NotImplementedError, RuntimeError,
)  # fmt: skip
"""What openpyxl raises for a file that is not what it should be."""

FieldOf = Callable[[str], str | None]


def open_workbook(
    source: Path | BytesIO, label: str, field_of: FieldOf, is_result: Callable[[str], bool], numbered: bool
) -> Sheet:
    """Return the first worksheet in which some column gives the result, or which is one column of results.

    Raises BadInput for a file that is no workbook, unpacks to too much, or has no such sheet.
    """
    import openpyxl

    _refuse_bombs(source, label)
    try:
        book = openpyxl.load_workbook(source, read_only=True, data_only=True, keep_links=False)
        tops = []
        for page in book.worksheets:
            page.reset_dimensions()
            tops.append([list(map(_text, row)) for row in islice(_rows(page), _LOOKED_AT)])
    except _BROKEN as error:
        raise _damaged(label, error) from None
    others = [page.title for page in book.worksheets]
    for page, top in zip(book.worksheets, tops, strict=True):
        for number, row in enumerate(top, start=1):
            names = tuple(row)
            while names and not names[-1].strip():
                names = names[:-1]
            if RESULTS & {field_of(name) for name in names}:
                others.remove(page.title)
                return _Worksheet(page, label, names, number, len(names), others)
    for page, top in zip(book.worksheets, tops, strict=True):
        filled = [cell for row in top for cell in row if cell.strip()]
        width = max((len(row) for row in top), default=0)
        is_list = width == 1 and bool(filled) and 2 * sum(map(is_result, filled)) >= len(filled)
        if filled and (numbered or is_list):
            others.remove(page.title)
            sheet = _Worksheet(page, label, None, 0, width, others)
            sheet.is_list = is_list and not numbered
            return sheet
    message = (
        "no worksheet has a column that gives the result of a spin; name it (--map COLUMN=symbol), "
        "or its number where there is no header (--map 2=symbol)"
    )
    raise BadInput(
        [Fault(Mark(label), "header", message if any(tops) else "empty; a row for each spin is needed")]
    )


def _refuse_bombs(source: Path | BytesIO, label: str) -> None:
    try:
        with zipfile.ZipFile(source) as archive:
            entries = archive.infolist()
    except _BROKEN as error:
        raise _damaged(label, error) from None
    if not any(entry.filename == "[Content_Types].xml" for entry in entries):
        message = "a ZIP archive that is no .xlsx workbook; unpack it, or save the table as .xlsx or .csv"
        raise BadInput([Fault(Mark(label), "log", message)])
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if unpacked > MOST_BYTES or (unpacked > _BOMB_BYTES and unpacked > _BOMB_RATIO * packed):
        message = f"unpacks to {unpacked} bytes, {unpacked // max(packed, 1)} times its size; save it as .csv"
        raise BadInput([Fault(Mark(label), "log", message)])
    if isinstance(source, BytesIO):
        source.seek(0)


def _damaged(label: str, error: Exception) -> BadInput:
    why = " ".join(str(error).split())[:160] or type(error).__name__
    return BadInput([Fault(Mark(label), "log", f"not a whole .xlsx workbook: {why}")])


def _rows(page: Any) -> Iterator[Sequence[object]]:
    rows: Iterator[Sequence[object]] = page.iter_rows(max_row=_MOST_ROWS, values_only=True)
    return rows


def _text(value: object) -> str:
    """A cell as text; a number that is whole has no point."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2.0**53 else repr(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return repr(value.total_seconds())
    return str(value)


class _Worksheet(Sheet):
    """One worksheet; the line of a row is its number."""

    def __init__(
        self, page: Any, label: str, header: tuple[str, ...] | None, line: int, width: int, others: list[str]
    ) -> None:
        super().__init__(label, header, line, width)
        self._page = page
        if others:
            self.remarks.append(f"worksheets that are not read: {len(others)}; read: {page.title[:40]!r}")

    def batches(self, wanted: frozenset[int]) -> Iterator[Batch]:
        """Yield the rows below the header. Raises BadInput where the file turns out to be damaged."""
        order = sorted(wanted)
        empty = 0
        cells: list[list[str]] = []
        numbers: list[int] = []
        rows = enumerate(_rows(self._page), start=1)
        while True:
            try:
                number, row = next(rows, (0, ()))
            except _BROKEN as error:
                raise _damaged(self.label, error) from None
            if not number:
                break
            if number <= self.line:
                continue
            texts = list(map(_text, row))
            if not any(map(str.strip, texts)):
                empty += 1
            elif any(map(str.strip, texts[self.width :])):
                words = (
                    f"{len(texts)} cells where {'the header' if self.header else 'a row'} has {self.width}"
                )
                self.rejected.append(Rejected(number, words))
            else:
                texts += [""] * (self.width - len(texts))
                cells.append([texts[at] for at in order])
                numbers.append(number)
            if len(numbers) >= _ROWS:
                yield _batch(cells, numbers, order)
                cells, numbers = [], []
        yield _batch(cells, numbers, order)
        if empty:
            self.remarks.append(f"rows without any content: {empty}")


def _batch(cells: list[list[str]], numbers: list[int], order: list[int]) -> Batch:
    columns: list[list[str | None]] = [[row[place] for row in cells] for place in range(len(order))]
    return Batch(
        {at: strings(column) for at, column in zip(order, columns, strict=True)}, np.array(numbers, np.int64)
    )
