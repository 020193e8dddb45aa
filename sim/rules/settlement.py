"""Exact settlement of bets, in whole units, and the order in which a table pays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sim.rules.bets import Wager
from sim.rules.outcome import Outcome, wins
from sim.rules.rulebook import Rulebook

Result = Literal["won", "lost", "void"]


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one bet.

    staked: the stake. returned: what the player takes back, stake and prize together; 0 when lost.
    net: returned - staked. article: of the prize, or of the rule by which it lost on a special symbol; None
    where no article states it.
    """

    wager: Wager
    result: Result
    staked: int
    returned: int
    net: int
    article: str | None


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of all bets, in the order in which they were given, and the totals."""

    lines: tuple[Line, ...]
    staked: int
    returned: int
    net: int


def settle(rulebook: Rulebook, outcome: Outcome, wagers: Sequence[Wager]) -> Settlement:
    """Settle bets on an outcome. A void spin returns every stake."""
    lines = tuple(settle_one(rulebook, outcome, wager) for wager in wagers)
    staked = sum(line.staked for line in lines)
    returned = sum(line.returned for line in lines)
    return Settlement(lines, staked, returned, returned - staked)


def settle_one(rulebook: Rulebook, outcome: Outcome, wager: Wager) -> Line:
    """Settle one bet on an outcome."""
    stake = wager.stake
    if outcome.symbol is None:
        return Line(wager, "void", stake, stake, 0, outcome.void.article if outcome.void else None)
    if wins(rulebook, wager.bet, wager.symbols, outcome.symbol):
        prize = rulebook.prize(wager.bet)
        return Line(wager, "won", stake, stake * (1 + prize.pays), stake * prize.pays, prize.article)
    special = rulebook.special
    article = special.article if special is not None and special.symbol == outcome.symbol else None
    return Line(wager, "lost", stake, 0, -stake, article)


def payment_order(rulebook: Rulebook, lines: Sequence[Line]) -> list[int]:
    """Return the indices of the lines in the order in which the table deals with them.

    Losers are collected first, then winners paid, last those whose bets the rulebook names (MB-14, SB-19).
    """
    last = rulebook.payment.last if rulebook.payment is not None else ()
    stage = [0 if line.result == "lost" else 2 if line.wager.bet.bet in last else 1 for line in lines]
    return sorted(range(len(lines)), key=lambda index: stage[index])
