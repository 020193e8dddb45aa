"""The batch engine of pegged wheels: whole spins compiled from the laws of `sim.physics.clapper`.

One spin depends on its push alone, so any set of pushes in any order gives the same bits.
"""

from collections.abc import Iterable
from math import asin, atan2, cos, hypot, inf, pi, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.landing import Push
from sim.machines.wheel import WheelMachine
from sim.physics.clapper import Clapper, Wheel, kick_clapper, kick_wheel, meet, press
from sim.physics.compiled import law, routine

PUSH = ("speed", "phase")
"""Columns of starts; the fields of `sim.landing.Push`, SI."""
LANDING = (
    "section", "on_peg", "ending", "rest_azimuth", "rest_azimuth_plate", "offset", "turns_forward", "turns_net",
    "plate_turns", "duration", "peak_speed", "plate_speed",
)  # fmt: skip
"""Columns of landings; SI and turns. No section is -1. ``ending`` is REST or TIME_LIMIT of `plate_batch`."""
_TURN = 2.0 * pi
_REST, _TIME_LIMIT = 0.0, 2.0
_MOTION = 9  # columns that a compiled spin writes
_SLOP = 1e-4  # m, of overlap that is left, so that a tip at rest on a peg stays in touch
_REBOUND = 0.03  # m/s, below which a contact ends without one
_SWEEPS = 4  # over the contacts of a step: friction at one changes the approach at it and at the other


class Plan(NamedTuple):
    """All of a machine that a compiled spin reads.

    pegs: shape (4 n_pegs, 3), angle from the zero mark (rad, rising through four turns, the third from 0),
    distance and radius (m).
    pivot: azimuth of the clapper's pivot, rad. aim: angle of a clapper that points at the axis, rad. lean: how far the
    tip's azimuth moves at most for each radian off that. reach: rad, from the arm, beyond which no peg can touch it.
    step, time_limit, rest_time: s. rest_angle, clapper_rest_angle: rad.
    """

    wheel: Wheel
    clapper: Clapper
    pegs: NDArray[np.float64]
    pivot: float
    aim: float
    lean: float
    reach: float
    step: float
    time_limit: float
    rest_time: float
    rest_angle: float
    clapper_rest_angle: float


def plan_of(machine: WheelMachine) -> Plan:
    """The arrays of a machine."""
    clapper, solver = machine.clapper, machine.solver
    pegs = machine.pegs.copy()
    pegs[:, 0] %= _TURN
    pegs = pegs[np.argsort(pegs[:, 0])]
    away = hypot(clapper.pivot_x, clapper.pivot_y)
    return Plan(
        machine.wheel,
        clapper,
        np.vstack([pegs + np.array([turn * _TURN, 0.0, 0.0]) for turn in (-2, -1, 0, 1)]),
        atan2(clapper.pivot_y, clapper.pivot_x),
        atan2(-clapper.pivot_x, clapper.pivot_y),
        clapper.arm / (away - clapper.arm),
        asin((float(pegs[:, 2].max()) + clapper.radius) / float(pegs[:, 1].min())),
        solver.step,
        solver.time_limit,
        solver.rest_time,
        solver.rest_angle,
        solver.clapper_rest_angle,
    )


def push_row(push: Push) -> tuple[float, float]:
    """The columns of PUSH."""
    return (push.speed, push.phase)


def landings(machine: WheelMachine, pushes: Iterable[Push]) -> NDArray[np.float64]:
    """Play every push; shape (n, len(LANDING))."""
    rows = np.array([push_row(push) for push in pushes]).reshape(-1, len(PUSH))
    return land(machine, rows)


def land(machine: WheelMachine, pushes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Play every push (shape (n, len(PUSH))), let go with the clapper clear; shape (n, len(LANDING))."""
    motion = np.empty((len(pushes), _MOTION))
    clear = [machine.clear_phase(phase) for phase in pushes[:, 1].tolist()]
    play(plan_of(machine), np.column_stack([pushes[:, 0], clear]), motion)
    found = np.empty((len(pushes), len(LANDING)))
    found[:, 2] = motion[:, 2]
    found[:, 6:8] = motion[:, 3:5] / (_TURN)
    found[:, 8] = motion[:, 5] / (_TURN)
    found[:, 9:] = motion[:, 6:9]
    for row, (angle, arm, ending) in enumerate(motion[:, :3].tolist()):
        section, on_peg, place = machine.read(angle, arm, -1 if pushes[row, 0] < 0.0 else 1)
        tip = machine.bearing_of_tip(arm)
        settled = ending == _REST
        found[row, :2] = section if settled else -1.0, float(on_peg and settled)
        found[row, 3:6] = tip % (_TURN), (tip - angle) % (_TURN), abs(place)
    return found


@routine
def play(plan: Plan, pushes: NDArray[np.float64], motion: NDArray[np.float64]) -> None:
    """Play every push (shape (n, len(PUSH))) from where it stands.

    motion, written: shape (n, 9); angles of wheel and clapper, ending, angles turned (rad) up to the first reversal,
    in all, and along the whole path, duration (s), peak speed of the tip (m/s), speed of the wheel (rad/s).
    """
    for row in range(pushes.shape[0]):
        _play_one(plan, pushes[row, 0], pushes[row, 1], motion[row])


@law
def _play_one(plan: Plan, speed: float, phase: float, motion: NDArray[np.float64]) -> None:
    """One push, until wheel and clapper have stayed where they are, or to the time limit."""
    direction = -1.0 if speed < 0.0 else 1.0
    # The wheel stands at ``angle``, kept within a turn, after so many whole ``turns``.
    angle, turns = phase % _TURN, 0.0
    begun = angle
    arm, swing = plan.clapper.rest_angle, 0.0
    angle_back = arm_back = 0.0
    farthest = path = peak = time = still_since = 0.0
    turned_back = False
    stood, arm_stood = inf, inf
    ending = _TIME_LIMIT
    peg, count, steps = 1, plan.pegs.shape[0] // 4, 0
    while ending == _TIME_LIMIT and time < plan.time_limit:
        steps += 1
        time = steps * plan.step
        # 1. Turn both, and take back the overlap of the step before.
        turn = plan.step * speed + angle_back
        angle += turn
        arm += plan.step * swing + arm_back
        angle_back = arm_back = 0.0
        if not 0.0 <= angle < _TURN:
            whole = 1 if angle > 0.0 else -1
            angle, turns, peg = angle - whole * _TURN, turns + whole * _TURN, peg + whole * count
        # 2. Kick both.
        speed = kick_wheel(angle, speed, plan.wheel, plan.step)
        swing = kick_clapper(arm, swing, plan.clapper, plan.step)
        # 3. Let the clapper meet the pegs that it can reach: those within [low, high] from the zero mark.
        off = arm - plan.aim
        low = plan.pivot - plan.reach - angle - plan.lean * max(off, 0.0)
        high = plan.pivot + plan.reach - angle - plan.lean * min(off, 0.0)
        while plan.pegs[peg, 0] < low:
            peg += 1
        while plan.pegs[peg - 1, 0] >= low:
            peg -= 1
        if plan.pegs[peg, 0] <= high:
            speed, swing, angle_back, arm_back = _touch(plan, peg, high, angle, arm, speed, swing)
        # 4. Count turns, and see whether both stay.
        path += abs(turn)
        peak = max(peak, abs(swing))
        turned = direction * (turns + angle - begun)
        if not turned_back:
            farthest = max(farthest, turned)
            turned_back = turned < farthest - plan.rest_angle
        if abs(turned - stood) > plan.rest_angle or abs(arm - arm_stood) > plan.clapper_rest_angle:
            stood, arm_stood, still_since = turned, arm, time
        elif time - still_since >= plan.rest_time:
            ending = _REST
    motion[0], motion[1], motion[2] = angle, arm, ending
    motion[3], motion[4], motion[5] = farthest, direction * (turns + angle - begun), path
    motion[6], motion[7], motion[8] = time, peak * plan.clapper.arm, speed


@law
def _touch(
    plan: Plan, peg: int, high: float, angle: float, arm: float, speed: float, swing: float
) -> tuple[float, float, float, float]:
    """Speeds of wheel and clapper after their contacts, and by how much they turn to part, rad.

    peg: row of the first that the clapper can reach; high: angle from the zero mark up to which it can, rad.
    """
    angle_back = arm_back = 0.0
    for sweep in range(_SWEEPS):
        touching = 0
        row = peg
        while plan.pegs[row, 0] <= high:
            azimuth, distance = angle + plan.pegs[row, 0], plan.pegs[row, 1]
            contact = meet(
                distance * cos(azimuth), distance * sin(azimuth), plan.pegs[row, 2], arm, plan.clapper
            )
            if contact[0] < 0.0:
                touching += 1
                speed, swing, _ = press(speed, swing, contact, plan.wheel, plan.clapper, _REBOUND)
                if sweep == 0 and contact[0] < -_SLOP:
                    wheel_part, arm_part = _part(contact, -contact[0] - _SLOP, plan)
                    angle_back += wheel_part
                    arm_back += arm_part
            row += 1
        if touching < 2:
            break
    return speed, swing, angle_back, arm_back


@law
def _part(contact: tuple[float, float, float, float, float], depth: float, plan: Plan) -> tuple[float, float]:
    """Angles by which wheel and clapper turn to part by ``depth`` (m) along a contact's normal, as an impulse would."""
    gap, nx, ny, px, py = contact
    a = px * ny - py * nx
    b = (px + gap * nx - plan.clapper.pivot_x) * ny - (py + gap * ny - plan.clapper.pivot_y) * nx
    wheel, arm = 1.0 / plan.wheel.inertia, 1.0 / plan.clapper.inertia
    push = depth / (a * a * wheel + b * b * arm)
    return -push * a * wheel, push * b * arm
