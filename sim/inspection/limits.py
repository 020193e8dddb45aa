"""Powers by simulation, in the limit of many spins: how strong a shape of bias the range, Kuiper or scan test sees.

A wheel whose shares are f (1 + r s_i), s of mean 0, has standardised counts z_i - mean(z) + d s_i with
d = r sqrt(n / pockets). So one number d for each test, shape, level and power answers for every n.
"""

from collections.abc import Callable
from functools import cache
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from sim.inspection.noncentral import POWER
from sim.inspection.statistics import scanned

Floats = NDArray[np.float64]
DRAWS = 20_000
SEED = 2003


def _range(deviations: Floats) -> Floats:
    return np.asarray(np.ptp(deviations, axis=1))


def _largest(deviations: Floats) -> Floats:
    return np.asarray(deviations.max(axis=1))


def _kuiper(deviations: Floats) -> Floats:
    sums = np.cumsum(deviations, axis=1)
    return np.asarray(np.ptp(sums, axis=1)) / sqrt(deviations.shape[1])


def _scan(deviations: Floats) -> Floats:
    pockets = deviations.shape[1]
    sums = np.cumsum(deviations, axis=1)
    best = np.zeros(len(deviations))
    for size in scanned(pockets):
        moved = np.abs(np.roll(sums, -size, axis=1) - sums).max(axis=1)
        best = np.maximum(best, moved / sqrt(size * (1 - size / pockets)))
    return best


LIMITS: dict[str, Callable[[Floats], Floats]] = {
    "F1.largest": _largest,
    "F1.range": _range,
    "F2.kuiper": _kuiper,
    "F2.scan": _scan,
}


def one_pocket(pockets: int) -> tuple[float, ...]:
    """Return the shape of one pocket more likely, the rest sharing the loss."""
    return (1.0, *[-1.0 / (pockets - 1)] * (pockets - 1))


def cosine(pockets: int, order: int = 1) -> tuple[float, ...]:
    """Return the shape of a sector: a cosine round the ring, 1 at its crest."""
    return tuple(float(x) for x in np.cos(2 * np.pi * order * np.arange(pockets) / pockets))


@cache
def _noise(pockets: int) -> Floats:
    noise = np.random.default_rng([SEED, pockets]).standard_normal((DRAWS, pockets))
    return np.asarray(noise - noise.mean(axis=1, keepdims=True))


@cache
def _null(test: str, pockets: int) -> Floats:
    return np.sort(LIMITS[test](_noise(pockets)))


def _critical(test: str, pockets: int, alpha: float) -> float:
    level = alpha / 2 if test == "F1.range" else alpha
    return float(np.quantile(_null(test, pockets), 1 - level))


@cache
def drift(test: str, shape: tuple[float, ...], alpha: float, power: float = POWER) -> float:
    """Return the d = r sqrt(n / pockets) at which a test of level alpha has the given power.

    Raises ValueError for a shape without any bias.
    """
    if not np.any(shape):
        raise ValueError("a wheel without bias is never found biased")
    pockets = len(shape)
    critical = _critical(test, pockets, alpha)
    noise, direction = _noise(pockets), np.asarray(shape)

    def found(size: float) -> float:
        return float(np.mean(LIMITS[test](noise + size * direction) > critical))

    high = 1.0
    while found(high) < power:
        high *= 2.0
    low = 0.0
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if found(middle) < power else (low, middle)
    return high


def detectable(test: str, shape: tuple[float, ...], n: int, alpha: float, most: float = inf) -> float | None:
    """Return the size r of a shape of bias that n spins find with 90 % power; None when larger than `most`."""
    found = drift(test, shape, alpha) / sqrt(n / len(shape))
    return found if found <= most else None


def spins_needed(test: str, shape: tuple[float, ...], size: float, alpha: float, power: float) -> float:
    """Return the spins at which a bias of that shape and size is found with the given power."""
    return float(len(shape) * (drift(test, shape, alpha, power) / size) ** 2)


def power_at(test: str, shape: tuple[float, ...], size: float, n: float, alpha: float) -> float:
    """Return the power of a test of level alpha against a shape of that size after n spins."""
    pockets = len(shape)
    deviations = _noise(pockets) + size * sqrt(n / pockets) * np.asarray(shape)
    return float(np.mean(LIMITS[test](deviations) > _critical(test, pockets, alpha)))
