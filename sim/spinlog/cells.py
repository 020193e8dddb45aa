"""What a spin log needs to know of a game: its symbols, their holes, and the words that people write for them."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sim.documents.document import near, shown

STAR_WORDS = ("*", "★", "☆", "⭐", "✱", "star", "estrela", "estrella", "étoile", "etoile", "stern", "stella")
ZERO_WORDS = ("0", "00", "zero", "cero", "zéro")
_VOID_WORDS = {"void", "nulo", "nula", "golpe nulo", "coup nul", "nul", "annulé", "anulada", "anulado"} | {
    *("ungültig", "invalid", "inválida", "inválido", "rotação inválida", "no spin", "no result", "misspin")
}
_MOST_HINTS = 50
_NUMBER = re.compile(r"(?:#|n[°ºo.]{0,2} ?)?0*([0-9]{1,9})(?:[.,]0{1,9})?", re.IGNORECASE)


@dataclass(frozen=True)
class Cells:
    """The holes or sections of a machine, as its rulebook or scenario has them.

    game: id of the rulebook. symbols: number of equal holes of every symbol. ring: the symbol of every hole by
    index, where it is known; its symbols are those of `symbols`, as often. special: the symbol that is no number
    (a star), which people also write as zero. colours: colour of a symbol where the law fixes it.
    free: labels are whole numbers that the log itself sets, from 0 or from 1; `symbols` then gives 1 to N.
    least_turns: fewest turns of a valid spin, where the rules ask for some.
    """

    game: str
    symbols: Mapping[str, int]
    ring: tuple[str, ...] | None = None
    special: str | None = None
    colours: Mapping[str, str] = field(default_factory=dict)
    free: bool = False
    least_turns: int | None = None

    def __post_init__(self) -> None:
        if self.ring is not None and {each: self.ring.count(each) for each in self.ring} != dict(
            self.symbols
        ):
            raise ValueError(f"the ring does not carry the symbols of {self.game}")

    @property
    def count(self) -> int:
        """Number of holes."""
        return sum(self.symbols.values())

    @property
    def holes(self) -> dict[str, int]:
        """The only hole of every symbol that stands once on a known ring."""
        ring = self.ring or ()
        return {symbol: hole for hole, symbol in enumerate(ring) if self.symbols[symbol] == 1}

    def settled(self, words: Iterable[str]) -> "Cells":
        """Return the cells with the labels that a log uses, from all the words in its column of results.

        Only free labels change: they count from 0 when a 0 occurs (38 cells with a 00 are 0, 00 and 1 to 36),
        else from 1.
        """
        if not self.free:
            return self
        seen = {match for word in words if (match := _whole(word))}
        if not seen & {"0", "00"}:
            return self
        double = "00" in seen and self.count > 1
        labels = ["0", *(["00"] if double else []), *map(str, range(1, self.count - double))]
        return replace(self, symbols=dict.fromkeys(labels, 1))


def _whole(word: str) -> str | None:
    """The whole number that a word writes, without what surrounds it; ``00`` is itself."""
    word = unicodedata.normalize("NFKC", word).strip()
    if word == "00":
        return word
    match = _NUMBER.fullmatch(word)
    return match[1] if match else None


class SymbolReader:
    """Reads the result of a spin as people write it."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._hints = _MOST_HINTS
        self._known: dict[str, str] = {symbol.casefold(): symbol for symbol in reversed(list(cells.symbols))}
        self._known |= {symbol: symbol for symbol in cells.symbols}
        colours = list(cells.colours.values())
        for symbol, colour in cells.colours.items():
            if colours.count(colour) == 1:
                self._known.setdefault(colour.casefold(), symbol)
        if "star" in cells.symbols:
            self._add("star", STAR_WORDS)
        if "0" in cells.symbols:
            self._add("0", tuple(word for word in ZERO_WORDS if word != "00"))
        elif cells.special is not None and not cells.special.isdecimal():
            self._add(cells.special, ZERO_WORDS)

    def _add(self, symbol: str, words: Iterable[str]) -> None:
        for word in words:
            self._known.setdefault(word.casefold(), symbol)

    def __call__(self, word: str) -> str:
        """Return the symbol that a word means. Raises ValueError with what is wrong for any other word."""
        symbol = self._symbol(word)
        if symbol is not None:
            return symbol
        first, _, last = word.strip().partition(" ")
        for text, colour in ((first, last), (last, first)):
            symbol = self._symbol(text) if colour else None
            known = self._cells.colours.get(symbol or "")
            if symbol is not None and colour.strip("() ").casefold() == known:
                return symbol
        raise ValueError(
            f"must be a symbol of {self._cells.game} ({self._shown()}); given {self._given(word)}"
        )

    def _symbol(self, word: str) -> str | None:
        word = unicodedata.normalize("NFKC", word).strip().casefold()
        if word in self._known:
            return self._known[word]
        number = _whole(word)
        return None if number is None else self._known.get(number)

    def _shown(self) -> str:
        symbols = list(self._cells.symbols)
        numbers = [int(symbol) for symbol in symbols if symbol.isdecimal() and symbol != "00"]
        others = [symbol for symbol in symbols if not symbol.isdecimal() or symbol == "00"]
        if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            return ", ".join([*others, f"{numbers[0]}-{numbers[-1]}"])
        if len(numbers) > 2 and sorted(numbers) == list(range(min(numbers), min(numbers) + len(numbers))):
            return ", ".join([*others, f"{min(numbers)}-{max(numbers)}"])
        return ", ".join(symbols)

    def _given(self, word: str) -> str:
        """The word as it is shown; near symbols are looked up for the first wrong words only."""
        self._hints -= 1
        return shown(word) + (
            near(word[:40], self._cells.symbols) if self._hints >= 0 and not word.isdecimal() else ""
        )


def is_void_word(word: str) -> bool:
    """Whether a word in the column of results says that the spin did not count."""
    return word.strip().casefold() in _VOID_WORDS
