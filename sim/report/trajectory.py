"""The picture of one spin of a plate machine: plan view in the lab and plate frames, height against time."""

import io
import warnings
from collections.abc import Sequence

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import NDArray

from sim.report.trace import Header, Moment, Plan, TraceHeader
from sim.report.wheel_picture import wheel_figure

_INK = {"red": "#b3282d", "black": "#222222", "blue": "#2f6db3", "yellow": "#b8860b", "white": "#999999"}
_OTHER_INK = "#777777"
_MARKED = {
    "rim_exit": ("leaves the groove", "^"),
    "band": ("bell: touches the band", "s"),
    "rest": ("at rest", "o"),
}
_BEFORE_EXIT_S = 1.0


def draw(header: Header, rows: NDArray[np.float64], suffix: str) -> bytes:
    """Draw a trace as ``.png`` or ``.svg``; the same trace gives the same bytes.

    rows: shape (n_moments, n_columns), as `sim.report.trace.parse_trace` returns them.
    """
    style = {"svg.hashsalt": "fairwheel", "svg.fonttype": "path", "font.size": 9.0}
    with warnings.catch_warnings(), matplotlib.style.context(["default", style]):
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure = _figure(header, rows) if isinstance(header, TraceHeader) else wheel_figure(header, rows)
        image = io.BytesIO()
        undated = {"Date": None} if suffix == ".svg" else {"Software": None}
        figure.savefig(image, format=suffix[1:], dpi=110, metadata=undated)
    return image.getvalue()


def to_plate_frame(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ball's centre in the frame that turns with the plate, m, shape (n_moments, 2)."""
    cosine, sine = np.cos(rows[:, 4]), np.sin(rows[:, 4])
    x, y = rows[:, 1], rows[:, 2]
    return np.column_stack((cosine * x + sine * y, cosine * y - sine * x))


def _figure(header: TraceHeader, rows: NDArray[np.float64]) -> Figure:
    figure = Figure(figsize=(11, 9), layout="constrained")
    places = figure.subplot_mosaic([["lab", "plate"], ["height", "height"]], height_ratios=[5, 3])
    figure.suptitle(header.title)
    marked = [moment for moment in header.events if moment.kind in _MARKED]
    exits = [moment.time_s for moment in marked if moment.kind == "rim_exit"]
    after = rows[:, 0] >= (exits[0] if exits else rows[0, 0]) - _BEFORE_EXIT_S
    colours = Normalize(rows[after][0, 0], rows[-1, 0], clip=True)
    _plan(places["lab"], header.plan, rows, rows[:, 1:3], colours, marked, turn=rows[-1, 4])
    places["lab"].set_title("lab frame: the whole spin, the plate as it stands at the end")
    _plan(places["plate"], header.plan, rows[after], to_plate_frame(rows)[after], colours, marked, turn=0.0)
    places["plate"].set_title("plate frame: from one second before the ball leaves its groove")
    bar = figure.colorbar(places["plate"].collections[0], ax=places["plate"], shrink=0.8)
    bar.set_label("time since the release, s")
    _height(places["height"], rows[after], marked)
    return figure


def _plan(
    axes: Axes,
    plan: Plan,
    rows: NDArray[np.float64],
    path: NDArray[np.float64],
    colours: Normalize,
    marked: Sequence[Moment],
    turn: float,
) -> None:
    """Draw the circles, turned by ``turn`` rad, and the path, shape (n_moments, 2), coloured by time."""
    pieces = np.stack((path[:-1], path[1:]), axis=1)
    line = LineCollection(list(pieces), cmap="viridis", norm=colours, linewidths=0.8, zorder=3)
    line.set_array(rows[:-1, 0])
    axes.add_collection(line)
    for radius in plan.circles:
        _ring(axes, np.zeros(2), radius, "#888888")
    cosine, sine = np.cos(turn), np.sin(turn)
    innermost = min((np.hypot(hollow.x, hollow.y) for hollow in plan.hollows), default=0.0)
    for hollow in plan.hollows:
        ink = _INK.get(hollow.colour, _OTHER_INK)
        centre = np.array([cosine * hollow.x - sine * hollow.y, sine * hollow.x + cosine * hollow.y])
        _ring(axes, centre, hollow.radius, ink)
        away = np.hypot(hollow.x, hollow.y) or 1.0
        side = -1 if away < 1.01 * innermost else 1
        x, y = centre * (1 + side * (hollow.radius + 0.8 * plan.ball_radius) / away)
        label = hollow.symbol[:8].replace("$", r"\$")
        axes.text(x, y, label, color=ink, fontsize=7, ha="center", va="center", zorder=4)
    for moment in marked:
        label, marker = _MARKED[moment.kind]
        nearest = int(np.argmin(np.abs(rows[:, 0] - moment.time_s)))
        axes.plot(*path[nearest], marker, color="#d1495b", markeredgecolor="white", label=label, zorder=5)
    if marked:
        axes.legend(loc="center", fontsize=7, framealpha=0.9)
    reach = 1.06 * max(*plan.circles, float(np.max(np.abs(path))))
    axes.set(aspect="equal", xlim=(-reach, reach), ylim=(-reach, reach), xlabel="x, m", ylabel="y, m")


def _ring(axes: Axes, centre: NDArray[np.float64], radius: float, colour: str) -> None:
    axes.add_patch(
        Circle((centre[0], centre[1]), radius, fill=False, edgecolor=colour, linewidth=0.8, zorder=2)
    )


def _height(axes: Axes, rows: NDArray[np.float64], marked: Sequence[Moment]) -> None:
    axes.plot(rows[:, 0], 1000 * rows[:, 3], color="#30638e", linewidth=0.9)
    for moment in marked:
        axes.axvline(moment.time_s, color="#d1495b", linewidth=0.7, linestyle="--")
        label = _MARKED[moment.kind][0]
        axes.annotate(
            label,
            (moment.time_s, 0.98),
            xycoords=("data", "axes fraction"),
            rotation=90,
            va="top",
            ha="right",
            fontsize=7,
        )
    axes.set(
        xlabel="time since the release, s",
        ylabel="height of the ball's centre, mm",
        xlim=(rows[0, 0], rows[-1, 0]),
    )
    axes.grid(alpha=0.3)
