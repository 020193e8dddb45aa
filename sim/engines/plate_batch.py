"""The batch engine of plate machines: whole spins compiled, the same laws and the same notes as the rigid engine.

One spin depends on its start alone, so any set of spins in any order gives the same bits.
"""

from collections.abc import Iterable
from math import atan2, cos, pi, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.engines.capture import MARGIN
from sim.engines.groove import DROP_IN, in_groove, put_in_groove, rim_step
from sim.engines.stride import STRIDE, Pace, pace_of, stride_of
from sim.engines.watch import BELL, ESCAPED, RESTED, Limits, Watch, limits_of, new_watch, observe
from sim.landing import Start
from sim.machines import PlateMachine
from sim.physics import rim as rim_law
from sim.physics.ball import Ball, Setting, blank_ball
from sim.physics.compiled import law, routine
from sim.physics.kick import kick
from sim.physics.loose import Disc, carried, meet
from sim.physics.losses import plate_motion
from sim.physics.move import move
from sim.physics.rim import Rim
from sim.physics.search import adopt_contacts
from sim.physics.surface import Surfaces, in_plate, nearest_hollow

START = (
    "ball_speed", "ball_azimuth", "release_height", "ball_direction", "plate_speed", "plate_phase",
    "heavy_x", "heavy_y", "heavy_z",
)  # fmt: skip
"""Columns of starts; the fields of `sim.landing.Start`, SI."""
LANDING = (
    "pocket", "ending", "rest_azimuth", "rest_azimuth_plate", "offset", "ball_turns", "plate_turns", "hops",
    "drop_azimuth", "band_azimuth", "exit_time", "bell_time", "object_time", "duration", "peak_speed",
    "plate_speed", "impact_energy", "hardest_impact", "captured",
    "groove_turns", "first_hollow",
)  # fmt: skip
"""Columns of landings; SI. No pocket is -1; what did not happen is NaN. ``ending`` is REST, LEFT or TIME_LIMIT."""
REST, LEFT, TIME_LIMIT = 0.0, 1.0, 2.0


class Plan(NamedTuple):
    """All of a machine that a compiled spin reads; see `sim.machines.PlateMachine` and the laws.

    bearing: shape (2,). step, time_limit: s. objects: shape (n, 9): time, radius, azimuth, then the fields of a Disc
    that do not move: radius, thickness, mass, friction, restitution; and plate radius.
    """

    surfaces: Surfaces
    setting: Setting
    limits: Limits
    rim: Rim
    groove_height: float
    bearing: NDArray[np.float64]
    step: float
    pace: Pace
    time_limit: float
    objects: NDArray[np.float64]


class Flight(NamedTuple):
    """A spin under way, changed in place.

    start: the columns of START. time, plate_speed (rad/s): shape (1,). drop, exit, object: shape (1,), drop azimuth
    (rad) and times (s), NaN until then. circled: shape (1,), angle turned in the groove, rad. impact: shape (2,),
    energy of all impacts and of the hardest, J/kg. captured: shape (1,), the hollow that the ball can no longer leave,
    or -1. discs: shape (n, 4), place and velocity of each.
    """

    start: NDArray[np.float64]
    ball: Ball
    watch: Watch
    time: NDArray[np.float64]
    plate_speed: NDArray[np.float64]
    drop: NDArray[np.float64]
    exit: NDArray[np.float64]
    circled: NDArray[np.float64]
    object: NDArray[np.float64]
    impact: NDArray[np.float64]
    captured: NDArray[np.int64]
    discs: NDArray[np.float64]


def plan_of(machine: PlateMachine, stride: float = STRIDE, margin: float = MARGIN) -> Plan:
    """The arrays of a machine. With stride = 1 every step is the solver's."""
    objects = [
        (
            chip.time, chip.radius, chip.azimuth, 0.5 * chip.diameter, chip.thickness,
            chip.mass / machine.ball_mass, chip.friction, chip.restitution, machine.plate_radius,
        )
        for chip in sorted(machine.objects, key=lambda chip: chip.time)
    ]  # fmt: skip
    return Plan(
        machine.surfaces,
        machine.setting,
        limits_of(machine),
        machine.rim,
        machine.groove_height,
        np.array(machine.bearing),
        machine.solver.step,
        pace_of(machine, stride, margin),
        machine.solver.time_limit,
        np.array(objects, dtype=np.float64).reshape(-1, 9),
    )


def start_row(start: Start) -> tuple[float, ...]:
    """The columns of START."""
    return (
        start.ball_speed,
        start.ball_azimuth,
        start.release_height,
        float(start.ball_direction),
        start.plate_speed,
        start.plate_phase,
        *start.heavy_side,
    )


def landings(machine: PlateMachine, starts: Iterable[Start], stride: float = STRIDE) -> NDArray[np.float64]:
    """Play every start; shape (n, len(LANDING)). With stride = 1 each is the rigid engine's, to the bit."""
    rows = np.array([start_row(start) for start in starts]).reshape(-1, len(START))
    found = np.empty((len(rows), len(LANDING)))
    play(plan_of(machine, stride), rows, found)
    return found


@routine
def play(plan: Plan, starts: NDArray[np.float64], landings: NDArray[np.float64]) -> None:
    """Play every start (shape (n, len(START))) and write its landing (shape (n, len(LANDING)))."""
    for row in range(starts.shape[0]):
        flight, ending = fly(plan, starts[row])
        _write(plan, flight, ending, landings[row])


@routine
def fly(plan: Plan, start: NDArray[np.float64]) -> tuple[Flight, float]:
    """Play one start (the columns of START): into the groove, round it, free to the end. The flight and its ending."""
    flight, ending = released(plan, start)
    if ending < 0.0:
        ending = _run_free(plan, flight)
    return flight, ending


@routine
def released(plan: Plan, start: NDArray[np.float64]) -> tuple[Flight, float]:
    """A spin up to where the ball has left its groove, and its ending or -1."""
    flight = _launch(plan, start)
    circles, ending = True, -1.0
    if start[2] != 0.0:
        circles, ending = _fall_into_groove(plan, flight)
    if circles:
        ending = _circle(plan, flight)
    return flight, ending


@routine
def _launch(plan: Plan, start: NDArray[np.float64]) -> Flight:
    """The ball let go over its groove."""
    ball = blank_ball()
    ball.heavy[0], ball.heavy[1], ball.heavy[2] = start[6], start[7], start[8]
    height = plan.groove_height + start[2]
    put_in_groove(ball, plan.rim, plan.setting.radius, height, start[1], start[3] * start[0])
    return Flight(
        start,
        ball,
        new_watch(ball.position[0], ball.position[1]),
        np.zeros(1),
        np.full(1, start[4]),
        np.full(1, np.nan),
        np.full(1, np.nan),
        np.zeros(1),
        np.full(1, np.nan),
        np.zeros(2),
        np.full(1, -1),
        np.zeros((plan.objects.shape[0], 4)),
    )


@law
def _fall_into_groove(plan: Plan, flight: Flight) -> tuple[bool, float]:
    """The contact law until the ball circles on floor and wall; whether it came to that, and the ending or -1."""
    steady = 0.0
    while flight.time[0] < plan.time_limit:
        happened = _advance(plan, flight, plan.step)
        steady = steady + plan.step if in_groove(flight.ball) else 0.0
        if steady >= DROP_IN:
            return True, -1.0
        if happened & (BELL | ESCAPED):
            return False, LEFT if happened & ESCAPED else -1.0
    return False, TIME_LIMIT


@law
def _circle(plan: Plan, flight: Flight) -> float:
    """The rim law until the wall's load vanishes; the ending, or -1."""
    ball, watch, start = flight.ball, flight.watch, flight.start
    azimuth = atan2(ball.position[1], ball.position[0])
    along = (ball.velocity[1] * cos(azimuth) - ball.velocity[0] * sin(azimuth)) * start[3]
    direction, released = int(start[3]), azimuth
    speed, left = along / plan.rim.radius, False
    while not left and flight.time[0] < plan.time_limit:
        azimuth, speed, taken, left = rim_law.step(azimuth, speed, direction, plan.rim, rim_step(plan.rim))
        flight.time[0] += taken
    put_in_groove(
        ball, plan.rim, plan.setting.radius, plan.groove_height, azimuth, direction * speed * plan.rim.radius
    )
    watch.angle[0] += azimuth - released
    flight.circled[0] = watch.angle[0]
    watch.last[0], watch.last[1] = ball.position[0], ball.position[1]
    if not left:
        return TIME_LIMIT
    turned, flight.plate_speed[0] = plate_motion(start[4], plan.bearing[0], plan.bearing[1], flight.time[0])
    adopt_contacts(ball, plan.surfaces, plan.setting.radius, start[5] + turned)
    flight.drop[0], flight.exit[0] = azimuth % (2.0 * pi), flight.time[0]
    watch.peak[0] = 0.0
    return -1.0


@law
def _run_free(plan: Plan, flight: Flight) -> float:
    """The contact law to the end; the ending."""
    while flight.time[0] < plan.time_limit:
        happened = _advance(plan, flight, plan.step * _stride(plan, flight))
        if happened & RESTED:
            return REST
        if happened & ESCAPED:
            return LEFT
    return TIME_LIMIT


@law
def _stride(plan: Plan, flight: Flight) -> float:
    """How many of the solver's steps the next step takes."""
    speed, captured = flight.plate_speed[0], flight.captured
    return float(
        stride_of(plan.pace, flight.ball, flight.watch, speed, captured, plan.surfaces, plan.setting)
    )


@law
def _advance(plan: Plan, flight: Flight, step: float) -> int:
    """One step of the contact law; what it brought, as bits of `sim.engines.watch`."""
    ball, start = flight.ball, flight.start
    kick(ball, plan.surfaces, plan.setting, flight.plate_speed[0], step)
    flight.time[0] += step
    turned, speed = plate_motion(start[4], plan.bearing[0], plan.bearing[1], flight.time[0])
    flight.plate_speed[0] = speed
    move(ball, plan.surfaces, plan.setting, start[5] + turned, speed, step)
    if plan.objects.shape[0] > 0:
        _move_discs(plan, flight, step)
    if ball.met[0] > 0.0:
        energy = 0.5 * ball.met[0] * ball.met[0]
        flight.impact[0] += energy
        flight.impact[1] = max(flight.impact[1], energy)
    return observe(flight.watch, ball, plan.limits, speed, flight.time[0])


@law
def _move_discs(plan: Plan, flight: Flight, step: float) -> None:
    """Let chips fall when their time has come; carry those that lie on the plate along; let the ball meet them."""
    discs, time = flight.discs, flight.time[0]
    for i in range(discs.shape[0]):
        fixed = plan.objects[i]
        if time < fixed[0]:
            continue
        if time - step < fixed[0]:
            discs[i, 0], discs[i, 1] = fixed[1] * cos(fixed[2]), fixed[1] * sin(fixed[2])
            if not flight.object[0] <= time:
                flight.object[0] = time
        disc = Disc(discs[i, :2], discs[i, 2:], fixed[3], fixed[4], fixed[5], fixed[6], fixed[7])
        discs[i, 2], discs[i, 3] = carried(disc, flight.plate_speed[0], -plan.setting.gravity[2], step)
        discs[i, 0] += step * discs[i, 2]
        discs[i, 1] += step * discs[i, 3]
        out, most = sqrt(discs[i, 0] ** 2 + discs[i, 1] ** 2), fixed[8] - fixed[3]
        if out > most:
            discs[i, 0] *= most / out
            discs[i, 1] *= most / out
        meet(flight.ball, disc, plan.setting.radius)


@law
def _write(plan: Plan, flight: Flight, ending: float, landing: NDArray[np.float64]) -> None:
    """The columns of LANDING."""
    ball, watch, start, time = flight.ball, flight.watch, flight.start, flight.time[0]
    turned, speed = plate_motion(start[4], plan.bearing[0], plan.bearing[1], time)
    angle = start[5] + turned
    azimuth = atan2(ball.position[1], ball.position[0])
    px, py, _ = in_plate(ball.position, plan.surfaces, cos(angle), sin(angle))
    _, offset = nearest_hollow(px, py, plan.surfaces)
    rung = watch.bell[0] >= 0.0
    landing[0] = watch.hollow[0] if ending == REST else -1
    landing[1] = ending
    landing[2] = azimuth % (2.0 * pi)
    landing[3] = (azimuth - angle) % (2.0 * pi)
    landing[4] = offset
    landing[5] = abs(watch.angle[0]) / (2.0 * pi)
    landing[6] = abs(turned) / (2.0 * pi)
    landing[7] = watch.hops[0]
    landing[8] = flight.drop[0]
    landing[9] = watch.bell_azimuth[0] % (2.0 * pi) if rung else np.nan
    landing[10] = flight.exit[0]
    landing[11] = watch.bell[0] if rung else np.nan
    landing[12] = flight.object[0]
    landing[13] = time
    landing[14] = watch.peak[0]
    landing[15] = speed
    landing[16], landing[17] = flight.impact[0], flight.impact[1]
    landing[18] = flight.captured[0]
    landing[19] = abs(flight.circled[0]) / (2.0 * pi)
    landing[20] = watch.first[0]
