"""Capture: when it is decided in which hollow the ball will rest, long before it rests.

In the frame of a plate that turns at W, a ball's energy over its mass, its Jacobi constant,

    J = |v - W x r|^2/2 + k R_b^2 |w - W z|^2/2 + g z - W^2 r^2/2

never rises while W and gravity stand still in that frame (friction and impacts only take). So a ball in a hollow stays
there once J is below its lowest value at rest on the lip, which is at the lip's outermost point. What can still lift it
is bounded and taken off: gravity that turns relative to a tilted plate, the plate's slowing, a heavy side.
"""

from math import acos, hypot
from typing import NamedTuple

from sim.machines import PlateMachine
from sim.physics.ball import Ball, Setting
from sim.physics.compiled import law
from sim.physics.contact import K
from sim.physics.surface import Surfaces

MARGIN = 2e-3
"""J/kg below the barrier before a landing counts as decided; swept in docs/engines.md."""


class Basin(NamedTuple):
    """What bounds a ball in a hollow. SI units.

    margin: J/kg, asked for beside the bounds. sideways: m/s^2, most that gravity pulls along the plate. shift: m, how
    far the plate's centre may stand from its spindle. heavy: J/kg, that the ball's centre of mass can still fall.
    constant (rad/s^2), viscous (1/s): deceleration of the plate.
    """

    margin: float
    sideways: float
    shift: float
    heavy: float
    constant: float
    viscous: float


def basin_of(machine: PlateMachine, margin: float = MARGIN) -> Basin:
    """The bounds that hold on a machine."""
    gx, gy, gz = machine.setting.gravity
    mount = machine.surfaces.mount
    lean = acos(min(float(mount[2, 2]), 1.0))
    return Basin(
        margin,
        hypot(gx, gy) - gz * lean,
        float(hypot(mount[3, 0], mount[3, 1])),
        -2.0 * gz * machine.setting.offset,
        *machine.bearing,
    )


@law
def is_decided(
    ball: Ball, hollow: int, plate_speed: float, surfaces: Surfaces, setting: Setting, basin: Basin
) -> bool:
    """Whether a ball in a hollow (index, >= 0) can no longer leave it. plate_speed: rad/s."""
    x, y, z = ball.position[0], ball.position[1], ball.position[2]
    vx, vy, vz = ball.velocity[0] + plate_speed * y, ball.velocity[1] - plate_speed * x, ball.velocity[2]
    wx, wy, wz = ball.spin[0], ball.spin[1], ball.spin[2] - plate_speed
    rolled = K * setting.radius * setting.radius * (wx * wx + wy * wy + wz * wz)
    weight = -setting.gravity[2]
    turning = plate_speed * plate_speed
    energy = 0.5 * (vx * vx + vy * vy + vz * vz + rolled) + weight * z - 0.5 * turning * (x * x + y * y)

    mouth = surfaces.mouth[hollow]
    cx, cy = surfaces.centre[hollow, 0], surfaces.centre[hollow, 1]
    outermost = (cx * cx + cy * cy) ** 0.5 + mouth + basin.shift
    slowing = (basin.constant + basin.viscous * abs(plate_speed)) * outermost
    lifted = 4.0 * mouth * (basin.sideways + slowing) + basin.heavy + basin.margin
    return bool(energy < weight * setting.radius - 0.5 * turning * outermost * outermost - lifted)
