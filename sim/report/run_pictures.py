"""Pictures of a whole run for a page: where balls came to rest and left their groove, how often wheels turned."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray
from scipy.stats import binom

from sim.report.replay import templates

_INNER, _OUTER = 62.0, 148.0
_DROP_SECTORS = 36
_TURN_BINS = 24
_SHARE = 0.95


@dataclass(frozen=True, slots=True)
class RunPicture:
    """One picture, with its numbers as a table."""

    title: str
    caption: str
    svg: Markup
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def landings(ring: Sequence[str], rest_index: NDArray[np.int64]) -> RunPicture:
    """Draw how often each pocket won, in ring order counter-clockwise from the zero mark at the right.

    ring: the symbol of every pocket. rest_index: shape (n,), of the spins that came to rest in a pocket.
    """
    counts = np.bincount(rest_index, minlength=len(ring))
    names = [f"{symbol} (pocket {index})" for index, symbol in enumerate(ring)]
    azimuths = 2.0 * pi * np.arange(len(ring)) / len(ring)
    caption = _band_words(len(rest_index), len(ring), "pockets were all alike")
    svg = _rose(counts, azimuths, list(ring), names, "How often each pocket won")
    rows = tuple(
        (str(index), symbol, str(count))
        for index, (symbol, count) in enumerate(zip(ring, counts, strict=True))
    )
    return RunPicture("Landings", caption, svg, ("pocket", "symbol", "spins"), rows)


def drop_zones(drop_angle_deg: NDArray[np.float64]) -> RunPicture:
    """Draw where balls left their groove: lab azimuths, deg, shape (n,), counter-clockwise from the right."""
    width = 360 // _DROP_SECTORS
    counts = np.bincount((drop_angle_deg % 360 // width).astype(np.int64), minlength=_DROP_SECTORS)
    begins = width * np.arange(_DROP_SECTORS)
    names = [f"{begin}° to {begin + width}°" for begin in begins]
    labels = [f"{begin}°" if begin % 90 == 0 else "" for begin in begins]
    caption = _band_words(len(drop_angle_deg), _DROP_SECTORS, "all directions were alike")
    middles = np.radians(begins + 0.5 * width)
    svg = _rose(counts, middles, labels, names, "Where balls left the groove, seen from above")
    rows = tuple((name, str(count)) for name, count in zip(names, counts, strict=True))
    return RunPicture("Drop zones", caption, svg, ("azimuth", "spins"), rows)


def turns(turns_forward: NDArray[np.float64]) -> RunPicture:
    """Draw how far wheels turned up to their first reversal: turns, shape (n,)."""
    counts, edges = np.histogram(turns_forward, bins=_TURN_BINS)
    top = max(int(counts.max()), 1)
    shapes, texts = [], []
    step = 320.0 / _TURN_BINS
    for index, count in enumerate(counts):
        x, height = -160.0 + step * index, 170.0 * count / top
        title = f"{edges[index]:.2f} to {edges[index + 1]:.2f} turns: {count} spins"
        path = f"M{x:.1f} 85V{85 - height:.1f}h{step - 1.5:.1f}V85z"
        shapes.append({"kind": "bar", "path": path, "title": title})
    shapes.append({"kind": "edge", "path": "M-160 85.5H160", "title": ""})
    for share in (0.0, 0.5, 1.0):
        words = f"{edges[0] + share * (edges[-1] - edges[0]):.1f}"
        texts.append(_text(-160 + 320 * share, 98, words, soft=True))
    svg = _svg("-175 -95 350 205", "How many turns the wheel made", shapes, texts)
    rows = tuple(
        (f"{low:.2f} to {high:.2f}", str(count))
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
    )
    caption = f"{len(turns_forward)} spins, turns up to the first reversal"
    return RunPicture("Turns", caption, svg, ("turns", "spins"), rows)


def _band(spins: int, sectors: int) -> tuple[int, int]:
    """The counts between which one sector of several that are alike lies with the stated chance."""
    law = binom(spins, 1.0 / sectors)
    return int(law.ppf(0.5 - _SHARE / 2)), int(law.ppf(0.5 + _SHARE / 2))


def _band_words(spins: int, sectors: int, condition: str) -> str:
    low, high = _band(spins, sectors)
    return (
        f"{spins} spins, {spins / sectors:.1f} each if {condition} (dashed); one in {1 / (1 - _SHARE):.0f} would then "
        f"lie outside {low} to {high} (shaded)"
    )


def _rose(
    counts: NDArray[np.int64],
    azimuths: NDArray[np.float64],
    labels: Sequence[str],
    names: Sequence[str],
    title: str,
) -> Markup:
    spins, sectors = int(counts.sum()), len(counts)
    low, high = _band(spins, sectors)
    top = max(int(counts.max()), high, 1)

    def out(count: float) -> float:
        return _INNER + (_OUTER - _INNER) * count / top

    shapes: list[dict[str, Any]] = [
        {"kind": "band", "path": _circle(out(high)) + _circle(out(low)), "title": ""},
        {"kind": "ring", "path": _circle(out(spins / sectors)), "title": ""},
        {"kind": "edge", "path": _circle(_INNER), "title": ""},
    ]
    half = 0.88 * pi / sectors
    for azimuth, count, name in zip(azimuths, counts, names, strict=True):
        kind = "bar" if low <= count <= high else "odd"
        path = _wedge(_INNER, out(float(count)), float(azimuth) - half, float(azimuth) + half)
        shapes.append({"kind": kind, "path": path, "title": f"{name}: {count} spins"})
    texts = [
        _text(
            0.84 * _INNER * cos(azimuth), -0.84 * _INNER * sin(azimuth), {"star": "★"}.get(label, label[:4])
        )
        for azimuth, label in zip(azimuths, labels, strict=True)
        if label
    ]
    return _svg("-155 -155 310 310", title, shapes, texts)


def _svg(box: str, label: str, shapes: list[dict[str, Any]], texts: list[dict[str, Any]]) -> Markup:
    made = (
        templates().get_template("picture.svg.jinja").render(box=box, label=label, shapes=shapes, texts=texts)
    )
    return Markup(made)


def _text(x: float, y: float, words: str, *, soft: bool = False) -> dict[str, Any]:
    return {"x": f"{x:.1f}", "y": f"{y:.1f}", "words": words, "anchor": "middle", "soft": soft}


def _circle(radius: float) -> str:
    r = f"{radius:.2f}"
    return f"M{r} 0A{r} {r} 0 1 0 -{r} 0A{r} {r} 0 1 0 {r} 0z"


def _wedge(inner: float, outer: float, begin: float, end: float) -> str:
    a, b = (cos(begin), -sin(begin)), (cos(end), -sin(end))
    return (
        f"M{inner * a[0]:.2f} {inner * a[1]:.2f}L{outer * a[0]:.2f} {outer * a[1]:.2f}"
        f"A{outer:.2f} {outer:.2f} 0 0 0 {outer * b[0]:.2f} {outer * b[1]:.2f}"
        f"L{inner * b[0]:.2f} {inner * b[1]:.2f}A{inner:.2f} {inner:.2f} 0 0 1 {inner * a[0]:.2f} {inner * a[1]:.2f}z"
    )
