"""The columns of a sheet put into the schema's types, batch after batch."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.untrusted import from_cell
from sim.spinlog.numbers import LARGEST_WHOLE, MISSING, numbers
from sim.spinlog.plan import Source
from sim.spinlog.schema import BY_NAME
from sim.spinlog.sheet import Sheet

MOST_ROWS = 20_000_000
LONGEST_TEXT = 1000


@dataclass
class Gathered:
    """The rows of a log, typed but not yet judged.

    columns: by field, ``(n,)`` each: int64, float64, or text with a dictionary. lines: ``(n,)``. reasons: what is wrong
    with a row, by its place. remarks: of the columns.
    """

    columns: dict[str, pa.Array]
    lines: npt.NDArray[np.int64]
    reasons: dict[int, list[str]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def reject(self, rows: npt.NDArray[np.int64] | list[int], reason: str) -> None:
        """Note what is wrong with these rows."""
        for row in rows:
            self.reasons.setdefault(int(row), []).append(reason)

    def reject_values(self, values: npt.NDArray[np.int64], reasons: dict[int, str]) -> None:
        """Note what is wrong with the rows that have these values, ``(n,)``."""
        if reasons:
            for row in np.flatnonzero(np.isin(values, list(reasons))):
                self.reasons.setdefault(int(row), []).append(reasons[int(values[row])])


def gather(sheet: Sheet, sources: dict[str, Source]) -> Gathered:
    """Read a sheet to its end. Raises BadInput when it cannot be read, or holds too many rows."""
    wanted = frozenset(source.at for source in sources.values())
    parts: dict[str, list[pa.Array]] = {name: [] for name in sources}
    lines: list[npt.NDArray[np.int64]] = []
    gathered = Gathered({}, np.empty(0, np.int64))
    marks: dict[str, set[str]] = {name: set() for name in sources}
    count = 0
    for batch in sheet.batches(wanted):
        for name, source in sources.items():
            cells, failures = _typed(batch.columns[source.at], name, source.factor, marks[name])
            parts[name].append(cells)
            for row, reason in failures.items():
                gathered.reject([count + row], f"{name}: {reason}")
        lines.append(batch.lines)
        count += len(batch.lines)
        if count > MOST_ROWS:
            message = f"too many rows; at most {MOST_ROWS} are read; split the log"
            raise BadInput([Fault(Mark(sheet.label), "log", message)])
    gathered.lines = np.concatenate(lines) if lines else gathered.lines
    for name, arrays in parts.items():
        gathered.columns[name] = _joined(arrays, name)
        if _kind(name) == "text" and _is_cut(gathered.columns[name]):
            gathered.remarks.append(f"{name}: texts are kept to {LONGEST_TEXT} characters")
        if {".", ","} <= marks[name]:
            gathered.remarks.append(f"{name}: decimal points and decimal commas are mixed")
    return gathered


def _kind(name: str) -> str:
    """How a field is kept until it is judged: int, float or text."""
    if name == "rest_index_from_1":
        return "int"
    kind = BY_NAME[name].kind if name in BY_NAME else "text"
    return kind if kind in ("int", "float") else "text"


def _typed(cells: pa.Array, name: str, factor: float, marks: set[str]) -> tuple[pa.Array, dict[int, str]]:
    """A part of a column in its field's type; text is trimmed, and what stands for nothing is null."""
    kind = _kind(name)
    if kind not in ("int", "float"):
        return _text(cells.cast(pa.string())), {}
    if pa.types.is_integer(cells.type) or pa.types.is_floating(cells.type):
        return _number(cells, kind, factor)
    cells = pc.utf8_trim_whitespace(cells.cast(pa.string()))
    if kind == "float":
        has = {mark: pc.match_substring(cells, mark) for mark in ".,"}
        marks |= {mark for mark, other in (".,", ",.") if pc.any(pc.and_not(has[mark], has[other])).as_py()}
    values, failures = numbers(cells, integral=kind == "int")
    return values if factor == 1.0 else pc.multiply(values, factor), failures


def _number(cells: pa.Array, kind: str, factor: float) -> tuple[pa.Array, dict[int, str]]:
    """A part of a column that holds numbers already; NaN is null."""
    values = pc.fill_null(cells.cast(pa.float64(), safe=False), float("nan")).to_numpy(zero_copy_only=False)
    missing = np.isnan(values)
    wrong = np.isinf(values)
    if kind == "int":
        wrong |= ~missing & ((values != np.trunc(values)) | (np.abs(values) >= LARGEST_WHOLE))
    words = "a whole number" if kind == "int" else "a finite number"
    failures = {int(row): f"must be {words}; given {values[row]:g}" for row in np.flatnonzero(wrong)}
    unread = missing | wrong
    if kind == "int":
        return pa.array(np.where(unread, 0, values).astype(np.int64), mask=unread), failures
    return pa.array(values * factor, mask=unread), failures


def _text(cells: pa.Array) -> pa.Array:
    return pc.utf8_trim_whitespace(cells).dictionary_encode()


def _joined(arrays: list[pa.Array], name: str) -> pa.Array:
    """The parts of a column as one; text with each word once in its dictionary."""
    column = BY_NAME.get(name)
    is_text = name != "rest_index_from_1" and (column is None or column.kind not in ("int", "float"))
    if not arrays:
        empty = pa.array([], pa.string()).dictionary_encode()
        return (
            empty
            if is_text
            else pa.array([], pa.float64() if column and column.kind == "float" else pa.int64())
        )
    if not is_text:
        return pa.concat_arrays(arrays)
    merged = pa.chunked_array(arrays).unify_dictionaries().combine_chunks()
    if isinstance(merged, pa.ChunkedArray):
        merged = merged.chunk(0)
    words = [_word(word) for word in merged.dictionary.to_pylist()]
    fresh = pa.array(words, pa.string()).dictionary_encode()
    codes = pc.take(fresh.indices, merged.indices)
    return pa.DictionaryArray.from_arrays(codes, fresh.dictionary)


def _word(word: str) -> str | None:
    """A text as it is kept: none where it stands for nothing; an apostrophe that guarded a formula goes."""
    if word.casefold() in MISSING:
        return None
    return from_cell(word).strip()[:LONGEST_TEXT]


def _is_cut(column: pa.DictionaryArray) -> bool:
    longest = pc.max(pc.utf8_length(column.dictionary)).as_py()
    return (longest or 0) >= LONGEST_TEXT
