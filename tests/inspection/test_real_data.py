"""Four cases of real data whose answers are known."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from sim.inspection.bias import chi_square_p, omnibus, too_even
from sim.inspection.board import board, from_results
from sim.inspection.exact import largest_p, range_p, range_tails
from sim.inspection.inspection import inspect
from sim.inspection.sectors import harmonic_p
from sim.inspection.statistics import chi_square, harmonic
from sim.rules.library import load

COUNTS = Path(__file__).parents[1] / "data" / "small_tse_fig5_counts.csv"


@pytest.fixture
def small_and_tse() -> np.ndarray:
    """Counts of 700 spins by offset from a camera's prediction, in ring order."""
    return np.loadtxt(COUNTS, delimiter=",", skiprows=3, dtype=np.int64)[:, 1]


def test_small_and_tse(small_and_tse: np.ndarray) -> None:
    counts, shares = small_and_tse[None], np.full(37, 1 / 37)
    assert counts.sum() == 700
    assert chi_square(counts, shares)[0] == pytest.approx(46.98, abs=0.005)
    assert chi_square_p(counts, shares)[0] == pytest.approx(0.104, abs=0.0005)
    assert np.sqrt(harmonic(counts)[0] / 1400) == pytest.approx(0.006, abs=0.0005)
    assert harmonic_p(counts)[0] == pytest.approx(0.98, abs=0.005)
    assert np.sqrt(harmonic(counts, 2)[0] / 1400) == pytest.approx(0.074, abs=0.0005)
    assert harmonic_p(counts, 2)[0] == pytest.approx(0.021, abs=0.0005)


def test_small_and_tse_inspected(small_and_tse: np.ndarray) -> None:
    """As a log: no evidence, whatever the order of the spins."""
    book = load("cells:37")
    order = np.random.default_rng(5).permutation(np.repeat(np.arange(37), small_and_tse))
    found = inspect(book, board(book), from_results(order), alpha=0.01)
    tests = {test.id: test for test in found.tests}
    assert found.n == 700
    assert found.verdict.exit_code == 0
    assert found.verdict.sentence.startswith("no evidence of bias above 201 % at 99 % confidence")
    assert tests["F1.chi_square"].p == pytest.approx(0.104, abs=0.0005)
    assert tests["F2.harmonic"].p == pytest.approx(0.98, abs=0.005)
    assert tests["F2.harmonic_2"].p == pytest.approx(0.021, abs=0.0005)
    assert tests["F3.runs"].p is None


def test_bands_of_the_paper() -> None:
    """Small and Tse's bands of a single count: 12-26, 9-31 and 7-34 at 90, 99 and 99.9 %."""
    from scipy.stats import binom

    for level, (low, high) in {0.90: (12, 26), 0.99: (9, 31), 0.999: (7, 34)}.items():
        tail = (1 - level) / 2
        assert binom.ppf(tail, 700, 1 / 37) == pytest.approx(low, abs=1)
        assert binom.isf(tail, 700, 1 / 37) == pytest.approx(high, abs=1)


def test_pelayo_extremes() -> None:
    """64 769 spins of one wheel: the best number came 1924 times."""
    expected, sd = 64_769 / 37, np.sqrt(64_769 / 37 * 36 / 37)
    assert expected == pytest.approx(1750.5, abs=0.05)
    assert (1924 - expected) / sd == pytest.approx(4.20, abs=0.005)
    assert (1618 - expected) / sd == pytest.approx(-3.21, abs=0.005)
    assert largest_p(64_769, 37, 1924) == pytest.approx(6.7e-4, abs=0.05e-4)
    assert 37 * norm.sf((1924 - expected) / sd) == pytest.approx(4.9e-4, abs=0.05e-4)


def test_pelayo_thousand_spin_limits() -> None:
    """95 % limits of the excess of the best two and best nine numbers over n / 36."""
    counts = np.random.default_rng(3).multinomial(1000, np.full(37, 1 / 37), size=100_000)
    counts.sort(axis=1)
    for best, limit in ((2, 26.4), (9, 67.0)):
        excess = counts[:, -best:].sum(axis=1) - best * 1000 / 36
        assert np.quantile(excess, 0.95) == pytest.approx(limit, abs=0.8)


def test_too_even_week_of_1927() -> None:
    """4 510 spins, largest count 135 and smallest 110: far closer together than chance makes them."""
    below, above = range_tails(4510, 37, 25)
    assert below == pytest.approx(1.6e-4, abs=0.3e-4)  # 1.6e-4 by simulation, 1.44e-4 exactly
    assert below == pytest.approx(1.438e-4, rel=0.001)
    assert above > 0.9998
    assert range_p(4510, 37, 25) == 2 * below


def test_too_even_week_is_flagged_by_its_counts() -> None:
    """Counts with those extremes, as level as their sum allows, have a chi-square far in the lower tail."""
    counts = np.array([135, 110, *[122] * 30, *[121] * 5])
    assert counts.sum() == 4510
    shares = np.full(37, 1 / 37)
    even = too_even(counts, shares, 0.99).result
    assert even.p is not None
    assert even.p < 1e-6
    assert even.interval is not None
    assert even.interval[1] < 0.5
    omnibus_p = omnibus(counts, shares, 0.99).result.p
    assert omnibus_p is not None
    assert omnibus_p > 0.999
    book = load("cells:37")
    order = np.random.default_rng(5).permutation(np.repeat(np.arange(37), counts))
    verdict = inspect(book, board(book), from_results(order)).verdict
    assert verdict.word == "biased"
    assert "F1.too_even" in verdict.sentence
