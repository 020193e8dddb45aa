"""The tilt from spirit-level readings: what it must give, and how often its intervals hold."""

from math import atan, cos, degrees, hypot, pi, radians, sin, tan

import numpy as np
import pytest

from sim.inspection.levelling import Reading, Undetermined, level
from sim.inspection.tilt import Foot, Tilt, turns

DOWN = (1.2e-3, -0.7e-3)
SEAT = 4e-3
ERROR = 2.5e-4


def readings(
    places: list[float],
    noise: np.ndarray | None = None,
    *,
    pairs: bool = True,
    down: tuple[float, float] = DOWN,
) -> list[Reading]:
    """Readings laid along the radius, in a groove whose floor rises outward by SEAT, of an instrument that errs."""
    made = []
    for place in places:
        rise = SEAT - down[0] * cos(place) - down[1] * sin(place)
        made.append(Reading(place, place, rise + ERROR))
        if pairs:
            made.append(Reading(place, place, rise - ERROR, True))
    noise = np.zeros(len(made)) if noise is None else noise
    return [
        Reading(one.place, one.towards, one.rise + float(more), one.reversed)
        for one, more in zip(made, noise, strict=True)
    ]


THREE = [0.2, 0.2 + 2 * pi / 3, 0.2 + 4 * pi / 3]
SIX = [0.2 + i * pi / 3 for i in range(6)]


def test_exact_readings_give_the_tilt_the_seat_and_the_instruments_error() -> None:
    found = level(readings(THREE), 1e-5)
    assert found.tilt is not None
    assert (found.tilt.x, found.tilt.y) == pytest.approx(DOWN)
    assert found.tilt.angle == pytest.approx(atan(hypot(*DOWN)))
    assert found.tilt.low_side == pytest.approx(2 * pi + np.arctan2(DOWN[1], DOWN[0]))
    assert found.seat == pytest.approx(SEAT)
    assert found.error is not None
    assert found.error[0] == pytest.approx(ERROR)


def test_without_pairs_seat_and_error_are_one() -> None:
    found = level(readings(SIX, pairs=False), 1e-5)
    assert found.error is None
    assert found.seat == pytest.approx(SEAT + ERROR)
    assert (found.x, found.y) == pytest.approx(DOWN)


def test_readings_along_the_track_give_the_same_tilt() -> None:
    along = [
        Reading(place, place + pi / 2, -DOWN[0] * cos(place + pi / 2) - DOWN[1] * sin(place + pi / 2))
        for place in SIX
    ]
    found = level(along, 1e-5)
    assert (found.x, found.y) == pytest.approx(DOWN)


def test_three_readings_alone_leave_the_uncertainty_open() -> None:
    assert level(readings(THREE, pairs=False)).tilt is None
    assert level(readings(THREE, pairs=False), 2e-5).tilt is not None


@pytest.mark.parametrize(
    ("places", "words"), [([0.0, 1.0], "at least 3 places"), ([0.0, 1e-9, 2e-9, 3e-9], "at least 3 places")]
)
def test_too_few_places(places: list[float], words: str) -> None:
    with pytest.raises(Undetermined, match=words):
        level(readings(places))


def test_readings_towards_one_side_leave_the_other_open() -> None:
    with pytest.raises(Undetermined, match="one line"):
        level([Reading(place, 0.0, 1e-3) for place in SIX])


@pytest.mark.parametrize("stated", [2e-5, None])
@pytest.mark.parametrize("down", [(4e-5, 2e-5), DOWN])
def test_intervals_hold_as_often_as_they_say(stated: float | None, down: tuple[float, float]) -> None:
    random, angle, side = np.random.default_rng(11), atan(hypot(*down)), np.arctan2(down[1], down[0])
    held, aimed, runs = 0, 0, 400
    for _ in range(runs):
        tilt = level(readings(SIX, random.normal(0, 2e-5, 12), down=down), stated).tilt
        assert tilt is not None
        low, high = tilt.interval(0.95)
        held += low <= angle <= high
        aimed += abs((tilt.low_side - side + pi) % (2 * pi) - pi) <= tilt.half_width(0.95)
    assert 0.92 <= held / runs <= 0.98
    assert 0.925 <= aimed / runs <= 1.0


def test_a_level_apparatus_is_called_out_of_level_as_rarely_as_promised() -> None:
    random = np.random.default_rng(12)
    tilts = [level(readings(SIX, random.normal(0, 2e-5, 12), down=(0, 0))).tilt for _ in range(1000)]
    low = np.mean([tilt is not None and tilt.p_level() < 0.05 for tilt in tilts])
    assert 0.035 <= low <= 0.065


def test_an_apparatus_that_seems_perfectly_level_has_an_interval_still() -> None:
    found = Tilt(1e-9, 0.0, ((1e-10, 0.0), (0.0, 1e-10)))
    low, high = found.interval(0.95)
    assert low == 0.0
    assert 2e-5 < high < 4e-5
    assert found.half_width(0.95) == pi


def test_a_warped_track_is_told() -> None:
    warped = readings(SIX)
    bent = [
        Reading(one.place, one.towards, one.rise + 3e-4 * cos(2 * one.place), one.reversed) for one in warped
    ]
    plane, other = level(warped, 2e-5), level(bent, 2e-5)
    assert plane.p_plane is not None
    assert plane.p_plane > 0.9
    assert other.p_plane is not None
    assert other.p_plane < 1e-6
    assert plane.tilt is not None
    assert other.tilt is not None
    assert other.tilt.along(0.0) > 3 * plane.tilt.along(0.0)


def test_feet_turned_as_told_level_the_apparatus() -> None:
    tilt = Tilt(tan(radians(0.2)), tan(radians(0.1)), ((1e-10, 0.0), (0.0, 1e-10)))
    feet = [Foot(radians(each), 0.6, 0.0015) for each in (90, 210, 330)]
    told = turns((tilt.x, tilt.y), tilt.covariance, feet)
    assert min(turn.rise for turn in told) == 0.0
    places = np.array([(0.6 * cos(foot.azimuth), 0.6 * sin(foot.azimuth), 1.0) for foot in feet])
    before = -(places[:, :2] @ np.array([tilt.x, tilt.y]))
    after = np.linalg.solve(places, before + np.array([turn.rise for turn in told]))
    assert after[:2] == pytest.approx([0.0, 0.0], abs=1e-12)
    assert [turn.turns for turn in told] == pytest.approx([turn.rise / 0.0015 for turn in told])


def test_two_measurements_of_one_tilt_differ_as_often_as_they_say() -> None:
    random = np.random.default_rng(13)
    a, b = ((4e-10, 1e-10), (1e-10, 9e-10)), ((1e-9, -3e-10), (-3e-10, 5e-10))
    apart = [
        Tilt(*random.multivariate_normal(DOWN, a), a).disagreement(
            Tilt(*random.multivariate_normal(DOWN, b), b)
        )
        for _ in range(2000)
    ]
    assert np.mean(np.array(apart) < 0.05) == pytest.approx(0.05, abs=0.015)
    assert degrees(Tilt(*DOWN, a).half_width(0.95)) < 5
