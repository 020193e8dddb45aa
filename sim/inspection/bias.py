"""F1: is every pocket equally likely?"""

from math import sqrt

import numpy as np

from sim.inspection import limits
from sim.inspection.exact import each, largest_p, range_p
from sim.inspection.noncentral import (
    amplitude,
    amplitude_interval,
    detectable_amplitude,
    share_interval,
)
from sim.inspection.result import FEWEST_SPINS, Finding, Result, cannot
from sim.inspection.statistics import (
    SAMPLES,
    Counts,
    Floats,
    chi_square,
    g_statistic,
    largest,
    lower_p,
    null,
    upper_p,
    width,
)

LEAST_EXPECTED = 5.0
RMS = "rms deviation of a cell's share from an even one, relative"
MONTE_CARLO = f"Monte Carlo, {SAMPLES} samples"


def needs_samples(shares: Floats, n: int) -> bool:
    """Whether an expected count is too small for the limit distribution."""
    return bool(n * shares.min() < LEAST_EXPECTED)


def chi_square_p(counts: Counts, shares: Floats, *, even: bool = False) -> Floats:
    """Return the p of Pearson's chi-square of every log, (logs,): the upper tail, or the lower where `even`.

    counts: (logs, cells), all of the same n. shares: (cells,). Monte Carlo when an expected count is below 5.
    """
    from scipy.stats import chi2

    statistic, n = chi_square(counts, shares), int(counts[0].sum())
    if needs_samples(shares, n):
        sample = null(tuple(shares), n)["chi_square"]
        return lower_p(statistic, sample) if even else upper_p(statistic, sample)
    tail = chi2.cdf if even else chi2.sf
    return np.asarray(tail(statistic, len(shares) - 1))


def g_p(counts: Counts, shares: Floats) -> Floats:
    """Return the p of G of every log, (logs,): chi-square after Williams' correction (1976, Biometrika 63, 33).

    The correction for shares f is q = 1 + (sum 1/f - 1) / (6 n df). Monte Carlo when an expected count is below 5.
    """
    from scipy.stats import chi2

    statistic, n, df = g_statistic(counts, shares), int(counts[0].sum()), len(shares) - 1
    if needs_samples(shares, n):
        return upper_p(statistic, null(tuple(shares), n)["g"])
    correction = 1.0 + (float((1.0 / shares).sum()) - 1.0) / (6.0 * n * df)
    return np.asarray(chi2.sf(statistic / correction, df))


def largest_count_p(counts: Counts) -> Floats:
    """Return the exact p of the largest count of every log on equal pockets, (logs,)."""
    return each(largest_p, int(counts[0].sum()), counts.shape[1], largest(counts))


def range_count_p(counts: Counts) -> Floats:
    """Return the exact two-sided p of the range of every log on equal pockets, (logs,)."""
    return each(range_p, int(counts[0].sum()), counts.shape[1], width(counts))


def largest_detectable(n: int, pockets: int, alpha: float) -> float | None:
    """Return the excess of one pocket that the largest-count test finds with 90 % power, or None.

    In the limit of many spins; the test itself is exact.
    """
    return limits.detectable("F1.largest", limits.one_pocket(pockets), n, alpha, pockets - 1.0)


def omnibus(counts: Counts, shares: Floats, confidence: float, identity: str = "F1.chi_square") -> Finding:
    """Return the finding of Pearson's chi-square, or of G where the id ends in ``.g``. counts: (cells,)."""
    n, df = int(counts.sum()), len(shares) - 1
    if n < FEWEST_SPINS:
        return cannot(identity, n, f"needs {FEWEST_SPINS} spins")
    likelihood = identity.endswith(".g")
    statistic = float((g_statistic if likelihood else chi_square)(counts[None], shares)[0])
    p = float((g_p if likelihood else chi_square_p)(counts[None], shares)[0])
    method = "chi-square, Williams' correction" if likelihood else "chi-square"
    result = Result(
        identity,
        n,
        statistic=statistic,
        df=df,
        p=p,
        effect=amplitude(statistic, df, n),
        interval=amplitude_interval(statistic, df, n, confidence),
        measure=RMS,
        method=MONTE_CARLO if needs_samples(shares, n) else method,
    )
    most = sqrt(1.0 / shares.min() - 1.0)
    return Finding(result, lambda level: detectable_amplitude(df, n, level, most=most))


def too_even(counts: Counts, shares: Floats, confidence: float) -> Finding:
    """Return the finding of the lower tail of chi-square: counts more even than chance makes them."""
    from scipy.stats import chi2

    n, df = int(counts.sum()), len(shares) - 1
    if n < FEWEST_SPINS:
        return cannot("F1.too_even", n, f"needs {FEWEST_SPINS} spins")
    statistic = float(chi_square(counts[None], shares)[0])
    tail = (1 - confidence) / 2
    result = Result(
        "F1.too_even",
        n,
        statistic=statistic,
        df=df,
        p=float(chi_square_p(counts[None], shares, even=True)[0]),
        effect=statistic / df,
        interval=(statistic / float(chi2.isf(tail, df)), statistic / float(chi2.ppf(tail, df))),
        measure="variance of the counts over that of an even wheel, ratio",
        method=MONTE_CARLO if needs_samples(shares, n) else "chi-square",
    )
    return Finding(result, lambda level: float(chi2.ppf(level, df) / chi2.ppf(0.9, df)))


def pocket_limits(counts: Counts, shares: Floats, confidence: float) -> list[tuple[float, float]]:
    """Return simultaneous limits of every cell's excess over fair, relative (Clopper-Pearson, Bonferroni)."""
    n, each_one = float(counts.sum()), 1.0 - (1.0 - confidence) / len(counts)
    bounds = [share_interval(float(count), n, each_one) for count in counts]
    return [
        (low / float(share) - 1.0, high / float(share) - 1.0)
        for (low, high), share in zip(bounds, shares, strict=True)
    ]


def extremes(counts: Counts, names: tuple[str, ...], confidence: float) -> list[Finding]:
    """Return the findings of largest count and range on equal pockets. counts: (pockets,)."""
    n, pockets = int(counts.sum()), len(counts)
    if n < FEWEST_SPINS:
        return [cannot(one, n, f"needs {FEWEST_SPINS} spins") for one in ("F1.largest", "F1.range")]
    bounds = pocket_limits(counts, np.full(pockets, 1.0 / pockets), confidence)
    most, least = int(np.argmax(counts)), int(np.argmin(counts))
    high = Result(
        "F1.largest",
        n,
        statistic=float(counts[most]),
        p=float(largest_count_p(counts[None])[0]),
        effect=float(counts[most]) * pockets / n - 1.0,
        interval=bounds[most],
        measure="excess of the fullest pocket over an even share, relative",
        method="exact",
        where=names[most],
    )
    span = Result(
        "F1.range",
        n,
        statistic=float(counts[most] - counts[least]),
        p=float(range_count_p(counts[None])[0]),
        effect=float(counts[most] - counts[least]) * pockets / n,
        interval=(max(0.0, bounds[most][0] - bounds[least][1]), bounds[most][1] - bounds[least][0]),
        measure="fullest less emptiest pocket over an even share, relative",
        method="exact, both tails",
        where=f"{names[most]} and {names[least]}",
    )
    shape = limits.one_pocket(pockets)
    return [
        Finding(high, lambda level: largest_detectable(n, pockets, level)),
        Finding(span, lambda level: limits.detectable("F1.range", shape, n, level, pockets - 1.0)),
    ]


def posterior(counts: Counts, shares: Floats, confidence: float) -> list[tuple[float, float, float]]:
    """Return mean, low and high of every cell's excess over fair, a posteriori, relative; each cell for itself.

    The prior is Dirichlet with half a spin for every cell on average, spread as fair shares are (Perks 1947;
    Jeffreys' prior on equal cells).
    """
    from scipy.stats import beta

    n, prior = float(counts.sum()), 0.5 * len(shares) * shares
    tail = (1.0 - confidence) / 2.0
    rows = []
    for count, weight, share in zip(counts, prior, shares, strict=True):
        one = beta(count + weight, n - count + prior.sum() - weight)
        rows.append(tuple(float(value) / share - 1.0 for value in (one.mean(), one.ppf(tail), one.isf(tail))))
    return [(mean, low, high) for mean, low, high in rows]
