"""Bets as players make them, and the text by which the command line takes them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sim.documents.document import near
from sim.documents.faults import BadInput, Fault, Mark
from sim.rules.rulebook import Bet, Distinct, OneOf, Rulebook, expand

STAKE = re.compile(r"[1-9][0-9]{0,11}")


@dataclass(frozen=True, slots=True)
class Wager:
    """One bet of one player: which, on what, for how much.

    symbols: those on which it wins, in the order of the rulebook. stake: whole units, > 0.
    """

    bet: Bet
    symbols: tuple[str, ...]
    stake: int

    @property
    def chance(self) -> str:
        """What the bet is on, as the command line writes it: ``number:7``, ``numbers:1,2,3``, ``red``."""
        if isinstance(self.bet, OneOf | Distinct):
            return f"{self.bet.head}:{','.join(self.symbols)}"
        return self.bet.head


def parse_bets(rulebook: Rulebook, texts: Iterable[str]) -> tuple[Wager, ...]:
    """Read several bets. Raises BadInput with the faults of all of them."""
    wagers: list[Wager] = []
    faults: list[Fault] = []
    for text in texts:
        try:
            wagers.append(parse_bet(rulebook, text))
        except BadInput as error:
            faults.extend(error.faults)
    if faults:
        raise BadInput(faults)
    return tuple(wagers)


def parse_bet(rulebook: Rulebook, text: str) -> Wager:
    """Read ``KIND[:SELECTION]=STAKE``, such as ``number:7=10``, ``numbers:1,2,3=6`` or ``vermelha=20``.

    Case does not matter. Raises BadInput; its mark is ``--bet TEXT``, line 1 and the column in the text.
    """
    chance, equals, stake = text.rpartition("=")
    if not equals:
        raise _bad(
            text, len(text), "stake", "missing; write KIND[:SELECTION]=STAKE, such as " + _example(rulebook)
        )
    if not rulebook.bets:
        raise _bad(text, 0, "bet", f"{rulebook.id} takes no bets")
    bet, symbols = _chance(rulebook, text, chance)
    if not STAKE.fullmatch(stake.strip()):
        message = f"must be a whole number of units from 1 to {10**12 - 1}; given {stake.strip()!r}"
        raise _bad(text, len(chance) + 1, "stake", message)
    return Wager(bet, symbols, int(stake))


def _chance(rulebook: Rulebook, text: str, chance: str) -> tuple[Bet, tuple[str, ...]]:
    """Find the bet and its symbols; a word for a fixed bet may itself hold a colon (``pleno:estrela``)."""
    for bet in rulebook.bets:
        if not isinstance(bet, OneOf | Distinct) and _named(bet, chance):
            return bet, rulebook.covers(bet)
    head, colon, selection = chance.partition(":")
    named = [bet for bet in rulebook.bets if _named(bet, head)]
    choices = [bet for bet in named if isinstance(bet, OneOf | Distinct)]
    if not named:
        words = list(dict.fromkeys(word for bet in rulebook.bets for word in bet.words))
        heads = list(dict.fromkeys(bet.head for bet in rulebook.bets))
        message = f"no bet {head.strip()!r}; allowed: {', '.join(heads)}{near(head.strip(), words)}"
        raise _bad(text, 0, "kind", message)
    if not choices:
        raise _bad(text, len(head), "selection", f"{head.strip()!r} takes none; write {head.strip()}=STAKE")
    allowed = tuple(dict.fromkeys(symbol for bet in choices for symbol in bet.of))
    if not colon:
        wanted = f"missing; write {head.strip()}:SELECTION=STAKE, {_sizes(choices)} of {compact(allowed)}"
        raise _bad(text, len(head), "selection", wanted)
    symbols = _symbols(text, selection, len(head) + 1, allowed)
    for bet in choices:
        size = bet.count if isinstance(bet, Distinct) else 1
        if size == len(symbols) and set(symbols) <= set(bet.of):
            return bet, tuple(symbol for symbol in bet.of if symbol in symbols)
    message = f"must be {_sizes(choices)} of {compact(allowed)}; given {len(symbols)} symbols"
    raise _bad(text, len(head) + 1, "selection", message)


def _symbols(text: str, selection: str, column: int, allowed: tuple[str, ...]) -> list[str]:
    """Read ``1,2,3`` or ``1-12`` into distinct allowed symbols; `column` is where the selection begins."""
    known = {symbol.casefold(): symbol for symbol in allowed}
    symbols: list[str] = []
    for part in selection.split(","):
        try:
            names = expand(part.strip())
        except ValueError:
            names = (part.strip(),)
        for name in names:
            symbol = known.get(name.casefold())
            if symbol is None:
                raise _bad(text, column, "selection", f"must be of {compact(allowed)}; given {name!r}")
            if symbol in symbols:
                raise _bad(text, column, "selection", f"each symbol once; {symbol!r} is given twice")
            symbols.append(symbol)
        column += len(part) + 1
    return symbols


def _named(bet: Bet, word: str) -> bool:
    return word.strip().casefold() in map(str.casefold, bet.words)


def _sizes(bets: list[OneOf | Distinct]) -> str:
    sizes = [str(size) for size in sorted({bet.count if isinstance(bet, Distinct) else 1 for bet in bets})]
    if sizes == ["1"]:
        return "one"
    return f"{', '.join(sizes[:-1])} or {sizes[-1]} distinct" if sizes[1:] else f"{sizes[0]} distinct"


def compact(symbols: tuple[str, ...]) -> str:
    """Return symbols on one line, runs of numbers as ranges: ``star, 1-24``."""
    runs: list[list[str]] = []
    for symbol in symbols:
        last = runs[-1][-1] if runs else ""
        if last.isdecimal() and symbol.isdecimal() and int(symbol) == int(last) + 1:
            runs[-1].append(symbol)
        else:
            runs.append([symbol])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def _example(rulebook: Rulebook) -> str:
    for bet in rulebook.bets:
        return f"{bet.head}:{bet.of[0]}=10" if isinstance(bet, OneOf) else f"{bet.head}=10"
    return "number:7=10"


def _bad(text: str, column: int, field: str, message: str) -> BadInput:
    return BadInput([Fault(Mark(f"--bet {text}", 1, column + 1), field, message)])
