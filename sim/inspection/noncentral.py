"""Noncentral chi-square: how large an effect is, and how large one a sample would have found."""

from functools import cache
from math import inf, sqrt
from typing import cast

POWER = 0.9
LARGE = 1e4
"""Statistic above which the noncentral distribution is taken as normal: it is, to four digits."""


@cache
def noncentrality(df: float, alpha: float, power: float = POWER) -> float:
    """Return the noncentrality at which an upper-tail chi-square test of level alpha has the given power.

    The chi-square statistic of n spins has n * sum (p_i - f_i)^2 / f_i (Cohen 1988, Statistical Power
    Analysis, ch. 7, his n w^2); the score test of a cosine of amplitude e has n e^2 / 2.
    """
    from scipy.optimize import brentq
    from scipy.stats import chi2, ncx2

    critical = chi2.isf(alpha, df)

    def lacking(value: float) -> float:
        return float(ncx2.sf(critical, df, value)) - power

    return cast("float", brentq(lacking, 1e-9, 100.0 + 20.0 * critical, xtol=1e-10, rtol=1e-12))


def noncentrality_interval(statistic: float, df: float, confidence: float) -> tuple[float, float]:
    """Return the equal-tailed confidence interval of the noncentrality, by inversion (Steiger & Fouladi 1997)."""
    from scipy.optimize import brentq
    from scipy.stats import chi2, ncx2, norm

    tail = (1.0 - confidence) / 2.0
    if statistic > LARGE:
        half = norm.isf(tail) * sqrt(2.0 * (df + 2.0 * (statistic - df)))
        return max(0.0, statistic - df - half), statistic - df + half
    most = statistic + 20.0 * sqrt(statistic + df) + 200.0

    def solve(probability: float, bound: float) -> float:
        if probability <= bound:
            return 0.0
        return cast("float", brentq(lambda value: ncx2.cdf(statistic, df, value) - bound, 1e-12, most))

    central = float(chi2.cdf(statistic, df))
    return solve(central, 1.0 - tail), solve(central, tail)


def amplitude(statistic: float, df: float, n: float, scale: float = 1.0) -> float:
    """Return sqrt(scale * noncentrality / n), the noncentrality estimated by max(0, statistic - df)."""
    return sqrt(scale * max(0.0, statistic - df) / n)


def amplitude_interval(
    statistic: float, df: float, n: float, confidence: float, scale: float = 1.0
) -> tuple[float, float]:
    """Return the interval of sqrt(scale * noncentrality / n)."""
    low, high = noncentrality_interval(statistic, df, confidence)
    return sqrt(scale * low / n), sqrt(scale * high / n)


def detectable_amplitude(
    df: float, n: float, alpha: float, *, scale: float = 1.0, most: float = inf
) -> float | None:
    """Return the sqrt(scale * noncentrality / n) found with 90 % power; None when larger than can be."""
    found = sqrt(scale * noncentrality(df, alpha) / n)
    return found if found <= most else None


def share_interval(count: float, n: float, confidence: float) -> tuple[float, float]:
    """Return the exact interval of a share (Clopper & Pearson 1934, Biometrika 26, 404)."""
    from scipy.stats import beta

    tail = (1.0 - confidence) / 2.0
    low = float(beta.ppf(tail, count, n - count + 1)) if count > 0 else 0.0
    high = float(beta.isf(tail, count + 1, n - count)) if count < n else 1.0
    return low, high
