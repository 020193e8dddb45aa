"""``page``: one offline page that replays spins in a browser."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.options import Overrides
from sim.cli.runs import draws, is_run, play, rows_of
from sim.cli.spin import MOST_SEED
from sim.cli.table import open_table

if TYPE_CHECKING:
    from sim.report.run_pictures import RunPicture
    from sim.scenario import Scenario
    from sim.spinlog.log import SpinLog

NAME = "page"
EXAMPLE = "Example: fairwheel page macau-boule --seed 1979 --spins 3 --out spin.html"
MOST_SHOWN = 24
OF_A_RUN = 6


def run(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO|RUN",
            help="A file, or the name of a shipped scenario; or the folder of a batch run.",
        ),
    ],
    out: Annotated[str, typer.Option(metavar="FILE.html", help="The page to write.")],
    seed: Annotated[
        str | None,
        typer.Option(metavar="N", help="Run seed, 0 to 2^64 - 1; 0 when not given; a run has its own."),
    ] = None,
    index: Annotated[
        str | None,
        typer.Option(metavar="I", help="The first spin to show; of a run, without it, some worth a look."),
    ] = None,
    spins: Annotated[
        str | None,
        typer.Option(metavar="K", help=f"How many, 1 to {MOST_SHOWN}; by default 1, or {OF_A_RUN} of a run."),
    ] = None,
    overrides: Overrides = None,
) -> None:
    """Write one HTML file in which spins play: no other file, no network, any browser.

    Several spins make a picker. What plays is the engine's path, drawn to scale. Of a run there are also pictures of
    where all its balls came to rest and left their groove.
    """
    flags = Flags()
    of_run = is_run(source)
    target = flags.target("--out", out, (".html",))
    run_seed = flags.whole("--seed", seed or "0", 0, MOST_SEED)
    first = None if index is None else flags.whole("--index", index, 0, MOST_SEED)
    default = OF_A_RUN if of_run and index is None else 1
    count = default if spins is None else flags.whole("--spins", spins, 1, MOST_SHOWN)
    if of_run:
        for flag, given in (("--seed", seed), ("--set", overrides)):
            if given:
                flags.fault(flag, "the spins of a run are what they are; it is only for a scenario")
    else:
        with flags.gathering():
            loaded, rulebook = open_table(source, overrides or [])
    flags.check()

    from sim.documents.writing import write_atomically
    from sim.machines import build
    from sim.report.page import MOST_BYTES, page

    if of_run:
        html, what = _run_page(flags, Path(source), first, count)
    else:
        begin = first or 0
        machine = build(loaded)
        played = play(loaded, rulebook, machine, draws(loaded, run_seed, range(begin, begin + count)))
        html = page(loaded, rulebook, machine, list(screen.progress(played, count)))
        what = f"{loaded.name}, seed {run_seed}"
    size = len(html.encode())
    if size > MOST_BYTES:
        most = f"{MOST_BYTES / 1e6:g} MB"
        flags.fault(
            "--spins", f"{count} spins make a page of {size / 1e6:.2g} MB; at most {most}; show fewer"
        )
    flags.check()
    write_atomically(target, html, "--out")
    screen.notice(f"{target}: {what}, {count} spins, {size / 1e6:.2f} MB")


def _run_page(flags: Flags, folder: Path, first: int | None, count: int) -> tuple[str, str]:
    """The page of a run, and a few words on what it is."""
    from dataclasses import replace

    from sim.cli.log import Game, open_log
    from sim.machines import build
    from sim.report.archived import ended, ended_row, open_run
    from sim.report.chosen import chosen
    from sim.report.page import page

    opened = open_run(folder)
    scenario, rulebook, seed = opened.scenario, opened.manifest.rulebook, opened.manifest.seed
    log = open_log(str(folder), Game(rulebook, scenario.machine.ring))
    if first is None:
        picked = chosen(log, count)
        rows = [log.table.slice(row, 1).to_pylist()[0] for row, _ in picked]
        reasons = [why for _, why in picked]
    else:
        rows, reasons = rows_of(flags, opened, range(first, first + count)), [""] * count
    machine = build(scenario)
    played = play(scenario, rulebook, machine, draws(scenario, seed, (row["spin_no"] for row in rows)))
    shown = []
    for row, why, each in zip(rows, reasons, screen.progress(played, len(rows)), strict=True):
        before, now = ended_row(row), ended(each.spin.landing, each.outcome)
        facts = () if before.is_like(now) else (("in the batch run", before.words),)
        shown.append(replace(each, why=why, facts=facts))
    valid = int(log.valid.sum())
    line = f"{len(log)} spins of the batch engine, seed {seed}: {valid} decided, {len(log) - valid} void"
    html = page(
        scenario,
        rulebook,
        machine,
        shown,
        run_line=line,
        pictures=_pictures(scenario, log),
        assumed=len(opened.manifest.assumed),
    )
    return html, f"{scenario.name}, seed {seed}, {len(log)} spins in the run"


def _pictures(scenario: "Scenario", log: "SpinLog") -> "list[RunPicture]":
    """Where the balls of a run came to rest and left their groove, or how far its wheels turned."""
    import numpy as np

    from sim.report.run_pictures import drop_zones, landings, turns

    rested = log.integers("rest_index")
    pictures = [landings(scenario.machine.ring, rested[rested >= 0])]
    drops, turned = log.floats("drop_angle_deg"), log.floats("turns")
    if np.isfinite(drops).any():
        pictures.append(drop_zones(drops[np.isfinite(drops)]))
    elif np.isfinite(turned).any():
        pictures.append(turns(turned[np.isfinite(turned)]))
    return pictures
