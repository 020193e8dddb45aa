"""The pictures of a report: figures without pyplot, in greys and one blue, told apart by shade, line and marker."""

from collections.abc import Iterator, Sequence
from math import ceil, degrees, log, log10, pi

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sim.inspection import limits
from sim.inspection.lab import resultant
from sim.inspection.monitor import path
from sim.inspection.power import powers
from sim.inspection.sectors import azimuth_half_width
from sim.report.inspection.blocks import Picture
from sim.report.inspection.evidence import Evidence, Lean
from sim.report.inspection.lettering import drawable
from sim.report.inspection.rings import (
    BLUE,
    GREY,
    INK,
    LARGE,
    LIGHT,
    MOST_EVEN,
    MOST_NAMES,
    PALE,
    SECTORS,
    SHARE,
    band,
    base,
    by_sector,
    drop_rose,
    glass,
    rose,
)

MARKS = ("o", "s", "^", "D", "v", "P")
MOST_GROUPS = 24
MOST_POINTS = 1500
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def pictures(evidence: Evidence) -> Iterator[tuple[Picture, ...]]:
    """Yield the rows of pictures that the evidence allows."""
    first = [_counts(evidence)] if evidence.found.pockets else []
    if (azimuths := _azimuths(evidence)) is not None:
        first.append(azimuths)
    if evidence.tilt is not None:
        first.append(_bubble(evidence.tilt))
    if first and not first[0].square:
        yield (first.pop(0),)
    for begin in range(0, len(first), 2):
        yield tuple(first[begin : begin + 2])
    rest = [_evidence_path(evidence) if evidence.found.n else None, _power(evidence), _groups(evidence)]
    for picture in rest:
        if picture is not None:
            yield (picture,)


# --- round the ring and round the table -----------------------------------------------------------------------------


def _counts(evidence: Evidence) -> Picture:
    pockets, n = evidence.found.pockets, evidence.found.n
    counts = np.array([pocket.count for pocket in pockets])
    names = [_short(pocket.name) for pocket in pockets]
    if not evidence.board.ring:
        caption = (
            f"Each count less what is expected of {n} spins, in standard deviations of an even count. {MOST_EVEN} "
            "counts lie in the band; dark ones lie outside."
        )
        return Picture(
            "counts", "Counts against expectation", caption, lambda: _deviations(evidence, counts, names)
        )
    low, high = band(n, 1 / len(counts))
    caption = (
        f"{n} spins by hole in the order of the ring, counter-clockwise from the right{_begun(counts)}. Dashed: "
        f"{n / len(counts):.1f} expected of each. {MOST_EVEN} counts lie in the band, "
        f"{low:.0f} to {high:.0f}; dark ones lie outside."
    )
    return Picture("counts", "Counts round the ring", caption, lambda: rose(counts, names), square=True)


def _begun(counts: Ints) -> str:
    """Say at what count the bars begin, where that is not 0."""
    begin = base(counts)
    return f", in bars that begin at {begin:.0f}" if begin else ""


def _short(name: str) -> str:
    """A cell's name where there is little room."""
    if name.startswith("hole "):
        return name.removeprefix("hole ")
    return {"star": "★"}.get(name.partition(" in hole ")[0], _label(name.partition(" in hole ")[0], 6))


def _label(text: str, most: int) -> str:
    text = drawable(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def _deviations(evidence: Evidence, counts: Ints, names: Sequence[str]) -> Figure:
    """Standard deviations of each cell's count from expectation, where cells are not equal or have no ring."""
    from scipy.stats import norm

    figure = Figure(figsize=LARGE, layout="constrained")
    axes = figure.add_subplot()
    shares, n = evidence.board.shares, evidence.found.n
    deviations = (counts - n * shares) / np.sqrt(n * shares * (1 - shares))
    reach = float(norm.isf((1 - SHARE) / 2))
    axes.axhspan(-reach, reach, color=PALE, linewidth=0, zorder=0)
    axes.axhline(0, color=INK, linewidth=0.8, dashes=(4, 3))
    colours = [BLUE if abs(each) > reach else LIGHT for each in deviations]
    axes.bar(
        np.arange(len(counts)), deviations, width=0.8, color=colours, edgecolor=INK, linewidth=0.5, zorder=2
    )
    step = ceil(len(names) / MOST_NAMES)
    axes.set_xticks(np.arange(len(names))[::step])
    axes.set_xticklabels(list(names)[::step])
    axes.set(ylabel="standard deviations")
    _plain(axes)
    return figure


def _azimuths(evidence: Evidence) -> Picture | None:
    """Where balls left their groove, or within what part of a turn a wheel came to rest."""
    if evidence.spins.pegged:
        turns = evidence.spins.turns[np.isfinite(evidence.spins.turns)]
        if not len(turns) or np.all(turns == np.round(turns)):
            return None
        angles = 2 * pi * (turns % 1)
        what, title = (
            "wheels, by the fraction of a turn of their total rotation",
            "Total rotation within a turn",
        )
    else:
        angles = evidence.spins.drop[np.isfinite(evidence.spins.drop)]
        what, title = (
            "balls, by the azimuth in the lab where they left the groove, seen from above",
            "Drop zone",
        )
    if not len(angles):
        return None
    mean = resultant(angles)
    half = azimuth_half_width(2 * len(angles) * abs(mean) ** 2, evidence.confidence)
    low, high = band(len(angles), 1 / SECTORS)
    begun = _begun(by_sector(angles))
    caption = (
        f"{len(angles)} {what}, counter-clockwise from the right{begun}; {100 * SHARE:.0f} % of counts lie in the "
        f"band, {low:.0f} to {high:.0f}, when all directions are alike. Inner arrow: mean direction, "
        f"{degrees(np.angle(mean)) % 360:.0f} deg, resultant {abs(mean):.3f}"
        + (f", ± {degrees(half):.0f} deg." if half < pi else "; no direction stands out.")
    )
    tilt = None if evidence.spins.pegged else evidence.tilt
    if tilt is not None and tilt.low_side is not None and tilt.points:
        caption += f" Outer arrow: low side of the table, {tilt.source}."
    return Picture("azimuths", title, caption, lambda: drop_rose(angles, mean, tilt), square=True)


def _bubble(tilt: Lean) -> Picture:
    caption = f"How the table stands, {tilt.source}: {tilt}. The bubble lies at the high side"
    caption += "; the dashed circle is its uncertainty." if tilt.uncertainty else "."
    return Picture("bubble", "Bubble level, seen from above", caption, lambda: glass(tilt), square=True)


# --- along the log --------------------------------------------------------------------------------------------------


def _evidence_path(evidence: Evidence) -> Picture:
    alpha = evidence.found.alpha
    cells, shares = evidence.spins.cells, evidence.board.shares
    values = path(cells, shares, np.zeros(len(shares), dtype=np.int64)) / log(10)
    crossed = np.flatnonzero(values >= -log10(alpha))
    told = (
        f"it was first reached at spin {crossed[0] + 1}"
        if len(crossed)
        else f"the largest E was {10 ** values.max():.3g}"
    )
    caption = (
        f"What the spins say against equal chances, multiplied up as they came. An even wheel ever reaches the dashed "
        f"line, {1 / alpha:g}, with a chance of {100 * alpha:g} % at most, however often one looks; {told}."
    )
    return Picture("e-process", "Evidence along the log (e-process)", caption, lambda: _path(values, alpha))


def _path(values: Floats, alpha: float) -> Figure:
    figure = Figure(figsize=LARGE, layout="constrained")
    axes = figure.add_subplot()
    bound = -log10(alpha)
    spins = np.arange(1, len(values) + 1)
    axes.axhline(bound, color=INK, linewidth=1.0, dashes=(5, 3))
    axes.axhline(0, color=GREY, linewidth=0.5)
    shown = _thinned(values)
    axes.plot(spins[shown], values[shown], color=BLUE, linewidth=1.0)
    crossed = np.flatnonzero(values >= bound)
    if len(crossed):
        axes.plot(spins[crossed[0]], values[crossed[0]], "o", color=INK, markersize=5)
    axes.set(xlabel="valid spin", ylabel="log₁₀ E", xlim=(0, len(values)))
    low, high = min(float(values.min()), -0.5), max(float(values.max()), bound)
    margin = 0.08 * (high - low)
    axes.set_ylim(low - margin, high + 2 * margin)
    axes.text(
        len(values), bound, f"alarm at 1/α = {1 / alpha:g} ", fontsize=7, ha="right", va="bottom", color=INK
    )
    _plain(axes)
    return figure


def _thinned(values: Floats) -> Ints:
    """Indices of the first, lowest, highest and last value of every stretch of a long path."""
    if len(values) <= MOST_POINTS:
        return np.arange(len(values))
    kept = []
    for stretch in np.array_split(np.arange(len(values)), MOST_POINTS // 4):
        own = values[stretch]
        kept += [stretch[0], stretch[int(np.argmin(own))], stretch[int(np.argmax(own))], stretch[-1]]
    return np.unique(np.array(kept, dtype=np.int64))


def _power(evidence: Evidence) -> Picture | None:
    """What these spins would have found, by the size of a bias."""
    cells, n = len(evidence.board.shares), evidence.found.n
    ran = {test.id for test in evidence.ran}
    equal = bool(np.allclose(evidence.board.shares, 1 / cells))
    if not equal or "F1.chi_square" not in ran or cells < 5:
        return None
    even = min((float(bet.break_even) for bet in evidence.found.bets if bet.break_even > 0), default=None)
    caption = (
        f"The chance that {n} spins find a bias, at the level that the family leaves to each test, "
        f"{evidence.level_of_one:.2g}. Dashed: 90 %."
    )
    if even is not None:
        caption += f" Dotted: the excess at which the first bet's edge is gone, {100 * even:.3g} %."
    return Picture("power", "Power of this sample", caption, lambda: _power_figure(evidence, even))


def _power_figure(evidence: Evidence, even: float | None) -> Figure:
    figure = Figure(figsize=LARGE, layout="constrained")
    panels = figure.subplots(1, 2, sharey=True) if evidence.board.ring else [figure.subplots()]
    for axes, sectors in zip(panels, (False, True), strict=False):
        _power_panel(axes, evidence, even, sectors)
    panels[0].set_ylabel("power")
    return figure


def _power_panel(axes: Axes, evidence: Evidence, even: float | None, sectors: bool) -> None:
    """Power against one likelier pocket, or against a cosine round the ring."""
    cells, n = len(evidence.board.shares), evidence.found.n
    shape, most = (limits.cosine(cells), 0.999) if sectors else (limits.one_pocket(cells), cells - 1.0)
    tests = ("F2.harmonic", "F2.scan", "F1.chi_square") if sectors else ("F1.largest", "F1.chi_square")

    def reached(test: str, size: float) -> float:
        if test in limits.LIMITS:
            return limits.power_at(test, shape, size, n, evidence.level_of_one)
        shares = (1.0 + size * np.asarray(shape)) / cells
        found = powers(shares, np.full(cells, 1 / cells), alpha=evidence.level_of_one, spins=n, tests=(test,))
        return found[0].power or 0.0

    reach = min(most, 0.02)
    while reach < most and reached("F1.chi_square", reach) < 0.98:
        reach = min(most, 1.2 * reach)
    sizes = np.linspace(reach / 16, reach, 16)
    for index, test in enumerate(tests):
        heights = [reached(test, float(size)) for size in sizes]
        axes.plot(
            100 * sizes, heights, MARKS[index] + "-", color=(BLUE, GREY, INK)[index], markersize=3.5,
            linewidth=1.0, label=test,
        )  # fmt: skip
    axes.axhline(0.9, color=INK, linewidth=0.7, dashes=(5, 3))
    if even is not None and not sectors and even <= reach:
        axes.axvline(100 * even, color=INK, linewidth=0.9, linestyle=":")
    name = "amplitude of a cosine round the ring, %" if sectors else "excess of one pocket, %"
    axes.set(xlabel=name, ylim=(0, 1.03), xlim=(0, 100 * reach))
    axes.legend(fontsize=7, loc="lower right", frameon=True, edgecolor="none")
    _plain(axes)


# --- groups ---------------------------------------------------------------------------------------------------------


def _group_rows(evidence: Evidence) -> list[tuple[str, str, int, float]]:
    """Field, group, spins, and chi-square over its df of every group with an expected count of 5 everywhere."""
    shares, rows = evidence.board.shares, []
    cells = len(shares)
    for field, labels in evidence.spins.groups.items():
        names, group = labels.groups()
        if not 2 <= len(names) <= MOST_GROUPS:
            continue
        own = evidence.spins.cells[labels.codes >= 0]
        table = np.bincount(group * cells + own, minlength=len(names) * cells).reshape(-1, cells)
        for name, counts in zip(names, table, strict=True):
            expected = counts.sum() * shares
            if expected.min() >= 5:
                statistic = float(((counts - expected) ** 2 / expected).sum())
                rows.append((field, name, int(counts.sum()), statistic / (cells - 1)))
    return rows


def _groups(evidence: Evidence) -> Picture | None:
    rows = _group_rows(evidence)
    if len(rows) < 2:
        return None
    many = [field for field, labels in evidence.spins.groups.items() if len(labels.groups()[0]) > MOST_GROUPS]
    caption = (
        "For every group its own chi-square over its degrees of freedom: 1 is what chance makes of an even wheel, and "
        f"{MOST_EVEN} groups lie in the band. Whether groups differ from each other is F6 of the tests."
    )
    if many:
        caption += f" Too many groups to be shown: {', '.join(many)}."
    return Picture("groups", "Groups", caption, lambda: _groups_figure(evidence, rows))


def _groups_figure(evidence: Evidence, rows: list[tuple[str, str, int, float]]) -> Figure:
    from scipy.stats import chi2

    df = len(evidence.board.shares) - 1
    figure = Figure(figsize=(LARGE[0], 0.75 + 0.21 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    low, high = (float(chi2.ppf(each, df)) / df for each in ((1 - SHARE) / 2, (1 + SHARE) / 2))
    axes.axvspan(low, high, color=PALE, linewidth=0, zorder=0)
    axes.axvline(1, color=INK, linewidth=0.8, dashes=(4, 3))
    fields = list(dict.fromkeys(field for field, *_ in rows))
    for place, (field, _, _, ratio) in enumerate(rows):
        outside = not low <= ratio <= high
        axes.plot(
            ratio, place, MARKS[fields.index(field) % len(MARKS)], markersize=6, color=BLUE if outside else LIGHT,
            markeredgecolor=INK, markeredgewidth=0.7,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)))
    words = [f"{_label(field, 16)}: {_label(word, 28)}, {n} spins" for field, word, n, _ in rows]
    axes.set_yticklabels(words)
    axes.set(xlabel="chi-square over degrees of freedom", ylim=(len(rows) - 0.5, -0.5))
    axes.set_xlim(
        min(0.9 * low, 0.9 * min(row[3] for row in rows)), 1.1 * max(high, *(row[3] for row in rows))
    )
    _plain(axes)
    return figure


def _plain(axes: Axes) -> None:
    axes.tick_params(labelsize=7, width=0.6, length=3)
    axes.xaxis.label.set_fontsize(8)
    axes.yaxis.label.set_fontsize(8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_linewidth(0.6)
