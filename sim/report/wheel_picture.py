"""The picture of one spin of a pegged wheel: angle, speed and clapper against time, and the front view at the end."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import NDArray

from sim.report.trace import WheelPlan, WheelTraceHeader

_WHEEL, _ARM, _MARK = "#30638e", "#b8860b", "#d1495b"
_CLOSE_S = 6.0


def wheel_figure(header: WheelTraceHeader, rows: NDArray[np.float64]) -> Figure:
    """Draw a trace; rows: shape (n_moments, 5), columns `sim.landing.WHEEL_COLUMNS`."""
    figure = Figure(figsize=(13, 8.5), layout="constrained")
    places = figure.subplot_mosaic(
        [["angle", "front"], ["speed", "front"], ["clapper", "front"], ["end", "indicator"]],
        width_ratios=[5, 5],
        height_ratios=[2, 2, 2, 3],
    )
    figure.suptitle(header.title)
    time, angle, speed, clapper = rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3]
    turned = (angle - angle[0]) / (2 * np.pi)
    _curve(places["angle"], time, turned, _WHEEL, "turns")
    _curve(places["speed"], time, speed, _WHEEL, "wheel, rad/s")
    _curve(places["clapper"], time, np.degrees(clapper), _ARM, "clapper, deg")
    places["clapper"].set_xlabel("time since the push, s")
    figure.align_ylabels([places["angle"], places["speed"], places["clapper"], places["end"]])
    late = time >= time[-1] - _CLOSE_S
    _curve(places["end"], time[late], turned[late], _WHEEL, "turns", marker=True)
    twin = places["end"].twinx()
    twin.plot(time[late], np.degrees(clapper[late]), color=_ARM, linewidth=0.7)
    twin.set_ylabel("clapper, deg", color=_ARM)
    places["end"].set(xlabel="time since the push, s", title=f"the last {_CLOSE_S:g} s")
    _front(places["front"], header.wheel, rows[-1, 1], rows[-1, 3])
    places["front"].set_title("seen from the front, at the end")
    _front(places["indicator"], header.wheel, rows[-1, 1], rows[-1, 3])
    _close_up(places["indicator"], header.wheel)
    return figure


def _curve(
    axes: Axes,
    time: NDArray[np.float64],
    values: NDArray[np.float64],
    colour: str,
    label: str,
    marker: bool = False,
) -> None:
    axes.plot(time, values, color=colour, linewidth=0.8)
    if marker:
        best = int(np.argmax(np.abs(values)))
        axes.plot(time[best], values[best], "o", color=_MARK, markersize=4, label="farthest")
        axes.legend(loc="upper right", fontsize=7)
    axes.set(xlim=(time[0], time[-1]), ylabel=label)
    axes.grid(alpha=0.3)


def _front(axes: Axes, plan: WheelPlan, turn: float, clapper: float) -> None:
    """The wheel turned by ``turn`` rad, and the clapper deflected by ``clapper`` rad."""
    axes.add_patch(Circle((0, 0), plan.radius, fill=False, edgecolor="#888888"))
    cosine, sine = np.cos(turn), np.sin(turn)
    for peg in plan.pegs:
        centre = (cosine * peg.x - sine * peg.y, sine * peg.x + cosine * peg.y)
        axes.add_patch(Circle(centre, peg.radius, color=_WHEEL, linewidth=0))
    bounds = np.array(plan.bounds)
    middles = turn + bounds + np.mod(np.roll(bounds, -1) - bounds, 2 * np.pi) / 2
    inner = max(np.hypot(peg.x, peg.y) for peg in plan.pegs)
    for begin, middle, symbol in zip(turn + bounds, middles, plan.symbols, strict=True):
        edge = np.array([np.cos(begin), np.sin(begin)])
        axes.plot(*np.outer(edge, (0.82 * inner, plan.radius)), color="#cccccc", linewidth=0.5, zorder=0)
        x, y = 0.9 * inner * np.cos(middle), 0.9 * inner * np.sin(middle)
        label = symbol[:6].replace("$", r"\$")
        upright = np.degrees(middle) - 90
        axes.text(
            x, y, label, fontsize=7, ha="center", va="center", rotation=upright, color="#222222", clip_on=True
        )
    pivot = np.array([plan.pivot_x, plan.pivot_y])
    tip = pivot + plan.arm * np.array([np.sin(clapper), -np.cos(clapper)])
    axes.plot(*np.column_stack((pivot, tip)), color=_ARM, linewidth=1.5, zorder=4)
    axes.add_patch(Circle((tip[0], tip[1]), plan.tip_radius, color=_MARK, linewidth=0, zorder=5))
    axes.add_patch(Circle((pivot[0], pivot[1]), plan.tip_radius, color="#222222", linewidth=0, zorder=5))
    reach = 1.03 * max(plan.radius, plan.pivot_y + plan.tip_radius)
    axes.set(aspect="equal", xlim=(-reach, reach), ylim=(-reach, reach), xlabel="x, m", ylabel="y, m")


def _close_up(axes: Axes, plan: WheelPlan) -> None:
    """The neighbourhood of the indicator only."""
    side = 1.1 * plan.arm
    middle = plan.pivot_y - 0.75 * plan.arm
    axes.set(xlim=(plan.pivot_x - 2 * side, plan.pivot_x + 2 * side), ylim=(middle - side, middle + side))
    axes.set_title("the indicator")
