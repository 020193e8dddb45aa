"""Exact tests against every possible outcome of small cases; what must not change anything; what must."""

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import factorial, pi, prod

import numpy as np
import pytest

from sim.inspection import statistics
from sim.inspection.bias import (
    chi_square_p,
    g_p,
    largest_count_p,
    pocket_limits,
    posterior,
    range_count_p,
)
from sim.inspection.exact import RESOLVED, chance_within, largest_p, range_p, range_tails
from sim.inspection.groups import Labels, drift_statistic, homogeneity, homogeneity_p, invalid, throws
from sim.inspection.independence import circular_correlation, contingency, lag_table, runs_moments
from sim.inspection.lab import azimuth, rayleigh
from sim.inspection.limits import cosine, drift, power_at, spins_needed
from sim.inspection.noncentral import noncentrality_interval, share_interval
from sim.inspection.result import Finding, Result, family, holm
from sim.inspection.sectors import harmonic_p, kuiper_p, scan_p, sectors


def _every_outcome(n: int, cells: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield every table of n spins on equal cells with its probability."""
    for bars in combinations(range(n + cells - 1), cells - 1):
        edges = (-1, *bars, n + cells - 1)
        counts = tuple(edges[i + 1] - edges[i] - 1 for i in range(cells))
        yield counts, factorial(n) / prod(map(factorial, counts)) / cells**n


@pytest.mark.parametrize(("n", "cells"), [(6, 3), (10, 4), (7, 5), (20, 3)])
def test_largest_and_range_are_exact(n: int, cells: int) -> None:
    outcomes = list(_every_outcome(n, cells))
    assert sum(chance for _, chance in outcomes) == pytest.approx(1)
    for value in range(n + 1):
        above = sum(chance for counts, chance in outcomes if max(counts) >= value)
        assert largest_p(n, cells, value) == pytest.approx(above, abs=1e-10, rel=1e-7)
        wide = sum(chance for counts, chance in outcomes if max(counts) - min(counts) >= value)
        narrow = sum(chance for counts, chance in outcomes if max(counts) - min(counts) <= value)
        tails = (max(narrow, RESOLVED), max(wide, RESOLVED))
        assert range_tails(n, cells, value) == pytest.approx(tails, abs=1e-10)
        within = sum(chance for counts, chance in outcomes if min(counts) >= 1 and max(counts) <= value)
        assert chance_within(n, cells, 1, value) == pytest.approx(within, abs=1e-12)


def test_far_tails_are_bounds_not_noise() -> None:
    assert 0 < largest_p(10_000, 25, 900) < 1e-60
    assert range_p(10_000, 25, 900) == pytest.approx(2 * RESOLVED)


@pytest.mark.parametrize("cells", [4, 5])
def test_monte_carlo_p_is_that_of_every_outcome(cells: int) -> None:
    n = 12
    shares = np.full(cells, 1 / cells)
    outcomes = list(_every_outcome(n, cells))
    counts = np.array([one for one, _ in outcomes])
    chances = np.array([chance for _, chance in outcomes])
    for statistic, p in (
        (statistics.chi_square(counts, shares), chi_square_p(counts, shares)),
        (statistics.g_statistic(counts, shares), g_p(counts, shares)),
        (statistics.kuiper(counts), kuiper_p(counts)),
        (statistics.scan(counts), scan_p(counts)),
    ):
        exact = np.array([chances[statistic >= value].sum() for value in statistic])
        assert np.abs(p - exact).max() < 4 * 0.5 / np.sqrt(statistics.SAMPLES)


@pytest.mark.parametrize("n", [50, 700])
def test_a_rotated_wheel_gives_the_same_p(n: int) -> None:
    counts = np.random.default_rng(n).multinomial(n, np.full(25, 0.04), size=5)
    shares = np.full(25, 0.04)
    for p in (lambda c: chi_square_p(c, shares), lambda c: g_p(c, shares), largest_count_p, range_count_p):
        for turn in range(1, 25):
            assert np.array_equal(p(np.roll(counts, turn, axis=1)), p(counts))
    for p in (kuiper_p, scan_p):
        for turn in range(1, 25):
            assert np.array_equal(p(np.roll(counts, turn, axis=1)), p(counts))
    for order in (1, 2):
        turned = harmonic_p(np.roll(counts, 7, axis=1), order)
        assert turned == pytest.approx(harmonic_p(counts, order), rel=1e-6)


def test_statistics_of_a_known_table() -> None:
    counts = np.array([[10, 0, 0, 0], [4, 3, 2, 1]])
    shares = np.full(4, 0.25)
    assert statistics.chi_square(counts, shares) == pytest.approx([30.0, 2.0])
    assert statistics.g_statistic(counts, shares)[0] == pytest.approx(20 * np.log(4))
    assert statistics.harmonic(counts) == pytest.approx([20.0, 2 * 8 / 10])
    assert statistics.kuiper(counts)[0] == pytest.approx(0.75 * np.sqrt(10))
    # Arcs of two pockets: 10 where 5 are expected, variance 2.5.
    assert statistics.scan(counts)[0] == pytest.approx(5 / np.sqrt(2.5))


def test_a_deficit_is_scanned_as_well_as_an_excess() -> None:
    counts = np.full(20, 100)
    counts[4:9] -= 40
    names = tuple(map(str, range(20)))
    found = sectors(counts, names, 0.99)[-1].result
    assert found.where == "4 to 8"
    assert found.effect == pytest.approx(60 / (counts.sum() / 20) - 1)


def test_the_crest_of_a_sector_is_found() -> None:
    counts = np.round(400 * (1 + 0.3 * np.cos(2 * pi * (np.arange(25) - 19) / 25))).astype(int)
    found = sectors(counts, tuple(map(str, range(25))), 0.99)
    assert found[0].result.where.startswith("crest at 19 +- ")
    assert found[0].result.effect == pytest.approx(0.3, abs=0.001)
    low, high = found[0].result.interval
    assert low < 0.3 < high
    assert found[0].detect(0.01) == pytest.approx(0.1 * np.sqrt(3486 / 10_000), rel=0.001)


def test_runs_have_the_moments_of_every_arrangement() -> None:
    from itertools import permutations

    kinds = (0, 0, 0, 1, 1, 2)
    counted = [1 + sum(a != b for a, b in pairwise(one)) for one in permutations(kinds)]
    mean, sd = runs_moments(np.array([[3.0, 2.0, 1.0]]), 6)
    assert mean[0] == pytest.approx(np.mean(counted))
    assert sd[0] == pytest.approx(np.std(counted))


def test_table_of_pairs() -> None:
    tables = lag_table(np.array([[0, 1, 1, 0], [2, 2, 2, 2]]), 3)
    assert tables[0].tolist() == [[0, 1, 0], [1, 1, 0], [0, 0, 0]]
    assert tables[1, 2, 2] == 3
    from scipy.stats import chi2_contingency

    table = np.random.default_rng(2).integers(1, 30, (4, 6))
    statistic, df = contingency(table[None])
    known = chi2_contingency(table, correction=False)
    assert (statistic[0], df[0]) == (pytest.approx(known.statistic), known.dof)


def test_successive_angles_that_follow_each_other_are_found() -> None:
    random = np.random.default_rng(8)
    free = random.uniform(0, 2 * pi, (2_000, 300))
    assert np.mean(circular_correlation(free)) == pytest.approx(4, abs=0.25)
    follows = np.cumsum(random.normal(2.0, 1.2, (3, 300)), axis=1)
    assert (circular_correlation(follows) > 60).all()


def test_homogeneity_by_sampled_tables_agrees_with_fisher() -> None:
    from scipy.stats import fisher_exact

    table = np.array([[8, 2], [1, 5]])
    _, p, _, method = homogeneity_p(table)
    assert "Monte Carlo" in method
    assert p == pytest.approx(fisher_exact(table).pvalue, abs=0.01)


def test_a_group_that_differs_is_named() -> None:
    random = np.random.default_rng(4)
    cells = random.integers(0, 10, 3_000)
    labels = Labels(np.tile([0, 1, 2], 1_000), ("a", "b", "c"))
    cells[labels.codes == 1] = random.integers(0, 7, 1_000)
    found = homogeneity("thrower_id", labels, cells, 10, 0.99).result
    assert found.p < 1e-10
    assert found.where == "b of 3 groups"
    assert homogeneity("ball_id", Labels(np.full(3_000, -1), ()), cells, 10, 0.99).result.why_not is not None


def test_drift_is_found_and_bias_is_none() -> None:
    random = np.random.default_rng(6)
    biased = random.choice(10, 20_000, p=np.array([2, *[1] * 9]) / 11)
    assert drift_statistic(biased[None], 10)[0] < 30
    drifting = np.concatenate((random.integers(0, 10, 10_000), random.integers(0, 9, 10_000)))
    assert drift_statistic(drifting[None], 10)[0] > 300


def test_even_throws_and_invalid_spins_of_one_thrower() -> None:
    random = np.random.default_rng(9)
    throwers = Labels(np.tile([0, 1], 500), ("x", "y"))
    turns = random.uniform(3, 6, 1_000)
    assert throws(turns, throwers, 0.99).result.p > 0.001
    turns[1::2] = random.normal(4.2, 0.2, 500)
    found = throws(turns, throwers, 0.99).result
    assert found.p < 1e-20
    assert found.where.startswith("y: resultant 0.4")
    assert throws(np.round(turns), throwers, 0.99).result.p is None
    void = (throwers.codes == 0) & (random.random(1_000) < 0.1)
    assert invalid(void, throwers, 0.99).result.p < 1e-6
    assert invalid(void, Labels(np.zeros(1_000, dtype=int), ("x",)), 0.99).result.p is None


def test_a_preferred_azimuth_and_its_interval() -> None:
    random = np.random.default_rng(10)
    covered = 0
    for _ in range(200):
        angles = random.vonmises(np.radians(230), 0.4, 400)
        found = azimuth("F4.harmonic", angles, 0.95, "drop").result
        covered += found.interval[0] < 0.19608 < found.interval[1]
    assert 182 <= covered <= 198
    assert found.where.startswith("at 2")
    assert rayleigh(np.zeros((1, 10)))[0] == pytest.approx(20)


def test_intervals_cover() -> None:
    """Noncentrality 30 with 24 df: a 95 % interval holds it in 95 of 100 samples; the share's is exact or wider."""
    from scipy.stats import ncx2

    drawn = ncx2.rvs(24, 30, size=400, random_state=1)
    held = sum(low <= 30 <= high for low, high in (noncentrality_interval(x, 24, 0.95) for x in drawn))
    assert 365 <= held <= 394
    assert share_interval(0, 10, 0.95) == pytest.approx((0, 1 - 0.025**0.1))
    assert share_interval(10, 10, 0.95) == pytest.approx((0.025**0.1, 1))
    low, high = noncentrality_interval(20_000.0, 24, 0.95)
    below, above = ncx2.sf(20_000, 24, low), ncx2.cdf(20_000, 24, high)
    assert (below, above) == pytest.approx((0.025, 0.025), abs=0.002)


def test_limits_of_all_pockets_hold_together() -> None:
    random = np.random.default_rng(11)
    shares = np.full(9, 1 / 9)
    held = 0
    for counts in random.multinomial(300, shares, size=300):
        held += all(low <= 0 <= high for low, high in pocket_limits(counts, shares, 0.9))
    assert held >= 265
    mean, low, high = posterior(np.full(9, 100), shares, 0.95)[0]
    assert mean == pytest.approx(0)
    assert low == pytest.approx(-high, abs=0.02)


def test_simulated_powers_are_those_of_counts() -> None:
    """The limit of many spins against counts drawn at the number of spins that it asks for."""
    shape = cosine(25)
    for test, p in (("F2.kuiper", kuiper_p), ("F1.range", range_count_p), ("F1.largest", largest_count_p)):
        needed = round(spins_needed(test, shape, 0.15, 0.01, 0.9))
        counts = np.random.default_rng(12).multinomial(needed, (1 + 0.15 * np.array(shape)) / 25, size=2_000)
        assert np.mean(p(counts) <= 0.01) == pytest.approx(0.9, abs=0.04), test
        assert power_at(test, shape, 0.15, needed, 0.01) == pytest.approx(0.9, abs=0.01)
    assert drift("F2.scan", shape, 0.01) > drift("F2.kuiper", shape, 0.01)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    asked = []
    tests = family(
        [
            Finding(Result("a", 1, p=0.02), lambda level: asked.append(level) or 0.5),
            Finding(Result("b", 1, why_not="needs more")),
            Finding(Result("c", 1, p=0.3)),
        ],
        0.01,
    )
    assert [test.p_holm for test in tests] == [0.04, None, 0.3]
    assert (asked, tests[0].detectable) == ([0.005], 0.5)
