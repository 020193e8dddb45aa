"""``picture``: draw a recorded spin."""

import logging
import os
from pathlib import Path
from typing import Annotated

import typer

from sim.cli import screen
from sim.cli.flags import Flags

NAME = "picture"
EXAMPLE = (
    "Example: fairwheel picture spin.csv --out spin.png  (after: fairwheel spin macau-boule --trace spin.csv)"
)


def run(
    trace: Annotated[str, typer.Argument(metavar="TRACE", help="What spin --trace wrote.")],
    out: Annotated[str, typer.Option(metavar="FILE", help="The picture to write: .png or .svg.")],
) -> None:
    """Draw a recorded spin.

    Of a ball: plan view in the lab and plate frames, height against time. Of a pegged wheel: its angle, its speed and
    the clapper against time, and the front view at the end.
    """
    flags = Flags()
    target = flags.target("--out", out, (".png", ".svg"))
    flags.check()

    os.environ["MPLBACKEND"] = "agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from sim.documents.writing import write_atomically
    from sim.report.trace import read_trace
    from sim.report.trajectory import draw

    header, rows = read_trace(Path(trace))
    write_atomically(target, draw(header, rows, target.suffix.lower()), "--out")
    screen.notice(
        f"{target}: {header.scenario}, seed {header.seed}, spin {header.index}, {len(rows)} moments"
    )
