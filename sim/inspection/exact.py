"""Exact distributions of the largest count and of the range of n spins on k equal pockets.

Counts of a fair wheel are Poisson counts given their sum (Levin 1981, Ann. Statist. 9, 1123), so that the chance
that all lie within [low, high] is a k-fold convolution of one truncated Poisson distribution.
"""

from collections.abc import Callable
from functools import lru_cache
from math import ceil, exp, sqrt

import numpy as np
from numpy.typing import NDArray

RESOLVED = 1e-12
"""Smallest tail that a difference of two sums of floats can tell from none."""
FAR = 14.0
"""Range, in standard deviations of a count, beyond which its tail is below RESOLVED."""


@lru_cache(1 << 16)
def chance_within(n: int, pockets: int, low: int, high: int) -> float:
    """Return the probability that every count lies within [low, high]."""
    from scipy.fft import irfft, next_fast_len, rfft
    from scipy.stats import poisson

    low = max(low, 0)
    if high < low or not pockets * low <= n <= pockets * high:
        return 0.0
    mean = n / pockets
    spread = 12.0 * sqrt(mean) + 40.0
    low, high = max(low, int(mean - spread)), min(high, ceil(mean + spread))
    cell = poisson.pmf(np.arange(low, high + 1), mean)
    inside = float(cell.sum())
    length = next_fast_len(pockets * (high - low) + 1, real=True)
    total = irfft(rfft(cell / inside, length) ** pockets, length)[n - pockets * low]
    conditional = pockets * np.log(inside) - poisson.logpmf(n, n)
    return float(np.clip(total * exp(conditional), 0.0, 1.0))


@lru_cache(1 << 14)
def largest_p(n: int, pockets: int, largest: int) -> float:
    """Return P(largest count >= largest): exact; far out by Bonferroni's bound, which is then as good."""
    from scipy.stats import binom

    bound = pockets * float(binom.sf(largest - 1, n, 1.0 / pockets))
    if bound < 1e-8:
        return bound
    return 1.0 - chance_within(n, pockets, 0, largest - 1)


@lru_cache(1 << 14)
def range_cdf(n: int, pockets: int, width: int) -> float:
    """Return P(largest count - smallest count <= width)."""
    if width > FAR * sqrt(n / pockets) + 2 * FAR:
        return 1.0
    first, last = max(0, ceil(n / pockets) - width - 1), n // pockets + 1
    wide = sum(chance_within(n, pockets, low, low + width) for low in range(first, last + 1))
    narrow = sum(chance_within(n, pockets, low + 1, low + width) for low in range(first, last + 1))
    return float(np.clip(wide - narrow, 0.0, 1.0))


def range_tails(n: int, pockets: int, width: int) -> tuple[float, float]:
    """Return P(range <= width) and P(range >= width), neither below what floats resolve (1e-12)."""
    below = range_cdf(n, pockets, width)
    above = 1.0 - range_cdf(n, pockets, width - 1)
    return max(below, RESOLVED), max(above, RESOLVED)


def range_p(n: int, pockets: int, width: int) -> float:
    """Return the two-sided p of a range: twice the smaller tail, at most 1."""
    return min(1.0, 2.0 * min(range_tails(n, pockets, width)))


def largest_critical(n: int, pockets: int, alpha: float) -> int:
    """Return the smallest count c with P(largest count >= c) <= alpha."""
    from scipy.stats import binom

    count = int(binom.isf(alpha / pockets, n, 1.0 / pockets)) - 3
    while largest_p(n, pockets, count) > alpha:
        count += 1
    return count


def each(
    function: Callable[[int, int, int], float], n: int, pockets: int, values: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return function(n, pockets, value) of every value, each different value worked out once."""
    different, index = np.unique(values, return_inverse=True)
    return np.array([function(n, pockets, int(value)) for value in different])[index]
