"""The contact law against closed forms: T1-T5, T8-T11, T13 of the physics page."""

from math import atan2, cos, pi, sin, sqrt, tan

import numpy as np
import pytest

from sim.machines import profiles
from sim.physics.rim import inertia, rolling
from sim.physics.surface import HOLLOW

from .stage import G, K, Stage, bowl, cone, floor, free, level, surfaces, wall

R = 0.025


def spin_in_groove(slope, velocity):
    """Spin of a ball on floor and wall at azimuth 0, rad/s."""
    radial, axial = rolling("two_contact", slope)
    return (radial * velocity / R, 0.0, axial * velocity / R)


@pytest.mark.parametrize("slope", [0.01, 0.1, 0.4])
def test_t1_rolling_down_an_incline(slope):
    """a = g sin(alpha)/(1 + k)."""
    stage = Stage(surfaces(rotor=[floor()]), level(R, tilt=slope), 1e-3)
    stage.place((0.0, 0.0, R), (0.0, 0.0, 0.0)).run(2.0)
    assert stage.velocity[0] == pytest.approx(G * sin(slope) / (1 + K) * 2.0, rel=1e-3)
    assert stage.ball.position[0] == pytest.approx(G * sin(slope) / (1 + K) * 2.0, rel=1e-3)


@pytest.mark.parametrize(("v0", "mu"), [(1.0, 0.2), (3.0, 0.05)])
def test_t2_sliding_into_rolling(v0, mu):
    """v = v0/(1 + k), reached at t = 2 v0/(7 mu g)."""
    stage = Stage(surfaces(rotor=[floor()], pair=(0.5, mu, 0.0, 0.0)), level(R), 1e-4)
    stage.place((0.0, 0.0, R), (v0, 0.0, 0.0))
    rolling_from = []

    def watch(stage: Stage) -> None:
        slip = stage.ball.velocity[0] - R * stage.ball.spin[1]
        if abs(slip) < 1e-9 and not rolling_from:
            rolling_from.append(stage.time)

    expected = 2 * v0 / (7 * mu * G)
    stage.run(1.5 * expected, watch)
    assert stage.speed == pytest.approx(v0 / (1 + K), rel=1e-3)
    assert rolling_from[0] == pytest.approx(expected, rel=1e-3, abs=2e-4)


@pytest.mark.parametrize(("turn", "ball_radius"), [(2.0, 0.025), (5.0, 0.01), (-3.0, 0.03)])
def test_t3_free_ball_on_a_turntable(turn, ball_radius):
    """The velocity turns at k Omega/(1 + k) = 2 Omega/7, whatever radius and place."""
    stage = Stage(surfaces(rotor=[floor()]), level(ball_radius), 1e-4, plate_speed=turn)
    position, velocity = np.array([0.2, 0.1, ball_radius]), np.array([0.3, -0.1, 0.0])
    # Rolling on the turning surface: v - u = R (spin x n).
    relative = velocity - turn * np.array([-position[1], position[0], 0.0])
    spin = np.cross([0.0, 0.0, 1.0], relative) / ball_radius
    stage.place(position, velocity, spin).run(1.0)
    turned = atan2(*stage.velocity[1::-1]) - atan2(velocity[1], velocity[0])
    assert turned == pytest.approx(2.0 * turn / 7.0, rel=1e-3)
    assert stage.speed == pytest.approx(np.linalg.norm(velocity), rel=1e-3)


@pytest.mark.parametrize("slope", [0.15, 0.25, 0.4])
@pytest.mark.parametrize("way", [1, -1])
def test_t4_contact_law_leaves_its_groove_at_the_rim_laws_exit_speed(slope, way):
    """Started just above it and slowed a little, the wall's load vanishes at w^2 = (g/R) tan(alpha)/(1 + lambda)."""
    groove = 0.4
    _, lam = inertia("two_contact", slope)
    expected = sqrt(G / groove * tan(slope) / (1 + lam))
    barrel = wall(groove + R)
    on = surfaces(stator=[cone(slope, (groove + R) / cos(slope)), barrel], pair=(0.5, 0.6, 1e-3, 0.0))
    stage = Stage(on, level(R), 2.5e-4)
    height = (groove + R * sin(slope)) * tan(slope) + R * cos(slope)
    v = way * 1.01 * expected * groove
    stage.place((groove, 0.0, height), (0.0, v, 0.0), spin_in_groove(slope, v))
    left_at = []

    def watch(stage: Stage) -> None:
        if stage.radius < groove - 1e-5 and not left_at:
            left_at.append(stage.speed / stage.radius)

    stage.run(6.0, watch)
    assert left_at[0] == pytest.approx(expected, rel=5e-3)


@pytest.mark.parametrize(("speed", "kept"), [(0.9, 4e-3), (3.0, 4e-2)])
def test_lossless_two_contact_rolling_nearly_keeps_its_speed(speed, kept):
    """Ten seconds on floor and wall, slipping at neither; what is lost falls in proportion to the step."""
    slope, groove = 0.25, 0.4
    on = surfaces(
        stator=[cone(slope, (groove + R) / cos(slope)), wall(groove + R)], pair=(0.5, 0.6, 0.0, 0.0)
    )
    height = (groove + R * sin(slope)) * tan(slope) + R * cos(slope)
    lost = []
    for step in (1e-3, 5e-4):
        stage = Stage(on, level(R), step)
        stage.place((groove, 0.0, height), (0.0, speed, 0.0), spin_in_groove(slope, speed))
        lost.append(1.0 - stage.run(10.0).speed / speed)
    assert 0.0 < lost[0] < kept
    assert lost[1] == pytest.approx(0.5 * lost[0], rel=0.1)


@pytest.mark.parametrize("e", [0.3, 0.5, 0.9])
def test_t8_bounce(e):
    """Successive heights over a level floor stand as e^2."""
    stage = Stage(surfaces(rotor=[floor()], pair=(e, 0.0, 0.0, 0.0)), level(R), 5e-4)
    stage.place((0.0, 0.0, R + 0.5), (0.0, 0.0, 0.0))
    heights, track = [], [0.0]

    def watch(stage: Stage) -> None:
        z = float(stage.ball.position[2]) - R
        if stage.ball.met[0] > 0.0:
            heights.append(max(track))
            track.clear()
        track.append(z)

    stage.run(1.5, watch)
    heights[0] = 0.5
    assert heights[1] / heights[0] == pytest.approx(e**2, rel=5e-3)
    if e > 0.6:
        assert heights[2] / heights[1] == pytest.approx(e**2, rel=5e-3)


def test_t9_drag_only():
    """v = v0/(1 + b v0 t)."""
    stage = Stage(surfaces(), free(drag=0.05), 1e-3)
    stage.place((0.0, 0.0, 0.0), (4.0, 3.0, 0.0)).run(3.0)
    assert stage.speed == pytest.approx(5.0 / (1 + 0.05 * 5.0 * 3.0), rel=1e-3)


@pytest.mark.parametrize("c_rr", [0.004, 0.012, 0.05])
def test_t10_rolling_resistance(c_rr):
    """Deceleration c_rr g on a floor at rest, and a full stop without creep."""
    stage = Stage(surfaces(rotor=[floor()], pair=(0.5, 0.5, c_rr, 0.0)), level(R), 1e-3)
    stage.place((0.0, 0.0, R), (1.0, 0.0, 0.0), (0.0, 1.0 / R, 0.0)).run(1.0)
    assert stage.speed == pytest.approx(1.0 - c_rr * G, rel=5e-3)
    stage.run(1.0 / (c_rr * G))
    assert stage.speed == 0.0
    assert not stage.ball.spin.any()


def test_t10_on_a_floor_that_moves():
    """Far out on a slow plate the floor moves at constant velocity: the same deceleration, relative to the floor."""
    far, turn, c_rr = 2000.0, 1e-3, 0.012
    on = surfaces(rotor=[floor(radius=1e4)], pair=(0.5, 0.5, c_rr, 0.0))
    stage = Stage(on, level(R), 1e-3, plate_speed=turn)
    carried = turn * far
    stage.place((far, 0.0, R), (1.0, carried, 0.0), (0.0, 1.0 / R, turn)).run(1.0)
    assert stage.velocity[0] == pytest.approx(1.0 - c_rr * G, rel=5e-3)
    assert stage.velocity[1] == pytest.approx(carried, rel=5e-3)


@pytest.mark.parametrize("shape", ["cone", "bowl"])
@pytest.mark.parametrize("step", [1e-3, 5e-4])
def test_t11_lossless_rolling_keeps_its_energy(shape, step):
    """Translation, spin and height together are constant over 10 s."""
    if shape == "cone":
        slope = 0.25
        on = surfaces(stator=[cone(slope)], pair=(1.0, 5.0, 0.0, 0.0))
        normal = np.array([-sin(slope), 0.0, cos(slope)])
        position = 0.3 * np.array([cos(slope), 0.0, sin(slope)]) + R * normal
    else:
        big = 0.15
        on = surfaces(stator=[bowl(big)], pair=(1.0, 5.0, 0.0, 0.0))
        normal = np.array([-sin(0.5), 0.0, cos(0.5)])
        position = np.array([0.0, 0.0, big]) - (big - R) * normal
    velocity = np.array([0.0, 0.6, 0.0])
    stage = Stage(on, level(R), step)
    stage.place(position, velocity, np.cross(normal, velocity) / R)
    before = stage.energy()
    extremes = [before]
    stage.run(10.0, lambda stage: extremes.append(stage.energy()))
    reference = 0.5 * (1 + K) * 0.6**2
    assert stage.ball.touching[0] == 1
    assert max(abs(e - before) for e in extremes[100:]) / reference < 1e-2
    assert np.mean(extremes[-1000:]) == pytest.approx(np.mean(extremes[1:1001]), abs=1e-3 * reference)


def test_t13_hollow_holds_the_ball_and_swings_at_its_frequency():
    """Small oscillation at sqrt(g/((1 + k)(R_h - R_b)))/2 pi; released inside the mouth it settles
    where the slope is at most (1 + k) c_rr."""
    mouth, depth, lip = 0.030, 0.014, 0.003
    cap = profiles.cap_radius(mouth, depth, lip)
    rows = profiles.spherical_cap(mouth, depth, lip, 0, HOLLOW)
    arm = cap - R
    on = surfaces(rotor=[floor(1.0)], hollow=rows, mouth=mouth, pair=(0.5, 1.0, 0.0, 0.0))
    stage = Stage(on, level(R), 2e-4)
    swing = 0.02
    bottom = cap - depth
    stage.place((arm * sin(swing), 0.0, bottom - arm * cos(swing)), (0.0, 0.0, 0.0))
    crossings, last = [], [1.0]

    def watch(stage: Stage) -> None:
        x = float(stage.ball.position[0])
        if last[0] > 0.0 >= x:
            crossings.append(stage.time + x / (last[0] - x) * stage.step)
        last[0] = x

    stage.run(5.0, watch)
    frequency = (len(crossings) - 1) / (crossings[-1] - crossings[0])
    assert frequency == pytest.approx(sqrt(G / ((1 + K) * arm)) / (2 * pi), rel=1e-2)

    damped = surfaces(rotor=[floor(1.0)], hollow=rows, mouth=mouth, pair=(0.5, 0.3, 0.012, 0.004))
    for off in (0.005, 0.015, 0.025):
        stage = Stage(damped, level(R), 5e-4)
        stage.place((off * cos(1.0), off * sin(1.0), R + 0.002), (0.0, 0.0, 0.0)).run(8.0)
        assert stage.speed < 1e-3
        assert stage.radius < (1 + K) * 0.012 * arm * 1.01
        assert stage.ball.position[2] == pytest.approx(R - depth, abs=1e-4)
