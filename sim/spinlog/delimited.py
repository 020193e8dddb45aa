"""Text with a delimiter, or a bare list of results: where its header is, how its cells are parted, its rows.

Blocks without a quotation mark are parted by Arrow; from the first quotation mark on, by Python's ``csv``. Rows that
do not fit the header go through ``csv`` in both, so that both agree.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from sim.documents.faults import BadInput, Fault, Mark
from sim.spinlog.lines import LONGEST_LINE, Lines
from sim.spinlog.records import TOO_LONG, Records, is_too_long
from sim.spinlog.sheet import Batch, Rejected, Sheet, strings
from sim.spinlog.sniffing import (
    DELIMITERS,
    LOOKED_AT,
    FieldOf,
    IsResult,
    commonest,
    find_header,
    tokens,
    want_list,
    width_of,
)

FAST = "".join(map(chr, range(1, 128)))
"""Delimiters that Arrow can take."""
_ROWS = 50_000


def open_text(
    lines: Lines, label: str, field_of: FieldOf, is_result: IsResult, delimiter: str | None, numbered: bool
) -> Sheet:
    """Return the sheet of a text: its header is the first line that names the result.

    field_of: the field that a column's name means. is_result: whether a word is a result of the game. delimiter:
    given by the user. numbered: the user names columns by their numbers, so that no header is needed.
    Raises BadInput for a text in which no column gives the result.
    """
    blocks = lines.blocks()
    first = next(blocks, b"")
    sample = first[: 1 << 20].decode("utf-8", "replace").split("\n")[:LOOKED_AT]
    if not any(line.strip() for line in sample) and not first.strip():
        raise BadInput([Fault(Mark(label), "log", "empty; a line for each spin is needed")])
    said = re.fullmatch(r"\s*sep=(.)\s*", sample[0], re.IGNORECASE)
    given = delimiter or (said[1] if said else None)
    found = find_header(sample, field_of, (given,) if given else DELIMITERS)
    stream = chain((first,), blocks)
    if found:
        line, parted, names = found
        return _Delimited(stream, lines, label, tuple(names), line, len(names), parted)
    if numbered:
        start = 2 if said else 1
        parted = given or commonest(sample[start - 1 :])
        return _Delimited(
            stream, lines, label, None, start - 1, width_of(sample[start - 1 :], parted), parted
        )
    want_list(sample, label, is_result)
    return _List(stream, lines, label, None, 0, 1, is_result)


class _Text(Sheet):
    """What both kinds of text share."""

    def __init__(
        self,
        blocks: Iterable[bytes],
        lines: Lines,
        label: str,
        header: tuple[str, ...] | None,
        line: int,
        width: int,
    ) -> None:
        super().__init__(label, header, line, width)
        self._blocks = blocks
        self._lines = lines
        self._comments = self._empty = 0

    def _numbered(self) -> Iterator[tuple[int, bytes]]:
        """Each block and the number of its first line."""
        number = 1
        for block in self._blocks:
            yield number, block
            number += block.count(b"\n")

    def _finish(self) -> None:
        """What is to be said of the text as a whole, once it is read."""
        if self.header and self.line > 1:
            self.remarks.append(f"lines before the header, which were not read: {self.line - 1}")
        if self._comments:
            self.remarks.append(f"lines that begin with # and were not read: {self._comments}")
        if self._empty:
            self.remarks.append(f"rows without any content: {self._empty}")
        if self._lines.not_utf8:
            self.remarks.append(f"lines that are not UTF-8, read as Windows-1252: {self._lines.not_utf8}")
        elif self._lines.encoding != "utf-8":
            self.remarks.append(f"read as {self._lines.encoding.upper()}")
        if self._lines.unended:
            self.remarks.append("the last line has no line end; it may be cut short")


class _List(_Text):
    """A bare list of results: one a line, or several that blanks, commas or semicolons part."""

    def __init__(
        self,
        blocks: Iterable[bytes],
        lines: Lines,
        label: str,
        header: None,
        line: int,
        width: int,
        is_result: IsResult,
    ) -> None:
        super().__init__(blocks, lines, label, header, line, width)
        self._is_result = is_result
        self.is_list = True

    def batches(self, wanted: frozenset[int]) -> Iterator[Batch]:
        """Yield the results as column 0."""
        for first, block in self._numbered():
            words: list[str | None] = []
            numbers: list[int] = []
            for number, line in _texts(first, block):
                if line.isalnum() and len(line) < 100:
                    words.append(line)
                    numbers.append(number)
                elif is_too_long(line):
                    self.rejected.append(Rejected(number, TOO_LONG))
                elif line.startswith("#") and not self._is_result(line):
                    self._comments += 1
                elif line and not line.isspace():
                    results = tokens(line, self._is_result)
                    words += results
                    numbers += [number] * len(results)
            yield Batch({0: strings(words)}, np.array(numbers, np.int64))
        self._finish()


class _Delimited(_Text):
    """Rows of cells."""

    def __init__(
        self,
        blocks: Iterable[bytes],
        lines: Lines,
        label: str,
        header: tuple[str, ...] | None,
        line: int,
        width: int,
        delimiter: str,
    ) -> None:
        super().__init__(blocks, lines, label, header, line, width)
        self._delimiter = delimiter
        self._fast = delimiter in FAST

    def batches(self, wanted: frozenset[int]) -> Iterator[Batch]:
        """Yield the rows below the header."""
        blocks = self._numbered()
        for number, block in blocks:
            bare = _unquoted(block, self._delimiter) if self._fast and b'"' in block else block
            if bare is None or not self._fast:
                rest = chain(((number, block),), blocks)
                yield from self._by_rows(
                    (
                        (at, line)
                        for first, each in rest
                        for at, line in _texts(first, each)
                        if at > self.line
                    ),
                    wanted,
                )
                break
            yield self._by_arrow(number, bare, wanted)
        self._finish()

    def _by_arrow(self, number: int, block: bytes, wanted: frozenset[int]) -> Batch:
        """The rows of a block without quotation marks."""
        data = np.frombuffer(block, np.uint8)
        ends = np.flatnonzero(data == ord("\n"))
        starts = np.concatenate(([0], ends[:-1] + 1))
        lengths = ends - starts
        lines = np.arange(number, number + len(ends), dtype=np.int64)
        parted = np.searchsorted(np.flatnonzero(data == ord(self._delimiter)), ends)
        parts = np.diff(parted, prepend=0)
        below = lines > self.line
        fits = below & (parts == self.width - 1) & (lengths > 0) & (lengths <= LONGEST_LINE)
        fits &= data[starts] != ord("#")
        blanks = (ord(self._delimiter), ord(" "), ord("\t"))
        fits &= ~(np.isin(data[starts], blanks) & np.isin(data[ends - 1], blanks))
        odd = [(int(lines[i]), block[starts[i] : ends[i]].decode()) for i in np.flatnonzero(below & ~fits)]
        if not fits.all():
            block = data[np.repeat(fits, lengths + 1)].tobytes()
        columns = self._parted(block, wanted)
        batch = Batch(columns, lines[fits])
        others = [each for each in self._by_rows(iter(odd), wanted) if len(each.lines)] if odd else []
        if not others:
            return batch
        every = [batch, *others]
        merged = np.concatenate([each.lines for each in every])
        order = np.argsort(merged, kind="stable")
        return Batch(
            {at: pa.concat_arrays([each.columns[at] for each in every]).take(order) for at in wanted},
            merged[order],
        )

    def _parted(self, block: bytes, wanted: frozenset[int]) -> dict[int, pa.Array]:
        if not block:
            return {at: strings([]) for at in wanted}
        names = list(map(str, range(self.width)))
        table = pacsv.read_csv(
            pa.BufferReader(block),
            read_options=pacsv.ReadOptions(column_names=names, block_size=max(1 << 20, 2 * LONGEST_LINE)),
            parse_options=pacsv.ParseOptions(
                delimiter=self._delimiter, quote_char=False, double_quote=False, ignore_empty_lines=False
            ),
            convert_options=pacsv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                include_columns=[str(at) for at in sorted(wanted)],
                strings_can_be_null=False,
                check_utf8=False,
            ),
        )
        return {at: pa.concat_arrays(table.column(str(at)).chunks) for at in wanted}

    def _by_rows(self, lines: Iterator[tuple[int, str]], wanted: frozenset[int]) -> Iterator[Batch]:
        """The rows of lines in which a cell may be quoted."""
        order = sorted(wanted)
        cells: list[list[str]] = []
        numbers: list[int] = []
        for number, text, row in Records(lines, self._delimiter, self.rejected):
            if not any(cell.strip(" \t") for cell in row):
                self._empty += bool(row)
            elif text.startswith("#") and row[0].strip() != "#":
                self._comments += 1
            elif len(row) < self.width or any(map(str.strip, row[self.width :])):
                words = f"{len(row)} cells where {'the header' if self.header else 'a row'} has {self.width}"
                self.rejected.append(Rejected(number, words))
            else:
                cells.append([row[at] for at in order])
                numbers.append(number)
                if len(numbers) >= _ROWS:
                    yield _batch(cells, numbers, order)
                    cells, numbers = [], []
        yield _batch(cells, numbers, order)


def _unquoted(block: bytes, delimiter: str) -> bytes | None:
    """A block less its quotation marks, where each pair of them holds a whole cell and nothing that needs them."""
    data = np.frombuffer(block, np.uint8)
    marks = np.flatnonzero(data == ord('"'))
    if len(marks) % 2:
        return None
    opening, closing = marks[::2], marks[1::2]
    ends, edge = np.flatnonzero(data == ord("\n")), (ord("\n"), ord(delimiter))
    before = np.where(opening == 0, ord("\n"), data[opening - 1])
    separators = np.flatnonzero(np.isin(data, edge))
    holds_none = np.searchsorted(separators, opening) == np.searchsorted(separators, closing)
    # An empty cell alone on its line, or one that begins like a comment, says more with its marks than without.
    is_telling = (closing == opening + 1) | (data[opening + 1] == ord("#"))
    whole = np.isin(before, edge) & np.isin(data[closing + 1], edge) & holds_none
    if not whole.all() or (is_telling & (before == ord("\n"))).any():
        return None
    if np.diff(ends, prepend=-1).max() > LONGEST_LINE:
        return None
    return block.replace(b'"', b"")


def _texts(first: int, block: bytes) -> Iterator[tuple[int, str]]:
    """The lines of a block with their numbers."""
    return enumerate(block.decode().split("\n")[:-1], start=first)


def _batch(cells: list[list[str]], numbers: list[int], order: list[int]) -> Batch:
    columns = [list(column) for column in zip(*cells, strict=True)] or [[] for _ in order]
    return Batch(
        {at: strings(column) for at, column in zip(order, columns, strict=True)},
        np.array(numbers, np.int64),
    )
