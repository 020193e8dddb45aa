"""How far apart two engines are on the same spins, with intervals; spin i is drawn alike for both."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

RESAMPLED = 400
LEVEL = 0.95
_Z = float(norm.ppf(0.5 + LEVEL / 2))


@dataclass(frozen=True)
class Estimate:
    """A value and its interval at LEVEL."""

    value: float
    low: float
    high: float


def steps_of(
    first: NDArray[np.float64], second: NDArray[np.float64], weights: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values at which either distribution function steps, and first less second there.

    first, second: shape (n,); a NaN is no value. weights: shape (n,), of the spins.
    """
    at = np.unique(np.concatenate([first[~np.isnan(first)], second[~np.isnan(second)]]))
    weights = np.ones(len(first)) if weights is None else weights
    return at, _reached(first, at, weights) - _reached(second, at, weights)


def _reached(
    values: NDArray[np.float64], at: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    known = ~np.isnan(values)
    counts = np.bincount(np.searchsorted(at, values[known]), weights[known], len(at))
    return np.asarray(np.cumsum(counts) / counts.sum())


def distance(first: NDArray[np.float64], second: NDArray[np.float64], seed: int = 15) -> Estimate:
    """Kolmogorov-Smirnov distance; shape (n,) each, a NaN is no value.

    The interval is the distance plus and minus the largest deviation that LEVEL of RESAMPLED bootstraps of the spins
    stay within, sup |(F* - G*) - (F - G)|: by the triangle inequality it holds the distance of the two laws.
    """
    rng = np.random.default_rng(seed)
    count = len(first)
    at, apart = steps_of(first, second)
    found = float(np.abs(apart).max())
    places = [(~np.isnan(values), np.searchsorted(at, values)) for values in (first, second)]
    deviations = np.empty(RESAMPLED)
    for i in range(RESAMPLED):
        weights = np.bincount(rng.integers(0, count, count), minlength=count).astype(np.float64)
        one, other = (
            np.cumsum(np.bincount(place[known], weights[known], len(at))) for known, place in places
        )
        deviations[i] = np.abs(one / one[-1] - other / other[-1] - apart).max()
    reach = float(np.quantile(deviations, LEVEL))
    return Estimate(found, max(found - reach, 0.0), min(found + reach, 1.0))


def mean_difference(first: NDArray[np.float64], second: NDArray[np.float64]) -> Estimate:
    """Mean of first less second over the spins that have both; normal interval."""
    apart = first - second
    apart = apart[~np.isnan(apart)]
    reach = _Z * float(apart.std(ddof=1)) / sqrt(len(apart))
    return Estimate(float(apart.mean()), float(apart.mean()) - reach, float(apart.mean()) + reach)


def share_difference(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> Estimate:
    """Share of the first less that of the second, for pairs; the interval is that of Agresti and Min (2005)."""
    count = len(first)
    only, other = int((first & ~second).sum()), int((~first & second).sum())
    more, less, size = only + 0.5, other + 0.5, count + 2.0
    middle = (more - less) / size
    reach = _Z * sqrt(more + less - (more - less) ** 2 / size) / size
    return Estimate((only - other) / count, middle - reach, middle + reach)


def share(hits: int, count: int) -> Estimate:
    """Share of hits, with Wilson's interval."""
    p, z2 = hits / count, _Z * _Z
    middle, size = (p + z2 / (2 * count)) / (1 + z2 / count), 1 + z2 / count
    reach = _Z * sqrt(p * (1 - p) / count + z2 / (4 * count * count)) / size
    return Estimate(p, max(middle - reach, 0.0), min(middle + reach, 1.0))


def noise(count: int, level: float = 0.99) -> float:
    """The Kolmogorov-Smirnov distance that two independent samples of one law stay below, of ``count`` values each."""
    return sqrt(-0.5 * np.log((1.0 - level) / 2.0)) * sqrt(2.0 / count)
