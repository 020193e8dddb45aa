"""Per bet: how much likelier than on equal cells is it, and may its edge have vanished?"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Literal

from sim.inspection.noncentral import share_interval
from sim.rules.odds import odds
from sim.rules.rulebook import Distinct, OneOf, Rulebook

Standing = Literal["excluded", "possible", "exceeded"]


@dataclass(frozen=True, slots=True)
class BetCheck:
    """One bet, on the symbols that came most often where the player chooses.

    chance: on equal cells. excess, interval: of its frequency over chance, relative; the intervals of all bets and
    all choices hold together. break_even: the excess at which the edge vanishes.
    standing: ``excluded``: the interval lies below break-even; ``possible``: it holds it; ``exceeded``: above it.
    """

    bet: str
    symbols: tuple[str, ...]
    chance: Fraction
    excess: float
    interval: tuple[float, float]
    break_even: Fraction
    standing: Standing


def check_bets(rulebook: Rulebook, counts: Mapping[str, int], confidence: float) -> tuple[BetCheck, ...]:
    """Return the check of every bet of a rulebook. counts: symbol -> valid spins that gave it.

    Intervals are Clopper and Pearson's at a level shared by all bets and by all sets that a player may choose.
    A bet with which the player gains on equal cells has a break-even below zero and is never ``exceeded``.
    """
    n = sum(counts.values())
    checks = []
    for bet, odd in zip(rulebook.bets, odds(rulebook), strict=True):
        symbols, choices = rulebook.covers(bet), 1
        if isinstance(bet, OneOf | Distinct):
            size = bet.count if isinstance(bet, Distinct) else 1
            choices = comb(len(symbols), size)
            symbols = tuple(sorted(symbols, key=lambda symbol: -counts[symbol])[:size])
        hits = sum(counts[symbol] for symbol in symbols)
        level = (1.0 - confidence) / (len(rulebook.bets) * choices)
        low, high = (bound / float(odd.chance) - 1.0 for bound in share_interval(hits, n, 1.0 - level))
        checks.append(
            BetCheck(
                bet=odd.bet,
                symbols=symbols,
                chance=odd.chance,
                excess=hits / n / float(odd.chance) - 1.0 if n else 0.0,
                interval=(low, high),
                break_even=odd.break_even_excess,
                standing=_standing(low, high, float(odd.break_even_excess)),
            )
        )
    return tuple(checks)


def _standing(low: float, high: float, break_even: float) -> Standing:
    if high < break_even:
        return "excluded"
    return "exceeded" if low > break_even > 0 else "possible"
