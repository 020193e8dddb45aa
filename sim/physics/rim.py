"""The rim phase: the ball in its groove, as a one-dimensional law along the groove.

    dw/dt = -d(w) + s (g sin tau / (R chi)) sin(psi - theta)      w >= 0 along the direction of travel s = +-1
    leaves when w^2 <= (g / R) tan(alpha - tau cos(theta - psi)) / (1 + lambda)

Source: Small & Tse 2012, equations (1) and (2) for the point mass; the inertias chi (tangential) and lambda (at
the exit) of a rolling ball are derived in ``inertia``.
"""

from math import cos, pi, sin, sqrt, tan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.physics.compiled import law
from sim.physics.contact import K
from sim.physics.vectors import Vector


class Rim(NamedTuple):
    """A groove and the law of the ball in it.

    radius: m, circle of the ball's centre. slope: rad, of the groove's floor. chi, exit_inertia: see ``inertia``;
    radial, axial: see ``rolling``.
    constant (rad/s^2), linear (1/s), quadratic (1/rad): d(w); ignored where ``table`` (shape (n, 2), rad/s and
    rad/s^2, speeds increasing) has rows, between which d is linear and beyond which it is constant.
    gravity: m/s^2. tilt, low_side: rad. faults: worn or bumped arcs, shape (n, 4): lab azimuth of the middle and half
    the width, rad; what is added there to d, rad/s^2, and to the slope, rad; both fade out as a raised cosine.
    """

    radius: float
    slope: float
    chi: float
    exit_inertia: float
    radial: float
    axial: float
    constant: float
    linear: float
    quadratic: float
    table: NDArray[np.float64]
    gravity: float
    tilt: float
    low_side: float
    faults: NDArray[np.float64]


def inertia(preset: str, slope: float) -> tuple[float, float]:
    """(chi, lambda) of an inertia preset, for a floor of slope ``slope`` (rad).

    ``point_mass``: (1, 0), Small & Tse 2012. ``rolling``: (1 + K, 0), rolling on the floor alone. ``two_contact``:
    rolling on floor and wall at once, without slip at either: spin -(v/R_b) ((1 - sin a)/cos a  r + z), whose energy
    gives chi = 1 + 2K/(1 + sin a), and whose precession takes a floor friction that gives lambda = K/(1 + sin a).
    """
    if preset == "point_mass":
        return 1.0, 0.0
    if preset == "rolling":
        return 1.0 + K, 0.0
    if preset == "two_contact":
        return 1.0 + 2.0 * K / (1.0 + sin(slope)), K / (1.0 + sin(slope))
    raise ValueError(f"no such inertia preset: {preset}")


def rolling(preset: str, slope: float) -> tuple[float, float]:
    """Radial and vertical spin, times R_b/v, of a ball that circles counter-clockwise with an inertia preset."""
    if preset == "point_mass":
        return 0.0, 0.0
    if preset == "rolling":
        return -cos(slope), -sin(slope)
    return -(1.0 - sin(slope)) / cos(slope), -1.0


@law
def groove_spin(azimuth: float, velocity: float, ball_radius: float, rim: Rim) -> Vector:
    """Spin (rad/s, lab frame) of a ball that circles with signed velocity (m/s, counter-clockwise positive)."""
    rate = velocity / ball_radius
    return (rim.radial * rate * cos(azimuth), rim.radial * rate * sin(azimuth), rim.axial * rate)


@law
def deceleration(speed: float, rim: Rim) -> float:
    """d(w), rad/s^2, at the angular speed w (rad/s)."""
    table = rim.table
    rows = table.shape[0]
    if rows == 0:
        return rim.constant + rim.linear * speed + rim.quadratic * speed * speed
    if speed <= table[0, 0]:
        return float(table[0, 1])
    for row in range(1, rows):
        if speed <= table[row, 0]:
            share = (speed - table[row - 1, 0]) / (table[row, 0] - table[row - 1, 0])
            return float(table[row - 1, 1] + share * (table[row, 1] - table[row - 1, 1]))
    return float(table[rows - 1, 1])


@law
def _fault(azimuth: float, rim: Rim, column: int) -> float:
    """What the faults of the groove add at a lab azimuth: column 2 of ``Rim.faults`` to d, column 3 to the slope."""
    total = 0.0
    for row in range(rim.faults.shape[0]):
        away = abs((azimuth - rim.faults[row, 0] + pi) % (2.0 * pi) - pi)
        if away < rim.faults[row, 1]:
            total += rim.faults[row, column] * 0.5 * (1.0 + cos(pi * away / rim.faults[row, 1]))
    return total


@law
def exit_speed(azimuth: float, rim: Rim) -> float:
    """Angular speed (rad/s) at which the wall's load vanishes at a lab azimuth (rad)."""
    slope = rim.slope - rim.tilt * cos(azimuth - rim.low_side) + _fault(azimuth, rim, 3)
    return sqrt(max(rim.gravity / rim.radius * tan(slope) / (1.0 + rim.exit_inertia), 0.0))


@law
def _rate(azimuth: float, speed: float, direction: int, rim: Rim) -> float:
    pull = rim.gravity * sin(rim.tilt) / (rim.radius * rim.chi)
    return (
        -deceleration(speed, rim) - _fault(azimuth, rim, 2) + direction * pull * sin(rim.low_side - azimuth)
    )


@law
def advance(azimuth: float, speed: float, direction: int, rim: Rim, duration: float) -> tuple[float, float]:
    """Azimuth and speed after one Runge-Kutta step of the rim law (fourth order)."""
    half = 0.5 * duration
    a1 = _rate(azimuth, speed, direction, rim)
    s2 = speed + half * a1
    a2 = _rate(azimuth + direction * half * speed, s2, direction, rim)
    s3 = speed + half * a2
    a3 = _rate(azimuth + direction * half * s2, s3, direction, rim)
    s4 = speed + duration * a3
    a4 = _rate(azimuth + direction * duration * s3, s4, direction, rim)
    azimuth += direction * duration * (speed + 2.0 * s2 + 2.0 * s3 + s4) / 6.0
    return azimuth, speed + duration * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0


@law
def step(
    azimuth: float, speed: float, direction: int, rim: Rim, duration: float
) -> tuple[float, float, float, bool]:
    """One step of the rim law, cut at the exit: azimuth, speed, time taken (s), and whether the ball has left."""
    if speed <= exit_speed(azimuth, rim):
        return azimuth, speed, 0.0, True
    end, slower = advance(azimuth, speed, direction, rim, duration)
    if slower > exit_speed(end, rim):
        return end, slower, duration, False
    before, after = 0.0, duration
    for _ in range(60):
        middle = 0.5 * (before + after)
        end, slower = advance(azimuth, speed, direction, rim, middle)
        if slower > exit_speed(end, rim):
            before = middle
        else:
            after = middle
    end, slower = advance(azimuth, speed, direction, rim, after)
    return end, slower, after, True


@law
def circulate(
    azimuth: float, speed: float, direction: int, rim: Rim, duration: float, limit: float
) -> tuple[float, float, float, bool]:
    """The whole rim phase in steps of ``duration`` s: azimuth (not wrapped), speed and time at the exit.

    Ends after ``limit`` s at the latest; the last value says whether the ball has left.
    """
    time = 0.0
    left = False
    while not left and time < limit:
        azimuth, speed, taken, left = step(azimuth, speed, direction, rim, duration)
        time += taken
    return azimuth, speed, time, left


def uneven_exit(rim: Rim, deceleration_at_exit: float) -> float:
    """beta = (g tau / (2 R d)) (2/chi + sec^2 a/(1 + lambda)): how strongly tilt gathers the exits.

    For beta < 1 the exit azimuth has density (1 + beta sin phi)/2 pi, phi from the low point along the travel; for
    beta > 1 an arc is forbidden. d in rad/s^2, constant near the exit.
    """
    secant = 1.0 / cos(rim.slope) ** 2
    response = 2.0 / rim.chi + secant / (1.0 + rim.exit_inertia)
    return rim.gravity * rim.tilt / (2.0 * rim.radius * deceleration_at_exit) * response


def full_turn(angle: float) -> float:
    """An angle brought into [0, 2 pi)."""
    wrapped = angle % (2.0 * pi)
    return 0.0 if wrapped == 2.0 * pi else wrapped
