from math import pi

import numpy as np
import pytest

from sim.view.turning import disc_of, turn

SIDE = 101


def disc(paint):
    colours = np.zeros((SIDE, SIDE, 4), np.uint8)
    colours[..., 3] = 255
    paint(colours)
    return disc_of(colours, np.zeros((SIDE, SIDE, 2), np.int8), 48.0)


def turned(one, angle, light=0.0, strength=0.0):
    target = np.zeros((SIDE, SIDE), np.uint32)
    turn(one.colours, one.slopes, one.radius, angle, light, strength, SIDE / 2, SIDE / 2, target)
    return target


def centroid(target):
    rows, columns = np.nonzero((target >> 16) & 255)
    weight = ((target >> 16) & 255)[rows, columns].astype(float)
    return np.average(columns, weights=weight) + 0.5, np.average(rows, weights=weight) + 0.5


@pytest.mark.parametrize("angle", [0.0, 0.3, pi / 2, 2.0, -1.1, 7.0])
def test_a_spot_goes_counter_clockwise_round_the_middle(angle):
    def paint(colours):
        colours[48:53, 78:83, 0] = 200  # 30 px to the right

    x, y = centroid(turned(disc(paint), angle))
    assert x == pytest.approx(SIDE / 2 + 30 * np.cos(angle), abs=0.1)
    assert y == pytest.approx(SIDE / 2 - 30 * np.sin(angle), abs=0.1)


def test_unturned_it_is_what_was_painted():
    noise = np.random.default_rng(1).integers(0, 256, (SIDE, SIDE, 3), np.uint8)

    def paint(colours):
        colours[..., :3] = noise

    target = turned(disc(paint), 0.0)
    middle = slice(30, 70)
    found = np.stack([(target >> shift) & 255 for shift in (16, 8, 0)], axis=-1)[middle, middle].astype(int)
    assert np.abs(found - noise[middle, middle]).max() <= 1


def test_a_slope_towards_the_light_is_bright_whichever_way_the_disc_stands():
    colours = np.full((SIDE, SIDE, 4), 255, np.uint8)
    colours[..., :3] = 100
    slopes = np.zeros((SIDE, SIDE, 2), np.int8)
    slopes[..., 0] = 127  # leans to the disc's own right
    one = disc_of(colours, slopes, 48.0)
    towards = turned(one, 1.0, light=1.0, strength=0.5)[50, 50] & 255
    away = turned(one, 1.0 + pi, light=1.0, strength=0.5)[50, 50] & 255
    across = turned(one, 1.0 + pi / 2, light=1.0, strength=0.5)[50, 50] & 255
    assert towards == pytest.approx(150, abs=2)
    assert away == pytest.approx(50, abs=2)
    assert across == pytest.approx(100, abs=2)


def test_beyond_its_radius_nothing_is_touched():
    target = np.full((SIDE, SIDE), 7, np.uint32)
    one = disc(lambda colours: colours.__setitem__((..., 0), 255))
    turn(one.colours, one.slopes, one.radius, 0.5, 0.0, 0.0, SIDE / 2, SIDE / 2, target)
    assert target[0, 0] == target[0, 50] == 7
    assert target[50, 50] != 7


@pytest.mark.parametrize("x, y", [(-40.0, 50.0), (200.0, 50.0), (50.0, -45.0), (50.0, 1000.0)])
def test_a_disc_partly_or_wholly_outside_does_no_harm(x, y):
    target = np.zeros((SIDE, SIDE), np.uint32)
    one = disc(lambda colours: colours.__setitem__((..., 0), 255))
    turn(one.colours, one.slopes, one.radius, 0.5, 0.0, 0.0, x, y, target)
