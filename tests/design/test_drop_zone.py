"""The tilt from drop azimuths: response against the closed form, and how often its interval holds."""

from math import atan2, degrees, hypot, pi, radians

import numpy as np
import pytest

from sim.design.drop_zone import drops, response, rim_of
from sim.engines.draws import draw_starts
from sim.inspection.drop_zone import Drops, Response, estimate
from sim.physics.rim import deceleration, exit_speed, uneven_exit
from sim.scenario import PlateScenario, load_scenario

TABLES: dict[int, Response] = {}


def table(scenario: PlateScenario, direction: int) -> Response:
    """A response, worked out once."""
    if direction not in TABLES:
        TABLES[direction] = response(scenario, direction, 500)
    return TABLES[direction]


@pytest.fixture(scope="module")
def macau() -> PlateScenario:
    loaded = load_scenario("macau-boule")
    assert isinstance(loaded, PlateScenario)
    return loaded


def observed(
    scenario: PlateScenario, tilt: float, low_side: float, seed: int, n: int, direction: int
) -> np.ndarray:
    """Drop azimuths of a run's launches on a tilted groove."""
    starts = draw_starts(scenario, seed, range(n))
    thrown = np.column_stack([starts[:, 0] / scenario.machine.groove.radius, starts[:, 1]])
    return drops(rim_of(scenario, tilt, low_side), thrown, direction, 180.0)


def test_the_response_is_half_beta_uphill(macau: PlateScenario) -> None:
    found, rim = table(macau, -1), rim_of(macau, radians(0.1), 0.0)
    beta = uneven_exit(rim, deceleration(exit_speed(pi / 2, rim), rim))
    for side in (0.0, 1.0, 4.0):
        at = found.at(rim.tilt * np.cos(side), rim.tilt * np.sin(side))
        assert abs(at) == pytest.approx(beta / 2, abs=0.006)
        assert (np.angle(at) - side + 2 * pi) % (2 * pi) == pytest.approx(1.5 * pi, abs=0.05)


def test_the_tilt_comes_back(macau: PlateScenario) -> None:
    parts = [
        Drops(observed(macau, radians(0.3), radians(40), 20 + way, 1000, way), table(macau, way))
        for way in (-1, 1)
    ]
    found = estimate(parts, 0.95)
    assert found.tilt.angle == pytest.approx(radians(0.3), rel=0.15)
    assert degrees(found.tilt.low_side) == pytest.approx(40, abs=9)
    assert found.p_directions is not None
    assert found.p_directions > 0.001
    assert found.n == 2000


def test_directions_that_contradict_each_other_are_told(macau: PlateScenario) -> None:
    parts = [
        Drops(observed(macau, radians(0.2), side, 20 + way, 800, way), table(macau, way))
        for way, side in ((-1, 0.0), (1, 2.5))
    ]
    found = estimate(parts, 0.95)
    assert found.p_directions is not None
    assert found.p_directions < 1e-6


def test_too_few_drops(macau: PlateScenario) -> None:
    with pytest.raises(ValueError, match="20"):
        estimate([Drops(np.zeros(19), table(macau, -1))], 0.95)


def test_a_level_machine_may_be_level(macau: PlateScenario) -> None:
    found = estimate([Drops(observed(macau, 0.0, 0.0, 8, 1000, -1), table(macau, -1))], 0.95)
    assert found.low < radians(0.02)
    assert found.tilt.p_level() > 0.01


@pytest.mark.slow
def test_the_interval_holds_of_2000_drops_at_a_tenth_of_a_degree(macau: PlateScenario) -> None:
    tilt, side, known = radians(0.1), radians(130), response(macau, -1, 2000)
    held, aimed, joint, widths = 0, 0, 0, []
    for seed in range(400):
        found = estimate([Drops(observed(macau, tilt, side, 1000 + seed, 2000, -1), known)], 0.95)
        assert found.high is not None
        held += found.low <= tilt <= found.high
        away = (found.tilt.low_side - side + pi) % (2 * pi) - pi
        aimed += abs(away) <= found.tilt.half_width(0.95)
        off = np.array([found.tilt.x - tilt * np.cos(side), found.tilt.y - tilt * np.sin(side)])
        joint += float(off @ np.linalg.solve(np.array(found.tilt.covariance), off)) < 5.991
        widths.append(degrees(found.high - found.low))
    print(
        f"tilt {held / 400:.3f}, azimuth {aimed / 400:.3f}, both {joint / 400:.3f}; {np.mean(widths):.4f} deg wide"
    )
    assert 0.92 <= held / 400 <= 0.98
    assert 0.92 <= aimed / 400 <= 0.98
    assert 0.92 <= joint / 400 <= 0.98
    assert np.mean(widths) == pytest.approx(0.062, abs=0.006)


@pytest.mark.slow
def test_the_whole_engine_drops_where_the_rim_law_alone_does(macau: PlateScenario) -> None:
    from sim.api import simulate

    machine = load_scenario("macau-boule", ["level.tilt=0.3deg", "level.low_side=40deg"])
    played = np.radians(simulate(machine, 1500, 7)["drop_angle_deg"])
    alone = observed(macau, radians(0.3), radians(40), 7, 1500, -1)
    apart = np.exp(1j * played).mean() - np.exp(1j * alone).mean()
    assert hypot(apart.real, apart.imag) < 4 / np.sqrt(1500)
    found = estimate([Drops(played, response(macau, -1, 2000))], 0.99)
    assert found.high is not None
    assert found.low <= radians(0.3) <= found.high
    assert degrees(atan2(found.tilt.y, found.tilt.x)) == pytest.approx(40, abs=10)
