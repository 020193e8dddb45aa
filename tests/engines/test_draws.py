"""Draws of a run: a row is its seed's and its index's alone, and what the inverse transforms give one by one."""

from math import cos, pi, sin, sqrt

import numpy as np
import pytest

from sim.documents.resources import scenario_names
from sim.engines.draws import LAUNCH, draw_push, draw_pushes, draw_start, draw_starts, uniforms
from sim.scenario import PlateScenario, WheelScenario, load_scenario

NORMALS = (
    "launch.ball_speed={normal: {mean: 3.4 m/s, sd: 0.3 m/s, min: 3.2 m/s}}",
    "launch.plate_speed={normal: {mean: 2 rad/s, sd: 0.4 rad/s, min: 2.5 rad/s, max: 4 rad/s}}",
    "launch.ball_azimuth={normal: {mean: 10 deg, sd: 40 deg}}",
)


def one_by_one(scenario: PlateScenario, seed: int, index: int) -> list[float]:
    launch, u = scenario.launch, [float(each) for each in uniforms(seed, index, LAUNCH, 7)]
    height, around = 2 * u[5] - 1, 2 * pi * u[6]
    out = sqrt(1 - height * height)
    return [
        float(launch.ball_speed.quantile(u[0])),
        float(launch.ball_azimuth.quantile(u[1])) % (2 * pi),
        float(launch.release_height.quantile(u[2])),
        launch.ball_sign,
        launch.plate_sign * float(launch.plate_speed.quantile(u[3])),
        float(launch.plate_phase.quantile(u[4])) % (2 * pi),
        out * cos(around),
        out * sin(around),
        height,
    ]


@pytest.mark.parametrize("overrides", [(), NORMALS])
@pytest.mark.parametrize("first", [0, 2**40, 2**64 - 700])
def test_starts_have_the_bits_of_the_inverse_transforms_one_by_one(
    first: int, overrides: tuple[str, ...]
) -> None:
    scenario = load_scenario("macau-boule", overrides)
    assert isinstance(scenario, PlateScenario)
    drawn = draw_starts(scenario, 1979, range(first, first + 700))
    singly = np.array([one_by_one(scenario, 1979, first + i) for i in range(700)])
    assert drawn.tobytes() == singly.tobytes()
    start = draw_start(scenario, 1979, first + 3)
    assert (start.ball_speed, start.plate_phase, *start.heavy_side) == tuple(drawn[3, [0, 5, 6, 7, 8]])
    assert (start.index, start.ball_direction) == (first + 3, drawn[3, 3])


@pytest.mark.parametrize("direction", ["clockwise", "counter-clockwise", "alternate"])
@pytest.mark.parametrize("turns", ["rotation", "first"])
def test_pushes_have_the_bits_of_the_inverse_transforms_one_by_one(direction: str, turns: str) -> None:
    scenario = load_scenario("roda-da-sorte", (f"push.direction={direction}", f"push.turns={turns}"))
    assert isinstance(scenario, WheelScenario)
    drawn, push = draw_pushes(scenario, 5, range(300)), scenario.push
    for index, (croupier, speed, phase) in enumerate(drawn.tolist()):
        u = [float(each) for each in uniforms(5, index, LAUNCH, 2)]
        who = index % 3 if turns == "rotation" else 0
        turn = index // 3 if turns == "rotation" else index
        back = direction == "clockwise" or (direction == "alternate" and turn % 2 == 1)
        wanted = push.active[who].speed.quantile(u[0])
        assert (croupier, speed) == (who, -wanted if back else wanted)
        assert phase == push.phase.quantile(u[1]) % (2 * pi)
    last = draw_push(scenario, 5, 299)
    assert (last.croupier, last.speed, last.phase) == tuple(drawn[299])


@pytest.mark.parametrize("name", scenario_names())
def test_a_row_does_not_depend_on_what_is_drawn_beside_it(name: str) -> None:
    scenario = load_scenario(name)
    draw = draw_starts if isinstance(scenario, PlateScenario) else draw_pushes
    together = draw(scenario, 8, range(100))
    apart = np.vstack([draw(scenario, 8, range(i, i + 1)) for i in range(100)])
    assert together.tobytes() == apart.tobytes()
    assert np.isfinite(together).all()
