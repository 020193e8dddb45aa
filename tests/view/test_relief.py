"""The heights that shade the picture are those of the surfaces that the ball lies on."""

from math import radians, tan

import numpy as np
import pytest

from sim.machines import build
from sim.scenario import load_scenario
from sim.view.relief import Relief


@pytest.fixture(scope="module")
def macau():
    scenario = load_scenario("macau-boule")
    return Relief(build(scenario))


def test_band_cone_and_boss(macau):
    assert macau.height(0.309, 0.0, 0.1) == pytest.approx(0.0, abs=1e-6)
    assert macau.height(0.0, 0.40, 0.0) == pytest.approx((0.40 - 0.31) * tan(radians(14)), abs=1e-5)
    assert macau.height(0.2, 0.0, 0.0) == pytest.approx((0.25 - 0.2) * tan(radians(8)), abs=1e-5)


@pytest.mark.parametrize("turned", [0.0, 1.0])
def test_a_hollow_is_as_deep_as_the_scenario_says_and_turns_with_the_plate(macau, turned):
    x, y = 0.28 * np.cos(turned), 0.28 * np.sin(turned)
    assert macau.height(x, y, turned) == pytest.approx(-0.014, abs=1e-5)


def test_surfaces_lean_the_way_they_fall(macau):
    assert macau.stator.lean(np.array(0.4)) < 0  # the cone falls inward
    assert macau.rotor.lean(np.array(0.15)) > 0  # the boss falls outward
    assert macau.hollows[3].lean(np.array(0.02)) < 0  # a hollow leans to its middle


def test_a_deeper_hollow_and_a_raised_lip_are_seen():
    deeper = Relief(build(load_scenario("macau-deeper-hollow")))
    depths = [float(hollow.z[0]) for hollow in deeper.hollows]
    assert min(depths) < max(depths)
    raised = Relief(build(load_scenario("macau-raised-lip")))
    assert max(float(hollow.z.max()) for hollow in raised.hollows) > 1e-4
