"""``section``: the cross-section of a machine, as a picture or a drawing."""

import logging
import os
from typing import Annotated

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.options import Overrides

NAME = "section"
EXAMPLE = "Example: fairwheel section macau-boule --out hollow.dxf"


def run(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="A file, or the name of a shipped one.")
    ],
    out: Annotated[
        str, typer.Option(metavar="FILE", help="The file to write: .svg, .png, or .dxf of the hollow.")
    ],
    overrides: Overrides = None,
) -> None:
    """Draw hollow and plate, or pegs and clapper, in cross-section with their dimensions.

    A .dxf holds the contour of the hollow, in millimetres from its axis outward; a scenario reads such a drawing with
    machine.hollow: {profile: {dxf: FILE}}.
    """
    from sim.scenario import PlateScenario, load_scenario

    flags = Flags()
    target = flags.target("--out", out, (".svg", ".png", ".dxf"))
    suffix = target.suffix.lower()
    loaded = None
    with flags.gathering():
        loaded = load_scenario(scenario, overrides or [])
    if suffix == ".dxf" and loaded is not None and not isinstance(loaded, PlateScenario):
        flags.fault("--out", f"must end in .svg or .png; a pegged wheel has no hollow to draw, not {out!r}")
    flags.check()
    assert loaded is not None

    os.environ["MPLBACKEND"] = "agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from sim.documents.writing import write_atomically
    from sim.report.section import dxf, picture

    if suffix == ".dxf" and isinstance(loaded, PlateScenario):
        write_atomically(target, dxf(loaded), "--out")
    else:
        write_atomically(target, picture(loaded, suffix), "--out")
    screen.notice(f"{target}: {loaded.title}")
