"""How the agreement of the engines is measured; and, with few spins, that they agree (T14, T15, capture)."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from docs import compared
from docs.agreed import TILTED, Row, capture, exact, rigid_rows, step_rows, stride_rows, wheel_rows
from docs.compared import Series, keep, landings
from docs.distances import Estimate, distance, mean_difference, noise, share, share_difference
from sim.engines.capture import MARGIN

RNG = np.random.default_rng(4)


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared, "FOLDER", tmp_path)


# --- distances --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lumps", [False, True])
def test_the_distance_is_scipy_s(lumps: bool) -> None:
    one, other = RNG.normal(0.0, 1.0, 400), RNG.normal(0.2, 1.0, 400)
    if lumps:
        one, other = one.round(), other.round()
    assert distance(one, other).value == pytest.approx(stats.ks_2samp(one, other).statistic, abs=1e-12)


def test_a_nan_is_no_value() -> None:
    one, other = RNG.normal(size=200), RNG.normal(size=200)
    with_gaps = np.concatenate([one, np.full(50, np.nan)])
    assert distance(with_gaps, np.concatenate([other, other[:50]])).value == pytest.approx(
        stats.ks_2samp(one, np.concatenate([other, other[:50]])).statistic, abs=1e-12
    )


@pytest.mark.parametrize("shift", [0.0, 0.1, 0.5])
def test_intervals_hold_the_distance_of_the_laws(shift: float) -> None:
    """That of N(0, 1) and N(d, 1) is 2 Phi(d/2) - 1: held in at least 95 of 100 cases, in 85 by the test's own luck."""
    true = 2 * stats.norm.cdf(shift / 2) - 1
    rng = np.random.default_rng(5)
    found = [distance(rng.normal(size=300), rng.normal(shift, size=300), seed) for seed in range(100)]
    assert sum(each.low <= true <= each.high for each in found) >= 85
    assert max(each.high - each.low for each in found) < 0.3


def test_samples_of_one_law_stay_below_the_noise() -> None:
    rng = np.random.default_rng(6)
    above = [
        stats.ks_2samp(rng.normal(size=500), rng.normal(size=500)).statistic > noise(500, 0.9)
        for _ in range(400)
    ]
    assert 0.04 < np.mean(above) < 0.14


def test_a_difference_of_shares() -> None:
    one, other = np.zeros(1000, bool), np.zeros(1000, bool)
    one[:30], other[20:40] = True, True
    found = share_difference(one, other)
    assert found.value == pytest.approx(0.01)
    # McNemar's normal interval, to which half a spin more of each kind makes little difference.
    reach = 1.96 * np.sqrt((30 - 100 / 1000) / 1000**2)
    assert (found.low, found.high) == pytest.approx((0.01 - reach, 0.01 + reach), abs=4e-4)
    same = share_difference(one, one)
    assert (same.value, same.low < 0.0 < same.high) == (0.0, True)


def test_wilson_and_the_mean() -> None:
    low, high = stats.binomtest(3, 200).proportion_ci(method="wilson")
    assert share(3, 200) == Estimate(0.015, pytest.approx(low), pytest.approx(high))
    apart = mean_difference(np.array([1.0, 2.0, 4.0, np.nan]), np.array([0.0, 2.0, 2.0, 1.0]))
    assert apart.value == 1.0
    assert apart.high - apart.low == pytest.approx(2 * 1.96 / np.sqrt(3), rel=1e-3)


# --- figures and chunks -----------------------------------------------------------------------------------------------


def test_a_row_says_whether_its_bound_holds() -> None:
    assert not Row("a", 10, Estimate(-0.4, -0.5, -0.3), 0.3).holds
    assert (
        str(Row("a", 10, Estimate(0.25, 0.1, 0.4), 0.3, "s"))
        == "| a | 10 | 0.25 s | 0.1 to 0.4 | 0.3 s | holds |"
    )
    assert "**does not hold**" in str(Row("a", 10, exact(1.0), 0.3))
    assert str(Row("a", 10, exact(1.0))) == "| a | 10 | 1 |  |  |  |"


def test_a_chunk_is_computed_once_for_what_decides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    series = Series("roda-da-sorte", "batch", 3)
    made = keep(series, range(3))

    def refuse(*_: object) -> None:
        raise RuntimeError("computed again")

    monkeypatch.setattr(compared, "play", refuse)
    assert keep(series, range(3)).tobytes() == made.tobytes()
    for other in (
        Series("roda-da-sorte", "batch", 3, seed=16),
        Series("roda-da-sorte", "rigid", 3),
        Series("roda-da-sorte", "batch", 3, overrides=("solver.step=0.4 ms",)),
        Series("roda-bent-peg", "batch", 3),
    ):
        with pytest.raises(RuntimeError, match="computed again"):
            keep(other, range(3))
    with pytest.raises(RuntimeError, match="computed again"):
        keep(series, range(2))


# --- the engines, with few spins --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["macau-boule", "spanish-boule"])
def test_t15_the_batch_engine_agrees_with_the_rigid_one(name: str) -> None:
    rows = list(rigid_rows(name, 20, 3))
    assert [str(row) for row in rows if not row.holds] == []
    assert sum(row.bound is not None for row in rows) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["macau-boule", "spanish-boule"])
def test_the_stride_changes_no_distribution(name: str) -> None:
    rows = list(stride_rows(name, 1500))
    assert [str(row) for row in rows if not row.holds] == []


@pytest.mark.slow
def test_t14_nor_does_the_step() -> None:
    rows = [
        *step_rows("macau-boule", "0.5 ms", "0.25 ms", 800),
        *step_rows("macau-boule", "0.5 ms", "0.125 ms", 800),
    ]
    assert [str(row) for row in rows if not row.holds] == []


@pytest.mark.slow
def test_turns_and_sections_agree() -> None:
    rows = list(wheel_rows("roda-da-sorte", 10))
    assert [str(row) for row in rows if not row.holds] == []


@pytest.mark.slow
@pytest.mark.parametrize("tilt", [(), TILTED], ids=["level", "tilted"])
@pytest.mark.parametrize("name", ["macau-boule", "spanish-boule-two-rows"])
def test_a_captured_ball_rests_where_it_was_captured(name: str, tilt: tuple[str, ...]) -> None:
    """And with a margin far below zero some do not, so the comparison can tell."""
    found = landings(Series(name, "settled", 400, overrides=tilt))
    used = capture(found, MARGIN)
    assert used.wrong == 0
    assert used.decided == used.rested
    assert used.ahead > 1.0
    assert capture(found, -0.02).wrong > 0
    assert capture(found, 0.02).ahead < used.ahead
    captured = landings(Series(name, "batch", 400, overrides=tilt))
    assert (captured["pocket"] == found["pocket"]).all()
