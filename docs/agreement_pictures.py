"""Pictures of docs/engines.md."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from docs.distances import steps_of

Pair = tuple[NDArray[np.float64], NDArray[np.float64]]
INK, BLUE, ORANGE, GREY = "#222222", "#1f5fa8", "#c8641b", "#8a8a8a"
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
}
_UNITS = {"rest offset": (1e3, "mm"), "settling time": (1.0, "s"), "hops": (1.0, "")}


def save(figure: Any, file: Path) -> None:
    """Write a PNG that names no program and no day."""
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=130, metadata={"Software": None})


def distributions(pairs: dict[str, Pair], names: tuple[str, str], bound: float, file: Path) -> None:
    """Distribution functions of both engines above, their difference and the bound below."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(9.0, 4.4), layout="constrained")
        axes = figure.subplots(2, len(pairs), sharex="col", height_ratios=(3, 2))
        for (upper, lower), (name, (one, other)) in zip(axes.T, pairs.items(), strict=True):
            scale, unit = _UNITS[name]
            for values, label, colour, width in ((one, names[0], BLUE, 3.0), (other, names[1], ORANGE, 1.2)):
                known = np.sort(values[~np.isnan(values)]) * scale
                reached = np.arange(1, len(known) + 1) / len(known)
                upper.plot(known, reached, color=colour, lw=width, label=label, drawstyle="steps-post")
            at, apart = steps_of(one, other)
            lower.axhspan(-bound, bound, color=GREY, alpha=0.15, lw=0)
            lower.plot(at * scale, apart, color=INK, lw=0.8, drawstyle="steps-post")
            lower.set_ylim(-1.3 * bound, 1.3 * bound)
            lower.set_xlabel(f"{name}, {unit}" if unit else name)
            upper.set_xlim(0, np.nanquantile(np.concatenate([one, other]), 0.995) * scale)
        axes[0, 0].legend(loc="lower right")
        axes[0, 0].set_ylabel("share of spins up to")
        axes[1, 0].set_ylabel("difference")
        save(figure, file)


def margins(
    swept: Sequence[float], chosen: float, wrong: Sequence[int], ahead: Sequence[float], file: Path
) -> None:
    """Wrong pockets and time from decision to rest against capture's margin."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(6.4, 3.2), layout="constrained")
        left, right = figure.subplots(1, 2)
        for axes, values, label in (
            (left, wrong, "wrong hollows"),
            (right, ahead, "from decision to rest, s"),
        ):
            axes.axvline(1e3 * chosen, color=ORANGE, lw=1.0)
            axes.plot([1e3 * margin for margin in swept], values, color=BLUE, marker="o", ms=4)
            axes.set_xlabel("margin, mJ/kg")
            axes.set_ylabel(label)
            axes.set_ylim(0, 1.08 * max(1.0, *values))
        left.annotate(
            "as used", (1e3 * chosen, 1.0), (4, -2), xycoords=("data", "axes fraction"),
            textcoords="offset points", color=ORANGE, va="top",
        )  # fmt: skip
        save(figure, file)


def turns(
    rigid: NDArray[np.float64], batch: NDArray[np.float64], same: NDArray[np.bool_], file: Path
) -> None:
    """Relative difference of a pegged wheel's net turns against the turns."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(6.4, 3.2), layout="constrained")
        axes = figure.subplots()
        apart = 100 * (batch / rigid - 1.0)
        for chosen, colour, label in ((same, BLUE, "same section"), (~same, ORANGE, "the section beside it")):
            if not chosen.any():
                continue
            axes.plot(rigid[chosen], apart[chosen], ".", color=colour, ms=4, label=label)
        axes.axhline(0.0, color=GREY, lw=0.8)
        axes.set_xlabel("net turns, rigid engine")
        axes.set_ylabel("batch engine less rigid engine, %")
        axes.legend()
        save(figure, file)
