"""``validate``: what a scenario or a rulebook is, or what is wrong with it."""

from typing import Annotated

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.table import is_rulebook, open_rulebook, open_table

NAME = "validate"
EXAMPLE = "Example: fairwheel validate macau-boule macau-boule-1979"


def run(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="SCENARIO...", help="Scenarios or rulebooks: files, or names of shipped ones."
        ),
    ],
) -> None:
    """Check scenarios and rulebooks: every fault with its line, or one line that says what the file is.

    For a scenario that line also counts what is merely assumed; it names what looks suspicious.
    """
    flags = Flags()
    for name in names:
        with flags.gathering():
            what, doubts = _rulebook(name) if is_rulebook(name) else _scenario(name)
            print(screen.clean(f"{what}; suspicious: {'; '.join(doubts) or 'nothing'}"))
    flags.check()


def _scenario(name: str) -> tuple[str, list[str]]:
    """What a scenario is, and what looks suspicious in it."""
    from sim.scenario import describe, suspicions

    scenario, _ = open_table(name, [])
    return describe(scenario), suspicions(scenario)


def _rulebook(name: str) -> tuple[str, list[str]]:
    """What a rulebook is, and what looks suspicious in it."""
    from sim.rules.contradictions import suspicious

    book = open_rulebook(name)
    inferred = sum(bet.inferred or book.prize(bet).inferred for bet in book.bets)
    what = f"{book.id}: {book.title}; rulebook, {book.jurisdiction}, {book.layout.cells} cells"
    doubts = [message for _, message in suspicious(book)]
    return f"{what}, {len(book.bets)} bets of which {inferred} inferred", doubts
