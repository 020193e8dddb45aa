"""The pegged wheel: its bearing, its imbalance, the clapper on its spring, and the meeting of clapper and peg.

Vertical plane seen from the front: x to the right, y up, origin on the wheel's axis, angles counter-clockwise.
``angle`` of the wheel is that of its zero mark; the clapper's is 0 when it hangs straight down. Two bodies that
only turn:

    I dw/dt   = -I (d0 sign w + d1 w + d2 w|w|) - M g e cos(theta + theta_e) + contact
    I_c dq/dt = -k (phi - phi_0) - c q - m g (L/2) sin phi + contact

A step is: kick both, let clapper and pegs meet, turn both by their new speeds.
"""

from math import cos, sin, sqrt
from typing import NamedTuple

from sim.physics.compiled import law


class Wheel(NamedTuple):
    """A wheel on its bearing; pegs not included.

    inertia: kg m^2. constant (rad/s^2), linear (1/s), quadratic (1/rad): deceleration by the bearing and the air.
    heavy: M g e, N m, the largest torque of the imbalance; heavy_angle: rad, of the heavy side from the zero mark.
    """

    inertia: float
    constant: float
    linear: float
    quadratic: float
    heavy: float
    heavy_angle: float


class Clapper(NamedTuple):
    """An arm, round at its tip and as thick as it, that hangs from a pivot into the circle of the pegs.

    pivot_x, pivot_y: m. arm: m, from the pivot to the middle of the tip. radius: m, of the tip and half the arm's
    thickness. inertia: kg m^2 about the pivot. weight: N m, torque of gravity on the level arm. rest_angle: rad, at
    which the spring is slack. spring: N m/rad. damper: N m s/rad. restitution, friction: of the pair peg and tip.
    """

    pivot_x: float
    pivot_y: float
    arm: float
    radius: float
    inertia: float
    weight: float
    rest_angle: float
    spring: float
    damper: float
    restitution: float
    friction: float


@law
def kick_wheel(angle: float, speed: float, wheel: Wheel, duration: float) -> float:
    """Speed of the wheel, rad/s, after ``duration`` s of all torques but those of contacts.

    Dry friction can stop the wheel but never drives it, so a wheel that its imbalance cannot move stays.
    """
    slowing = (wheel.linear + wheel.quadratic * abs(speed)) * speed
    turning = 0.0
    if wheel.heavy != 0.0:
        turning = wheel.heavy * cos(angle + wheel.heavy_angle) / wheel.inertia
    free = speed - duration * (slowing + turning)
    held = wheel.constant * duration
    if free > held:
        return free - held
    if free < -held:
        return free + held
    return 0.0


@law
def kick_clapper(angle: float, speed: float, clapper: Clapper, duration: float) -> float:
    """Speed of the clapper, rad/s, after ``duration`` s of spring, damper and gravity."""
    torque = (
        -clapper.spring * (angle - clapper.rest_angle) - clapper.damper * speed - clapper.weight * sin(angle)
    )
    return speed + duration / clapper.inertia * torque


@law
def coast(angle: float, speed: float, wheel: Wheel, step: float, limit: float) -> tuple[float, float, float]:
    """Angle (rad), speed (rad/s) and time (s) at which a wheel with its clapper held clear comes to rest.

    step: s. limit: s, after which it is given up; its speed then is not 0.
    """
    time = 0.0
    while time < limit:
        before = speed
        speed = kick_wheel(angle, speed, wheel, step)
        if before == 0.0 and speed == 0.0:
            break
        angle += step * speed
        time += step
    return angle, speed, time


@law
def tip_of(angle: float, clapper: Clapper) -> tuple[float, float]:
    """Middle of the tip, m."""
    return clapper.pivot_x + clapper.arm * sin(angle), clapper.pivot_y - clapper.arm * cos(angle)


@law
def meet(
    x: float, y: float, radius: float, angle: float, clapper: Clapper
) -> tuple[float, float, float, float, float]:
    """Gap (m), unit normal from peg to clapper (2), and point of contact on the peg (2, m).

    x, y, radius: of the peg, m. angle: of the clapper, rad.
    """
    along_x, along_y = sin(angle), -cos(angle)
    share = (x - clapper.pivot_x) * along_x + (y - clapper.pivot_y) * along_y
    share = min(max(share, 0.0), clapper.arm)
    nx, ny = clapper.pivot_x + share * along_x - x, clapper.pivot_y + share * along_y - y
    apart = sqrt(nx * nx + ny * ny)
    share = 1.0 / apart
    nx, ny = nx * share, ny * share
    return apart - radius - clapper.radius, nx, ny, x + radius * nx, y + radius * ny


@law
def press(
    wheel_speed: float,
    clapper_speed: float,
    contact: tuple[float, float, float, float, float],
    wheel: Wheel,
    clapper: Clapper,
    threshold: float,
) -> tuple[float, float, float]:
    """Speeds of wheel and clapper (rad/s) after a contact's impulse, and that normal impulse (N s).

    contact: as `meet` gives it. Below ``threshold`` (m/s) the approach ends without a rebound. Normal and friction act
    together, for each turns the clapper and so changes what the other has to do; Coulomb's cone is kept. Both bodies
    only turn, so an impulse acts through its lever arms alone.
    """
    gap, nx, ny, px, py = contact
    qx, qy = px + gap * nx - clapper.pivot_x, py + gap * ny - clapper.pivot_y
    # Levers of normal (a, b) and tangent (c, d) about axis and pivot, and what a unit of either brings of both.
    a, b = px * ny - py * nx, qx * ny - qy * nx
    c, d = px * nx + py * ny, qx * nx + qy * ny
    approach, slip = b * clapper_speed - a * wheel_speed, d * clapper_speed - c * wheel_speed
    if approach >= 0.0:
        return wheel_speed, clapper_speed, 0.0
    wanted = -approach * (1.0 + clapper.restitution if approach < -threshold else 1.0)
    ease, arm = 1.0 / wheel.inertia, 1.0 / clapper.inertia
    nn, nt, tt = a * a * ease + b * b * arm, a * c * ease + b * d * arm, c * c * ease + d * d * arm
    lean = -clapper.friction if slip > 0.0 else clapper.friction
    normal = wanted / (nn + lean * nt)
    if normal < 0.0 or (slip + normal * (nt + lean * tt)) * slip < 0.0:
        # The slip ends: so much friction as stops it, or as the cone allows the other way.
        rest = ease * arm * (a * d - b * c) ** 2
        normal = (wanted * tt + slip * nt) / rest
        lean = min(max(-(slip * nn + wanted * nt) / (rest * normal), -clapper.friction), clapper.friction)
        normal = wanted / (nn + lean * nt)
    rub = lean * normal
    return wheel_speed - (normal * a + rub * c) * ease, clapper_speed + (normal * b + rub * d) * arm, normal
