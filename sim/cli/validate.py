"""``validate``: what a scenario file is, or what is wrong with it."""

from typing import Annotated

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.table import open_table

NAME = "validate"
EXAMPLE = "Example: fairwheel validate scenarios/macau-boule.yaml my-table.yaml"


def run(
    scenarios: Annotated[
        list[str], typer.Argument(metavar="SCENARIO...", help="Files, or names of shipped ones.")
    ],
) -> None:
    """Check scenarios: every fault with its line, or one line that says what the machine is.

    That line also counts what is merely assumed and names what looks suspicious.
    """
    from sim.scenario import describe, suspicions

    flags = Flags()
    for name in scenarios:
        with flags.gathering():
            scenario, _ = open_table(name, [])
            doubts = "; ".join(suspicions(scenario)) or "nothing"
            print(screen.clean(f"{describe(scenario)}; suspicious: {doubts}"))
    flags.check()
