"""The state of a ball, whose step is ``sim.physics.kick`` and then ``sim.physics.move``: leapfrog with the contact law.

    kick   gravity and drag at the stored positions, then at each stored contact: the normal impulse that keeps the
           ball on the surface, friction, rolling and pivot resistance
    move   to the end of the step; there find the contacts, put the ball back on the surfaces it was on
           (multiplier lambda along the *old* normal), and let it bounce off those it newly met

Velocity lags half a step behind position while a half kick is pending (``Ball.pending``). Friction must act before the
move: otherwise a hollow loses half its energy in seconds.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.physics.compiled import law, routine
from sim.physics.contact import K
from sim.physics.vectors import Vector, cross, plus

CONTACTS = 6  # most contacts at once
STATOR, ROTOR = 0, 1
CALM = 0.03  # m/s: a slower approach does not bounce; 0.005 to 0.12 changes no outcome
CONVERGED = 1e-10  # m/s, change at which several contacts at once are solved


class Setting(NamedTuple):
    """What does not change during a spin.

    radius: m. gravity: m/s^2, lab frame. drag: 1/m, b of ``losses.drag``. offset: m, of the ball's centre of mass from
    its centre.
    """

    radius: float
    gravity: Vector
    drag: float
    offset: float = 0.0


class Ball(NamedTuple):
    """The state of a ball; the steps change these arrays in place.

    position, velocity (m, m/s), spin (rad/s): shape (3,), lab frame. pending: shape (1,), s of gravity that the
    velocity still lacks. touching: shape (1,), number of contacts, whose state the rows below hold: normal shape
    (CONTACTS, 3); impulse shape (CONTACTS,), lambda of the last move, m/s; place shape (CONTACTS, 5): body (STATOR
    or ROTOR), row of the pair table, part, hollow (-1: none), chain. met: shape (5,), the impact of the last move:
    speed m/s (0: none), part, hollow, body, and the time back from the end of the step, s. heavy: shape (3,), unit
    vector from the ball's centre to its centre of mass. spot: shape (3,), of the last contact search: the hollow
    whose mouth the ball's centre is in (-1: none), its distance from that hollow's axis and its height over the band,
    m. held: shape (2 CONTACTS, 7), friction impulse, rolling and pivot change of spin of the last step at each contact,
    where there were several. work, found: scratch.
    """

    position: NDArray[np.float64]
    velocity: NDArray[np.float64]
    spin: NDArray[np.float64]
    pending: NDArray[np.float64]
    touching: NDArray[np.int64]
    normal: NDArray[np.float64]
    impulse: NDArray[np.float64]
    place: NDArray[np.int64]
    met: NDArray[np.float64]
    heavy: NDArray[np.float64]
    spot: NDArray[np.float64]
    held: NDArray[np.float64]
    work: NDArray[np.float64]
    found: NDArray[np.float64]


@routine
def blank_ball() -> Ball:
    """A ball at the origin, at rest, touching nothing."""
    return Ball(
        np.zeros(3),
        np.zeros(3),
        np.zeros(3),
        np.zeros(1),
        np.zeros(1, dtype=np.int64),
        np.zeros((CONTACTS, 3)),
        np.zeros(CONTACTS),
        np.zeros((CONTACTS, 5), dtype=np.int64),
        np.zeros(5),
        np.zeros(3),
        np.array([-1.0, 0.0, 0.0]),
        np.zeros((2 * CONTACTS, 7)),
        np.zeros((CONTACTS, 8)),
        np.zeros((CONTACTS, 10)),
    )


def new_ball(position: Vector, velocity: Vector, spin: Vector, heavy: Vector = (0.0, 0.0, -1.0)) -> Ball:
    """A ball in free flight at a position (m) with a velocity (m/s), a spin (rad/s) and its heavy side."""
    ball = blank_ball()
    ball.position[:], ball.velocity[:], ball.spin[:], ball.heavy[:] = position, velocity, spin, heavy
    return ball


@law
def get(array: NDArray[np.float64]) -> Vector:
    """The vector in an array of shape (3,)."""
    return (array[0], array[1], array[2])


@law
def put(array: NDArray[np.float64], value: Vector) -> None:
    """Write a vector into an array of shape (3,)."""
    array[0], array[1], array[2] = value


# No views in the laws: numba counts references to each, which costs more than the arithmetic.
@law
def row_of(table: NDArray[np.float64], row: int, column: int) -> Vector:
    """The vector that begins at a column of a row of a table."""
    return (table[row, column], table[row, column + 1], table[row, column + 2])


@law
def put_row(table: NDArray[np.float64], row: int, column: int, value: Vector) -> None:
    """Write a vector into a row of a table, from a column on."""
    table[row, column], table[row, column + 1], table[row, column + 2] = value


@law
def surface_velocity(position: Vector, normal: Vector, reach: float, turn: float) -> Vector:
    """Velocity (m/s) of a body turning at turn (rad/s) about z, at the point reach m below the ball's centre."""
    return (-turn * (position[1] - reach * normal[1]), turn * (position[0] - reach * normal[0]), 0.0)


@law
def unbalanced(ball: Ball, setting: Setting, impulse: Vector) -> Vector:
    """Spin of a ball whose contacts push with an impulse (per unit mass, m/s) past its centre of mass.

    To first order in offset over radius: d spin = -(offset heavy x impulse)/(K R^2).
    """
    turning = cross(get(ball.heavy), impulse)
    return plus(get(ball.spin), turning, -setting.offset / (K * setting.radius * setting.radius))
