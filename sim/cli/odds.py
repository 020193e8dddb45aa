"""``odds``: what every bet of a rulebook costs."""

import json
from fractions import Fraction
from typing import Annotated

import typer

from sim.cli import screen
from sim.cli.options import AsJson
from sim.cli.table import open_rulebook

NAME = "odds"
EXAMPLE = "Example: fairwheel odds macau-boule-1979"


def run(
    rulebook: Annotated[
        str, typer.Argument(metavar="RULEBOOK", help="A file, or the name of a shipped one.")
    ],
    as_json: AsJson = False,
) -> None:
    """Show the exact chance, prize and edge of every bet, on cells that are equally likely.

    The excess is how much likelier than equal a bet's cells must be for the edge to vanish.
    """
    from sim.rules.contradictions import suspicious
    from sim.rules.odds import odds

    book = open_rulebook(rulebook)
    bets = odds(book)
    if as_json:
        rows = [
            {
                "bet": one.bet,
                "chance": str(one.chance),
                "pays": one.pays,
                "edge": str(one.edge),
                "break_even_excess": str(one.break_even_excess),
                "article": one.article,
                "inferred": one.inferred,
            }
            for one in bets
        ]
        print(json.dumps({"rulebook": book.id, "bets": rows}, indent=2))
        return
    console = screen.console()
    console.print(screen.clean(f"{book.id}: {book.title}. {book.source}"), soft_wrap=True)
    if not bets:
        console.print("no bets")
        return
    table = screen.table(
        "bet",
        "chance",
        "pays",
        "edge",
        "",
        "excess",
        "",
        "article",
        "prize",
        "",
        right=("chance", "pays", "edge"),
    )
    for one in bets:
        remarks = [*(["inferred"] if one.inferred else []), *([one.status] if one.status else [])]
        table.add_row(
            screen.clean(one.bet),
            str(one.chance),
            f"{one.pays}:1",
            str(one.edge),
            _percent(one.edge),
            str(one.break_even_excess),
            _percent(one.break_even_excess),
            one.article or "",
            one.prize_article or "",
            screen.clean(", ".join(remarks)),
        )
    screen.show(console, table)
    for _, doubt in suspicious(book):
        console.print(screen.clean(f"suspicious: {doubt}"), soft_wrap=True)


def _percent(share: Fraction) -> str:
    """A fraction in percent: exact where two decimals are enough, else with three."""
    exact = (share * 10000).denominator == 1
    return f"{float(share * 100):g} %" if exact else f"{float(share * 100):.3f} %"
