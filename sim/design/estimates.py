"""A metric of a design with its interval, and how two designs differ, spin by spin on the same starts.

The spins are parted into 50 blocks by their indices; the metric is worked out with each block left out in turn. The
spread of these values gives the standard error (delete-a-group jackknife; Efron & Tibshirani 1993, An Introduction to
the Bootstrap, ch. 11; Shao & Tu 1995, The Jackknife and Bootstrap, sec. 2.3, also for quantiles). Two designs played
from the same starts are compared block by block: the standard error is that of the differences (paired).

Shares have Wilson's interval. The difference of two shares on the same starts has that of Agresti & Min (Stat. Med. 24
(2005) 729): Wald's on counts with half a spin added to each of the four cells, so that none seen is not none at all.
The length of a vector, less what chance adds to it, has the interval of a noncentral chi-square distribution, which may
begin at 0; the difference of two lengths that of Zou & Donner (Stat. Med. 27 (2008) 1693), from both and their
correlation over the blocks. All intervals are of 95 %.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite, nan, sqrt

import numpy as np
from numpy.typing import NDArray

from sim.design.sample import Floats, Sample
from sim.engines.tally import Z95, wilson
from sim.inspection.noncentral import amplitude_interval

GROUPS = 50
T95 = 2.009575234489209
"""Quantile of Student's distribution with 49 degrees of freedom for two-sided intervals of 95 %."""


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """What counts is its length. parts: shape (k,). free: how many of them may differ once the others are known."""

    parts: Floats
    free: int


Measure = Callable[[Sequence[Sample]], float | Floats | Vector]
"""A metric of a design's spins and those of its variants: a number, a value a spin, of which the mean counts, or a
vector.
"""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with the ends of its interval, NaN where there is none. n: spins it is from."""

    value: float
    low: float
    high: float
    n: int

    @property
    def half_width(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A metric of one design.

    left_out: shape (50,), its values with each block left out. hits: (n,), of a share. ends: of a length's interval.
    """

    value: float
    left_out: Floats
    n: int
    hits: NDArray[np.bool_] | None = None
    ends: tuple[float, float] | None = None

    @property
    def error(self) -> float:
        """Standard error."""
        return _error(self.left_out)

    @property
    def estimate(self) -> Estimate:
        """The value with its own interval."""
        if self.hits is not None:
            low, high = wilson(int(self.hits.sum()), self.n)
            return Estimate(self.value, low, high, self.n)
        if self.ends is not None:
            return Estimate(self.value, *self.ends, self.n)
        half = T95 * self.error
        return Estimate(self.value, self.value - half, self.value + half, self.n)


def measured(measure: Measure, samples: Sequence[Sample], share: bool = False) -> Measured:
    """Work out a metric, and its values with each block left out.

    samples: of a design and its variants, of equal lengths.
    """
    n = len(samples[0])
    values = measure(samples)
    blocks = np.arange(n) * GROUPS // n
    if isinstance(values, np.ndarray):
        return _of_values(values, blocks, share)
    if n < 2 * GROUPS:
        return Measured(_number(values), np.full(GROUPS, nan), n)
    others = [_whole(measure([each.rows(blocks != block) for each in samples])) for block in range(GROUPS)]
    if isinstance(values, Vector):
        return _of_vectors(values, np.array(others), n)
    return Measured(float(values), np.array(others, dtype=np.float64), n)


def _number(value: float | Vector) -> float:
    return float(np.linalg.norm(value.parts)) if isinstance(value, Vector) else float(value)


def _whole(value: float | Floats | Vector) -> float | Floats:
    return value.parts if isinstance(value, Vector) else value


def _of_vectors(vector: Vector, left_out: Floats, n: int) -> Measured:
    """The length of a vector. left_out: shape (50, k)."""
    chance = float((GROUPS - 1) / GROUPS * ((left_out - left_out.mean(axis=0)) ** 2).sum())
    length = float(np.linalg.norm(vector.parts))
    if not isfinite(length + chance):
        return Measured(nan, np.full(GROUPS, nan), n, ends=(nan, nan))
    along = left_out @ vector.parts / length if length > 0.0 else np.zeros(GROUPS)
    # The vector may stray more along itself than across.
    variance = max(_error(along) ** 2, chance / vector.free)
    ends = (length, length)
    if variance > 0.0:
        # A vector shorter than chance alone makes one is luck, and no knowledge that there is none.
        seen = length**2 / variance
        low, _ = amplitude_interval(seen, vector.free, 1.0 / variance, 0.95)
        _, high = amplitude_interval(max(seen, vector.free), vector.free, 1.0 / variance, 0.95)
        ends = (low, high)
    return Measured(sqrt(max(length**2 - chance, 0.0)), along, n, ends=ends)


def _of_values(values: Floats, blocks: NDArray[np.int64], share: bool) -> Measured:
    """The mean of a value for each spin, NaN where it has none."""
    known = np.isfinite(values)
    filled = np.where(known, values, 0.0)
    sums = np.bincount(blocks, filled, GROUPS)
    counts = np.bincount(blocks, known, GROUPS)
    rest = counts.sum() - counts
    left_out = np.divide(sums.sum() - sums, rest, out=np.full(GROUPS, nan), where=rest > 0)
    value = float(sums.sum() / counts.sum()) if counts.sum() else nan
    return Measured(value, left_out, len(values), values == 1.0 if share else None)


def _error(left_out: Floats) -> float:
    return float(sqrt((GROUPS - 1) / GROUPS * ((left_out - left_out.mean()) ** 2).sum()))


def difference(one: Measured, other: Measured, paired: bool = True) -> Estimate:
    """By how much ``one`` exceeds ``other``; both from the same number of spins.

    paired: whether spin i of both had the same start.
    """
    value = one.value - other.value
    if not paired:
        if one.ends is not None and other.ends is not None:
            return _of_lengths(one, other, paired=False)
        half = unpaired_half_width(one, other)
        return Estimate(value, value - half, value + half, one.n)
    if one.hits is not None and other.hits is not None:
        return _of_shares(one.hits, other.hits)
    if one.ends is not None and other.ends is not None:
        return _of_lengths(one, other, paired=True)
    half = T95 * _error(one.left_out - other.left_out)
    return Estimate(value, value - half, value + half, one.n)


def unpaired_half_width(one: Measured, other: Measured) -> float:
    """Half width of the interval that the same spins would give a difference if their starts were not common."""
    return T95 * sqrt(one.error**2 + other.error**2)


def _of_shares(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> Estimate:
    n = len(one)
    more, fewer = int((one & ~other).sum()), int((other & ~one).sum())
    total = n + 2
    middle = (more - fewer) / total
    half = Z95 * sqrt((more + fewer + 1) / total - middle**2) / sqrt(total)
    return Estimate((more - fewer) / n, middle - half, middle + half, n)


def _of_lengths(one: Measured, other: Measured, paired: bool) -> Estimate:
    value = one.value - other.value
    if paired and value == 0.0 and np.array_equal(one.left_out, other.left_out):
        return Estimate(0.0, 0.0, 0.0, one.n)
    assert one.ends is not None and other.ends is not None
    known = one.error > 0.0 and other.error > 0.0
    shared = float(np.corrcoef(one.left_out, other.left_out)[0, 1]) if paired and known else 0.0

    def reach(below: float, above: float) -> float:
        return sqrt(max(below**2 + above**2 - 2.0 * shared * below * above, 0.0))

    low = value - reach(one.value - one.ends[0], other.ends[1] - other.value)
    high = value + reach(one.ends[1] - one.value, other.value - other.ends[0])
    return Estimate(value, low, high, one.n)


def plain(estimate: Estimate) -> dict[str, float | int | None]:
    """As JSON takes it: null for what there is none of."""
    numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: x if isfinite(x) else None for name, x in numbers.items()} | {"spins": estimate.n}
