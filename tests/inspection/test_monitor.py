"""The e-process: its closed form, its path, its state."""

from dataclasses import asdict, replace
from itertools import product
from math import exp, inf, log, nan

import numpy as np
import pytest

from sim.inspection.monitor import (
    SCALES,
    Damaged,
    State,
    advance,
    begin,
    digest,
    from_plain,
    log_e,
    mixed_log_e,
    path,
)

NAMES = tuple(map(str, range(25)))
SHARES = np.full(25, 1 / 25)


def test_e_is_a_martingale_of_mean_one() -> None:
    """Over every sequence of four spins on three unequal cells."""
    shares = np.array([0.5, 0.3, 0.2])
    for n in (1, 2, 4):
        mean = sum(
            float(np.prod(shares[list(one)])) * exp(mixed_log_e(np.bincount(one, minlength=3), shares))
            for one in product(range(3), repeat=n)
        )
        assert mean == pytest.approx(1, abs=1e-12)


def test_path_is_the_closed_form_spin_by_spin() -> None:
    cells = np.random.default_rng(1).integers(0, 25, 400)
    counts = np.array([np.bincount(cells[: n + 1], minlength=25) for n in range(400)])
    whole = path(cells, SHARES, np.zeros(25, dtype=np.int64))
    assert whole == pytest.approx(mixed_log_e(counts, SHARES), abs=1e-9)
    rest = path(cells[150:], SHARES, counts[149])
    assert rest == pytest.approx(whole[150:], abs=1e-9)


def test_a_million_spins_stay_finite() -> None:
    cells = np.random.default_rng(2).integers(0, 25, 1_000_000)
    values = path(cells, SHARES, np.zeros(25, dtype=np.int64))
    assert np.isfinite(values).all()
    assert values.max() < log(1000)
    cells[::10] = 3
    assert path(cells, SHARES, np.zeros(25, dtype=np.int64))[-1] > 10_000


def test_a_scale_of_its_own() -> None:
    """Gamma functions by hand: two spins on one of two cells with prior weights 1 and 1."""
    assert exp(log_e(np.array([2, 0]), np.array([0.5, 0.5]), 1.0)) == pytest.approx(1 / 3 / 0.25)
    assert len(SCALES) == 4


def test_state_goes_on_where_it_stopped() -> None:
    random = np.random.default_rng(3)
    cells = random.choice(25, 3_000, p=np.array([2, *[1] * 24]) / 26)
    at_once, values = advance(begin("game", 0.001), NAMES, SHARES, cells)
    assert at_once.alarm_at == int(np.flatnonzero(values >= log(1000))[0]) + 1
    step = begin("game", 0.001)
    for n in (0, 1, 700, 700, 1_500, 3_000):
        step, _ = advance(step, NAMES, SHARES, cells[:n])
        step = from_plain(asdict(step))
        assert step.n == n
    assert (step.alarm_at, step.counts, step.digest) == (at_once.alarm_at, at_once.counts, at_once.digest)
    assert step.log_e == pytest.approx(at_once.log_e, abs=1e-9)


def test_an_alarm_stays() -> None:
    state, _ = advance(begin("game", 0.01), NAMES, SHARES, np.zeros(200, dtype=np.int64))
    assert state.alarm_at is not None
    calm = np.concatenate((np.zeros(200, dtype=np.int64), np.arange(50_000) % 25))
    later, _ = advance(state, NAMES, SHARES, calm)
    assert later.alarm_at == state.alarm_at
    assert later.peak >= state.peak > later.log_e


def test_a_rewritten_log_is_noticed() -> None:
    cells = np.arange(500) % 25
    state, _ = advance(begin("game", 0.01), NAMES, SHARES, cells)
    swapped = cells.copy()
    swapped[[10, 11]] = swapped[[11, 10]]
    for other in (swapped, cells[:-1], np.concatenate((cells[1:], cells))):
        with pytest.raises(ValueError, match="does not begin"):
            advance(state, NAMES, SHARES, other)
    assert digest(["1", "12"]) != digest(["11", "2"])


@pytest.mark.parametrize(
    "change",
    [
        {"counts": {"1": -1}},
        {"counts": {"1": 1.5}},
        {"counts": [1]},
        {"alpha": 0},
        {"alpha": "0.01"},
        {"alarm_at": 7},
        {"alarm_at": True},
        {"digest": None},
        {"extra": 1},
    ],
)
def test_a_state_that_is_none(change: dict[str, object]) -> None:
    good = asdict(State("game", 0.01, {"1": 2, "2": 4}, 0.1, 0.2, None, "00"))
    assert from_plain(good).n == 6
    for values in (good | change, None, [], {}):
        with pytest.raises(ValueError, match="not a state"):
            from_plain(values)


@pytest.mark.parametrize(
    "change",
    [
        {"log_e": nan},
        {"log_e": inf, "peak": inf},
        {"log_e": -50.0},
        {"peak": -1e9},
        {"peak": 1e3},
        {"alarm_at": 7},
        {"counts": {"0": 300}},
    ],
)
def test_a_state_that_does_not_follow_from_its_results(change: dict[str, object]) -> None:
    cells = np.random.default_rng(5).integers(0, 25, 300)
    state, _ = advance(begin("cells:25", 0.001), NAMES, SHARES, cells)
    assert advance(state, NAMES, SHARES, cells)[0] == state
    with pytest.raises(Damaged):
        advance(replace(state, **change), NAMES, SHARES, cells)
