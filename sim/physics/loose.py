"""A loose object on the plate: a flat disc that rubs on the plate and that the ball really meets.

The disc lies flat at the height of the band; it slides but does not tip, and its own turning is left out.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.physics.ball import CALM, Ball
from sim.physics.compiled import law
from sim.physics.contact import rub
from sim.physics.vectors import Vector, dot, plus


class Disc(NamedTuple):
    """A disc; place and velocity, shape (2,), m and m/s in the lab, change in place.

    radius, thickness: m. mass: of the disc over that of the ball. friction, restitution: with the ball; the friction
    also with the plate.
    """

    place: NDArray[np.float64]
    velocity: NDArray[np.float64]
    radius: float
    thickness: float
    mass: float
    friction: float
    restitution: float


@law
def carried(disc: Disc, plate_speed: float, gravity: float, duration: float) -> tuple[float, float]:
    """Velocity of the disc after the plate has rubbed on it for ``duration`` s (Coulomb). gravity: m/s^2, downward."""
    vx, vy = -plate_speed * disc.place[1], plate_speed * disc.place[0]
    dx, dy = vx - disc.velocity[0], vy - disc.velocity[1]
    slip = sqrt(dx * dx + dy * dy)
    most = disc.friction * gravity * duration
    if slip <= most:
        return vx, vy
    return disc.velocity[0] + dx * most / slip, disc.velocity[1] + dy * most / slip


@law
def _touch(disc: Disc, position: Vector) -> tuple[float, Vector]:
    """Distance of a point (m) from the disc, and the unit normal from its nearest point."""
    x, y = position[0] - disc.place[0], position[1] - disc.place[1]
    q = sqrt(x * x + y * y)
    ex, ey = (x / q, y / q) if q > 1e-12 else (1.0, 0.0)
    out, up = max(q - disc.radius, 0.0), position[2] - min(position[2], disc.thickness)
    distance = sqrt(out * out + up * up)
    if distance < 1e-12:
        return 0.0, (0.0, 0.0, 1.0)
    return distance, (ex * out / distance, ey * out / distance, up / distance)


@law
def meet(ball: Ball, disc: Disc, radius: float) -> float:
    """Let ball (radius m) and disc push each other apart where they overlap; returns the impact speed, m/s (0: none).

    The disc can give way along the plate only, so its share of the impulse counts by the horizontal part of the normal.
    Changes ball and disc.
    """
    position = (ball.position[0], ball.position[1], ball.position[2])
    distance, normal = _touch(disc, position)
    if distance >= radius:
        return 0.0
    velocity = (ball.velocity[0], ball.velocity[1], ball.velocity[2])
    spin = (ball.spin[0], ball.spin[1], ball.spin[2])
    surface = (disc.velocity[0], disc.velocity[1], 0.0)
    ball.position[0], ball.position[1], ball.position[2] = plus(position, normal, radius - distance)
    approach = dot(plus(velocity, surface, -1.0), normal)
    if approach >= 0.0:
        return 0.0
    restitution = disc.restitution if approach < -CALM else 0.0
    yielding = 1.0 + (1.0 - normal[2] * normal[2]) / disc.mass
    impulse = -(1.0 + restitution) * approach / yielding
    after = plus(velocity, normal, impulse)
    after, spin, _ = rub(after, spin, normal, surface, radius, disc.friction * impulse)
    disc.velocity[0] += (velocity[0] - after[0]) / disc.mass
    disc.velocity[1] += (velocity[1] - after[1]) / disc.mass
    ball.velocity[0], ball.velocity[1], ball.velocity[2] = after
    ball.spin[0], ball.spin[1], ball.spin[2] = spin
    return -approach
