"""The figures of a study, each as SVG and PNG: response plots, heat maps, indices, tornado, tolerances."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from sim.design.factors import Axis
from sim.design.metrics import Metric
from sim.design.studying import Found
from sim.report.study.words import brief, enlarged

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Plain = dict[str, Any]
Floats = NDArray[np.float64]
Extend = Literal["neither", "min", "max", "both"]
_BASE, _POINT = "#8a5a12", "#1f5a8a"
_WIDE = 10.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure with its caption. name: of its files, without suffix. wide: it needs the whole width of a page."""

    name: str
    title: str
    caption: str
    svg: bytes
    png: bytes
    wide: bool


def pictures(found: Found, told: Plain) -> Iterator[Picture]:
    """All figures of a study."""
    if "tolerances" in told:
        if told["tolerances"]:
            yield from _tolerances(told["tolerances"])
        return
    for metric in found.metrics:
        if "sensitivity" in told:
            yield from _sensitivity(told, metric)
        elif len(found.axes) == 2 and _is_grid(found):
            yield _heat(found, told, metric)
        else:
            yield _responses(found, told, metric)


def label(metric: Metric) -> str:
    """Title and unit."""
    return f"{metric.title} ({metric.unit})" if metric.unit else metric.title


def _drawn(draw: Callable[["Axes"], None], size: tuple[float, float] = (6.4, 4.4)) -> tuple[bytes, bytes]:
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = []
    for form in ("svg", "png"):
        with mpl.rc_context({"svg.hashsalt": "fairwheel", "font.size": 10}):
            figure = Figure(figsize=size, layout="constrained")
            FigureCanvasAgg(figure)
            draw(figure.subplots())
            sink = io.BytesIO()
            metadata: dict[str, Any] = {"Date": None} if form == "svg" else {"Software": None}
            figure.savefig(sink, format=form, dpi=140, metadata=metadata)
        made.append(sink.getvalue())
    return made[0], made[1]


def _picture(
    name: str,
    title: str,
    caption: str,
    draw: Callable[["Axes"], None],
    size: tuple[float, float] = (6.4, 4.4),
) -> Picture:
    return Picture(name, title, caption, *_drawn(draw, size), wide=size[0] > _WIDE)


def _value(row: Plain, metric: Metric) -> tuple[float, float, float]:
    known = row.get("metrics", {}).get(metric.name) or {}
    numbers = (known.get(end) for end in ("value", "low", "high"))
    value, low, high = (nan if x is None else float(x) for x in numbers)
    return value, low, high


def _is_grid(found: Found) -> bool:
    sampling = found.study.file.sampling
    return found.study.kind == "sampling" and (sampling is None or sampling.method == "grid")


def _heat(found: Found, told: Plain, metric: Metric) -> Picture:
    """A grid of two factors: every cell with its value; shaded where there is none."""
    down, across = found.axes
    rows, columns = len(down.texts), len(across.texts)
    values = np.array([_value(row, metric)[0] for row in told["designs"]]).reshape(rows, columns)
    halves = [(_value(row, metric)[2] - _value(row, metric)[1]) / 2 for row in told["designs"]]

    def draw(axes: "Axes") -> None:
        axes.set_facecolor("#e6e0d6")
        low, high, extend = _scale(values[np.isfinite(values)])
        shown = axes.imshow(values, origin="lower", aspect="auto", cmap="cividis", vmin=low, vmax=high)
        axes.set_xticks(range(columns), _ticks(across))
        axes.set_yticks(range(rows), _ticks(down))
        axes.set_xlabel(across.label)
        axes.set_ylabel(down.label)
        middle = (low + high) / 2
        for i in range(rows):
            for j in range(columns):
                text = f"{values[i, j]:.3g}" if np.isfinite(values[i, j]) else "none"
                colour = "white" if np.isfinite(values[i, j]) and values[i, j] < middle else "black"
                axes.text(j, i, text, ha="center", va="center", color=colour, fontsize=8)
        axes.figure.colorbar(shown, ax=axes, label=label(metric), extend=extend)

    typical = float(np.nanmedian(halves)) if np.isfinite(halves).any() else nan
    caption = f"{metric.about} Half of the 95 % interval, typically: {typical:.2g}."
    return _picture(f"heat-{metric.name}", label(metric), caption, draw)


def _scale(values: Floats) -> tuple[float, float, Extend]:
    """Between which values the colours run, and at which ends some lie beyond.

    Beyond are those far out by Tukey's rule (Exploratory Data Analysis, 1977, 2D): three times the spread of the
    middle half away from it.
    """
    if not len(values):
        return 0.0, 1.0, "neither"
    first, third = np.quantile(values, (0.25, 0.75))
    reach = 3.0 * (third - first) or inf
    near = values[(values >= first - reach) & (values <= third + reach)]
    low, high = float(near.min()), float(near.max())
    below, above = values.min() < low, values.max() > high
    return low, high, "both" if below and above else "min" if below else "max" if above else "neither"


def _ticks(axis: Axis) -> list[str]:
    if axis.labels:
        return list(axis.labels)
    if axis.is_measured:
        return [f"{x:.4g}" for x in axis.numbers]
    return [text if len(text) <= 14 else str(i + 1) for i, text in enumerate(axis.texts)]


def _responses(found: Found, told: Plain, metric: Metric) -> Picture:
    """A metric against every factor, each design with its interval; dashed: the base."""
    count = max(len(found.axes), 1)
    base = _value(told["base_design"], metric)
    rows = [
        (outcome, _value(row, metric)) for outcome, row in zip(found.outcomes, told["designs"], strict=True)
    ]

    def draw(axes: "Axes") -> None:
        figure = axes.figure
        axes.remove()
        plots = figure.subplots(1, count, sharey=True, squeeze=False)[0]
        for i, (axis, plot) in enumerate(zip(found.axes, plots, strict=True)):
            known = [(o.design.numbers[i], *v) for o, v in rows if o.design.numbers and np.isfinite(v[0])]
            if known:
                x, value, low, high = np.array(known).T
                spread = np.nan_to_num([value - low, high - value])
                plot.errorbar(x, value, np.maximum(spread, 0.0), fmt="o", ms=4, lw=1, capsize=2, color=_POINT)
            if np.isfinite(base[0]):
                plot.axhline(base[0], color=_BASE, ls="--", lw=1)
                plot.axhspan(base[1], base[2], color=_BASE, alpha=0.12, lw=0)
            if axis.texts and (axis.labels or not axis.is_measured):
                plot.set_xticks(range(len(axis.texts)), _ticks(axis))
            plot.set_xlabel(axis.label)
        plots[0].set_ylabel(label(metric))

    caption = f"{metric.about} Bars: intervals of 95 %. Dashed: the base, with its interval."
    return _picture(f"response-{metric.name}", label(metric), caption, draw, (3.4 * count + 1.6, 4.0))


def _bars(
    axes: "Axes", names: Sequence[str], series: Sequence[tuple[str, str, Sequence[float], Sequence[float]]]
) -> None:
    """Horizontal bars, one group a name. series: label, colour, values, half widths."""
    height = 0.8 / len(series)
    for i, (text, colour, values, halves) in enumerate(series):
        at = np.arange(len(names)) + (i - (len(series) - 1) / 2) * height
        axes.barh(at, values, height, xerr=halves, label=text, color=colour, error_kw={"capsize": 2, "lw": 1})
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.axvline(0.0, color="black", lw=0.8)
    axes.legend(fontsize=8)


def _sensitivity(told: Plain, metric: Metric) -> Iterator[Picture]:
    found = told["sensitivity"]["metrics"][metric.name]
    factors = found["factors"]
    if factors:
        sobol = told["sensitivity"]["method"] == "sobol"
        kinds = (("st", "total"), ("s1", "first order")) if sobol else (("mu_star", "size, mu*"),)

        def draw(axes: "Axes") -> None:
            series = [
                (text, colour, [f[key] or 0.0 for f in factors], [f[f"{key}_half"] or 0.0 for f in factors])
                for (key, text), colour in zip(kinds, (_POINT, _BASE), strict=False)
            ]
            _bars(axes, [f["name"] for f in factors], series)
            axes.set_xlabel("share of the variance" if sobol else f"effect over the range, {label(metric)}")

        noise = "" if found["noise"] is None else f" {100 * found['noise']:.0f} % of the variance is chance."
        size = (6.4, 1.4 + 0.7 * len(factors))
        what = "Sobol' indices" if sobol else "Morris effects"
        yield _picture(
            f"indices-{metric.name}", f"{what}: {metric.title}", f"{metric.about}{noise}", draw, size
        )
    bars = told.get("tornado", {}).get(metric.name)
    if bars:
        yield _tornado(bars, metric)


def _tornado(bars: list[Plain], metric: Metric) -> Picture:
    def draw(axes: "Axes") -> None:
        for i, bar in enumerate(bars):
            for end, colour, at in (("low", _BASE, i - 0.2), ("high", _POINT, i + 0.2)):
                each = bar[end]
                if each.get("value") is None:
                    continue
                value, low, high = (each[name] for name in ("value", "low", "high"))
                halves = [[value - low], [high - value]]
                axes.barh(at, value, 0.36, xerr=halves, color=colour, error_kw={"capsize": 3, "lw": 1})
                beyond, side = (high, 1) if value >= 0.0 else (low, -1)
                axes.annotate(
                    brief(each["at"]),
                    (beyond, at),
                    (5 * side, 0),
                    textcoords="offset points",
                    fontsize=8,
                    ha="left" if side > 0 else "right",
                    va="center",
                )
        axes.margins(x=0.18)
        axes.set_yticks(range(len(bars)), [bar["name"] for bar in bars])
        axes.set_ylim(len(bars) - 0.4, -0.6)
        axes.axvline(0.0, color="black", lw=0.8)
        axes.set_xlabel(f"difference to the base, {label(metric)}")

    caption = "Each factor at both ends of its range, all else as in the base; intervals of 95 %, paired."
    return _picture(
        f"tornado-{metric.name}", f"Tornado: {metric.title}", caption, draw, (6.4, 1.4 + 0.8 * len(bars))
    )


def _tolerances(told: Plain) -> Iterator[Picture]:
    def tighten(axes: "Axes") -> None:
        rows = told["tighten"]
        now = next(x["excess"] for x in told["worst_pocket"] if x["share_of_machines"] == 0.95)
        axes.barh(
            [r["of"].replace("_", " ") for r in rows],
            [100 * r["excess_95"] for r in rows],
            color=_POINT,
            height=0.5,
        )
        axes.axvline(100 * now, color=_BASE, ls="--")
        axes.invert_yaxis()
        axes.set_xlabel("worst pocket of 95 % of the machines, % over an even share; dashed: as it is")

    caption = "What halving the standard deviation of one dimension alone makes of the worst pocket."
    yield _picture("tighten", "Which tolerance to tighten first", caption, tighten, (6.4, 2.6))
    check = told["check"]
    if check is None or check["slope"] is None:
        return

    def held(axes: "Axes") -> None:
        expected, seen = (100 * np.array(check[k]) for k in ("expected_excess", "seen_excess"))
        half = 196.0 * np.sqrt(len(seen) / check["spins"])
        axes.errorbar(expected, seen, half, fmt="o", ms=4, lw=1, color=_POINT)
        ends = np.array([min(expected.min(), 0), max(expected.max(), 0)])
        axes.plot(ends, ends, color=_BASE, ls="--")
        axes.set_xlabel("excess expected of a hollow, %")
        axes.set_ylabel("excess in the spins, %")

    words = (
        f"One machine built hollow by hollow, with larger strays ({enlarged(check['times'])}), and played "
        f"{check['spins']} times; dashed: as expected."
    )
    yield _picture("check", "The budget against brute force", words, held)
