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


def draw_start(scenario: "PlateScenario", seed: int, index: int) -> Start:
    """The launch of one spin: inverse transforms of seven uniforms, in the order of the fields of Start."""
    launch = scenario.launch
    u = [float(value) for value in uniforms(seed, index, LAUNCH, 7)]
    return Start(
        seed=seed,
        index=index,
        ball_speed=float(launch.ball_speed.quantile(u[0])),
        ball_azimuth=float(launch.ball_azimuth.quantile(u[1])) % (2.0 * pi),
        release_height=float(launch.release_height.quantile(u[2])),
        ball_direction=launch.ball_sign,
        plate_speed=launch.plate_sign * float(launch.plate_speed.quantile(u[3])),
        plate_phase=float(launch.plate_phase.quantile(u[4])) % (2.0 * pi),
        heavy_side=_direction(u[5], u[6]),
    )


def _direction(u: float, v: float) -> tuple[float, float, float]:
    """A unit vector, all directions alike: equal areas of a sphere are equal shares of (u, v)."""
    height = 2.0 * u - 1.0
    around = 2.0 * pi * v
    out = sqrt(1.0 - height * height)
    return (out * cos(around), out * sin(around), height)


def draw_push(scenario: "WheelScenario", seed: int, index: int) -> Push:
    """The push of one spin: who pushes and which way by the index, speed and standing by two uniforms."""
    push = scenario.push
    u = [float(value) for value in uniforms(seed, index, LAUNCH, 2)]
    turn, croupier = divmod(index, len(push.active))
    clockwise = push.direction == "clockwise" or (push.direction == "alternate" and turn % 2 == 1)
    speed = float(push.active[croupier].speed.quantile(u[0]))
    return Push(
        seed=seed,
        index=index,
        croupier=croupier,
        speed=-speed if clockwise else speed,
        phase=float(push.phase.quantile(u[1])) % (2.0 * pi),
    )
