"""Text with a delimiter, or a bare list of results: where its header is, how its cells are parted, its rows.

Blocks without a quotation mark are parted by Arrow; from the first quotation mark on, by Python's ``csv``. Rows that
do not fit the header go through ``csv`` in both, so that both agree.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from sim.documents.document import shown
from sim.documents.faults import BadInput, Fault, Mark
from sim.spinlog.lines import LONGEST_LINE, Lines
from sim.spinlog.names import RESULTS
from sim.spinlog.records import TOO_LONG, Records, is_too_long
from sim.spinlog.sheet import Batch, Rejected, Sheet, strings

DELIMITERS = ("\t", ";", ",", "|", "^", "~", ":", " ")
FAST = "".join(map(chr, range(1, 128)))
"""Delimiters that Arrow can take."""
_LOOKED_AT = 60
_MOST_COLUMNS = 1000
_ROWS = 50_000
_SEPARATORS = re.compile(r"[\s,;|]+")

FieldOf = Callable[[str], str | None]
IsResult = Callable[[str], bool]


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
    sample = first[: 1 << 20].decode("utf-8", "replace").split("\n")[:_LOOKED_AT]
    if not any(line.strip() for line in sample) and not first.strip():
        raise BadInput([Fault(Mark(label), "log", "empty; a line for each spin is needed")])
    said = re.fullmatch(r"\s*sep=(.)\s*", sample[0], re.IGNORECASE)
    given = delimiter or (said[1] if said else None)
    header = _header(sample, field_of, (given,) if given else DELIMITERS)
    stream = chain((first,), blocks)
    if header:
        line, parted, names = header
        return _Delimited(stream, lines, label, tuple(names), line, len(names), parted)
    if numbered:
        start = 2 if said else 1
        parted = given or _commonest(sample[start - 1 :])
        width = _width(sample[start - 1 :], parted)
        return _Delimited(stream, lines, label, None, start - 1, width, parted)
    _want_list(sample, label, is_result)
    return _List(stream, lines, label, None, 0, 1, is_result)


def _header(
    sample: Sequence[str], field_of: FieldOf, delimiters: Sequence[str]
) -> tuple[int, str, list[str]] | None:
    """Line, delimiter and names of the first line in which some column gives the result."""
    for number, line in enumerate(sample, start=1):
        best: tuple[int, str, list[str]] | None = None
        for delimiter in delimiters:
            names = _cells(line, delimiter)
            while names and not names[-1].strip():
                names.pop()
            fields = [field_of(name) for name in names[:_MOST_COLUMNS]]
            score = sum(each is not None for each in fields)
            if RESULTS & set(fields) and (best is None or score > best[0]):
                best = score, delimiter, names
        if best:
            return number, best[1], best[2]
    return None


def _cells(line: str, delimiter: str) -> list[str]:
    if len(line) > LONGEST_LINE:
        return []
    return next(csv.reader([line], delimiter=delimiter), [])


def _commonest(sample: Sequence[str]) -> str:
    """The delimiter that parts most lines alike."""

    def alike(delimiter: str) -> tuple[int, int]:
        counts = [line.count(delimiter) for line in sample if line.strip() and not line.startswith("#")]
        most = max(set(counts), key=counts.count, default=0)
        return (counts.count(most) if most else 0, most)

    return max(DELIMITERS, key=alike)


def _width(sample: Sequence[str], delimiter: str) -> int:
    widths = [len(_cells(line, delimiter)) for line in sample if line.strip() and not line.startswith("#")]
    return max(set(widths), key=widths.count, default=1)


def _want_list(sample: Sequence[str], label: str, is_result: IsResult) -> None:
    """Raise BadInput unless the text looks like a bare list of results."""
    lines = [(number, line) for number, line in enumerate(sample, start=1) if _is_data(line)]
    rows = [_tokens(line, is_result) for _, line in lines]
    tokens = [token for row in rows for token in row]
    place = Mark(label, lines[0][0], 1) if lines else Mark(label)
    is_headed = bool(rows) and len(rows[0]) > 1 and not any(map(is_result, rows[0]))
    if is_headed or 2 * sum(map(is_result, tokens)) < max(1, len(tokens)):
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


def _tokens(line: str, is_result: IsResult) -> list[str]:
    """The results on a line of a bare list: the line itself when it is one, else what blanks and commas part."""
    line = line.strip()
    if is_result(line):
        return [line]
    return [token for token in _SEPARATORS.split(line) if token]


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
                    tokens = _tokens(line, self._is_result)
                    words += tokens
                    numbers += [number] * len(tokens)
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
