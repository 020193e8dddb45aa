"""The ball in its groove, for both engines: put there, found there."""

from math import cos, sin

from sim.physics.ball import Ball
from sim.physics.compiled import law
from sim.physics.rim import Rim, groove_spin
from sim.physics.surface import CONE, WALL

DROP_IN = 0.02  # s on floor and wall at once, after which a released ball circles in its groove


@law
def rim_step(rim: Rim) -> float:
    """Step of the rim law, s: 1e-7 rad at the exit; shorter where a bump may throw the ball out between two steps."""
    if rim.faults.shape[0] > 0:
        return 0.005
    return 0.02 if rim.tilt > 0.0 or rim.table.shape[0] > 0 else 0.1


@law
def put_in_groove(
    ball: Ball, rim: Rim, ball_radius: float, height: float, azimuth: float, velocity: float
) -> None:
    """Set a ball circling, touching nothing yet: azimuth rad, signed velocity m/s, height m. Changes ball."""
    c, s = cos(azimuth), sin(azimuth)
    ball.position[0], ball.position[1], ball.position[2] = rim.radius * c, rim.radius * s, height
    ball.velocity[0], ball.velocity[1], ball.velocity[2] = -velocity * s, velocity * c, 0.0
    ball.spin[0], ball.spin[1], ball.spin[2] = groove_spin(azimuth, velocity, ball_radius, rim)
    ball.pending[0] = 0.0
    ball.touching[0] = 0
    ball.met[0] = 0.0


@law
def in_groove(ball: Ball) -> bool:
    """Whether the ball lies on floor and wall at once, and on nothing else."""
    wall, floor = False, False
    for i in range(ball.touching[0]):
        wall |= ball.place[i, 2] == WALL
        floor |= ball.place[i, 2] == CONE
    return wall and floor and ball.touching[0] == 2
