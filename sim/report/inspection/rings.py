"""Figures round a circle, in greys and one blue: counts, azimuths, a bubble level."""

from collections.abc import Sequence
from math import ceil, degrees, log10, pi
from typing import TYPE_CHECKING, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sim.report.inspection.evidence import Lean

if TYPE_CHECKING:
    from matplotlib.projections.polar import PolarAxes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

INK, BLUE, LIGHT, PALE, GREY = "#1b1b1b", "#1f3d66", "#b9c8da", "#e6e6e6", "#6f6f6f"
SHARE = 0.95
MOST_EVEN = f"{100 * SHARE:.0f} % of even"
SECTORS = 36
MOST_NAMES = 60
SMALL, LARGE = (3.4, 3.4), (7.0, 2.6)
"""Inches."""


def band(n: int, share: float) -> tuple[float, float]:
    """Return the bounds within which 95 % of fair counts lie, of n spins on a cell with this share."""
    from scipy.stats import binom

    law = binom(n, share)
    return float(law.ppf(0.5 - SHARE / 2)), float(law.ppf(0.5 + SHARE / 2))


def base(counts: Ints) -> float:
    """Return the count at which bars begin: 0, unless the band of fair counts would then be too thin to be seen."""
    low, high = band(int(counts.sum()), 1 / len(counts))
    begin = min(low - 2 * (high - low), float(counts.min()) - 0.5 * (high - low))
    return float(np.floor(begin)) if begin > 0.4 * high else 0.0


def rose(counts: Ints, names: Sequence[str], offset: float = 0.0) -> Figure:
    """Bars round a circle, the first at the azimuth `offset`, with the band of fair counts."""
    figure = Figure(figsize=SMALL, layout="constrained")
    _bars(figure.add_subplot(projection="polar"), counts, names, offset)
    return figure


def _bars(given: Axes, counts: Ints, names: Sequence[str], offset: float) -> None:
    axes = cast("PolarAxes", given)
    cells = len(counts)
    n = int(counts.sum())
    low, high = band(n, 1 / cells)
    begin, top = base(counts), max(float(counts.max()), high, 1.0)
    azimuths = 2 * pi * np.arange(cells) / cells + offset
    turn = np.linspace(0, 2 * pi, 181)
    axes.fill_between(turn, low, high, color=PALE, linewidth=0, zorder=0)
    outside = (counts < low) | (counts > high)
    colours = [BLUE if out else LIGHT for out in outside]
    axes.bar(
        azimuths, counts - begin, width=1.7 * pi / cells, bottom=begin, color=colours, edgecolor=INK,
        linewidth=0.5, zorder=2,
    )  # fmt: skip
    axes.plot(turn, np.full(len(turn), n / cells), color=INK, linewidth=0.8, dashes=(4, 3), zorder=3)
    for edge in (low, high):
        axes.plot(turn, np.full(len(turn), edge), color=GREY, linewidth=0.4, zorder=3)
    reach = top - begin
    axes.set(ylim=(begin, top), yticks=[], xticks=[])
    axes.set_rorigin(begin - 0.45 * reach)
    axes.spines["polar"].set_visible(False)
    axes.grid(visible=False)
    step = ceil(cells / MOST_NAMES)
    for azimuth, name in list(zip(azimuths, names, strict=True))[::step]:
        axes.text(azimuth, top + 0.1 * reach, name, fontsize=7, ha="center", va="center", color=INK)


def by_sector(angles: Floats) -> Ints:
    """Return how many azimuths, rad, lie in each sector, the first from 0 on."""
    place = np.floor(np.degrees(angles) % 360 / (360 / SECTORS)).astype(np.int64) % SECTORS
    return np.bincount(place, minlength=SECTORS)


def drop_rose(angles: Floats, mean: complex, tilt: Lean | None) -> Figure:
    """Azimuths, rad, by sector; their mean direction within, the low side of the table without."""
    figure = Figure(figsize=SMALL, layout="constrained")
    draw_drops(figure.add_subplot(projection="polar"), angles, mean, tilt)
    return figure


def draw_drops(axes: Axes, angles: Floats, mean: complex, tilt: Lean | None) -> None:
    """Draw what `drop_rose` shows on polar axes."""
    _bars(axes, by_sector(angles), [""] * SECTORS, pi / SECTORS)
    begin, top = axes.get_ylim()
    reach = top - begin
    low = degrees(tilt.low_side) if tilt is not None and tilt.low_side is not None and tilt.points else None
    for degree in range(0, 360, 45):
        if low is not None and abs((degree - low + 180) % 360 - 180) < 15:
            continue
        place = (np.radians(degree), top + 0.17 * reach)
        axes.text(*place, f"{degree}°", fontsize=7, ha="center", va="center", color=INK)
    inner = begin - 0.45 * reach
    _arrow(axes, (float(np.angle(mean)), inner), (float(np.angle(mean)), inner + 0.42 * reach), BLUE)
    if tilt is not None and tilt.low_side is not None and tilt.points:
        _arrow(axes, (tilt.low_side, top + 0.03 * reach), (tilt.low_side, top + 0.55 * reach), INK)
        axes.text(
            tilt.low_side + 0.09,
            top + 0.46 * reach,
            "low",
            fontsize=7,
            ha="center",
            va="center",
            style="italic",
        )


def glass(tilt: Lean) -> Figure:
    """A round level; its outer ring is a round number of degrees beyond the tilt."""
    figure = Figure(figsize=SMALL, layout="constrained")
    draw_glass(figure.add_subplot(projection="polar"), tilt)
    return figure


def draw_glass(axes: Axes, tilt: Lean) -> float:
    """Draw what `glass` shows on polar axes; returns the radius of its outer ring, deg."""
    shown = degrees(tilt.tilt)
    need = max(1.25 * (shown + degrees(tilt.uncertainty or 0.0)), 0.02)
    scale = 10.0 ** np.floor(log10(need))
    top = float(next(step * scale for step in (1, 2, 5, 10) if step * scale >= need))
    turn = np.linspace(0, 2 * pi, 181)
    beside = 1.25 * pi if tilt.low_side is None else tilt.low_side + 0.6 * pi
    axes.fill_between(turn, 0, top, color="#f1f1f1", linewidth=0, zorder=0)
    for share in (0.25, 0.5, 0.75, 1.0):
        axes.plot(turn, np.full(len(turn), share * top), color=GREY, linewidth=1.2 if share == 1 else 0.5)
        words = f"{share * top:.3g}°"
        axes.text(beside, share * top, words, fontsize=6.5, ha="center", va="center", color=INK, zorder=6,
                  bbox={"facecolor": "#f1f1f1", "edgecolor": "none", "pad": 0.6})  # fmt: skip
    for azimuth in (0, 90, 180, 270):
        axes.plot([np.radians(azimuth)] * 2, [0, top], color=GREY, linewidth=0.4)
        axes.text(np.radians(azimuth), 1.13 * top, f"{azimuth}°", fontsize=7, ha="center", va="center")
    high = (tilt.low_side or 0.0) + pi
    place = shown * np.exp(1j * high)
    for radius, style in ((0.085 * top, None), (degrees(tilt.uncertainty or 0.0), (3, 2))):
        if radius:
            rim = place + radius * np.exp(1j * turn)
            if style is None:
                axes.fill(
                    np.angle(rim), np.abs(rim), facecolor=LIGHT, edgecolor=BLUE, linewidth=1.2, zorder=4
                )
            else:
                axes.plot(np.angle(rim), np.abs(rim), color=BLUE, linewidth=0.9, dashes=style, zorder=5)
    if tilt.low_side is not None and tilt.points:
        _arrow(axes, (tilt.low_side, 0.02 * top), (tilt.low_side, 0.97 * top), INK)
        axes.text(
            tilt.low_side + 0.14, 0.86 * top, "low", fontsize=7, ha="center", va="center", style="italic"
        )
    axes.set(ylim=(0, top), yticks=[], xticks=[])
    axes.spines["polar"].set_visible(False)
    axes.grid(visible=False)
    return top


def _arrow(axes: Axes, begin: tuple[float, float], end: tuple[float, float], colour: str) -> None:
    style = {
        "arrowstyle": "-|>",
        "color": colour,
        "linewidth": 1.3,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    axes.annotate("", xy=end, xytext=begin, arrowprops=style, annotation_clip=False, zorder=5)
