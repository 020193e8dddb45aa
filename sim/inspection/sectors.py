"""F2: is any sector of the ring more likely than another?"""

from math import asin, degrees, pi, sqrt

import numpy as np

from sim.inspection import limits
from sim.inspection.bias import MONTE_CARLO
from sim.inspection.noncentral import amplitude, amplitude_interval, detectable_amplitude, share_interval
from sim.inspection.result import FEWEST_SPINS, Finding, Result, cannot
from sim.inspection.statistics import (
    MOST_SCANNED,
    Counts,
    Floats,
    excesses,
    harmonic,
    kuiper,
    null,
    scan,
    scanned,
    upper_p,
)

AMPLITUDE = "amplitude of a cosine round the ring, relative"
IDS = ("F2.harmonic", "F2.harmonic_2", "F2.kuiper", "F2.scan")


def rayleigh_p(statistic: Floats, n: int) -> Floats:
    """Return the p of T = 2 R^2 / n, to the order 1 / n (Mardia & Jupp 2000, Directional Statistics, eq. 6.3.5).

    With Z = T / 2: p = exp(-Z) (1 + (2 Z - Z^2) / (4 n)), held within [0, 1].
    """
    z = np.asarray(statistic) / 2.0
    return np.asarray(np.clip(np.exp(-z) * (1.0 + (2.0 * z - z**2) / (4.0 * n)), np.exp(-z) * 1e-3, 1.0))


def harmonic_p(counts: Counts, order: int = 1) -> Floats:
    """Return the p of the harmonic score test of every log, (logs,). counts: (logs, pockets) of the same n."""
    return rayleigh_p(harmonic(counts, order), int(counts[0].sum()))


def kuiper_p(counts: Counts) -> Floats:
    """Return the Monte-Carlo p of Kuiper's test on the ring's lattice, of every log, (logs,)."""
    return upper_p(kuiper(counts), _null(counts)["kuiper"])


def scan_p(counts: Counts) -> Floats:
    """Return the Monte-Carlo p of the circular scan of every log, (logs,)."""
    return upper_p(scan(counts), _null(counts)["scan"])


def _null(counts: Counts) -> dict[str, Floats]:
    pockets = counts.shape[1]
    return null((1.0 / pockets,) * pockets, int(counts[0].sum()))


def sectors(counts: Counts, names: tuple[str, ...], confidence: float) -> list[Finding]:
    """Return the findings of F2. counts: (pockets,) in ring order, equal pockets."""
    n, pockets = int(counts.sum()), len(counts)
    if n < FEWEST_SPINS:
        return [cannot(one, n, f"needs {FEWEST_SPINS} spins") for one in IDS]
    if pockets < 5:
        return [cannot(one, n, "needs a ring of at least five pockets") for one in IDS]
    return [
        _harmonic(counts, names, 1, confidence),
        _harmonic(counts, names, 2, confidence),
        _kuiper(counts, confidence),
        _scan(counts, names, confidence)
        if pockets <= MOST_SCANNED
        else cannot("F2.scan", n, f"needs a ring of at most {MOST_SCANNED} pockets"),
    ]


def _harmonic(counts: Counts, names: tuple[str, ...], order: int, confidence: float) -> Finding:
    n, pockets = int(counts.sum()), len(counts)
    statistic = float(harmonic(counts[None], order)[0])
    crest = np.angle(counts @ np.exp(2j * pi * order * np.arange(pockets) / pockets)) / order
    centre = names[round(crest % (2 * pi / order) * pockets / (2 * pi)) % pockets]
    result = Result(
        "F2.harmonic" if order == 1 else f"F2.harmonic_{order}",
        n,
        statistic=statistic,
        df=2,
        p=float(harmonic_p(counts[None], order)[0]),
        effect=amplitude(statistic, 0.0, n, 2.0),
        interval=amplitude_interval(statistic, 2, n, confidence, 2.0),
        measure=AMPLITUDE
        if order == 1
        else f"amplitude of a cosine of {order} waves round the ring, relative",
        method="chi-square, to order 1/n",
        where=f"crest at {centre}{_spread(statistic, order, pockets, confidence)}",
    )
    return Finding(result, lambda level: detectable_amplitude(2, n, level, scale=2.0, most=1.0))


def _spread(statistic: float, order: int, pockets: int, confidence: float) -> str:
    """Say how far the crest may lie from its place, in pockets, or nothing when anywhere."""
    half = azimuth_half_width(statistic, confidence)
    return f" +- {degrees(half) / order * pockets / 360:.1f} pockets" if half < pi else ""


def azimuth_half_width(statistic: float, confidence: float) -> float:
    """Return the half width of the confidence interval of a first harmonic's azimuth, rad; pi when anywhere.

    statistic: 2 R^2 / n. The resultant is normal with variance n / 2 on each axis, so the direction is known to
    asin(z / sqrt(statistic)) (after Fisher 1993, Statistical Analysis of Circular Data, eq. 4.22).
    """
    from scipy.stats import norm

    sine = float(norm.isf((1 - confidence) / 2)) / sqrt(statistic) if statistic > 0 else 2.0
    return asin(sine) if sine < 1 else pi


def _kuiper(counts: Counts, confidence: float) -> Finding:
    n, pockets = int(counts.sum()), len(counts)
    statistic = float(kuiper(counts[None])[0])
    largest, half = (
        statistic / sqrt(n),
        float(np.quantile(_null(counts[None])["kuiper"], confidence)) / sqrt(n),
    )
    shape = limits.cosine(pockets)
    # A cosine of amplitude a puts at most a / pi too much into an arc.
    arc = float(np.ptp(np.cumsum(shape))) / pockets
    result = Result(
        "F2.kuiper",
        n,
        statistic=statistic,
        p=float(kuiper_p(counts[None])[0]),
        effect=largest,
        interval=(max(0.0, largest - half), min(1.0, largest + half)),
        measure="largest excess of the share of any arc",
        method=MONTE_CARLO,
    )

    def detect(level: float) -> float | None:
        found = limits.detectable("F2.kuiper", shape, n, level, 1.0)
        return None if found is None else found * arc

    return Finding(result, detect)


def _scan(counts: Counts, names: tuple[str, ...], confidence: float) -> Finding:
    n, pockets = int(counts.sum()), len(counts)
    statistic = float(scan(counts[None])[0])
    first, size = _arc(counts)
    count = int(np.take(counts, range(first, first + size), mode="wrap").sum())
    arcs = len(scanned(pockets)) * pockets
    low, high = share_interval(count, n, 1 - (1 - confidence) / arcs)
    share = size / pockets
    result = Result(
        "F2.scan",
        n,
        statistic=statistic,
        p=float(scan_p(counts[None])[0]),
        effect=count / n / share - 1,
        interval=(low / share - 1, high / share - 1),
        measure="excess of the arc that stands out most over an even share, relative",
        method=MONTE_CARLO,
        where=f"{names[first]} to {names[(first + size - 1) % pockets]}",
    )
    arc = max(2, pockets // 4)
    shape = tuple([1.0] * arc + [-arc / (pockets - arc)] * (pockets - arc))
    return Finding(result, lambda level: limits.detectable("F2.scan", shape, n, level, pockets / arc - 1))


def _arc(counts: Counts) -> tuple[int, int]:
    """Return first pocket and size of the arc in which the scan finds its largest |z|."""
    pockets = len(counts)
    sums = excesses(counts[None])[0]
    best = (-1.0, 0, 2)
    for size in scanned(pockets):
        moved = np.abs(np.roll(sums, -size) - sums) / sqrt(size * (pockets - size))
        last = int(np.argmax(moved))
        best = max(best, (float(moved[last]), (last + 1) % pockets, size), key=lambda one: one[0])
    return best[1], best[2]
