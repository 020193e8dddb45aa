"""Intervals hold at their rate, and common starts narrow what they should."""

import numpy as np
import pytest

from sim.design.estimates import difference, measured, unpaired_half_width
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
