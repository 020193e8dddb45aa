"""``page``: one offline page that replays spins in a browser."""

from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.spin import MOST_SEED
from sim.cli.table import open_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.machines import Machine
    from sim.report.replay import Shown
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario

NAME = "page"
EXAMPLE = "Example: fairwheel page macau-boule --seed 1979 --spins 3 --out spin.html"
MOST_SHOWN = 24


def run(
    scenario: Annotated[
        str,
        typer.Argument(metavar="SCENARIO", help="A file, or the name of a shipped one."),
    ],
    out: Annotated[str, typer.Option(metavar="FILE.html", help="The page to write.")],
    seed: Annotated[str, typer.Option(metavar="N", help="Run seed, 0 to 2^64 - 1.")] = "0",
    index: Annotated[str, typer.Option(metavar="I", help="The first spin to show.")] = "0",
    spins: Annotated[str, typer.Option(metavar="K", help=f"How many, 1 to {MOST_SHOWN}.")] = "1",
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="PATH=VALUE", help="Override a value of the scenario; may be repeated."
        ),
    ] = None,
) -> None:
    """Write one HTML file in which spins play: no other file, no network, any browser.

    Several spins make a picker. What plays is the engine's path, drawn to scale.
    """
    flags = Flags()
    target = flags.target("--out", out, (".html",))
    run_seed = flags.whole("--seed", seed, 0, MOST_SEED)
    first = flags.whole("--index", index, 0, MOST_SEED)
    count = flags.whole("--spins", spins, 1, MOST_SHOWN)
    with flags.gathering():
        loaded, rulebook = open_table(scenario, overrides or [])
    flags.check()

    from sim.documents.writing import write_atomically
    from sim.machines import build
    from sim.report.page import MOST_BYTES, page

    machine = build(loaded)
    indices = range(first, first + count)
    shown = list(screen.progress(play(loaded, rulebook, machine, run_seed, indices), count))
    html = page(loaded, rulebook, machine, shown).encode()
    if len(html) > MOST_BYTES:
        size, most = f"{len(html) / 1e6:.2g} MB", f"{MOST_BYTES / 1e6:g} MB"
        flags.fault("--spins", f"{count} spins make a page of {size}; at most {most}; show fewer")
    flags.check()
    write_atomically(target, html, "--out")
    screen.notice(f"{target}: {loaded.name}, seed {run_seed}, {count} spins, {len(html) / 1e6:.2f} MB")


def play(
    scenario: "Scenario", rulebook: "Rulebook", machine: "Machine", seed: int, indices: "Sequence[int]"
) -> "Iterator[Shown]":
    """Play spins with a trace of every step, and decide them."""
    from sim.engines.play import draw, spin
    from sim.physics.compiled import is_warm
    from sim.report.replay import Shown
    from sim.rules.outcome import decide

    if not is_warm():
        screen.notice("Compiling the laws of motion: once, about a minute ...")
    for index in indices:
        made = spin(machine, draw(scenario, seed, index), scenario.solver.step)
        yield Shown(made, decide(rulebook, scenario.machine.ring, made.landing, made.events))
