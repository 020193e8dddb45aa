"""Whole spins of the rigid engine: energy (T12), step size (T14), symmetry (T16, T17), and what a landing says."""

from dataclasses import replace
from functools import lru_cache
from math import cos, pi, sin

import numba
import numpy as np
import pytest
from scipy import stats

from sim.engines import plate_batch
from sim.engines.draws import draw_start
from sim.engines.rigid import Spin, spin
from sim.engines.stride import STRIDE
from sim.landing import Landing, Start
from sim.machines import build_plate
from sim.physics.ball import blank_ball, new_ball
from sim.physics.kick import kick
from sim.physics.move import move
from sim.physics.rim import full_turn
from sim.scenario import load_scenario

K = 0.4
FLAT = "machine.hollow={profile: flat_bottom, mouth_radius: 30 mm, depth: 14 mm, lip_radius: 3 mm}"
RAISED = (
    "machine.band={inner_radius: 248 mm, outer_radius: 312 mm}",
    f"machine.hollows.faults=[{', '.join(f'{{hollow: {i}, raised_lip: 1 mm}}' for i in range(0, 25, 2))}]",
)
POINTS = (
    "machine.hollow={profile: points, points: "
    "[[0 mm, -14 mm], [6 mm, -14 mm], [14 mm, -11.5 mm], [22 mm, -6 mm], [28 mm, -0.5 mm], [30 mm, 0 mm]]}"
)


@lru_cache
def scenario(*overrides: str):
    return load_scenario("macau-boule", overrides)


@lru_cache
def machine(*overrides: str):
    return build_plate(scenario(*overrides))


@numba.njit
def energy(ball, now, surfaces, setting, plate_speed):
    """E - Omega L_z per kg, with the velocity brought to the time of the position; ``now`` is scratch."""
    for mine, its in ((now.position, ball.position), (now.velocity, ball.velocity), (now.spin, ball.spin)):
        mine[:] = its
    now.pending[:], now.touching[:], now.impulse[:] = ball.pending, ball.touching, ball.impulse
    now.normal[:], now.place[:], now.held[:] = ball.normal, ball.place, ball.held
    kick(now, surfaces, setting, plate_speed, 0.0)
    v, x, r = now.velocity, now.position, setting.radius
    turning = x[0] * v[1] - x[1] * v[0] + K * r * r * now.spin[2]
    kinetic = 0.5 * (v * v).sum() + 0.5 * K * r * r * (now.spin * now.spin).sum()
    g = setting.gravity
    return kinetic - (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]) - plate_speed * turning


@numba.njit
def largest_rises(ball, now, surfaces, setting, plate_speed, step, steps):
    """Largest rise of the energy in a step, and over what it had fallen to; off the stator if the plate turns."""
    last = lowest = energy(ball, now, surfaces, setting, plate_speed)
    at_once, in_sum = 0.0, 0.0
    for i in range(steps):
        kick(ball, surfaces, setting, plate_speed, step)
        move(ball, surfaces, setting, plate_speed * (i + 1) * step, plate_speed, step)
        current = energy(ball, now, surfaces, setting, plate_speed)
        on_stator = ball.met[0] > 0.0 and ball.met[3] == 0.0
        for contact in range(ball.touching[0]):
            on_stator |= ball.place[contact, 0] == 0
        if plate_speed != 0.0 and on_stator:
            lowest = current
        else:
            at_once, in_sum = max(at_once, current - last), max(in_sum, current - lowest)
        last, lowest = current, min(lowest, current)
    return at_once, in_sum


@pytest.mark.parametrize("plate_speed", [0.0, 2.2])
@pytest.mark.parametrize("hollow", [(), (FLAT,), (POINTS,), RAISED], ids=["cap", "flat", "points", "raised"])
@pytest.mark.parametrize("step", [1e-3, 5e-4])
def test_t12_a_dissipative_machine_never_gains_energy(plate_speed, hollow, step):
    """Neither in a step nor in sum over a spin, at the edges of hollows too (turning: while off the stator)."""
    on = machine(*hollow)
    rng = np.random.default_rng(12)
    for _ in range(40):
        azimuth, r = rng.uniform(0, 2 * pi), rng.uniform(0.25, 0.31)
        place = (r * cos(azimuth), r * sin(azimuth), 0.025 + rng.uniform(0, 0.03))
        ball = new_ball(place, rng.normal(0, 0.5, 3), rng.normal(0, 20, 3))
        args = (ball, blank_ball(), on.surfaces, on.setting, plate_speed, step, round(6.0 / step))
        at_once, in_sum = largest_rises(*args)
        assert at_once < 1e-3
        assert in_sum < 1e-3


def mirrored(start: Start) -> Start:
    return replace(
        start,
        ball_azimuth=-start.ball_azimuth,
        ball_direction=-start.ball_direction,
        plate_speed=-start.plate_speed,
        plate_phase=-start.plate_phase,
    )


def turned(start: Start, pockets: int) -> Start:
    """The same start on the same plate, everything turned in the lab but the plate's marks one pocket back."""
    return replace(start, plate_phase=start.plate_phase - 2 * pi * pockets / 25)


def early(result: Spin):
    """Every touch up to the third after the bell: from there on chaos makes a rounding error grow past 1e-9."""
    bell = next(event.time for event in result.events if event.kind == "band")
    touches = [event for event in result.events if event.kind != "hop"]
    return touches[: sum(event.time <= bell for event in touches) + 3]


@pytest.mark.parametrize("index", range(3))
def test_t16_a_mirrored_spin_is_the_mirror_image(index):
    start = draw_start(scenario(), 16, index)
    plain, mirror = spin(machine(), start), spin(machine(), mirrored(start))
    for one, other in zip(early(plain), early(mirror), strict=True):
        assert other.time == pytest.approx(one.time, abs=1e-9)
        assert other.speed == pytest.approx(one.speed, abs=1e-9)
        assert full_turn(one.azimuth + other.azimuth + 1.0) == pytest.approx(1.0, abs=1e-9)
        assert other.pocket == (None if one.pocket is None else -one.pocket % 25)


@pytest.mark.parametrize("index", range(3))
def test_t17_turned_by_one_pitch_it_is_the_same_spin_one_pocket_further(index):
    start = draw_start(scenario(), 17, index)
    plain, further = spin(machine(), start), spin(machine(), turned(start, 1))
    for one, other in zip(early(plain), early(further), strict=True):
        assert (other.time, other.speed) == pytest.approx((one.time, one.speed), abs=1e-9)
        assert full_turn(other.azimuth - one.azimuth + 1.0) == pytest.approx(1.0, abs=1e-9)
        assert other.pocket == (None if one.pocket is None else (one.pocket + 1) % 25)


def test_tilted_spins_mirror_too():
    """The tilt's low side is mirrored with everything else."""
    tilted, image = (
        ("level={tilt: 0.2 deg, low_side: 40 deg}",),
        ("level={tilt: 0.2 deg, low_side: -40 deg}",),
    )
    start = draw_start(scenario(), 18, 0)
    plain, mirror = spin(machine(*tilted), start), spin(machine(*image), mirrored(start))
    assert plain.landing.drop_azimuth + mirror.landing.drop_azimuth == pytest.approx(2 * pi, abs=1e-9)
    assert plain.landing.band_azimuth + mirror.landing.band_azimuth == pytest.approx(2 * pi, abs=1e-6)


def test_a_spin_repeats_to_the_bit():
    start = draw_start(scenario(), 5, 3)
    first, second = spin(machine(), start, 0.01), spin(machine(), start, 0.01)
    assert first.landing == second.landing
    assert first.events == second.events
    assert (first.trace == second.trace).all()


@pytest.fixture(scope="module")
def traced() -> Spin:
    return spin(machine(), draw_start(scenario(), 1979, 0), 2e-3)


def test_events_tell_the_story_in_order(traced):
    kinds = [event.kind for event in traced.events]
    times = [event.time for event in traced.events]
    assert kinds[0] == "launch"
    assert kinds[-1] == "rest"
    assert times == sorted(times)
    for once in ("rim_exit", "band"):
        assert kinds.count(once) == 1
    assert kinds.index("rim_exit") < kinds.index("band")
    assert kinds.count("hollow_in") == kinds.count("hollow_out") + 1
    inside = [event.pocket for event in traced.events if event.kind == "hollow_in"]
    assert inside[-1] == traced.landing.pocket
    assert kinds.count("hop") == traced.landing.hops


def test_landing_agrees_with_the_trace(traced):
    """Pocket, azimuths, turns and offset follow from the last rows of the trace alone."""
    landing, trace = traced.landing, traced.trace
    time, x, y, _, plate = trace[-1, :5]
    assert time == landing.duration
    assert full_turn(np.arctan2(y, x)) == pytest.approx(landing.rest_azimuth)
    in_plate = full_turn(np.arctan2(y, x) - plate)
    assert in_plate == pytest.approx(landing.rest_azimuth_plate)
    assert round(in_plate / (2 * pi / 25)) % 25 == landing.pocket
    assert abs(plate - trace[0, 4]) / (2 * pi) == pytest.approx(landing.plate_turns)
    assert landing.offset < 0.003
    rolled = np.unwrap(np.arctan2(trace[:, 2], trace[:, 1]))
    bell = next(event.time for event in traced.events if event.kind == "band")
    turns = abs(np.interp(bell, trace[:, 0], rolled) - rolled[0]) / (2 * pi)
    assert landing.ball_turns == pytest.approx(turns, abs=2e-3)


def test_rest_is_rest(traced):
    """In its last quarter second the ball moves with the plate."""
    last = traced.trace[traced.trace[:, 0] > traced.landing.duration - 0.24]
    turn = np.gradient(last[:, 4], last[:, 0])
    relative = np.hypot(last[:, 5] + turn * last[:, 2], last[:, 6] - turn * last[:, 1])
    assert relative.max() < 2e-3
    assert np.ptp(last[:, 3]) < 1e-4


def test_the_ball_stays_on_the_right_side_of_every_surface(traced):
    x, y, z = traced.trace[:, 1:4].T
    assert np.hypot(x, y).max() < machine().wall_radius - machine().ball_radius + 1e-6
    assert z.min() > machine().ball_radius - 0.014 - 1e-4


def test_a_spin_cut_short_is_given_no_pocket():
    short = machine("solver.time_limit=16 s")
    landing = spin(short, draw_start(scenario(), 1979, 0)).landing
    assert landing.ending == "time_limit"
    assert landing.pocket is None
    assert landing.duration == pytest.approx(16.0, abs=1e-2)


def test_a_ball_that_leaves_the_apparatus_says_so():
    """A low wall and a throw from above it: the ball flies over, and the spin ends there."""
    low = machine("machine.groove.wall_height=30 mm")
    start = replace(draw_start(scenario(), 0, 0), release_height=0.05, ball_speed=4.0)
    result = spin(low, start)
    assert result.landing.ending == "left_apparatus"
    assert result.landing.pocket is None


def test_off_the_hollows_rest_waits_for_the_plate_to_stop():
    """On a wide band a ball lies still relative to the plate long before it is judged, when the plate stands."""
    wide = build_plate(load_scenario("macau-boule-wide-band"))
    limit = wide.solver.stopped_plate
    landings = (
        spin(wide, draw_start(load_scenario("macau-boule-wide-band"), 2, i)).landing for i in range(30)
    )
    landing = next(landing for landing in landings if landing.pocket is None)
    assert landing.ending == "rest"
    assert abs(landing.plate_speed) <= limit


# --- the batch engine, and statistics by it ---------------------------------------------------------------------------


def column(found: np.ndarray, name: str) -> np.ndarray:
    return found[:, plate_batch.LANDING.index(name)]


def played(count: int, seed: int, *overrides: str, change=None, name: str = "macau-boule"):
    """Landings of the batch engine at the rigid engine's steps, so to the bit the rigid engine's."""
    table = load_scenario(name, overrides)
    starts = [draw_start(table, seed, index) for index in range(count)]
    starts = starts if change is None else [change(start) for start in starts]
    return plate_batch.landings(build_plate(table), starts, stride=1.0)


@pytest.mark.parametrize(
    "name", ["macau-boule", "spanish-boule-two-rows", "macau-unbalanced-ball", "macau-run-out"]
)
@pytest.mark.parametrize("stride", [1.0, STRIDE])
def test_t15_batch_and_rigid_engine_agree_to_the_bit(name, stride):
    """The same laws in the same order: every column of every landing is equal."""
    table = load_scenario(name)
    starts = [draw_start(table, 15, index) for index in range(3)]
    found = plate_batch.landings(build_plate(table), starts, stride)
    for row, start in zip(found, starts, strict=True):
        landing = spin(build_plate(table), start, stride=stride).landing
        for field in set(plate_batch.LANDING) & set(Landing.__slots__) - {"pocket", "ending"}:
            assert getattr(landing, field) == column(row[None], field)[0], field
        assert landing.pocket == (None if row[0] < 0 else row[0])


def spread(found: np.ndarray) -> dict[str, np.ndarray]:
    found = found[column(found, "pocket") >= 0]
    settling = column(found, "duration") - column(found, "bell_time")
    return {"offset": column(found, "offset"), "settling": settling, "hops": column(found, "hops")}


def test_t14_three_step_sizes_agree():
    """dt, dt/2, dt/4 on the same starts: Kolmogorov-Smirnov distances within what 200 spins can tell (1 %)."""
    found = [spread(played(200, 14, f"solver.step={step} ms")) for step in (0.5, 0.25, 0.125)]
    bound = 1.63 * np.sqrt(2 / 200)
    for one, other in ((0, 1), (1, 2), (0, 2)):
        for name in found[0]:
            assert stats.ks_2samp(found[one][name], found[other][name]).statistic < bound, name


def test_t16_t17_mirrored_and_turned_spins_have_the_same_distributions():
    changes = (None, mirrored, lambda start: turned(start, 1))
    found = [spread(played(400, 16, change=change)) for change in changes]
    bound = 1.63 * np.sqrt(2 / 400)
    for other in found[1:]:
        for name, values in found[0].items():
            assert stats.ks_2samp(values, other[name]).statistic < bound, name


def test_the_default_machine_ends_every_spin_and_favours_no_hollow():
    """400 spins: all end, at most 20 off the hollows, counts even enough for a wheel that is (chi-square p > 1e-4)."""
    found = played(400, 4)
    assert (column(found, "ending") == plate_batch.REST).all()
    pockets = column(found, "pocket")
    assert (pockets < 0).sum() <= 20
    assert stats.chisquare(np.bincount(pockets[pockets >= 0].astype(int), minlength=25)).pvalue > 1e-4


def test_on_a_wide_band_balls_often_rest_off_the_hollows():
    off = (column(played(200, 4, name="macau-boule-wide-band"), "pocket") < 0).mean()
    assert 0.05 < off < 0.4


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("spanish-boule", 0.05),
        ("spanish-boule-nine", 0.4),
        ("spanish-boule-two-rows", 0.4),
        ("spanish-boule-36", 0.4),
    ],
)
def test_the_spanish_machines_end_every_spin_too(name, most):
    """200 spins of each reading come to rest, most of them in a hole; wide lands park balls more often."""
    found = played(200, 4, name=name)
    assert (column(found, "ending") == plate_batch.REST).all()
    assert (column(found, "pocket") < 0).mean() < most
