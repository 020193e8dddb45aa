"""Packed traces against the rows they stand for."""

import base64

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from sim.report.packing import MOST_S, angle, lengths, pack, unpack

CHANNELS = (lengths(1, 2, 3), angle(4, 0.31))


def rows_of(seed: int, speed: float, moments: int) -> np.ndarray:
    """A ball that flies straight between impacts and a plate that turns unevenly."""
    random = np.random.default_rng(seed)
    times = np.concatenate([[0.0], np.cumsum(random.uniform(1e-4, 2e-3, moments - 1))])
    knots = np.sort(random.uniform(0.0, times[-1], 12))
    places = np.column_stack(
        [
            np.interp(times, knots, np.cumsum(random.normal(0.0, speed * np.ptp(times) / 12, 12)))
            for _ in range(3)
        ]
    )
    turn = 2.5 * times - 0.3 * times**2 + 0.01 * np.sin(40 * times)
    return np.column_stack([times, places, turn])


@settings(max_examples=40, deadline=None)
@example(0, 1.0, 895)
@given(st.integers(0, 2**32), st.floats(0.01, 8.0), st.integers(2, 1500))
def test_what_is_unpacked_is_nowhere_farther_than_it_says(seed: int, speed: float, moments: int) -> None:
    rows = rows_of(seed, speed, moments)
    fastest = np.max(np.linalg.norm(np.diff(rows[:, 1:4], axis=0), axis=1) / np.diff(rows[:, 0]))
    assume(fastest < 100.0)
    packed = pack(rows, CHANNELS)
    times, values = unpack(packed)
    again = np.column_stack([np.interp(rows[:, 0], times, values[:, i]) for i in range(4)])
    away = np.linalg.norm(again[:, :3] - rows[:, 1:4], axis=1)
    turned = 0.31 * np.abs(again[:, 3] - rows[:, 4])
    assert packed["error_mm"] == pytest.approx(1000 * max(away.max(), turned.max()), abs=1e-3)
    # A time is stored to 5 us, at which a ball of this speed has gone so far.
    assert away.max() < 1e-4 + 1e-5 * fastest
    assert turned.max() < 1e-4


def test_a_straight_line_needs_its_ends_only_and_one_moment_in_so_many_seconds() -> None:
    times = np.linspace(0.0, 3.0, 3001)
    rows = np.column_stack([times, 0.1 * times, -0.05 * times, 0 * times, times])
    packed = pack(rows, CHANNELS)
    assert 3.0 / MOST_S <= packed["count"] - 1 <= 2 * 3.0 / MOST_S + 2
    assert packed["error_mm"] < 0.03


def test_a_leap_beyond_sixteen_bits_is_taken_in_steps() -> None:
    times = np.linspace(0.0, 0.2, 201)
    rows = np.column_stack([times, 20.0 * times, 0 * times, 0 * times, 9.0 * times])
    times, values = unpack(pack(rows, CHANNELS))
    assert values[-1, 0] == pytest.approx(4.0, abs=1e-4)
    assert len(times) > 4


def test_a_circle_is_kept_with_few_moments() -> None:
    times = np.linspace(0.0, 1.0, 2001)
    rows = np.column_stack(
        [times, 0.425 * np.cos(8 * times), 0.425 * np.sin(8 * times), 0 * times, 2 * times]
    )
    packed = pack(rows, CHANNELS)
    assert packed["error_mm"] < 0.1
    assert packed["count"] < 400
    assert len(base64.b64decode(packed["columns"][0]["steps"])) == 2 * (packed["count"] - 1)


def test_two_rows_too_far_apart_to_be_stored_are_refused() -> None:
    rows = np.array([[0.0, 0.0, 0.0, 0.0, 0.0], [1e-3, 1.0, 0.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="too far apart"):
        pack(rows, CHANNELS)
