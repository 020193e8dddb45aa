"""The contact law: one ball against one point of a surface, as impulses per unit mass.

Frame and units: velocities m/s in the lab frame, spins rad/s, impulses per unit mass m/s. ``normal`` is the unit
normal of the surface, pointing to the ball. ``surface`` is the material velocity of the surface at the contact
point, ``turn`` the angular velocity (about z, rad/s) with which that surface turns. The ball is a solid sphere.

The law: normal impulse; Coulomb friction on the slip s = c_t - R (spin x n); rolling resistance defined so that a ball
rolling freely on a level floor slows at exactly c_rr g (sources that define it by the torque differ by the
factor 1 + K = 7/5); pivot resistance against the spin about the normal.
"""

from math import sqrt

from sim.physics.compiled import law
from sim.physics.vectors import Vector, cross, dot, norm, plus, tangential

K = 0.4  # moment of inertia of a solid sphere over m R^2


@law
def slip_velocity(velocity: Vector, spin: Vector, normal: Vector, surface: Vector, radius: float) -> Vector:
    """Velocity of the ball's contact point relative to the surface, tangential part, m/s."""
    relative = tangential(plus(velocity, surface, -1.0), normal)
    return plus(relative, cross(spin, normal), -radius)


@law
def push(
    velocity: Vector, spin: Vector, normal: Vector, impulse: Vector, radius: float
) -> tuple[Vector, Vector]:
    """Velocity and spin after a tangential impulse (per unit mass, m/s) at the contact point."""
    return plus(velocity, impulse), plus(spin, cross(impulse, normal), 1.0 / (K * radius))


@law
def rub(
    velocity: Vector, spin: Vector, normal: Vector, surface: Vector, radius: float, limit: float
) -> tuple[Vector, Vector, bool]:
    """Friction at one contact: velocity and spin after it, and whether the ball rolls.

    limit: Coulomb's bound mu * j_n, m/s.
    """
    slip = slip_velocity(velocity, spin, normal, surface, radius)
    squared = dot(slip, slip)
    share = K / (1.0 + K)
    rolls = squared * share * share <= limit * limit
    if not rolls:
        share = limit / sqrt(squared)
    scaled = (-slip[0] * share, -slip[1] * share, -slip[2] * share)
    velocity, spin = push(velocity, spin, normal, scaled, radius)
    return velocity, spin, rolls


@law
def bounce(
    velocity: Vector,
    spin: Vector,
    normal: Vector,
    surface: Vector,
    radius: float,
    restitution: float,
    friction: float,
) -> tuple[Vector, Vector]:
    """Velocity and spin after an impact: j = -(1 + e) c_n, and friction bounded by mu j."""
    approach = dot(plus(velocity, surface, -1.0), normal)
    if approach >= 0.0:
        return velocity, spin
    impulse = -(1.0 + restitution) * approach
    velocity = plus(velocity, normal, impulse)
    velocity, spin, _ = rub(velocity, spin, normal, surface, radius, friction * impulse)
    return velocity, spin


@law
def slow_rolling(
    velocity: Vector, spin: Vector, normal: Vector, carried: Vector, turn: float, radius: float, loss: float
) -> tuple[Vector, Vector]:
    """Rolling resistance of a ball that rolls: its rolling velocity shortened by loss, its spin rebuilt; no creep.

    carried: velocity of a point at the ball's centre that turns with the surface, m/s. loss: c_rr * j_n, m/s.
    """
    rolling = tangential(plus(velocity, carried, -1.0), normal)
    speed = norm(rolling)
    if speed <= loss:
        kept = (0.0, 0.0, 0.0)
    else:
        share = 1.0 - loss / speed
        kept = (rolling[0] * share, rolling[1] * share, rolling[2] * share)
    velocity = plus(plus(velocity, rolling, -1.0), kept)
    about_normal = dot(spin, normal)
    shared = tangential((0.0, 0.0, turn), normal)
    spin = plus(plus(shared, cross(normal, kept), 1.0 / radius), normal, about_normal)
    return velocity, spin


@law
def slow_sliding(spin: Vector, normal: Vector, turn: float, radius: float, loss: float) -> Vector:
    """Rolling resistance of a ball that slides: a torque impulse against its spin relative to the surface."""
    relative = tangential((spin[0], spin[1], spin[2] - turn), normal)
    size = norm(relative)
    change = (1.0 + K) * loss / (K * radius)
    if size <= change:
        return plus(spin, relative, -1.0)
    return plus(spin, relative, -change / size)


@law
def slow_pivoting(spin: Vector, normal: Vector, turn: float, radius: float, loss: float) -> Vector:
    """Spinning resistance about the normal; loss: c_pivot * j_n, m/s."""
    relative = dot(spin, normal) - turn * normal[2]
    change = min(loss / (K * radius), abs(relative))
    return plus(spin, normal, -change if relative > 0.0 else change)
