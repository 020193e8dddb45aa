"""Pictures of faults beside sound machines, and short clips of every machine, made by the program itself."""

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image
from scipy.stats import binom

from docs.examples import ROOT
from docs.pictures import fairwheel
from sim.cli.table import open_table
from sim.engines.simulated import simulated

SPINS, SEED = 2000, 1979
COLOURS = 96
CLIPS = {
    "macau-boule": ("1979", ["--from", "20", "--to", "26", "--size", "360x360"]),
    "spanish-boule": ("1979", ["--from", "18", "--to", "26", "--size", "360x360"]),
    "roda-da-sorte": ("3", ["--from", "30", "--to", "34", "--size", "320x320"]),
}
"""Scenario, seed, and how its clip is made."""
FAULTS = {
    "macau-tilted": "drop_angle_deg",
    "macau-worn-groove": "drop_angle_deg",
    "macau-groove-bump": "drop_angle_deg",
    "macau-deeper-hollow": "rest_index",
    "macau-wider-hollow": "rest_index",
    "macau-raised-lip": "rest_index",
    "macau-dead-hollow": "rest_index",
    "macau-lively-hollow": "rest_index",
    "macau-even-thrower": "drop_angle_deg",
    "macau-light-ball": "settling_s",
    "macau-tired-bearing": "settling_s",
    "spanish-tilted": "drop_angle_deg",
    "spanish-deeper-hole": "rest_index",
    "roda-imbalance": "rest_index",
    "roda-missing-peg": "rest_index",
    "roda-bent-peg": "rest_index",
    "roda-even-croupier": "turns",
    "roda-tired-bearing": "turns",
    "roda-stiff-clapper": "turns",
}
"""Faulty scenario, and the column of the spin log in which its fault is looked for."""
SOUND = {"macau": "macau-boule", "spanish": "spanish-boule", "roda": "roda-da-sorte"}
_SAYS = {
    "drop_angle_deg": "where the ball left its groove, seen from above",
    "rest_index": "how often every pocket won",
    "settling_s": "seconds from the bell to rest",
    "turns": "turns up to the first reversal",
}
_HEAD = f"""# Gallery

Made by `make docs`: every machine, and shipped faults (`scenarios/defects`) beside the sound machine. Each played
{SPINS} spins of the batch engine, seed {SEED}. Of a rose, the dashed circle is what every bar would have if all were
alike, and about one bar in twenty would then lie outside the grey ring; those that do are red. What shows at a glance
is no test: `fairwheel inspect` is.

## The machines

"""
_BAR, _ODD, _RING = "#b98a2e", "#b5371f", "#8d7c64"


def make_gallery(page: Path, pictures: Path) -> None:
    """Write the page and its pictures."""
    text = _HEAD
    for name in CLIPS:
        scenario, _ = open_table(name, [])
        sheet = pictures / f"{name}-sheet.png"
        fairwheel("record", name, "--seed", CLIPS[name][0], "--out", str(sheet), "--size", "1280x720")
        _reduce(sheet, 200)
        text += f"{scenario.title}\n\n![Moments of one spin](../{sheet.relative_to(ROOT).as_posix()})\n\n"
    text += "## The faults\n\n"
    for name, column in FAULTS.items():
        picture = pictures / "faults" / f"{name}.png"
        picture.parent.mkdir(exist_ok=True)
        picture.write_bytes(_side_by_side(name, column))
        _reduce(picture, COLOURS)
        scenario, _ = open_table(name, [])
        text += f"### {scenario.title}\n\n`{name}`: {_SAYS[column]}.\n\n"
        shown = f"../{picture.relative_to(ROOT).as_posix()}"
        text += f"![{name}: the sound machine on the left, the fault on the right]({shown})\n\n"
    page.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


def make_clips(pictures: Path) -> None:
    """Write a short looping clip of every machine."""
    for name, (seed, flags) in CLIPS.items():
        out = str(pictures / f"{name}.gif")
        fairwheel("record", name, "--seed", seed, "--out", out, *flags)


def _reduce(picture: Path, colours: int) -> None:
    """Few enough colours to be small."""
    with Image.open(picture) as image:
        reduced = image.convert("RGB").quantize(colours)
    reduced.save(picture, optimize=True)


@cache
def _spins(name: str) -> pa.Table:
    scenario, rulebook = open_table(name, [])
    return simulated(scenario, rulebook, SEED, range(SPINS))


def _values(name: str, column: str) -> NDArray[np.float64]:
    values = _spins(name).column(column)
    return np.asarray(pc.drop_null(values).to_numpy(), dtype=np.float64)


def _side_by_side(fault: str, column: str) -> bytes:
    """One column of the log of the sound machine and of the faulty one, on the same scale."""
    sound = SOUND[fault.partition("-")[0]]
    ring = open_table(sound, [])[0].machine.ring
    figure = Figure(figsize=(9.2, 4.4), layout="constrained", facecolor="white")
    pair = [(sound, _values(sound, column)), (fault, _values(fault, column))]
    if column in ("drop_angle_deg", "rest_index"):
        sectors = 36 if column == "drop_angle_deg" else len(ring)
        counts = [
            np.bincount((v % 360 // 10 if column == "drop_angle_deg" else v).astype(int), minlength=sectors)
            for _, v in pair
        ]
        top = max(int(each.max()) for each in counts)
        for place, ((name, _), each) in enumerate(zip(pair, counts, strict=True)):
            axes = figure.add_subplot(1, 2, place + 1, projection="polar")
            _rose(axes, each, top, None if column == "drop_angle_deg" else ring)
            axes.set_title(name, fontsize=11)
    else:
        # A few balls that rest off the hollows take minutes; they are left out of the scale.
        ends = np.array([np.quantile(v, [0.002, 0.98]) for _, v in pair])
        bins = np.linspace(ends[:, 0].min(), 1.1 * ends[:, 1].max(), 41)
        places = figure.subplots(1, 2, sharey=True)
        for axes, (name, values) in zip(places, pair, strict=True):
            axes.hist(values, bins=bins, color=_BAR)
            axes.axvline(float(np.median(values)), color=_ODD, linewidth=1.2)
            axes.set(title=f"{name}, median {np.median(values):.2f}", xlabel=_SAYS[column], ylabel="spins")
            axes.title.set_fontsize(11)
    image = BytesIO()
    figure.savefig(image, format="png", dpi=100, metadata={"Software": None})
    return image.getvalue()


def _rose(axes: Axes, counts: NDArray[np.int64], top: int, ring: tuple[str, ...] | None) -> None:
    """Bars round a circle, counter-clockwise from the right, those outside the ring of chance red."""
    sectors, spins = len(counts), int(counts.sum())
    width = 2 * np.pi / sectors
    middles = width * (np.arange(sectors) + (0.5 if ring is None else 0.0))
    low, high = binom(spins, 1 / sectors).ppf([0.025, 0.975])
    inner = 0.45 * top
    odd = (counts < low) | (counts > high)
    around = np.linspace(0, 2 * np.pi, 361)
    axes.fill_between(around, inner + low, inner + high, color=_RING, alpha=0.25, linewidth=0)
    axes.bar(middles, counts, 0.86 * width, bottom=inner, color=np.where(odd, _ODD, _BAR))
    axes.plot(around, np.full(361, inner + spins / sectors), "--", color=_RING, linewidth=1)
    for middle, label in _labels(middles, ring):
        size = 6.5 if ring is None else min(6.5, 220 / sectors)
        axes.text(middle, 0.8 * inner, label, ha="center", va="center", fontsize=size)
    axes.set(ylim=(0, 1.05 * (inner + top)))
    axes.set_axis_off()


def _labels(middles: NDArray[np.float64], ring: tuple[str, ...] | None) -> Iterator[tuple[float, str]]:
    if ring is None:
        yield from ((np.radians(angle), f"{angle}°") for angle in (0, 90, 180, 270))
    else:
        yield from (
            (middle, "★" if symbol == "star" else symbol)
            for middle, symbol in zip(middles, ring, strict=True)
        )
