"""What an observer knows: exact where nothing errs, and never more than he has seen."""

from math import pi

import numpy as np
import pytest

from sim.design.observer import Closing, Observer, predictability_of, watch
from sim.design.simulating import Columns, columns, level_override
from sim.engines.rulebook import rulebook_of
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
