"""Intervals hold at their rate, and common starts narrow what they should."""

import numpy as np
import pytest

from sim.design.estimates import Vector, difference, measured, unpaired_half_width
from sim.design.sample import Sample


def of(values: np.ndarray) -> Sample:
    return Sample({"y": np.asarray(values, dtype=np.float64)})


def mean(samples):
    return samples[0]["y"]


def median(samples):
    return float(np.median(samples[0]["y"]))


def hits(samples):
    return samples[0]["y"]


def covers(estimate, truth: float) -> bool:
    return estimate.low <= truth <= estimate.high


@pytest.mark.parametrize(("measure", "truth"), [(mean, 1.0), (median, np.log(2.0))])
def test_intervals_of_one_design_cover_at_their_rate(measure, truth):
    random = np.random.default_rng(5)
    covered = [
        covers(measured(measure, [of(random.exponential(size=1000))]).estimate, truth) for _ in range(300)
    ]
    assert 0.91 <= np.mean(covered) <= 0.985


@pytest.mark.parametrize("paired", [True, False])
def test_intervals_of_differences_cover_zero_at_their_rate(paired):
    """With common starts and with independent ones; where half of the noise is common, pairing is what knows it."""
    random = np.random.default_rng(6)
    covered, gains = [], []
    for _ in range(300):
        common = random.standard_normal(1000) if paired else 0.0
        one, other = (measured(median, [of(common + random.standard_normal(1000))]) for _ in range(2))
        apart = difference(one, other, paired)
        covered.append(covers(apart, 0.0))
        gains.append(unpaired_half_width(one, other) / apart.half_width)
    assert 0.91 <= np.mean(covered) <= 0.985
    assert (np.median(gains) > 1.15) == paired


def test_shares_that_differ_in_no_spin_are_not_known_to_be_equal():
    one, other = (measured(hits, [of(np.zeros(1000))], share=True) for _ in range(2))
    apart = difference(one, other)
    assert apart.value == 0.0
    assert 0.0005 < apart.half_width < 0.004
    assert one.estimate.high == pytest.approx(0.00383, rel=0.01)  # Wilson, 0 of 1000


def test_paired_shares_cover_at_their_rate():
    random = np.random.default_rng(8)
    covered = []
    for _ in range(400):
        u = random.random(500)
        moved = np.where(random.random(500) < 0.1, random.random(500), u)
        one, other = (measured(hits, [of(x < p)], share=True) for x, p in ((u, 0.03), (moved, 0.05)))
        covered.append(covers(difference(one, other), -0.02))
    assert 0.92 <= np.mean(covered) <= 0.99


def around(samples):
    """Mean vector of azimuths."""
    turns = np.exp(1j * samples[0]["y"]).mean()
    return Vector(np.array([turns.real, turns.imag]), 2)


def azimuths(random: np.random.Generator, length: float, n: int) -> np.ndarray:
    """Azimuths whose mean vector has this length: some at 1 rad, the others anywhere."""
    return np.where(random.random(n) < length, 1.0, random.uniform(0.0, 2.0 * np.pi, n))


@pytest.mark.parametrize("length", [0.0, 0.03, 0.2, 0.7])
def test_intervals_of_lengths_cover_at_their_rate(length):
    random = np.random.default_rng(9)
    found = [measured(around, [of(azimuths(random, length, 1000))]).estimate for _ in range(300)]
    assert np.mean([covers(each, length) for each in found]) >= 0.92
    assert all(0.0 <= each.low <= each.value <= each.high for each in found)
    assert np.mean([each.low > 0.0 for each in found]) == pytest.approx(
        {0.0: 0.03, 0.03: 0.15, 0.2: 1.0, 0.7: 1.0}[length], abs=0.1
    )


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("lengths", [(0.0, 0.0), (0.0, 0.3), (0.3, 0.4)])
def test_differences_of_lengths_cover_at_their_rate(lengths, paired):
    random = np.random.default_rng(10)
    covered = []
    for _ in range(200):
        common, seeds = random.integers(2**60), random.integers(2**60, size=2)
        one, other = (
            measured(around, [of(azimuths(np.random.default_rng(common if paired else seed), length, 500))])
            for seed, length in zip(seeds, lengths, strict=True)
        )
        covered.append(covers(difference(one, other, paired), lengths[0] - lengths[1]))
    assert np.mean(covered) >= 0.92


def test_equal_vectors_differ_by_nothing():
    values = azimuths(np.random.default_rng(11), 0.0, 500)
    apart = difference(measured(around, [of(values)]), measured(around, [of(values)]))
    assert (apart.value, apart.low, apart.high) == (0.0, 0.0, 0.0)
