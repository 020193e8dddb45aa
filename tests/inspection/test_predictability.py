"""F5: the measure of predictability against what is known of made-up spins."""

from math import log2, pi

import numpy as np
import pytest

from sim.inspection.predictability import Watched, predictability
from sim.rules.library import load

MACAU = load("macau-boule-1979")
RING = ("star", *map(str, range(1, 25)))
N = 25
EDGE = 0.04


def spins(n: int, kernel: np.ndarray, seed: int = 3, *, known: bool = True) -> Watched:
    """Spins whose ball lies 0, 1, ... places past the expected one with the chances of the kernel."""
    random = np.random.default_rng(seed)
    place = random.integers(0, N, n)
    cells = (place + random.choice(len(kernel), n, p=kernel)) % N
    expected = np.where(known, 2 * pi * place / N, np.nan)
    return Watched(expected[None], {}, cells, np.arange(N))


def test_who_sees_nothing_pays_the_edge() -> None:
    found = predictability(spins(20_000, np.ones(1), known=False), MACAU, RING)
    assert found.interval[0] <= -EDGE <= found.interval[1]
    assert found.edge == pytest.approx(EDGE)
    assert abs(found.bits) < 0.002
    assert found.bits_interval[1] < 0.003


def test_who_sees_all_always_wins() -> None:
    found = predictability(spins(2000, np.ones(1)), MACAU, RING)
    assert found.bits == pytest.approx(log2(N), abs=0.01)
    assert found.expectation == 23.0  # every number and the star pay 23 to 1


@pytest.mark.parametrize(
    "kernel",
    [np.array([0.6, 0.4]), np.full(5, 0.2), np.array([0.1, 0.2, 0.4, 0.2, 0.1]), np.full(12, 1 / 12)],
)
def test_the_information_is_that_of_the_kernel(kernel: np.ndarray) -> None:
    found = predictability(spins(20_000, kernel), MACAU, RING)
    exact = log2(N) + float((kernel * np.log2(kernel)).sum())
    assert exact - 0.05 < found.bits < exact + 0.02
    assert found.expectation == pytest.approx(24 * kernel.max() - 1, abs=0.06 * 24 * kernel.max())


def test_a_weak_kernel_is_found_and_never_overrated() -> None:
    wave = 1 + 0.3 * np.cos(2 * pi * np.arange(N) / N)
    kernel = wave / wave.sum()
    exact = log2(N) + float((kernel * np.log2(kernel)).sum())
    found = predictability(spins(20_000, kernel), MACAU, RING)
    assert exact == pytest.approx(0.0328, abs=1e-3)
    assert exact - 0.012 < found.bits < exact + 0.008
    assert found.bits_interval[0] > 0


def test_a_biased_hollow_is_information_too() -> None:
    random = np.random.default_rng(4)
    shares = np.ones(N)
    shares[7] = 3.0
    shares /= shares.sum()
    cells = random.choice(N, 20_000, p=shares)
    found = predictability(Watched(np.full((1, len(cells)), np.nan), {}, cells, np.arange(N)), MACAU, RING)
    assert found.bits == pytest.approx(log2(N) + float((shares * np.log2(shares)).sum()), abs=0.012)
    assert found.expectation == pytest.approx(24 * shares[7] - 1, abs=0.3)


def test_a_class_that_matters_is_used() -> None:
    random = np.random.default_rng(5)
    place, kind = random.integers(0, N, 10_000), random.integers(0, 2, 10_000)
    cells = (place + 9 * kind) % N
    expected = (2 * pi * place / N)[None]
    without = predictability(Watched(expected, {}, cells, np.arange(N)), MACAU, RING)
    with_it = predictability(Watched(expected, {"kind": kind}, cells, np.arange(N)), MACAU, RING)
    assert without.bits == pytest.approx(log2(N) - 1, abs=0.02)
    assert with_it.bits == pytest.approx(log2(N), abs=0.02)


def test_void_spins_give_the_stake_back() -> None:
    watched = spins(1000, np.ones(1))
    void = np.arange(1000) % 4 == 0
    cells = np.where(void, -1, watched.cells)
    found = predictability(Watched(watched.expected, {}, cells, watched.sites), MACAU, RING)
    assert found.valid == 750
    assert found.expectation == pytest.approx(0.75 * 23)


def test_too_few_spins() -> None:
    with pytest.raises(ValueError, match="200"):
        predictability(spins(199, np.ones(1)), MACAU, RING)
