"""Every draw of a spin, from (run seed, spin index) alone: counter-based, never from a worker's state."""

from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.landing import Push, Start

if TYPE_CHECKING:
    from sim.scenario import PlateScenario, WheelScenario

LAUNCH = 1  # purposes: one counter word each, so that no two of them share a draw


def uniforms(seed: int, index: int, purpose: int, count: int) -> NDArray[np.float64]:
    """``count`` numbers strictly between 0 and 1: Philox 4x64 keyed by the seed, counter words 2, 3 = purpose, index.

    seed, index: 0 <= value < 2^64. Shape (count,).
    """
    counter = np.array([0, 0, purpose, index], dtype=np.uint64)
    raw = np.random.Philox(key=seed, counter=counter).random_raw(count)
    return ((raw >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53


def _table(seed: int, indices: range, count: int) -> NDArray[np.float64]:
    """The uniforms of the launches of these spins, shape (count, n)."""
    rows = [uniforms(seed, index, LAUNCH, count) for index in indices]
    return np.array(rows, dtype=np.float64).reshape(-1, count).T.copy()


def draw_starts(scenario: "PlateScenario", seed: int, indices: range) -> NDArray[np.float64]:
    """The launches of these spins: inverse transforms of seven uniforms each, in the order of the fields of Start.

    Shape (n, 9): the columns of `sim.engines.plate_batch.START`, which are the fields of Start from ball_speed on.
    A row depends on the seed and its index alone.
    """
    launch = scenario.launch
    u = _table(seed, indices, 7)
    starts = np.empty((len(indices), 9))
    starts[:, 0] = launch.ball_speed.quantile(u[0])
    starts[:, 1] = launch.ball_azimuth.quantile(u[1]) % (2.0 * pi)
    starts[:, 2] = launch.release_height.quantile(u[2])
    starts[:, 3] = launch.ball_sign
    starts[:, 4] = launch.plate_sign * launch.plate_speed.quantile(u[3])
    starts[:, 5] = launch.plate_phase.quantile(u[4]) % (2.0 * pi)
    for row, pair in enumerate(zip(u[5].tolist(), u[6].tolist(), strict=True)):
        starts[row, 6:] = _direction(*pair)
    return starts


def draw_start(scenario: "PlateScenario", seed: int, index: int) -> Start:
    """The launch of one spin, as `draw_starts` draws it."""
    drawn = draw_starts(scenario, seed, range(index, index + 1))[0].tolist()
    speed, azimuth, height, _, plate_speed, phase, *heavy = drawn
    return Start(
        seed=seed,
        index=index,
        ball_speed=speed,
        ball_azimuth=azimuth,
        release_height=height,
        ball_direction=scenario.launch.ball_sign,
        plate_speed=plate_speed,
        plate_phase=phase,
        heavy_side=(heavy[0], heavy[1], heavy[2]),
    )


def _direction(u: float, v: float) -> tuple[float, float, float]:
    """A unit vector, all directions alike: equal areas of a sphere are equal shares of (u, v)."""
    height = 2.0 * u - 1.0
    around = 2.0 * pi * v
    out = sqrt(1.0 - height * height)
    return (out * cos(around), out * sin(around), height)


def draw_pushes(scenario: "WheelScenario", seed: int, indices: range) -> NDArray[np.float64]:
    """The pushes of these spins: who pushes and which way by the index, speed and standing by two uniforms.

    Shape (n, 3): the fields croupier, speed and phase of Push. A row depends on the seed and its index alone.
    """
    push = scenario.push
    u = _table(seed, indices, 2)
    # Of an index, its round and its croupier; in whole numbers of any size.
    places = [divmod(index, len(push.active)) for index in indices]
    rounds = np.array([turn % 2 for turn, _ in places], dtype=np.int64)
    croupiers = np.array([croupier for _, croupier in places], dtype=np.int64)
    clockwise = {"clockwise": rounds >= 0, "alternate": rounds == 1}.get(push.direction, rounds < 0)
    pushes = np.empty((len(indices), 3))
    pushes[:, 0] = croupiers
    for number, croupier in enumerate(push.active):
        own = croupiers == number
        pushes[own, 1] = croupier.speed.quantile(u[0, own])
    pushes[clockwise, 1] *= -1.0
    pushes[:, 2] = push.phase.quantile(u[1]) % (2.0 * pi)
    return pushes


def draw_push(scenario: "WheelScenario", seed: int, index: int) -> Push:
    """The push of one spin, as `draw_pushes` draws it."""
    croupier, speed, phase = draw_pushes(scenario, seed, range(index, index + 1))[0].tolist()
    return Push(seed=seed, index=index, croupier=int(croupier), speed=speed, phase=phase)
