"""The batch engine of plate machines: whole spins compiled, the same laws and the same notes as the rigid engine.

One spin depends on its start alone, so any set of spins in any order gives the same bits.
"""

from collections.abc import Iterable
from math import atan2, cos, pi, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.engines.groove import DROP_IN, RIM_STEP, in_groove, put_in_groove
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
from sim.physics.surface import CONE, Surfaces, in_plate, nearest_hollow

START = (
    "ball_speed", "ball_azimuth", "release_height", "ball_direction", "plate_speed", "plate_phase",
    "heavy_x", "heavy_y", "heavy_z",
)  # fmt: skip
"""Columns of starts; the fields of `sim.landing.Start`, SI."""
LANDING = (
    "pocket", "ending", "rest_azimuth", "rest_azimuth_plate", "offset", "ball_turns", "plate_turns", "hops",
    "drop_azimuth", "band_azimuth", "exit_time", "bell_time", "object_time", "duration", "peak_speed",
    "plate_speed", "impact_energy", "hardest_impact",
)  # fmt: skip
"""Columns of landings; SI. No pocket is -1; what did not happen is NaN. ``ending`` is REST, LEFT or TIME_LIMIT."""
REST, LEFT, TIME_LIMIT = 0.0, 1.0, 2.0
_NEAR = 0.005  # m, of the ball's centre from the edge of the plate, nearer than which steps are not longer


class Plan(NamedTuple):
    """All of a machine that a compiled spin reads; see `sim.machines.PlateMachine` and the laws.

    bearing: shape (2,). step, time_limit: s. cone_steps: how many times longer steps on the smooth cone are.
    cone_inner, cone_outer: m, where on it. objects: shape (n, 9): time, radius, azimuth, then the fields of a Disc that
    do not move: radius, thickness, mass, friction, restitution; and plate radius.
    """

    surfaces: Surfaces
    setting: Setting
    limits: Limits
    rim: Rim
    groove_height: float
    bearing: NDArray[np.float64]
    step: float
    cone_steps: float
    cone_inner: float
    cone_outer: float
    time_limit: float
    objects: NDArray[np.float64]


def plan_of(machine: PlateMachine, cone_steps: float = 4.0) -> Plan:
    """The arrays of a machine."""
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
        cone_steps,
        machine.plate_radius + _NEAR,
        machine.rim.radius - 0.1 * _NEAR,
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


def landings(machine: PlateMachine, starts: Iterable[Start], cone_steps: float = 4.0) -> NDArray[np.float64]:
    """Play every start; shape (n, len(LANDING)). With cone_steps = 1 each is the rigid engine's, to the bit."""
    rows = np.array([start_row(start) for start in starts]).reshape(-1, len(START))
    found = np.empty((len(rows), len(LANDING)))
    play(plan_of(machine, cone_steps), rows, found)
    return found


@routine
def play(plan: Plan, starts: NDArray[np.float64], landings: NDArray[np.float64]) -> None:
    """Play every start (shape (n, len(START))) and write its landing (shape (n, len(LANDING)))."""
    for row in range(starts.shape[0]):
        _play_one(plan, starts[row], landings[row])


@routine
def _play_one(plan: Plan, start: NDArray[np.float64], landing: NDArray[np.float64]) -> None:
    """One spin: into the groove, round it, free to the end."""
    ball = blank_ball()
    ball.heavy[0], ball.heavy[1], ball.heavy[2] = start[6], start[7], start[8]
    height = plan.groove_height + start[2]
    put_in_groove(ball, plan.rim, plan.setting.radius, height, start[1], start[3] * start[0])
    watch = new_watch(ball.position[0], ball.position[1])
    # Time, drop azimuth, exit time, object time, impact energy, hardest impact, plate speed.
    clock = np.zeros(7)
    clock[6] = start[4]
    clock[1] = clock[2] = clock[3] = np.nan
    discs = np.zeros((plan.objects.shape[0], 4))

    ending = -1.0
    circles = start[2] == 0.0
    if not circles:
        circles, ending = _fall_into_groove(plan, ball, watch, start, clock, discs)
    if circles:
        ending = _circle(plan, ball, watch, start, clock)
    if ending < 0.0:
        ending = _run_free(plan, ball, watch, start, clock, discs)
    _write(plan, ball, watch, start, clock, ending, landing)


@law
def _fall_into_groove(
    plan: Plan,
    ball: Ball,
    watch: Watch,
    start: NDArray[np.float64],
    clock: NDArray[np.float64],
    discs: NDArray[np.float64],
) -> tuple[bool, float]:
    """The contact law until the ball circles on floor and wall; whether it came to that, and the ending or -1."""
    steady = 0.0
    while clock[0] < plan.time_limit:
        happened = _advance(plan, ball, watch, start, clock, discs, plan.step)
        steady = steady + plan.step if in_groove(ball) else 0.0
        if steady >= DROP_IN:
            return True, -1.0
        if happened & (BELL | ESCAPED):
            return False, LEFT if happened & ESCAPED else -1.0
    return False, TIME_LIMIT


@law
def _circle(
    plan: Plan, ball: Ball, watch: Watch, start: NDArray[np.float64], clock: NDArray[np.float64]
) -> float:
    """The rim law until the wall's load vanishes; the ending, or -1."""
    azimuth = atan2(ball.position[1], ball.position[0])
    along = (ball.velocity[1] * cos(azimuth) - ball.velocity[0] * sin(azimuth)) * start[3]
    direction, released = int(start[3]), azimuth
    speed, left = along / plan.rim.radius, False
    while not left and clock[0] < plan.time_limit:
        azimuth, speed, taken, left = rim_law.step(azimuth, speed, direction, plan.rim, RIM_STEP)
        clock[0] += taken
    put_in_groove(
        ball, plan.rim, plan.setting.radius, plan.groove_height, azimuth, direction * speed * plan.rim.radius
    )
    watch.angle[0] += azimuth - released
    watch.last[0], watch.last[1] = ball.position[0], ball.position[1]
    if not left:
        return TIME_LIMIT
    turned, clock[6] = plate_motion(start[4], plan.bearing[0], plan.bearing[1], clock[0])
    adopt_contacts(ball, plan.surfaces, plan.setting.radius, start[5] + turned)
    clock[1], clock[2] = azimuth % (2.0 * pi), clock[0]
    watch.peak[0] = 0.0
    return -1.0


@law
def _run_free(
    plan: Plan,
    ball: Ball,
    watch: Watch,
    start: NDArray[np.float64],
    clock: NDArray[np.float64],
    discs: NDArray[np.float64],
) -> float:
    """The contact law to the end, in longer steps where the ball rolls on the smooth cone alone; the ending."""
    while clock[0] < plan.time_limit:
        step = plan.step
        if ball.touching[0] == 1 and ball.place[0, 2] == CONE:
            x, y = ball.position[0], ball.position[1]
            if plan.cone_inner * plan.cone_inner < x * x + y * y < plan.cone_outer * plan.cone_outer:
                step *= plan.cone_steps
        happened = _advance(plan, ball, watch, start, clock, discs, step)
        if happened & RESTED:
            return REST
        if happened & ESCAPED:
            return LEFT
    return TIME_LIMIT


@law
def _advance(
    plan: Plan,
    ball: Ball,
    watch: Watch,
    start: NDArray[np.float64],
    clock: NDArray[np.float64],
    discs: NDArray[np.float64],
    step: float,
) -> int:
    """One step of the contact law; what it brought, as bits of `sim.engines.watch`."""
    kick(ball, plan.surfaces, plan.setting, clock[6], step)
    clock[0] += step
    turned, speed = plate_motion(start[4], plan.bearing[0], plan.bearing[1], clock[0])
    clock[6] = speed
    angle = start[5] + turned
    move(ball, plan.surfaces, plan.setting, angle, speed, step)
    if plan.objects.shape[0] > 0:
        _move_discs(plan, ball, clock, discs, speed, step)
    if ball.met[0] > 0.0:
        energy = 0.5 * ball.met[0] * ball.met[0]
        clock[4] += energy
        clock[5] = max(clock[5], energy)
    return observe(watch, ball, plan.limits, speed, clock[0])


@law
def _move_discs(
    plan: Plan,
    ball: Ball,
    clock: NDArray[np.float64],
    discs: NDArray[np.float64],
    plate_speed: float,
    step: float,
) -> None:
    """Let chips fall when their time has come; carry those that lie on the plate along; let the ball meet them.

    discs: shape (n, 4), place and velocity of each.
    """
    for i in range(discs.shape[0]):
        fixed = plan.objects[i]
        if clock[0] < fixed[0]:
            continue
        if clock[0] - step < fixed[0]:
            discs[i, 0], discs[i, 1] = fixed[1] * cos(fixed[2]), fixed[1] * sin(fixed[2])
            if not clock[3] <= clock[0]:
                clock[3] = clock[0]
        disc = Disc(discs[i, :2], discs[i, 2:], fixed[3], fixed[4], fixed[5], fixed[6], fixed[7])
        discs[i, 2], discs[i, 3] = carried(disc, plate_speed, -plan.setting.gravity[2], step)
        discs[i, 0] += step * discs[i, 2]
        discs[i, 1] += step * discs[i, 3]
        out, most = sqrt(discs[i, 0] ** 2 + discs[i, 1] ** 2), fixed[8] - fixed[3]
        if out > most:
            discs[i, 0] *= most / out
            discs[i, 1] *= most / out
        meet(ball, disc, plan.setting.radius)


@law
def _write(
    plan: Plan,
    ball: Ball,
    watch: Watch,
    start: NDArray[np.float64],
    clock: NDArray[np.float64],
    ending: float,
    landing: NDArray[np.float64],
) -> None:
    """The columns of LANDING."""
    turned, speed = plate_motion(start[4], plan.bearing[0], plan.bearing[1], clock[0])
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
    landing[8] = clock[1]
    landing[9] = watch.bell_azimuth[0] % (2.0 * pi) if rung else np.nan
    landing[10] = clock[2]
    landing[11] = watch.bell[0] if rung else np.nan
    landing[12] = clock[3]
    landing[13] = clock[0]
    landing[14] = watch.peak[0]
    landing[15] = speed
    landing[16], landing[17] = clock[4], clock[5]
