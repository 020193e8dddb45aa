"""The statistics of counts, worked out for many logs at once.

Every function takes whole counts of shape (logs, pockets), pockets in ring order where that matters, and returns
float64 of shape (logs,). On a ring they depend on the wheel alone, not on where its numbering begins.
"""

from collections.abc import Callable
from functools import cache
from math import pi

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]
DIGITS = 9
"""Significant digits kept, so that equal values from different sums stay equal."""


def tidy(values: Floats) -> Floats:
    """Return values rounded to 9 significant digits."""
    values = np.asarray(values, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        step = 10.0 ** (np.floor(np.log10(np.abs(values))) - DIGITS + 1)
        return np.where(values == 0.0, 0.0, np.round(values / step) * step)


def chi_square(counts: Counts, shares: Floats) -> Floats:
    """Return Pearson's X^2 = sum x^2 / (n f) - n. shares: (pockets,) fair shares f, sum 1."""
    n = counts.sum(axis=1)
    return tidy((counts.astype(float) ** 2 / shares).sum(axis=1) / n - n)


def g_statistic(counts: Counts, shares: Floats) -> Floats:
    """Return the likelihood ratio G = 2 sum x log(x / (n f)). shares: (pockets,)."""
    n = counts.sum(axis=1)
    expected = n[:, None] * shares
    logs = np.log(np.where(counts > 0, counts / expected, 1.0))
    return tidy(np.maximum(0.0, 2.0 * np.sort(counts * logs, axis=1).sum(axis=1)))


def largest(counts: Counts) -> Counts:
    """Return the largest count of every log, whole numbers."""
    return np.asarray(counts.max(axis=1))


def width(counts: Counts) -> Counts:
    """Return the range of every log's counts, whole numbers."""
    return np.asarray(np.ptp(counts, axis=1))


def harmonic(counts: Counts, order: int = 1) -> Floats:
    """Return the score statistic 2 |sum x exp(i order theta)|^2 / n of a cosine of `order` waves round the ring.

    Chi-square with 2 df (Mardia & Jupp 2000, Directional Statistics, sec. 6.3.1, Rayleigh's 2 n Rbar^2).
    """
    pockets = counts.shape[1]
    wave = np.exp(2j * pi * order * np.arange(pockets) / pockets)
    return tidy(2.0 * np.abs(counts @ wave) ** 2 / counts.sum(axis=1))


def excesses(counts: Counts) -> Counts:
    """Return the running sums of pockets * count - n, whole numbers of shape (logs, pockets), the last 0."""
    pockets = counts.shape[1]
    return np.cumsum(pockets * counts - counts.sum(axis=1, keepdims=True), axis=1)


def kuiper(counts: Counts) -> Floats:
    """Return Kuiper's sqrt(n) V on the ring's lattice (Kuiper 1960): V the largest excess of any arc of pockets."""
    n = counts.sum(axis=1)
    sums = excesses(counts)
    return tidy((sums.max(axis=1) - sums.min(axis=1)) / (counts.shape[1] * np.sqrt(n)))


def scan(counts: Counts) -> Floats:
    """Return the circular scan: the largest |z| of any arc of 2 to pockets / 2 neighbours.

    z = (x - n q) / sqrt(n q (1 - q)), q the arc's fair share; too little in an arc is too much in the rest.
    """
    pockets = counts.shape[1]
    sums = excesses(counts)
    best = np.zeros(len(counts))
    for size in scanned(pockets):
        moved = np.abs(np.roll(sums, -size, axis=1) - sums).max(axis=1)
        best = np.maximum(best, moved / np.sqrt(float(size * (pockets - size))))
    return tidy(best / np.sqrt(counts.sum(axis=1)))


def scanned(pockets: int) -> range:
    """Return the sizes of arc that the scan looks at, in pockets."""
    return range(2, max(2, pockets // 2) + 1)


MOST_SCANNED = 100
"""Pockets of a ring up to which the scan and its null are quick."""
STATISTICS: dict[str, Callable[[Counts], Floats]] = {"kuiper": kuiper, "scan": scan}
SAMPLES = 49_999
SEED = 1979
CHUNK = 10_000


@cache
def null(shares: tuple[float, ...], n: int) -> dict[str, Floats]:
    """Return what fair wheels give: statistic's name -> its sorted values in 49 999 samples of n spins.

    The samples come of a fixed seed, n and the number of pockets, so that the same counts always give the same p.
    On equal pockets the statistics of a ring are among them.
    """
    random = np.random.default_rng([SEED, len(shares), n])
    fair = np.asarray(shares)
    ring = len(set(shares)) == 1 and len(shares) > 3
    values: dict[str, list[Floats]] = {}
    for first in range(0, SAMPLES, CHUNK):
        counts = random.multinomial(n, fair, size=min(CHUNK, SAMPLES - first))
        for name, statistic in {"chi_square": chi_square, "g": g_statistic}.items():
            values.setdefault(name, []).append(statistic(counts, fair))
        for name, on_ring in STATISTICS.items() if ring else ():
            if name == "scan" and len(shares) > MOST_SCANNED:
                continue
            values.setdefault(name, []).append(on_ring(counts))
    return {name: np.sort(np.concatenate(parts)) for name, parts in values.items()}


def upper_p(values: Floats, sample: Floats) -> Floats:
    """Return (1 + how many of the sorted sample are >= value) / (1 + sample's size): a valid p of any value."""
    return np.asarray(
        (1.0 + len(sample) - np.searchsorted(sample, values, side="left")) / (1.0 + len(sample))
    )


def lower_p(values: Floats, sample: Floats) -> Floats:
    """Return (1 + how many of the sorted sample are <= value) / (1 + sample's size)."""
    return np.asarray((1.0 + np.searchsorted(sample, values, side="right")) / (1.0 + len(sample)))
