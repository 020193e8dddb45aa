"""What an engine notes while a ball moves: hops, entries, the bell, rest. One compiled function for both engines."""

from math import atan2, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.machines import PlateMachine
from sim.physics.ball import Ball
from sim.physics.compiled import law, routine
from sim.physics.surface import BAND, HOLLOW

# Bits of what happened in a step.
HIT, HOPPED, BELL, ENTERED, CAME_OUT, RESTED, ESCAPED = (1 << bit for bit in range(7))
_DIP = 0.02  # of the ball's radius, below the band: deeper inside a mouth means in the hollow


class Limits(NamedTuple):
    """When a ball is at rest, hopping, or gone. SI units; see ``solver`` in a scenario."""

    rest_time: float
    rest_speed: float
    stopped_plate: float
    hop_time: float
    wall_radius: float
    ball_radius: float


class Watch(NamedTuple):
    """Notes of one spin, changed in place; every array has shape (1,).

    angle: lab path of the ball about the spindle since the watch began, rad, signed; frozen at the bell.
    last: shape (2,), m, position of the ball in the step before. hops: count. flying_since: s, or -1, and
    flying_from, azimuth of that take-off. hop_start, hop_azimuth, hop_time: of the last hop. bell, bell_azimuth: of
    the first touch of the band, or -1. hollow: the hollow the ball is in, or -1. first: the first it was in,
    or -1. left: the hollow it came out of last. still_since: s, or -1. peak: m/s.
    """

    angle: NDArray[np.float64]
    last: NDArray[np.float64]
    hops: NDArray[np.int64]
    flying_since: NDArray[np.float64]
    flying_from: NDArray[np.float64]
    hop_start: NDArray[np.float64]
    hop_azimuth: NDArray[np.float64]
    hop_time: NDArray[np.float64]
    bell: NDArray[np.float64]
    bell_azimuth: NDArray[np.float64]
    hollow: NDArray[np.int64]
    first: NDArray[np.int64]
    left: NDArray[np.int64]
    still_since: NDArray[np.float64]
    peak: NDArray[np.float64]


def limits_of(machine: PlateMachine) -> Limits:
    """The limits that a machine's scenario states."""
    solver = machine.solver
    return Limits(
        solver.rest_time,
        solver.rest_speed,
        solver.stopped_plate,
        solver.hop_time,
        machine.wall_radius,
        machine.ball_radius,
    )


@routine
def new_watch(x: float, y: float) -> Watch:
    """Notes of a ball that starts at (x, y), m."""
    return Watch(
        np.zeros(1),
        np.array([x, y]),
        np.zeros(1, dtype=np.int64),
        np.full(1, -1.0),
        np.zeros(1),
        np.zeros(1),
        np.zeros(1),
        np.zeros(1),
        np.full(1, -1.0),
        np.zeros(1),
        np.full(1, -1),
        np.full(1, -1),
        np.full(1, -1),
        np.full(1, -1.0),
        np.zeros(1),
    )


@law
def observe(
    watch: Watch,
    ball: Ball,
    limits: Limits,
    plate_speed: float,
    time: float,
) -> int:
    """Note what the step that ended at ``time`` (s) brought; returns the bits of what happened. Changes watch."""
    happened = 0
    x, y, z = ball.position[0], ball.position[1], ball.position[2]
    vx, vy, vz = ball.velocity[0], ball.velocity[1], ball.velocity[2]
    if watch.bell[0] < 0.0:
        watch.angle[0] += atan2(watch.last[0] * y - watch.last[1] * x, watch.last[0] * x + watch.last[1] * y)
        watch.last[0], watch.last[1] = x, y
    watch.peak[0] = max(watch.peak[0], sqrt(vx * vx + vy * vy + vz * vz))

    hit_at = time - ball.met[4]
    touches = ball.touching[0] > 0
    if ball.met[0] > 0.0:
        happened |= HIT
    if (ball.met[0] > 0.0 or touches) and watch.flying_since[0] >= 0.0:
        landed = hit_at if ball.met[0] > 0.0 else time
        if landed - watch.flying_since[0] >= limits.hop_time:
            happened |= HOPPED
            watch.hops[0] += 1
            watch.hop_start[0] = watch.flying_since[0]
            watch.hop_azimuth[0] = watch.flying_from[0]
            watch.hop_time[0] = landed - watch.flying_since[0]
        watch.flying_since[0] = -1.0
    if not touches and watch.flying_since[0] < 0.0:
        watch.flying_since[0] = hit_at if ball.met[0] > 0.0 else time
        watch.flying_from[0] = atan2(y, x)

    if watch.bell[0] < 0.0 and _on_band(ball):
        happened |= BELL
        watch.bell[0] = hit_at if ball.met[0] > 0.0 else time
        watch.bell_azimuth[0] = atan2(y, x)

    now = int(ball.spot[0]) if ball.spot[2] < limits.ball_radius * (1.0 - _DIP) else -1
    if now != watch.hollow[0]:
        if watch.hollow[0] >= 0:
            happened |= CAME_OUT
            watch.left[0] = watch.hollow[0]
        if now >= 0:
            happened |= ENTERED
            if watch.first[0] < 0:
                watch.first[0] = now
        watch.hollow[0] = now

    if _still(ball, limits, plate_speed) and touches:
        if watch.still_since[0] < 0.0:
            watch.still_since[0] = time
        settled = time - watch.still_since[0] >= limits.rest_time
        if settled and (now >= 0 or abs(plate_speed) <= limits.stopped_plate):
            happened |= RESTED
    else:
        watch.still_since[0] = -1.0
    if not (x * x + y * y < limits.wall_radius * limits.wall_radius and z > -1.0):
        happened |= ESCAPED
    return happened


@law
def _on_band(ball: Ball) -> bool:
    if ball.met[0] > 0.0 and (int(ball.met[1]) == BAND or int(ball.met[1]) == HOLLOW):
        return True
    touched = False
    for i in range(ball.touching[0]):
        touched |= ball.place[i, 2] == BAND or ball.place[i, 2] == HOLLOW
    return touched


@law
def _still(ball: Ball, limits: Limits, plate_speed: float) -> bool:
    """Whether ball and spin are at rest relative to the plate."""
    wx, wy, wz = ball.spin[0], ball.spin[1], ball.spin[2] - plate_speed
    surface = limits.ball_radius * limits.ball_radius * (wx * wx + wy * wy + wz * wz)
    return bool(slip_squared(ball, plate_speed) + surface < limits.rest_speed * limits.rest_speed)


@law
def slip_squared(ball: Ball, plate_speed: float) -> float:
    """Square of the ball's speed relative to the plate, (m/s)^2, where the ball was when it had its velocity.

    Half a step later, a ball at rest on a turning plate would seem to move at W^2 r dt/2.
    """
    vx, vy, vz = ball.velocity[0], ball.velocity[1], ball.velocity[2]
    vx += plate_speed * (ball.position[1] - ball.pending[0] * vy)
    vy -= plate_speed * (ball.position[0] - ball.pending[0] * ball.velocity[0])
    return float(vx * vx + vy * vy + vz * vz)
