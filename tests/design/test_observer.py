"""What an observer knows: exact where nothing errs, and never more than he has seen."""

from math import log2, pi

import numpy as np
import pytest

from sim.design.bench import Outcome
from sim.design.estimates import Measured, difference, unpaired_half_width
from sim.design.factors import Design
from sim.design.metrics import METRICS, USUAL_OBSERVER, seen_by
from sim.design.observer import Closing, Observer, predictability_of, watch
from sim.design.sample import Sample, sample
from sim.design.simulating import Columns, arrays, columns, level_override
from sim.engines.rulebook import rulebook_of
from sim.engines.simulated import simulated
from sim.scenario import Scenario, load_scenario

SURE = Observer(0.0, 0.0)


@pytest.fixture(scope="module")
def macau() -> tuple[Scenario, Columns]:
    scenario = load_scenario("macau-boule", ["level.tilt=0.2deg", "level.low_side=40deg"])
    return scenario, columns(scenario, rulebook_of(scenario), 3, 40)


def apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.abs((one - other + pi) % (2 * pi) - pi)


def test_laps_timed_without_error_foretell_the_exit(macau: tuple[Scenario, Columns]) -> None:
    scenario, spins = macau
    at_exit = watch(scenario, spins, "exit", SURE).expected[0]
    before = watch(scenario, spins, "exit", Observer(0.0, 0.0, 3.0)).expected[0]
    assert apart(at_exit, before).max() < 1e-3
    misread = watch(scenario, spins, "exit", Observer(0.02, 0.03, 3.0)).expected[0]
    assert 0.02 < np.median(apart(at_exit, misread)) < 1.5


def test_at_rest_all_is_seen_and_before_it_nothing_of_it(macau: tuple[Scenario, Columns]) -> None:
    scenario, spins = macau
    rest = watch(scenario, spins, "rest", SURE)
    assert apart(rest.expected[1], np.radians(spins["rest_angle_plate_deg"])).max() < 1e-9
    nearest = np.round(rest.expected[1] / (2 * pi / 25)) % 25
    assert (nearest == rest.cells)[rest.cells >= 0].all()
    for closing in ("launch", "exit"):
        assert np.isnan(watch(scenario, spins, closing, SURE).expected[1]).all()  # type: ignore[arg-type]
    assert np.isnan(watch(scenario, spins, "nothing", SURE).expected).all()


def test_what_has_not_happened_changes_nothing(macau: tuple[Scenario, Columns]) -> None:
    scenario, spins = macau
    later = {"rest_angle_plate_deg", "band_angle_deg", "rest_index", "hops", "rest_angle_deg", "offset_mm"}
    shuffled = {name: np.roll(values, 1) if name in later else values for name, values in spins.items()}
    for closing, lead in (("launch", 0.0), ("exit", 2.0), ("exit", 0.0)):
        one = watch(scenario, spins, closing, Observer(0.02, 0.03, lead))  # type: ignore[arg-type]
        other = watch(scenario, shuffled, closing, Observer(0.02, 0.03, lead))  # type: ignore[arg-type]
        assert np.array_equal(one.expected, other.expected, equal_nan=True)
        assert all(np.array_equal(one.classes[name], other.classes[name]) for name in one.classes)


def test_the_bell_is_the_first_touch(macau: tuple[Scenario, Columns]) -> None:
    scenario, spins = macau
    by_law, touch = (watch(scenario, spins, each, SURE).expected for each in ("rulebook", "touch"))
    assert np.array_equal(by_law, touch, equal_nan=True)


def test_two_rings_stand_half_a_pitch_apart() -> None:
    scenario = load_scenario("spanish-boule-two-rows")
    found = watch(scenario, columns(scenario, rulebook_of(scenario), 1, 3), "nothing", SURE)
    assert sorted(found.sites.tolist()) == list(range(18))
    assert found.sites[:3].tolist() == [0, 2, 4]
    assert found.sites[9:11].tolist() == [1, 3]


def test_a_wheel_is_seen_standing_before_the_push() -> None:
    scenario = load_scenario("roda-da-sorte")
    spins = columns(scenario, rulebook_of(scenario), 1, 6)
    found = watch(scenario, spins, "rulebook", SURE)
    assert np.allclose(found.expected[0], -np.radians(spins["push_phase_deg"]))
    assert set(found.classes["direction"].tolist()) == {0, 1}
    closing: Closing = "exit"
    with pytest.raises(ValueError, match="no exit"):
        watch(scenario, spins, closing, SURE)


def test_too_few_spins_to_learn_from(macau: tuple[Scenario, Columns]) -> None:
    scenario, spins = macau
    with pytest.raises(ValueError, match="200"):
        predictability_of(scenario, rulebook_of(scenario), spins, SURE)


def test_the_level_is_set_whatever_its_form_was() -> None:
    scenario = load_scenario("macau-boule", ["level={slope: {x: 1 mm/m, y: 0 mm/m}}"])
    tilted = load_scenario("macau-boule", [level_override(scenario, 0.004)])
    assert tilted.level.tilt == pytest.approx(0.004)  # type: ignore[union-attr]
    assert tilted.level.low_side == pytest.approx(pi)  # type: ignore[union-attr]


def information(spins: Sample, observer: Observer = SURE, closing: Closing = "touch") -> Measured:
    outcome = Outcome(Design(()), samples={"": spins}, scenario=load_scenario("macau-boule"))
    found = outcome.measured(seen_by(observer, closing))
    assert found is not None
    return found


def made_up(n: int, spread: int, seed: int = 1) -> Sample:
    """Spins on a plate at rest whose ball stays in one of the next few hollows, any alike."""
    random = np.random.default_rng(seed)
    touched = random.integers(0, 25, n)
    rest = (touched + random.integers(0, spread, n)) % 25
    still = {name: np.zeros(n) for name in ("void", "plate_rpm", "plate_phase_deg", "drop_angle_deg")}
    times = {"exit_s": 5.0, "bell_time": 6.0, "close_time": 6.0, "duration_s": 9.0}
    angles = {"band_angle_deg": 14.4 * touched, "rest_angle_plate_deg": 14.4 * rest}
    columns = {**still, **angles, **{name: np.full(n, t) for name, t in times.items()}}
    return Sample({**columns, "rest_index": rest.astype(float)}, {"cells": 25.0})


@pytest.mark.parametrize("spread", [1, 5, 12])
def test_the_metric_is_the_information_that_was_put_in(spread: int) -> None:
    """One of k hollows of 25, any alike: log2(25 / k) bits."""
    found = information(made_up(4000, spread)).estimate
    assert log2(25 / spread) - 0.06 < found.value < log2(25 / spread) + 0.02
    assert found.low < found.value < found.high


def test_who_sees_nothing_has_no_bits() -> None:
    for seed in range(3):
        found = information(made_up(4000, 5, seed), closing="nothing").estimate
        assert found.low <= 0.0 <= found.high
        assert found.high < 0.02


def test_a_difference_of_bits_is_that_of_the_designs_and_nothing_of_equal_ones() -> None:
    one, other = information(made_up(4000, 5)), information(made_up(4000, 12))
    assert difference(one, other).value == pytest.approx(log2(12 / 5), abs=0.03)
    alike = difference(one, information(made_up(4000, 5)))
    assert (alike.value, alike.low, alike.high) == (0.0, 0.0, 0.0)
    assert unpaired_half_width(one, one) > 0.0


def test_void_spins_are_left_out_of_the_bits() -> None:
    spins = made_up(2000, 5)
    void = np.arange(2000) % 3 == 0
    rest = np.where(void, np.nan, spins["rest_index"])
    found = information(
        spins.with_column("void", void.astype(float)).with_column("rest_index", rest)
    ).estimate
    assert found.value == pytest.approx(log2(5), abs=0.1)


@pytest.mark.parametrize("name", ["macau-boule", "roda-da-sorte"])
def test_a_sample_tells_what_the_columns_tell(name: str) -> None:
    """The same bits as `fairwheel predict` has them."""
    scenario = load_scenario(name)
    rulebook = rulebook_of(scenario)
    table = simulated(scenario, rulebook, 5, range(200))
    by_columns = predictability_of(scenario, rulebook, arrays(table), USUAL_OBSERVER)
    outcome = Outcome(Design(()), samples={"": sample(scenario, table)}, scenario=scenario)
    found = outcome.measured(METRICS["predictability"])
    assert found is not None
    assert found.value == pytest.approx(by_columns.bits, abs=1e-12)
