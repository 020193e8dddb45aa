"""Exact odds: chances, edges and break-even excess of every bet, as fractions."""

from dataclasses import dataclass
from fractions import Fraction

from sim.rules.rulebook import Bet, Distinct, OneOf, Rulebook


@dataclass(frozen=True, slots=True)
class BetOdds:
    """The odds of one bet on equal cells.

    bet: name of the bet. chance: probability of winning. pays: prize to 1, beside the stake.
    edge: what the house keeps on average, per unit staked; negative when the player gains.
    break_even_excess: by how much, relative to it, the chance must exceed `chance` for the edge to vanish.
    article, prize_article: where bet and prize come from. inferred: no article gives the bet or its prize.
    status: what is known of the prize's text, such as an unverified rectification.
    """

    bet: str
    chance: Fraction
    pays: int
    edge: Fraction
    break_even_excess: Fraction
    article: str | None
    prize_article: str | None
    inferred: bool
    status: str | None


def cells_of(rulebook: Rulebook, bet: Bet) -> int:
    """Return the number of cells on which a bet wins.

    A bet of the player's choice must cover as many cells whatever is chosen; raises ValueError otherwise.
    """
    counts = [rulebook.cells[symbol] for symbol in rulebook.covers(bet)]
    if not isinstance(bet, OneOf | Distinct):
        return sum(counts)
    if len(set(counts)) > 1:
        raise ValueError(f"the symbols of the bet {bet.bet!r} have different numbers of cells")
    return counts[0] * (bet.count if isinstance(bet, Distinct) else 1)


def edge_of(rulebook: Rulebook, bet: Bet) -> Fraction:
    """Return the edge of the house on a bet: 1 - chance * (1 + pays)."""
    chance = Fraction(cells_of(rulebook, bet), rulebook.layout.cells)
    return 1 - chance * (1 + rulebook.prize(bet).pays)


def odds(rulebook: Rulebook) -> list[BetOdds]:
    """Return the exact odds of every bet, in the rulebook's order; all cells are taken as equally likely."""
    table = []
    for bet in rulebook.bets:
        chance = Fraction(cells_of(rulebook, bet), rulebook.layout.cells)
        prize = rulebook.prize(bet)
        table.append(
            BetOdds(
                bet=bet.bet,
                chance=chance,
                pays=prize.pays,
                edge=edge_of(rulebook, bet),
                break_even_excess=Fraction(1, 1 + prize.pays) / chance - 1,
                article=bet.article,
                prize_article=prize.article,
                inferred=bet.inferred or prize.inferred,
                status=prize.status,
            )
        )
    return table
