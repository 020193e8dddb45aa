import numpy as np
import pytest

from sim.landing import COLUMNS, WHEEL_COLUMNS, Event
from sim.machines import build
from sim.scenario import load_scenario
from sim.view.motion import Motion
from sim.view.playing import Order, computed


def ball_rows(*rows):
    """Rows (time, x, y, z, plate angle) with the other columns 0."""
    full = np.zeros((len(rows), len(COLUMNS)))
    full[:, :5] = rows
    return full


def test_between_two_near_rows_everything_is_linear():
    motion = Motion(ball_rows((0, 0, 0, 1, 0), (0.002, 0.004, -0.002, 1.002, 0.001), (0.02, 0, 0, 0, 0)))
    moment = motion.at(0.0005)
    assert moment.ball.place == pytest.approx((0.001, -0.0005, 1.0005))
    assert moment.turned == pytest.approx(0.00025)
    assert moment.turning_speed == pytest.approx(0.5)


def test_between_far_rows_a_ball_that_circles_stays_on_its_circle():
    time = np.arange(0, 1, 0.02)
    rows = np.zeros((len(time), len(COLUMNS)))
    angle, radius = 8.0 * time, 0.425
    rows[:, 0], rows[:, 4] = time, -2.0 * time
    rows[:, 1], rows[:, 2] = radius * np.cos(angle), radius * np.sin(angle)
    rows[:, 5], rows[:, 6] = -8.0 * radius * np.sin(angle), 8.0 * radius * np.cos(angle)
    chips = np.repeat(rows[:, None, 1:3], 2, axis=1)
    motion = Motion(rows, chips=chips)
    for moment in map(motion.at, np.linspace(0.1, 0.9, 77)):
        x, y, _ = moment.ball.place
        assert (x, y) == pytest.approx(
            (radius * np.cos(8 * moment.time), radius * np.sin(8 * moment.time)), abs=6e-5
        )
        assert moment.turned == pytest.approx(-2 * moment.time)
        assert np.hypot(*moment.chips[1]) == pytest.approx(radius, rel=0.01)


def test_before_the_first_row_and_after_the_last_it_stands():
    motion = Motion(ball_rows((0, 1, 0, 0, 0), (1, 2, 0, 0, 0)))
    assert motion.at(-3).ball.place[0] == 1
    assert motion.at(9).ball.place[0] == 2
    assert motion.at(9).over and not motion.at(0.5).over


def test_phases_meet_and_cover_the_spin():
    events = [Event(3.0, "rim_exit", 0, "", 0), Event(4.5, "band", 0, "", 0)]
    motion = Motion(ball_rows((0, 0, 0, 0, 0), (9, 0, 0, 0, 0)), events)
    assert [(phase.begin, phase.end) for phase in motion.phases] == [(0, 3), (3, 4.5), (4.5, 9)]
    assert motion.at(3.5).phase.name == "rolling down the cone"
    assert motion.at(99).phase.name == "among the hollows"


def test_a_wheel_turns_until_it_turns_back():
    rows = np.zeros((4, len(WHEEL_COLUMNS)))
    rows[:, 0], rows[:, 1] = (0, 1, 2, 3), (0, -5, -6, -5.9)
    motion = Motion(rows)
    assert [phase.end for phase in motion.phases] == [2, 3]
    assert motion.at(1.5).turned == pytest.approx(-5.5)


def test_the_path_ends_at_this_very_moment():
    motion = Motion(ball_rows(*((0.1 * k, k, 0, 0, 0) for k in range(50))))
    path = motion.at(2.05).trail(1.0)
    assert path[0, 0] >= 1.05
    assert path[-1, 0] == pytest.approx(2.05)
    assert path[-1, 1] == pytest.approx(20.5)


def test_contacts_are_shown_for_a_moment():
    motion = Motion(ball_rows((0, 0, 0, 0, 0), (9, 0, 0, 0, 0)), [Event(2.0, "contact", 0, "ball/cone", 1.0)])
    assert not motion.at(1.99).contacts
    assert motion.at(2.05).contacts
    assert not motion.at(3.0).contacts


def test_a_ball_that_rolls_once_round_its_axis_is_as_it_was():
    rows = ball_rows(*((t, 0, 0, 0, 0) for t in np.linspace(0, 1, 501)))
    rows[:, 8:11] = 2 * np.pi * np.array((0.6, 0.0, 0.8))
    motion = Motion(rows)
    assert motion.at(1.0).orientation == pytest.approx(np.eye(3), abs=1e-9)
    half = motion.at(0.5).orientation
    assert half @ (0.6, 0, 0.8) == pytest.approx((0.6, 0, 0.8))
    assert np.trace(half) == pytest.approx(-1)


def test_chips_are_there_once_they_have_fallen():
    chips = np.full((2, 1, 2), np.nan)
    chips[1, 0] = (0.2, 0.1)
    motion = Motion(ball_rows((0, 0, 0, 0, 0), (1, 0, 0, 0, 0)), chips=chips, chip_sizes=(0.039,))
    assert motion.at(0.5).chips == []
    assert motion.at(1.0).chips == [(0.2, 0.1)]


@pytest.mark.parametrize("name", ["macau-boule", "macau-tilted"])
def test_a_ball_in_its_groove_is_shown_on_its_circle(name):
    """The rim law takes long steps; between the rows of a trace the ball is drawn along straight lines."""
    spin = computed(Order(name, (), 3, 0))
    machine = build(load_scenario(name))
    exits = next(event.time for event in spin.events if event.kind == "rim_exit")
    circling = spin.trace[(spin.trace[:, 0] > 0.5) & (spin.trace[:, 0] < exits)]
    assert np.diff(circling[:, 0]).max() < 0.0055
    middles = 0.5 * (circling[1:, 1:3] + circling[:-1, 1:3])
    assert np.abs(np.hypot(*middles.T) - machine.rim.radius).max() < 1e-4
    azimuths = np.unwrap(np.arctan2(circling[:, 2], circling[:, 1]))
    speeds = np.diff(azimuths) / np.diff(circling[:, 0])
    assert np.abs(np.diff(speeds)).max() < 0.02
