"""Rows judged: what each says of its result, whether it counts, and whether it contradicts itself."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sim.documents.document import shown
from sim.spinlog.cells import Cells, SymbolReader, is_void_word
from sim.spinlog.form import Form
from sim.spinlog.gathering import Gathered
from sim.spinlog.numbers import numbers
from sim.spinlog.schema import BY_NAME, VOID_CODES
from sim.spinlog.words import is_truth, truth, word_of

Integers = npt.NDArray[np.int64]
_VOID = "(void)"


@dataclass
class Coded:
    """A column of text as numbers of its words, ``(n,)``, -1 for none."""

    codes: Integers
    words: list[str]

    @property
    def present(self) -> npt.NDArray[np.bool_]:
        """Which rows have a word."""
        return self.codes >= 0

    def array(self) -> pa.Array:
        """The column for a table."""
        indices = pa.array(self.codes.astype(np.int32), mask=self.codes < 0)
        return pa.DictionaryArray.from_arrays(indices, pa.array(self.words, pa.string()))


def coded(column: pa.DictionaryArray) -> Coded:
    """A column with a dictionary, in which null is one of the words or an index."""
    words = column.dictionary.to_pylist()
    codes = np.asarray(pc.fill_null(column.indices, -1).to_numpy(zero_copy_only=False), np.int64)
    kept = [word for word in words if word is not None]
    places = np.array([*np.cumsum([word is not None for word in words]) - 1, -1], np.int64)
    places[:-1][[word is None for word in words]] = -1
    return Coded(places[codes], kept)


def translated(
    gathered: Gathered,
    name: str,
    form: Form,
    read: Callable[[str], str],
    columns: tuple[str, ...] | None = None,
) -> Coded:
    """A column of words as what they mean; rows with a word that `read` refuses (ValueError) are rejected, and an
    empty meaning is none.

    columns: the meanings in the order wanted; else in the order of their first word.
    """
    told = form.values.get(name, {})
    given = coded(gathered.columns[name])
    meanings = {meaning: place for place, meaning in enumerate(columns or ())}
    places = np.full(len(given.words) + 1, -1, np.int64)
    reasons = {}
    for code, word in enumerate(given.words):
        try:
            meaning = read(told.get(word, word))
        except ValueError as error:
            reasons[code] = f"{name}: {error}"
        else:
            places[code] = meanings.setdefault(meaning, len(meanings)) if meaning else -1
    gathered.reject_values(given.codes, reasons)
    return Coded(places[given.codes], list(meanings))


def settle(gathered: Gathered, cells: Cells, form: Form) -> tuple[dict[str, pa.Array], Cells]:
    """Return the columns of a log by name, and the cells with the log's labels; what is wrong goes to `gathered`.

    1. Words become the schema's own. 2. The result is read by the game's symbols, and the hole and the symbol
    complete or contradict each other. 3. Each spin counts or is void for a reason.
    """
    size = len(gathered.lines)
    columns: dict[str, pa.Array] = {
        name: column
        for name, column in gathered.columns.items()
        if name in BY_NAME and BY_NAME[name].kind != "moment"
    }
    _same_game(gathered, cells, form)
    for name in ("ball_dir", "plate_dir", "ending"):
        if name in columns:
            columns[name] = translated(gathered, name, form, word_of(name)).array()
    flags = {
        name: translated(gathered, name, form, truth, ("false", "true")).codes
        for name in ("valid", "on_peg")
        if name in columns
    }
    if "on_peg" in flags:
        columns["on_peg"] = pa.array(flags["on_peg"] == 1, mask=flags["on_peg"] < 0)
    if "symbol" in columns:
        told = form.values.get("symbol", {})
        words = coded(gathered.columns["symbol"]).words
        cells = cells.settled(told.get(word, word) for word in words)
    symbol = _symbols(gathered, cells, form)
    index = _holes(gathered, cells)
    _complete(gathered, cells, symbol, index)
    valid, void = _validity(gathered, cells, form, symbol, index, flags.get("valid"))
    columns["symbol"] = Coded(
        np.where(symbol.codes == len(cells.symbols), -1, symbol.codes), list(cells.symbols)
    ).array()
    columns["rest_index"] = pa.array(index, mask=index < 0)
    columns["valid"] = pa.array(valid)
    columns["void_code"] = void.array()
    for name in ("close_time", "bell_time"):
        if name in gathered.columns:
            columns[name] = _moment(gathered.columns[name])
    assert all(len(column) == size for column in columns.values())
    return columns, cells


def _same_game(gathered: Gathered, cells: Cells, form: Form) -> None:
    """Reject rows of another game."""
    if "game_profile" not in gathered.columns or cells.free:
        return

    def read(word: str) -> str:
        if word == cells.game:
            return word
        raise ValueError(f"a spin of another game, {shown(word)}, where {cells.game} is read")

    translated(gathered, "game_profile", form, read)


def _symbols(gathered: Gathered, cells: Cells, form: Form) -> Coded:
    """The results by the order of the cells' symbols; one more stands for void."""
    order = tuple(cells.symbols)
    if "symbol" not in gathered.columns:
        return Coded(np.full(len(gathered.lines), -1, np.int64), [*order, _VOID])
    reader = SymbolReader(cells)

    def read(word: str) -> str:
        try:
            return reader(word)
        except ValueError:
            if is_void_word(word):
                return _VOID
            raise

    return translated(gathered, "symbol", form, read, (*order, _VOID))


def _holes(gathered: Gathered, cells: Cells) -> Integers:
    """The hole of each result, -1 for none; a hole that the machine does not have is rejected."""
    for name, first in (("rest_index", 0), ("rest_index_from_1", 1)):
        if name in gathered.columns:
            given = np.asarray(pc.fill_null(gathered.columns[name], first - 1).to_numpy(), np.int64)
            missing = np.asarray(pc.is_null(gathered.columns[name]))
            holes = given - first
            wrong = ~missing & ((holes < 0) | (holes >= cells.count))
            last = cells.count - 1 + first
            words = f"{name}: must be one of {first}-{last}, the holes of {cells.game}; given"
            reasons = {int(value): f"{words} {value}" for value in np.unique(given[wrong])}
            if first == 0 and cells.count in reasons:
                reasons[cells.count] += " (where it counts from 1, it is the field rest_index_from_1)"
            gathered.reject_values(np.where(wrong, given, first), reasons)
            return np.where(missing | wrong, -1, holes)
    return np.full(len(gathered.lines), -1, np.int64)


def _complete(gathered: Gathered, cells: Cells, symbol: Coded, index: Integers) -> None:
    """Where the ring is known, holes and symbols complete each other in place, or contradict and are rejected."""
    if cells.ring is None:
        _same_symbol_in_each_hole(gathered, cells, symbol, index)
        return
    order = {each: code for code, each in enumerate(cells.symbols)}
    on_ring = np.array([order[each] for each in cells.ring], np.int64)
    has_symbol, has_hole = (symbol.codes >= 0) & (symbol.codes < len(order)), index >= 0
    both = np.flatnonzero(has_symbol & has_hole)
    for row in both[on_ring[index[both]] != symbol.codes[both]]:
        hole, logged = int(index[row]), symbol.words[symbol.codes[row]]
        gathered.reject(
            [row], f"rest_index: hole {hole} carries {cells.ring[hole]}, and the symbol is {logged}"
        )
    symbol.codes[:] = np.where(has_hole & (symbol.codes < 0), on_ring[index], symbol.codes)
    hole_of = np.array([cells.holes.get(each, -1) for each in (*cells.symbols, _VOID)], np.int64)
    index[:] = np.where(has_symbol & ~has_hole, hole_of[symbol.codes], index)


def _same_symbol_in_each_hole(gathered: Gathered, cells: Cells, symbol: Coded, index: Integers) -> None:
    """Without a known ring, the log itself must give each hole one symbol; a remark says where it does not."""
    both = (index >= 0) & (symbol.codes >= 0) & (symbol.codes < len(cells.symbols))
    if not both.any():
        return
    pairs, counts = np.unique(np.stack([index[both], symbol.codes[both]]), axis=1, return_counts=True)
    for hole in np.unique(pairs[0]):
        here = pairs[0] == hole
        if here.sum() > 1:
            seen = ", ".join(
                f"{symbol.words[code]} ({times})"
                for code, times in zip(pairs[1][here], counts[here], strict=True)
            )
            gathered.remarks.append(f"hole {hole} is logged with several symbols: {seen}")


def _validity(
    gathered: Gathered, cells: Cells, form: Form, symbol: Coded, index: Integers, flag: Integers | None
) -> tuple[npt.NDArray[np.bool_], Coded]:
    """Whether each spin counts, and its void code."""
    size = len(gathered.lines)
    order = tuple(VOID_CODES)
    other = order.index("OTHER")
    strange: dict[str, int] = {}
    void = np.full(size, -1, np.int64)
    if "void_code" in gathered.columns:

        def read(word: str) -> str:
            code = word.upper().replace(" ", "_").replace("-", "_")
            if is_truth(word):
                return "OTHER" if truth(word) == "true" else ""
            if code not in order:
                strange[word] = strange.get(word, 0) + 1
            return code if code in order else "OTHER"

        void = translated(gathered, "void_code", form, read, order).codes
    for word in list(strange)[:10]:
        gathered.remarks.append(f"void_code: {shown(word)} is counted as OTHER")
    said = symbol.codes == len(cells.symbols)
    void = np.where(said & (void < 0), other, void)
    if flag is not None:
        clash = (flag == 1) & (void >= 0)
        gathered.reject(np.flatnonzero(clash), "valid: said to count, and void at the same time")
        void = np.where((flag == 0) & (void < 0), other, void)
    if cells.least_turns is not None and "turns" in gathered.columns:
        turns = np.asarray(pc.fill_null(gathered.columns["turns"], np.inf).to_numpy(), np.float64)
        short = (turns < cells.least_turns) & (void < 0)
        void = np.where(short, order.index("MIN_TURNS"), void)
        if short.any():
            gathered.remarks.append(
                f"spins of fewer than {cells.least_turns} turns that the log does not call void, "
                f"excluded as MIN_TURNS: {short.sum()}"
            )
    nothing = (void < 0) & (symbol.codes < 0) & (index < 0)
    failed = np.zeros(size, np.bool_)
    failed[list(gathered.reasons)] = True
    gathered.reject(np.flatnonzero(nothing & ~failed), "no result, and not said to be void")
    return void < 0, Coded(void, list(order))


def _moment(column: pa.Array) -> pa.Array:
    """Seconds where every value is a number, else the text as logged."""
    text = column.cast(pa.string())
    values, failures = numbers(pc.fill_null(text, ""), integral=False)
    return text.dictionary_encode() if failures else values
