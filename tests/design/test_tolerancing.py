"""The tolerance budget: its arithmetic on machines whose answers are known."""

import json

import numpy as np
import pytest

from sim.design import tolerancing
from sim.design.bench import Outcome
from sim.design.factors import Design
from sim.design.sample import Sample
from sim.design.study_model import Tolerances
from sim.rules.library import load
from sim.scenario import load_scenario

RING = load_scenario("macau-boule").machine.ring
CELLS = len(RING)


def given(*dimensions: tuple[str, float], machines: int = 4000) -> Tolerances:
    rows = [{"of": of, "sd": f"{sd} mm", "step": "2 mm"} for of, sd in dimensions]
    data = {"dimensions": rows, "machines": machines, "check_spins": 1000}
    return Tolerances.model_validate_json(json.dumps(data))


def spins(shares: np.ndarray, n: int, seed: int = 1) -> Outcome:
    rest = np.random.default_rng(seed).choice(CELLS, n, p=shares / shares.sum()).astype(np.float64)
    sample = Sample({"rest_index": rest}, {"cells": float(CELLS)})
    return Outcome(Design(()), samples={"": sample})


def test_a_known_response_is_measured():
    """Every second hollow 2 mm larger and 10 % more likely: 5 % a millimetre."""
    tolerance = given(("depth", 0.1)).dimensions[0]
    shares = np.where(np.arange(CELLS) % 2 == 1, 1.1, 1.0)
    found = tolerancing.response(tolerance, spins(np.ones(CELLS), 200_000), spins(shares, 200_000, 2))
    assert found.value * 1e-3 == pytest.approx(0.05, abs=3 * found.error * 1e-3 + 0.001)
    assert 0.001 < found.error * 1e-3 < 0.006


def test_the_machine_with_steps_is_the_one_that_is_meant():
    scenario = load_scenario("macau-boule")
    design = tolerancing.stepped(scenario, given(("depth", 0.1)).dimensions[0])
    made = load_scenario("macau-boule", design.overrides)
    depths = [made.machine.hollow_at(i).depth for i in range(CELLS)]
    assert depths == pytest.approx([0.014 + 0.002 * (i % 2) for i in range(CELLS)])


def test_the_worst_pocket_is_that_of_a_normal_sample():
    """One dimension of sd 0.1 mm and 100 % a mm: excesses of sd 10 %, and the largest of 25 has median 1.945 sd."""
    wanted = given(("depth", 0.1), machines=20_000)
    found = tolerancing.budget(
        wanted, [tolerancing.Response("depth", 1000.0, 0.0)], load("macau-boule-1979"), RING
    )
    median = next(each["excess"] for each in found["worst_pocket"] if each["share_of_machines"] == 0.5)
    assert median == pytest.approx(0.1 * 1.93, rel=0.03)
    assert found["worst_pocket"][0]["low"] == pytest.approx(found["worst_pocket"][0]["high"], rel=0.05)


def test_the_dimension_that_matters_is_tightened_first():
    wanted = given(("lip_radius", 0.1), ("depth", 0.1))
    responses = [tolerancing.Response("lip_radius", 10.0, 0.0), tolerancing.Response("depth", 100.0, 0.0)]
    found = tolerancing.budget(wanted, responses, load("macau-boule-1979"), RING)
    first, second = found["tighten"]
    assert first["of"] == "depth"
    assert first["buys"] > 10 * second["buys"] > 0.0


def test_the_best_bet_is_the_rulebooks():
    """On equal hollows a number of Macau Boule pays 23 for 1 in 25: the player loses 4 %; a hollow half as likely
    again makes it 1.5 x 24 / 25 - 1.
    """
    rulebook = load("macau-boule-1979")
    flat = tolerancing.best_bet(rulebook, RING, np.zeros((1, CELLS)))
    up = np.zeros((1, CELLS))
    up[0, RING.index("7")] = 0.5
    assert flat[0] == pytest.approx(-0.04)
    assert tolerancing.best_bet(rulebook, RING, up)[0] == pytest.approx(1.5 * 24 / 25 - 1)


def test_a_machine_is_held_against_its_budget():
    strays = 1e-4 * np.random.default_rng(4).standard_normal((1, 1, CELLS))
    response = [tolerancing.Response("depth", 1000.0, 0.0)]
    expected = tolerancing.excess(strays, np.array([1000.0]))[0]
    built = tolerancing.Built(Design(()), strays, (1.0,))
    right = tolerancing.check(spins(1.0 + expected, 100_000), built, response)
    assert right["slope_low"] < 1.0 < right["slope_high"]
    assert right["p_as_expected"] > 1e-3
    assert right["p_all_alike"] < 1e-6
    wrong = tolerancing.check(spins(1.0 - expected, 100_000), built, response)
    assert wrong["slope_high"] < 0.0
    assert wrong["p_as_expected"] < 1e-6
    unsure = [tolerancing.Response("depth", 1000.0, 200.0)]
    wide = tolerancing.check(spins(1.0 + expected, 100_000), built, unsure)
    assert wide["slope"] == right["slope"]
    assert wide["slope_high"] - wide["slope_low"] > 2 * 1.96 * 0.2


def test_the_machine_of_the_check_strays_as_far_as_the_steps_reach_and_can_be_built():
    """A step of 2 mm and an sd of 0.1 mm: ten times; smaller where that cannot be built, never below the tolerances."""
    scenario, wanted = load_scenario("macau-boule"), given(("depth", 0.1), ("lip_radius", 0.05))
    times = [each.times for each in tolerancing.checked_machines(wanted, scenario)]
    assert times == [(10.0, 20.0), (5.0, 10.0), (2.5, 5.0), (1.25, 2.5), (1.0, 1.25), (1.0, 1.0)]
    first = next(tolerancing.checked_machines(wanted, scenario))
    strays = tolerancing.drawn(wanted, CELLS)[0]
    assert first.strays[0] == pytest.approx(np.array([10.0, 20.0])[:, None] * strays)
    made = load_scenario("macau-boule", first.design.overrides)
    depths = [made.machine.hollow_at(i).depth for i in range(CELLS)]
    assert depths == pytest.approx(0.014 + first.strays[0, 0], abs=1e-9)
