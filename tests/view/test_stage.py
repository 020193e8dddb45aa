"""What is drawn stands where the engine has it, in the colours of the game."""

from functools import lru_cache
from math import atan2, cos, hypot, sin

import numpy as np
import pygame
import pytest

from sim.cli.table import open_table
from sim.landing import COLUMNS
from sim.machines import build
from sim.view.motion import Motion
from sim.view.paint import canvas
from sim.view.playing import Order, computed, standing, start_of
from sim.view.stage import Stage, View

SIZE = (700, 560)
BARE = View(trail=0.0, timeline=False, caption=False)


@lru_cache
def stage_of(name, size=SIZE):
    scenario, rulebook = open_table(name, [])
    return Stage(scenario, build(scenario), rulebook, size)


@lru_cache
def motion_of(name):
    spin = computed(Order(name, (), 7, 0))
    return Motion(spin.trace, spin.events)


def drawn(stage, moment, view=BARE):
    surface = canvas(stage.size)
    stage.draw(surface, moment, view)
    return pygame.surfarray.array3d(surface).astype(int)


def rows_with_ball(x, y, z, turned):
    row = np.zeros(len(COLUMNS))
    row[1:5] = x, y, z, turned
    return np.array([row, row + (np.arange(len(COLUMNS)) == 0)])


def centre_of_ball(frame, bare):
    """Fit a circle to the outline of what is new and pale: the ball is ivory, its shadow only darkens what is there."""
    changed = np.abs(frame - bare).sum(axis=2) > 6
    share = frame.max(axis=2) / np.maximum(bare.max(axis=2), 1)
    pale = (frame.max(axis=2) - frame.min(axis=2)) < 0.32 * np.maximum(frame.max(axis=2), 1)
    ball = changed & (pale | (share > 1.05))
    outline = []
    for column in np.nonzero(ball.any(axis=1))[0]:
        inside = np.nonzero(ball[column])[0]
        outline += [(column + 0.5, inside[0]), (column + 0.5, inside[-1] + 1.0)]
    for row in np.nonzero(ball.any(axis=0))[0]:
        inside = np.nonzero(ball[:, row])[0]
        outline += [(inside[0], row + 0.5), (inside[-1] + 1.0, row + 0.5)]
    x, y = np.array(outline).T
    (a, b, _), *_ = np.linalg.lstsq(np.column_stack((2 * x, 2 * y, np.ones_like(x))), x**2 + y**2, rcond=None)
    return a, b


@pytest.mark.parametrize("name", ["macau-boule", "spanish-boule"])
@pytest.mark.parametrize("time", [0.0, 1.237, 5.5, 14.9, 16.411])
def test_the_ball_is_drawn_within_half_a_pixel_of_the_trajectory(name, time):
    stage = stage_of(name)
    moment = motion_of(name).at(time)
    x, y, z = moment.ball.place
    away = Motion(rows_with_ball(9.0, 9.0, z, moment.turned)).at(0.0)  # the same frame without its ball
    found = centre_of_ball(drawn(stage, moment), drawn(stage, away))
    wanted = stage.pixel(x, y, moment, BARE)
    assert hypot(found[0] - wanted[0], found[1] - wanted[1]) < 0.5
    # The camera itself: metres from the spindle, y upward.
    camera = stage.seen(moment, BARE).camera
    assert wanted == pytest.approx((camera.centre[0] + camera.scale * x, camera.centre[1] - camera.scale * y))


@pytest.mark.parametrize("turned", [0.0, 1.0, -4.2])
@pytest.mark.parametrize("frame", ["lab", "plate"])
def test_hollows_have_the_colours_of_their_numbers_wherever_the_plate_stands(turned, frame):
    stage = stage_of("macau-boule")
    moment = Motion(rows_with_ball(0.425, 0.0, 0.05, turned)).at(0.0)
    view = View(frame=frame, timeline=False, caption=False)
    frame_ = drawn(stage, moment, view)
    seen = stage.seen(moment, view)
    for index, symbol in enumerate(stage.picture.symbols):
        x, y = stage.picture.lab(index, turned)
        red, green, blue = frame_[tuple(int(part) for part in seen.pixel(x, y))]
        if symbol == "star":
            assert min(red, green, blue) > 70
        elif stage.rulebook.colours[symbol] == "red":
            assert red > 1.8 * green and red > 60
        else:
            assert max(red, green, blue) < 75


def test_in_the_plates_own_frame_the_plate_stands_still_and_the_ball_goes_round():
    stage = stage_of("macau-boule")
    view = View(frame="plate", timeline=False, caption=False)
    places = []
    for turned in (0.0, 0.8):
        moment = Motion(rows_with_ball(0.425, 0.0, 0.05, turned)).at(0.0)
        x, y = stage.pixel(*stage.picture.lab(5, turned), moment, view)
        places.append((x, y))
        bx, by = stage.pixel(0.425, 0.0, moment, view)
        camera = stage.seen(moment, view).camera
        assert atan2(camera.centre[1] - by, bx - camera.centre[0]) == pytest.approx(-turned)
    assert places[0] == pytest.approx(places[1])


@pytest.mark.parametrize("turned", [0.0, 2.4])
def test_sections_of_the_wheel_have_their_colours(turned):
    stage = stage_of("roda-da-sorte")
    rows = np.array([[0.0, turned, 0.0, 0.0, 0.0], [1.0, turned, 0.0, 0.0, 0.0]])
    moment = Motion(rows).at(0.0)
    frame = drawn(stage, moment)
    seen = stage.seen(moment, BARE)
    wheel = stage.picture
    for section in range(52):
        x, y = wheel.lab(section, turned)
        inward = 0.78  # beside the letter, towards the axle
        red, green, blue = frame[tuple(int(part) for part in seen.pixel(inward * x, inward * y))]
        ink = np.array(wheel.inks[section])
        assert np.abs(np.array((red, green, blue)) / max(red, green, blue) - ink / ink.max()).max() < 0.16


@pytest.mark.parametrize("bent", [-0.4, 0.0, 0.5])
def test_the_clappers_tip_is_where_the_engine_has_it(bent):
    stage = stage_of("roda-da-sorte", (900, 900))
    rows = np.array([[0.0, 0.02, 0.0, bent, 0.0], [1.0, 0.02, 0.0, bent, 0.0]])
    other = np.array([[0.0, 0.02, 0.0, bent + 1.5, 0.0], [1.0, 0.02, 0.0, bent + 1.5, 0.0]])
    view = View(follow=True, timeline=False, caption=False)
    moment = Motion(rows).at(0.0)
    changed = np.abs(drawn(stage, moment, view) - drawn(stage, Motion(other).at(0.0), view)).sum(axis=2) > 150
    clapper = stage.machine.clapper
    tip = clapper.pivot_x + clapper.arm * sin(bent), clapper.pivot_y - clapper.arm * cos(bent)
    x, y = stage.pixel(*tip, moment, view)
    radius = clapper.radius * stage.seen(moment, view).camera.scale
    assert changed[int(x), int(y)]
    beyond = x + 2.5 * radius * sin(bent), y + 2.5 * radius * cos(bent)
    assert not changed[int(beyond[0]), int(beyond[1])]


@pytest.mark.parametrize("name", ["macau-boule", "spanish-boule-36", "roda-da-sorte"])
@pytest.mark.parametrize("size", [(320, 240), (1000, 300), (300, 900)])
def test_any_size_shows_something_everywhere(name, size):
    scenario, rulebook = open_table(name, [])
    machine = build(scenario)
    stage = Stage(scenario, machine, rulebook, size)
    motion = Motion(standing(machine, start_of(scenario, Order(name, (), 1, 0))))
    frame = drawn(stage, motion.at(0.0), View(trail=1.0, arrows=True, heights=True))
    assert frame.std() > 12
    assert (frame.sum(axis=2) > 0).mean() > 0.99


def test_the_same_moment_gives_the_same_picture():
    stage = stage_of("macau-boule")
    view = View(trail=1.0, arrows=True, heights=True, follow=True)
    frames = [drawn(stage, motion_of("macau-boule").at(17.3), view) for _ in range(2)]
    assert (frames[0] == frames[1]).all()


def test_timeline_and_strip_do_not_tell_what_is_not_known_yet():
    stage = stage_of("macau-boule")
    motion = motion_of("macau-boule")
    bar = stage.timeline.bar
    known = drawn(stage, motion.at(3.0), View(known=3.0))[bar.left : bar.right, bar.centery - 6]
    told = drawn(stage, motion.at(3.0), View())[bar.left : bar.right, bar.centery - 6]
    right = slice(2 * bar.width // 3, bar.width - 4)
    assert known[right].std(axis=0).max() < 1
    assert (told[right] != known[right]).any()
