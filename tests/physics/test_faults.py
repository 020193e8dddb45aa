"""Faults of plate machines, each shown by its physical signature, with a number."""

from dataclasses import replace
from functools import lru_cache
from math import atan, cos, pi, radians, sin, sqrt, tan

import numba
import numpy as np
import pytest

from sim.engines.draws import draw_start
from sim.engines.rigid import spin
from sim.engines.watch import RESTED, Limits, new_watch, observe
from sim.machines import PlateMachine, build_plate
from sim.physics.ball import new_ball
from sim.physics.kick import kick
from sim.physics.loose import Disc, meet
from sim.physics.losses import plate_motion
from sim.physics.move import move
from sim.physics.rim import circulate, deceleration, exit_speed, uneven_exit
from sim.scenario import load_scenario

from .stage import G, K, Stage, floor, level, surfaces


@lru_cache
def scenario(name: str, *overrides: str):
    return load_scenario(name, overrides)


def machine(name: str = "macau-boule", *overrides: str) -> PlateMachine:
    return build_plate(scenario(name, *overrides))


@numba.njit
def _settle(ball, watch, on, setting, limits, plate_speed, step, steps):
    """Steps of the contact law on a plate that keeps its speed, to rest or the last one; the hollow it is in, or -1."""
    for i in range(steps):
        kick(ball, on, setting, plate_speed, step)
        angle = plate_speed * (i + 1) * step
        move(ball, on, setting, angle, plate_speed, step)
        if observe(watch, ball, limits, plate_speed, (i + 1) * step) & RESTED:
            break
    return watch.hollow[0]


def settle(on: PlateMachine, position, velocity, spin_=(0.0, 0.0, 0.0), plate_speed=0.0, seconds=12.0):
    ball, watch = new_ball(position, velocity, spin_), new_watch(position[0], position[1])
    limits = Limits(0.25, 2e-3, 0.02, 0.01, on.wall_radius, on.ball_radius)
    step = 5e-4
    args = (on.surfaces, on.setting, limits, plate_speed, step, round(seconds / step))
    return _settle(ball, watch, *args), ball


def exits(on: PlateMachine, name: str, *overrides: str, n: int = 3000) -> np.ndarray:
    """Where n launches leave the groove, by the rim law."""
    starts = [draw_start(scenario(name, *overrides), 33, index) for index in range(n)]
    found = [
        circulate(s.ball_azimuth, s.ball_speed / on.rim.radius, s.ball_direction, on.rim, 5e-3, 200.0)[0]
        for s in starts
    ]
    return np.array(found)


def kept(on: PlateMachine, hollow: int, n: int = 400) -> float:
    """Share of balls, let go on the band and rolling at a hollow, that are in it 1.2 s later."""
    rng = np.random.default_rng(6)
    back = 2 * pi * hollow / len(on.surfaces.mouth) - 0.13
    stay = 0
    for _ in range(n):
        r = 0.28 + rng.uniform(-0.012, 0.012)
        velocity = rng.uniform(0.3, 1.0) * np.array([-sin(back), cos(back), 0.0])
        rolling = np.cross([0.0, 0.0, 1.0], velocity) / on.ball_radius
        place = (r * cos(back), r * sin(back), on.ball_radius + rng.uniform(0.0, 0.01))
        stay += settle(on, place, velocity, rolling, seconds=1.2)[0] == hollow
    return stay / n


def rests(on: PlateMachine) -> np.ndarray:
    """Where a ball comes to rest that is put into each hollow in turn; shape (hollows, 3)."""
    places = []
    for x, y in on.surfaces.centre:
        hollow, ball = settle(
            on, (x + on.surfaces.mount[3, 0], y + on.surfaces.mount[3, 1], 0.02), (0.0, 0.0, 0.0)
        )
        assert hollow >= 0
        places.append(ball.position.copy())
    return np.array(places)


@pytest.mark.parametrize("tilt", [0.1, 0.3])
@pytest.mark.parametrize("plate", ["opposite", "same"])
def test_a_tilt_drives_the_drop_zone_uphill(tilt, plate):
    """T6: mean resultant beta/2 about 90 degrees past the low side along the travel, whatever the plate does."""
    overrides = (f"level.tilt={tilt} deg", f"launch.plate_direction={plate}")
    on = machine("macau-tilted", *overrides)
    found = np.exp(1j * exits(on, "macau-tilted", *overrides)).mean()
    beta = uneven_exit(on.rim, deceleration(exit_speed(0.0, on.rim._replace(tilt=0.0)), on.rim))
    assert abs(found) == pytest.approx(beta / 2, abs=0.035)
    # Clockwise, so uphill of the low side at 40 degrees means 40 - 90.
    assert np.degrees(np.angle(found)) == pytest.approx(-50.0, abs=12.0)


def test_a_level_table_has_no_drop_zone():
    on = machine()
    assert abs(np.exp(1j * exits(on, "macau-boule")).mean()) < 3.5 / sqrt(3000)


def test_run_out_lifts_the_hollows_on_its_high_side():
    """A dial gauge's full swing of 1 mm on the hollows' circle is how much higher a ball rests at 0 than at 180 deg."""
    height = rests(machine("macau-run-out"))[:, 2]
    lean = atan(0.5e-3 / 0.28)
    expected = 0.28 * sin(lean) * np.cos(2 * pi * np.arange(25) / 25)
    assert height - height.mean() == pytest.approx(expected - expected.mean(), abs=3e-5)


def test_eccentricity_moves_the_hollows_off_their_circle():
    """A centre 0.8 mm off at 90 degrees: balls rest 0.8 mm further out there and 0.8 mm nearer opposite."""
    radius = np.hypot(*rests(machine("macau-eccentric"))[:, :2].T)
    expected = 0.28 + 0.8e-3 * np.sin(2 * pi * np.arange(25) / 25)
    assert radius == pytest.approx(expected, abs=2.5e-4)  # rolling resistance lets a ball rest 0.19 mm off


def test_a_deeper_hollow_keeps_more_balls_monotonically():
    shares = [
        kept(
            machine("macau-deeper-hollow", "machine.hollows.faults=[]" if not d else f"{DEEPER}{d} mm}}]"), 7
        )
        for d in (9, 0, 18, 22)
    ]
    assert all(np.diff(shares) > 0.03), shares


DEEPER = "machine.hollows.faults=[{hollow: 7, depth: "


def test_only_the_faulty_hollow_differs():
    """The deeper one holds its ball 4 mm lower; in every other the ball rests where it does on the sound machine."""
    faulty, sound = rests(machine("macau-deeper-hollow")), rests(machine())
    assert sound[7, 2] - faulty[7, 2] == pytest.approx(4e-3, abs=2e-5)
    others = np.arange(25) != 7
    assert (faulty[others] == sound[others]).all()


def caught(on: PlateMachine, hollow: int, n: int = 400) -> float:
    """Share of balls, falling 40 mm into a hollow with up to 0.8 m/s along the band, that are in it 1.2 s later."""
    rng = np.random.default_rng(9)
    azimuth = 2 * pi * hollow / 25
    stay = 0
    for _ in range(n):
        r, a = 0.28 + rng.uniform(-0.02, 0.02), azimuth + rng.uniform(-0.07, 0.07)
        velocity = rng.uniform(-0.8, 0.8) * np.array([-sin(a), cos(a), 0.0])
        stay += settle(on, (r * cos(a), r * sin(a), 0.065), velocity, seconds=1.2)[0] == hollow
    return stay / n


def test_the_livelier_a_hollow_the_fewer_balls_it_catches():
    faults = "machine.hollows.faults=[{hollow: 7, restitution: "
    livelier = [machine("macau-boule", f"{faults}{e}}}]") for e in (0.65, 0.75, 0.95)]
    machines = [machine("macau-dead-hollow"), *livelier[:2], machine("macau-lively-hollow"), livelier[2]]
    shares = [caught(on, 7) for on in machines]
    assert all(np.diff(shares) < -0.02), shares


def test_a_raised_lip_turns_slow_balls_away():
    """Rolling at the hollow with less energy than the lip is high, no ball gets in; without the lip it does."""
    barrier = sqrt(2 * G * 1e-3 / (1 + K))  # rolling speed that just climbs 1 mm
    place = 0.28 * np.array([cos(0.22), sin(0.22), 0.0]) + np.array([0.0, 0.0, 0.025])
    five = ("machine.hollows.count=5", "machine.number_ring=[1, 2, 3, 4, 5]")
    inside = {}
    for raised in ("raised_lip: 1 mm", "raised_lip: 0 mm"):
        on = machine("macau-raised-lip", *five, f"machine.hollows.faults=[{{hollow: 0, {raised}}}]")
        for share in (0.9, 1.8) if raised == "raised_lip: 1 mm" else (0.9,):
            velocity = share * barrier * np.array([sin(0.22), -cos(0.22), 0.0])
            hollow, _ = settle(on, place, velocity, np.cross([0, 0, 1.0], velocity) / 0.025)
            inside[raised, share] = hollow == 0
    assert inside == {
        ("raised_lip: 1 mm", 0.9): False,
        ("raised_lip: 1 mm", 1.8): True,
        ("raised_lip: 0 mm", 0.9): True,
    }


def test_a_wider_hollow_takes_in_balls_from_further_away():
    """A ball put down at rest falls in from as far as the mouth: 33 mm instead of 30 mm."""
    on = machine("macau-wider-hollow")
    for hollow, mouth in ((7, 33e-3), (12, 30e-3)):
        azimuth = 2 * pi * hollow / 25
        axis = 0.28 * np.array([cos(azimuth), sin(azimuth), 0.0])
        across = np.array([-sin(azimuth), cos(azimuth), 0.0])
        inside = {
            off: settle(on, axis + off * 1e-3 * across + [0.0, 0.0, on.ball_radius], (0.0, 0.0, 0.0))[0]
            == hollow
            for off in np.arange(28.0, 34.0, 0.25)
        }
        falls = [off for off, fell in inside.items() if fell]
        assert max(falls) == pytest.approx(mouth * 1e3, abs=0.6)


def test_a_bump_makes_balls_leave_behind_it():
    """In the 30 degrees from the bump along the travel leave more than twice as many as on a sound groove."""
    on = machine("macau-groove-bump")
    found = exits(on, "macau-groove-bump") % (2 * pi)
    behind = np.mean((radians(126) - found) % (2 * pi) < radians(30))
    assert behind > 2 * 30 / 360


def test_a_bump_takes_its_energy_at_each_passage():
    """d(w^2)/2 = -d dtheta: one passage of a raised-cosine bump takes (peak x width/2) from w^2/2."""
    sound, bumped = machine().rim, machine("macau-groove-bump").rim
    ends = []
    for law in (sound, bumped):
        azimuth, speed = radians(160), 6.0
        while azimuth > radians(80):
            azimuth, speed, _, _ = circulate(azimuth, speed, -1, law, 2e-4, 2e-4)
        ends.append((azimuth, speed))
    lost = 0.5 * (ends[0][1] ** 2 - ends[1][1] ** 2)
    assert lost == pytest.approx(2.0 * radians(12) / 2, rel=0.03)


def test_balls_leave_on_a_worn_arc_that_is_steeper():
    """There the exit speed is higher: balls leave as they come up the arc, and then none is left for its far end."""
    on = machine("macau-worn-groove")
    found = np.degrees(exits(on, "macau-worn-groove")) % 360
    first, far = np.mean((found > 200) & (found < 220)), np.mean((found > 180) & (found < 200))
    assert first > 2 * 20 / 360
    assert far < 0.5 * 20 / 360
    steeper = on.rim.gravity / on.rim.radius * tan(radians(14.5)) / (1 + on.rim.exit_inertia)
    assert exit_speed(radians(200), on.rim) == pytest.approx(sqrt(steeper), rel=1e-9)


def test_a_tired_bearing_slows_the_plate_by_its_law():
    """W = (W0 + a/b) e^(-bt) - a/b: 0.68 rad/s instead of 1.99 rad/s after 18 s from 2.5 rad/s, by hand."""
    for name, constant, viscous in (("macau-boule", 0.02, 0.005), ("macau-tired-bearing", 0.08, 0.02)):
        bearing = machine(name).bearing
        assert bearing == (constant, viscous)
        limit = constant / viscous
        expected = (2.5 + limit) * np.exp(-viscous * 18.0) - limit
        assert plate_motion(2.5, *bearing, 18.0)[1] == pytest.approx(expected)
    assert plate_motion(2.5, 0.08, 0.02, 60.0)[1] == 0.0


def test_an_unbalanced_ball_rocks_at_its_own_frequency():
    """On a level floor, rolling without slip: sqrt(g offset/((1 + k) R^2))/2 pi, for offset << R."""
    r, offset = 0.025, 2e-4
    stage = Stage(
        surfaces(rotor=[floor()], pair=(0.5, 0.8, 0.0, 0.0)), level(r)._replace(offset=offset), 1e-3
    )
    lean = 0.2
    stage.ball = new_ball((0.0, 0.0, r), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (sin(lean), 0.0, -cos(lean)))
    crossings, last = [], [1.0]

    def watch(stage: Stage) -> None:
        side = float(stage.ball.heavy[0])
        if last[0] > 0.0 >= side:
            crossings.append(stage.time)
        last[0] = side

    stage.run(30.0, watch)
    frequency = (len(crossings) - 1) / (crossings[-1] - crossings[0])
    assert frequency == pytest.approx(sqrt(G * offset / ((1 + K) * r * r)) / (2 * pi), rel=1e-2)


def test_a_balanced_ball_does_not_rock():
    stage = Stage(surfaces(rotor=[floor()]), level(0.025), 1e-3)
    stage.ball = new_ball((0.0, 0.0, 0.025), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert stage.run(2.0).speed == 0.0


def test_a_light_ball_is_slowed_by_the_air_in_proportion():
    """b = rho C_d A/2m: 110/15 times that of the sound ball, and b = 1.2 x 0.45 x pi R^2/(2 m) itself."""
    light, sound = machine("macau-light-ball").setting.drag, machine().setting.drag
    assert light / sound == pytest.approx(110 / 15)
    assert light == pytest.approx(1.2 * 0.45 * pi * 0.025**2 / (2 * 0.015))


def test_an_even_thrower_has_a_drop_zone_on_a_level_table():
    on = machine("macau-even-thrower")
    assert abs(np.exp(1j * exits(on, "macau-even-thrower")).mean()) > 0.5


@pytest.mark.parametrize("mass", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_ball_and_disc_share_their_momentum(mass, restitution):
    """Head on against a disc as high as the ball: (1 - e M)/(1 + M) and (1 + e)/(1 + M) of its speed, M = m_d/m_b."""
    r, v = 0.025, 0.8
    disc = Disc(np.array([0.06, 0.0]), np.zeros(2), 0.036, 0.06, mass, 0.0, restitution)
    ball = new_ball((0.0, 0.0, r), (v, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert meet(ball, disc, r) == pytest.approx(v)
    assert ball.velocity[0] == pytest.approx(v * (1 - restitution * mass) / (1 + mass))
    assert disc.velocity[0] == pytest.approx(v * (1 + restitution) / (mass + 1))


def test_a_low_chip_throws_the_ball_up():
    """The edge of a chip meets the ball low: the normal rises by cos = (R - h)/R, so part of the blow lifts it."""
    r, height = 0.025, 0.0033
    out = sqrt(r * r - (r - height) ** 2)
    disc = Disc(np.array([0.0195 + out - 1e-6, 0.0]), np.zeros(2), 0.0195, height, 1e9, 0.0, 0.0)
    ball = new_ball((0.0, 0.0, r), (0.5, 0.0, 0.0), (0.0, 0.0, 0.0))
    meet(ball, disc, r)
    normal = np.array([-out, 0.0, r - height]) / r
    expected = np.array([0.5, 0.0, 0.0]) - (0.5 * normal[0]) * normal
    assert ball.velocity == pytest.approx(expected, rel=1e-3)


def test_a_chip_on_the_plate_is_carried_along_and_met():
    """It comes to the plate's speed within v/(mu g), stays on the plate, and at least one ball in six runs into it."""
    on = machine("macau-chip-on-plate")
    runs = [spin(on, draw_start(scenario("macau-chip-on-plate"), 8, index)) for index in range(6)]
    for run in runs:
        fallen = [event for event in run.events if event.what == "object/plate"]
        assert [event.time for event in fallen] == pytest.approx([17.0], abs=3e-3)
    assert any(event.what == "ball/object" for run in runs for event in run.events)


def test_the_same_spin_without_the_chip_is_the_same_until_it_falls():
    start = draw_start(scenario("macau-chip-on-plate"), 8, 0)
    with_chip, without = spin(machine("macau-chip-on-plate"), start), spin(machine(), start)
    early = [event for event in with_chip.events if event.time < 17.0]
    assert early == [event for event in without.events if event.time < 17.0]
    assert replace(with_chip.landing) != without.landing
