"""``record``: a film, a picture or the path of one spin, without a screen."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.options import Overrides
from sim.cli.runs import draws, play
from sim.cli.spin import MOST_SEED
from sim.cli.table import open_table

if TYPE_CHECKING:
    from sim.report.replay import Shown
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario
    from sim.view.film import Cut
    from sim.view.motion import Motion

NAME = "record"
EXAMPLE = "Example: fairwheel record macau-boule --seed 1979 --out spin.mp4 --size 1280x720 --fps 60"
FILMS, PICTURES = (".mp4", ".gif"), (".png", ".svg")
SMALLEST, LARGEST = (160, 120), (7680, 4320)
MOST_SLOW = 64
MOST_SECONDS = 3600
OF_A_GIF_S = 8.0
DEFAULT_SIZE = {".gif": "480x480"}
DEFAULT_FPS = {".gif": "10"}


def run(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="A file, or the name of a shipped one.")
    ],
    out: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help=".mp4 or .gif, a film; .png, a contact sheet, or one instant with --at; .svg, the path.",
        ),
    ],
    seed: Annotated[str, typer.Option(metavar="N", help="Run seed, 0 to 2^64 - 1.")] = "0",
    index: Annotated[str, typer.Option(metavar="I", help="Which spin of that seed.")] = "0",
    size: Annotated[
        str | None, typer.Option(metavar="WxH", help="In pixels; 1280x720, of a .gif 480x480.")
    ] = None,
    fps: Annotated[
        str | None, typer.Option(metavar="F", help="Frames in a second; 60, of a .gif 10.")
    ] = None,
    slow: Annotated[
        str | None, typer.Option(metavar="S", help=f"Times slower than it was, 1 to {MOST_SLOW}.")
    ] = None,
    begin: Annotated[
        str | None, typer.Option("--from", metavar="SECONDS", help="Where a film begins, since the launch.")
    ] = None,
    end: Annotated[str | None, typer.Option("--to", metavar="SECONDS", help="Where a film ends.")] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="SECONDS", help="The instant of a .png, since the launch.")
    ] = None,
    overrides: Overrides = None,
) -> None:
    """Film a spin, or draw it; no screen is needed.

    The same scenario, seed and versions give the same frames. A .gif shows the last seconds unless --from and --to say
    otherwise.
    """
    flags = Flags()
    target = flags.target("--out", out, FILMS + PICTURES)
    suffix = target.suffix.lower()
    run_seed = flags.whole("--seed", seed, 0, MOST_SEED)
    number = flags.whole("--index", index, 0, MOST_SEED)
    pixels = _size(flags, size or DEFAULT_SIZE.get(suffix, "1280x720"), suffix)
    rate = flags.whole("--fps", fps or DEFAULT_FPS.get(suffix, "60"), 1, 120)
    slower = flags.whole("--slow", slow or "1", 1, MOST_SLOW)
    times = {
        flag: _seconds(flags, flag, given) for flag, given in (("--from", begin), ("--to", end), ("--at", at))
    }
    _refuse_idle(flags, suffix, {"--fps": fps, "--slow": slow, "--from": begin, "--to": end, "--at": at})
    if suffix == ".svg" and size is not None:
        flags.fault("--size", "an .svg has none of its own")
    if suffix == ".gif":
        _check_gif(flags, pixels, rate)
    with flags.gathering():
        loaded, rulebook = open_table(scenario, overrides or [])
    flags.check()

    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    from sim.machines import build

    machine = build(loaded)
    (shown,) = play(loaded, rulebook, machine, draws(loaded, run_seed, [number]))
    what = f"{loaded.name}, seed {run_seed}, spin {number}"
    if suffix == ".svg":
        _write_path(target, loaded, rulebook, shown)
    else:
        motion = motion_of(loaded, shown)
        for flag in ("--from", "--to", "--at"):
            if (times[flag] or 0.0) > motion.duration:
                flags.fault(flag, f"must lie in the spin, which ends after {motion.duration:.2f} s")
        flags.check()
        if suffix == ".png":
            _write_picture(target, loaded, rulebook, motion, pixels, times["--at"])
        else:
            cut = _cut(flags, motion, suffix, rate, slower, times["--from"], times["--to"])
            flags.check()
            _write_film(target, loaded, rulebook, motion, pixels, cut)
            what += f", {cut.frames} frames of {pixels[0]}x{pixels[1]}"
    screen.notice(f"{target}: {what}, {target.stat().st_size / 1e6:.2f} MB")


def _size(flags: Flags, given: str, suffix: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", given, re.ASCII)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(low <= side <= high for low, side, high in zip(SMALLEST, size, LARGEST, strict=True)):
        (w, h), (wide, high) = SMALLEST, LARGEST
        flags.fault("--size", f"must be WIDTHxHEIGHT from {w}x{h} to {wide}x{high}, not {given!r}")
    elif suffix == ".mp4" and (size[0] % 2 or size[1] % 2):
        flags.fault("--size", f"both sides of an .mp4 must be even, not {given}")
    return size


def _seconds(flags: Flags, flag: str, given: str | None) -> float | None:
    if given is None:
        return None
    if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,9})?", given, re.ASCII) and float(given) <= MOST_SECONDS:
        return float(given)
    flags.fault(
        flag, f"must be seconds since the launch, such as 17.4, at most {MOST_SECONDS}, not {given!r}"
    )
    return None


def _refuse_idle(flags: Flags, suffix: str, given: dict[str, str | None]) -> None:
    """Note what was given and means nothing for this kind of file."""
    used = {".png": ["--at"], ".svg": []}.get(suffix, ["--fps", "--slow", "--from", "--to"])
    for flag, value in given.items():
        if value is not None and flag not in used and suffix in FILMS + PICTURES:
            wanted = ".png" if flag == "--at" else " or ".join(FILMS)
            flags.fault(flag, f"only for {wanted}, and {suffix} is written")


def _check_gif(flags: Flags, size: tuple[int, int], fps: int) -> None:
    from sim.view.film import GIF_FPS, GIF_MOST_PX

    if size[0] * size[1] > GIF_MOST_PX:
        flags.fault("--size", f"a .gif takes at most as many pixels as 960x540, not {size[0]}x{size[1]}")
    if fps not in GIF_FPS:
        flags.fault("--fps", f"a .gif takes one of {', '.join(map(str, GIF_FPS))}, not {fps}")


def motion_of(scenario: "Scenario", shown: "Shown") -> "Motion":
    """A spin as a stage draws it."""
    from sim.view.motion import Motion

    spin = shown.spin
    assert spin.trace is not None
    chips = sorted(getattr(scenario, "objects", ()), key=lambda chip: chip.time)
    return Motion(spin.trace, spin.events, shown.outcome, spin.chips, [chip.diameter for chip in chips])


def _cut(
    flags: Flags,
    motion: "Motion",
    suffix: str,
    fps: int,
    slow: int,
    begin: float | None,
    end: float | None,
) -> "Cut":
    """What of the spin is filmed: all of it, or from and to where it was said; of a GIF the last seconds."""
    from sim.view.film import GIF_MOST_FRAMES, HOLD_S, Cut

    last = motion.duration + HOLD_S / slow if end is None else end
    if begin is None:
        begin = max(0.0, last - OF_A_GIF_S / slow) if suffix == ".gif" else 0.0
    cut = Cut(begin, last, fps, slow)
    if begin >= last:
        flags.fault("--from", f"must be before the end of the film, {last:.2f} s, not {begin:.2f}")
    elif suffix == ".gif" and cut.frames > GIF_MOST_FRAMES:
        flags.fault("--to", f"a .gif takes at most {GIF_MOST_FRAMES} frames, and these are {cut.frames}")
    return cut


def _write_film(
    target: Path,
    scenario: "Scenario",
    rulebook: "Rulebook",
    motion: "Motion",
    size: tuple[int, int],
    cut: "Cut",
) -> None:
    from sim.machines import build
    from sim.view.film import frames, write_film
    from sim.view.stage import Stage, View

    stage = Stage(scenario, build(scenario), rulebook, size)
    small = size[0] * size[1] < 640 * 360
    view = View(trail=1.0, heights=not small, timeline=not small, caption=not small)
    drawn = screen.progress(frames(stage, motion, cut.times(), view), cut.frames, "frames")
    write_film(target, drawn, size, cut.fps, frames(stage, motion, cut.samples(), view))


def _write_picture(
    target: Path,
    scenario: "Scenario",
    rulebook: "Rulebook",
    motion: "Motion",
    size: tuple[int, int],
    at: float | None,
) -> None:
    import io

    import pygame

    from sim.documents.writing import write_atomically
    from sim.machines import build
    from sim.view.paint import canvas
    from sim.view.sheet import contact_sheet
    from sim.view.stage import Stage, View

    machine = build(scenario)
    if at is None:
        surface = contact_sheet(scenario, machine, rulebook, motion, size)
    else:
        surface = canvas(size)
        view = View(trail=1.0, heights=True)
        Stage(scenario, machine, rulebook, size).draw(surface, motion.at(at), view)
    image = io.BytesIO()
    pygame.image.save(surface, image, "picture.png")
    write_atomically(target, image.getvalue(), "--out")


def _write_path(target: Path, scenario: "Scenario", rulebook: "Rulebook", shown: "Shown") -> None:
    import logging

    os.environ["MPLBACKEND"] = "agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from sim.documents.writing import write_atomically
    from sim.machines import build
    from sim.report.trace import header_of
    from sim.report.trajectory import draw

    assert shown.spin.trace is not None
    header = header_of(scenario, rulebook.colours, build(scenario), shown.spin)
    # Every fourth step of the engine: a path with more points than that is larger, not finer.
    write_atomically(target, draw(header, shown.spin.trace[::4], ".svg"), "--out")
