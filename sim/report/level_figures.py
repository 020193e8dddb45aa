"""Pictures of ``level``: how a machine stands by its readings and its drops, and what tilt would do to it."""

from collections.abc import Sequence
from math import atan, atan2, degrees, hypot, pi, tau

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sim.design.tilt_curve import Crossing, Point
from sim.inspection.drop_zone import DropTilt
from sim.inspection.lab import resultant
from sim.inspection.levelling import Levelling, Reading
from sim.inspection.tilt import Tilt, Turn
from sim.report.inspection.evidence import Lean
from sim.report.inspection.rings import BLUE, GREY, INK, LIGHT, PALE, draw_drops, draw_glass

Floats = NDArray[np.float64]
_SIDE = 3.6
_TITLES = {
    "F1": "F1: rms deviation of a hole's share, relative",
    "F1.symbols": "F1: rms deviation of a symbol's share, relative",
    "F4": "F4: mean resultant of the drop azimuths",
    "F5": "F5: bits known before bets close",
}


def standing(
    readings: Sequence[Reading],
    spirit: Levelling | None,
    angles: Floats,
    drops: DropTilt | None,
    turns: Sequence[Turn],
    confidence: float,
) -> Figure:
    """Draw a bubble level for each way of measuring, readings against the plane through them, drops round the groove.

    readings: of the spirit level, with what they come to, else none. angles: of the drops, rad, with what they come
    to, else none. turns: of the feet, shown on the bubble level of the spirit level, else of the drops.
    """
    panels = 2 * ((spirit is not None) + (drops is not None))
    figure = Figure(figsize=(2 * _SIDE, 1.12 * _SIDE * panels / 2), layout="constrained")
    place = 1
    for found in (spirit, drops):
        if found is None:
            continue
        of_readings = isinstance(found, Levelling)
        lean = (
            _lean_of_readings(found, confidence) if isinstance(found, Levelling) else _lean(found, confidence)
        )
        axes = figure.add_subplot(panels // 2, 2, place, projection="polar")
        top = draw_glass(axes, lean)
        axes.set_title(f"{lean.source}\n{lean}", fontsize=9, pad=38)
        if of_readings or spirit is None:
            _feet(axes, turns, top)
        if isinstance(found, Levelling):
            _readings(figure.add_subplot(panels // 2, 2, place + 1), readings, found)
        else:
            beside = figure.add_subplot(panels // 2, 2, place + 1, projection="polar")
            draw_drops(beside, angles, resultant(angles), lean)
            beside.set_title("where the balls left their groove", fontsize=9, pad=38)
        place += 2
    return figure


def _lean_of_readings(found: Levelling, confidence: float) -> Lean:
    side, angle = atan2(found.y, found.x) % tau, atan(hypot(found.x, found.y))
    if found.tilt is None:
        return Lean(angle, side, None, f"spirit level, {len(found.residuals)} readings")
    return _with_interval(
        found.tilt,
        found.tilt.interval(confidence),
        confidence,
        f"spirit level, {len(found.residuals)} readings",
    )


def _lean(found: DropTilt, confidence: float) -> Lean:
    return _with_interval(found.tilt, (found.low, found.high), confidence, f"drop zone, {found.n} drops")


def _with_interval(tilt: Tilt, ends: tuple[float, float | None], confidence: float, source: str) -> Lean:
    low, high = ends
    spread = None if high is None else max(high - tilt.angle, tilt.angle - low)
    return Lean(tilt.angle, tilt.low_side, spread, source, tilt.half_width(confidence) >= pi)


def _feet(axes: Axes, turns: Sequence[Turn], top: float) -> None:
    for turn in turns:
        axes.plot(turn.foot.azimuth, top, "s", color=INK, markersize=6, clip_on=False, zorder=7)
        words = "stays" if turn.rise == 0 else f"+{1e3 * turn.rise:.2f} mm"
        axes.text(
            turn.foot.azimuth, 1.24 * top, words, fontsize=7, ha="center", va="center", color=INK, zorder=7
        )


def _readings(axes: Axes, readings: Sequence[Reading], found: Levelling) -> None:
    """Readings less what they share and the instrument's error, against the rise of the plane through them."""
    turn = np.linspace(0.0, 360.0, 361)
    plane = -1e3 * (found.x * np.cos(np.radians(turn)) + found.y * np.sin(np.radians(turn)))
    axes.plot(turn, plane, color=BLUE, linewidth=1.2, label="plane")
    fitted = -np.array([found.x * np.cos(one.towards) + found.y * np.sin(one.towards) for one in readings])
    values = 1e3 * (fitted + np.array(found.residuals))
    at = np.array([degrees(one.towards) % 360 for one in readings])
    turned = np.array([one.reversed for one in readings])
    bars = None if found.spread is None else 1e3 * found.spread
    for these, mark, fill, name in ((~turned, "o", LIGHT, "reading"), (turned, "s", "white", "reversed")):
        if these.any():
            axes.errorbar(
                at[these], values[these], bars, fmt=mark, markersize=4.5, markerfacecolor=fill, color=INK,
                markeredgewidth=0.8, elinewidth=0.8, capsize=2, label=name,
            )  # fmt: skip
    axes.axhline(0, color=GREY, linewidth=0.6)
    axes.set(xlim=(-8, 368), xticks=range(0, 361, 90), xlabel="azimuth of the rise, deg", ylabel="rise, mm/m")
    axes.set_title("readings, corrected, and their plane", fontsize=9)
    axes.legend(fontsize=7, frameon=False)
    _plain(axes)


def response_curve(points: Sequence[Point], crossings: Sequence[Crossing], title: str) -> Figure:
    """Draw what a tilt does, measure by measure, with intervals, bounds and where they are crossed."""
    names = list(points[0].sizes())
    rows = (len(names) + 1) // 2
    figure = Figure(figsize=(2 * _SIDE, 0.3 + 0.72 * _SIDE * rows), layout="constrained")
    figure.suptitle(title, fontsize=10)
    for number, name in enumerate(names, start=1):
        axes = figure.add_subplot(rows, 2, number)
        known = [(degrees(point.tilt), point.sizes()[name]) for point in points if name in point.sizes()]
        tilts = [tilt for tilt, _ in known]
        axes.fill_between(
            tilts, [size.low for _, size in known], [size.high for _, size in known], color=LIGHT, linewidth=0
        )
        axes.plot(tilts, [size.value for _, size in known], "o-", color=BLUE, markersize=3.5, linewidth=1.1)
        axes.set(xlabel="tilt, deg", xlim=(0, tilts[-1]))
        axes.set_title(_TITLES.get(name, name), fontsize=9)
        axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
        for each in crossings:
            if each.measure == name:
                _crossing(axes, each)
        _plain(axes)
    return figure


def _crossing(axes: Axes, crossing: Crossing) -> None:
    axes.axhline(crossing.bound, color=INK, linewidth=0.8, dashes=(5, 3))
    ends = [each for each in (crossing.earliest, crossing.latest) if each is not None]
    if crossing.tilt is None:
        return
    low, high = (degrees(min([*ends, crossing.tilt])), degrees(max([*ends, crossing.tilt])))
    if crossing.latest is None:
        high = axes.get_xlim()[1]
    axes.axvspan(low, high, color=PALE, linewidth=0, zorder=0)
    axes.axvline(degrees(crossing.tilt), color=INK, linewidth=0.8, linestyle=":")
    axes.plot(degrees(crossing.tilt), crossing.bound, "D", color=INK, markersize=4.5, zorder=5)
    axes.annotate(
        f"{degrees(crossing.tilt):.3g} deg", (degrees(crossing.tilt), crossing.bound), fontsize=7.5,
        xytext=(5, -11), textcoords="offset points",
    )  # fmt: skip


def _plain(axes: Axes) -> None:
    axes.tick_params(labelsize=7.5, width=0.6, length=3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
