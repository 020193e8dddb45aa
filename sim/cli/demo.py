"""``demo``: a live table in a window."""

import os
import re
import subprocess
import sys
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.table import open_table

if TYPE_CHECKING:
    from sim.view.session import Options
    from sim.view.show import Show

NAME = "demo"
EXAMPLE = "Example: fairwheel demo macau-boule --beside macau-tilted"
MACHINES = ("macau-boule", "spanish-boule", "roda-da-sorte")
MOST_SEED = 2**64 - 1
LEAST, MOST = 320, 7680
UNSEEN = "demo: needs a screen, and there is none; fairwheel record SCENARIO --out FILE.mp4 films a spin without one"


def run(
    scenario: Annotated[
        str, typer.Argument(metavar="[SCENARIO]", help="A file, or the name of a shipped one.")
    ] = MACHINES[0],
    seed: Annotated[str, typer.Option(metavar="N", help="Run seed, 0 to 2^64 - 1.")] = "0",
    beside: Annotated[
        str | None, typer.Option(metavar="SCENARIO", help="A second machine, launched alike, side by side.")
    ] = None,
    loop: Annotated[bool, typer.Option("--loop", help="Run unattended, machine after machine.")] = False,
    size: Annotated[str, typer.Option(metavar="WxH", help="Size of the window.")] = "1280x720",
    full_screen: Annotated[bool, typer.Option("--full-screen", help="Fill the screen.")] = False,
    mute: Annotated[bool, typer.Option("--mute", help="No sound.")] = False,
) -> None:
    """Play at a live table in a window: bet, launch, watch, be paid.

    In the window: click on the cloth to bet, space launches, ? shows all keys. The ball, the plate and the wheel move
    as the engine computes them.
    """
    flags = Flags()
    run_seed = flags.whole("--seed", seed, 0, MOST_SEED)
    width, height = _size(flags, size)
    with flags.gathering():
        open_table(scenario, [])
    if beside is not None:
        with flags.gathering():
            open_table(beside, [])
    flags.check()

    from sim.view.session import Options, program_of

    program = [(scenario, beside)] if beside is not None else program_of(scenario, MACHINES)
    _show(Options(program, run_seed, (width, height), mute, loop, full_screen, record=_film))


def _show(options: "Options") -> None:
    """Open the window; a line and exit code 1 where there is no screen."""
    from sim.physics.compiled import is_warm
    from sim.view.playing import company
    from sim.view.session import Session

    if not is_warm():
        screen.notice("Compiling the laws of motion: once, about a minute ...")
    if not _has_screen():
        screen.complain([UNSEEN])
        raise typer.Exit(1)
    try:
        with company() as spinning:
            Session(options, open_table, spinning).run()
    except BrokenExecutor:
        screen.complain(["demo: the process that computes the spins was ended from outside"])
        raise typer.Exit(1) from None


@dataclass(frozen=True, slots=True)
class Filming:
    """A film that ``record`` makes in a process of its own."""

    target: Path
    process: subprocess.Popen[bytes]

    @property
    def begun(self) -> str:
        """What to tell while it is made."""
        return f"being filmed: {self.target.name}"

    @property
    def done(self) -> bool:
        """Whether it is over."""
        return self.process.poll() is not None

    @property
    def result(self) -> str:
        """What to tell then."""
        return f"{'kept as' if self.process.returncode == 0 else 'could not be kept:'} {self.target.name}"


def _film(show: "Show", folder: Path) -> Filming | str:
    """Film the spin that is shown, as ``record`` does; or why that cannot be."""
    order = show.order
    assert order is not None
    if order.chips or order.weak:
        return "a spin that somebody meddled with is not filmed"
    number = 1
    name = f"{show.file_name}-{order.seed}-{order.index}"
    while (target := folder / f"{name}-{number}.mp4").exists():
        number += 1
    words = [
        "record",
        "--out",
        str(target),
        "--fps",
        "30",
        "--seed",
        str(order.seed),
        "--index",
        str(order.index),
    ]
    words += [word for override in order.overrides for word in ("--set", override)]
    words += ["--", order.scenario]
    program = "import sys; from sim.cli import main; sys.exit(main(sys.argv[1:]))"
    found = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "SDL_VIDEODRIVER": "dummy"}
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        env=found,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return Filming(target, process)


def _has_screen() -> bool:
    """Whether a window can be opened, asked without letting the system's libraries complain where it cannot."""
    import pygame

    from sim.view.hushed import hushed

    chosen = "SDL_VIDEODRIVER" in os.environ
    if (
        sys.platform.startswith("linux")
        and not chosen
        and not {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ)
    ):
        return False
    try:
        with hushed():
            pygame.display.init()
    except pygame.error:
        return False
    return chosen or pygame.display.get_driver() not in ("offscreen", "dummy")


def _size(flags: Flags, given: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", given, re.ASCII)
    width, height = map(int, match.groups()) if match else (0, 0)
    if not (LEAST <= width <= MOST and LEAST <= height <= MOST):
        flags.fault("--size", f"must be WxH, each {LEAST} to {MOST}, not {given!r}")
        return 1280, 720
    return width, height
