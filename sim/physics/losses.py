"""What slows things that touch nothing else: air drag on the ball, the bearing under the plate."""

from math import exp, log

from sim.physics.compiled import law
from sim.physics.vectors import Vector, norm


@law
def drag(velocity: Vector, per_metre: float, duration: float) -> Vector:
    """Velocity after quadratic air drag alone: v / (1 + b |v| t), exact.

    per_metre: b = rho C_d A / (2 m), 1/m.
    """
    share = 1.0 / (1.0 + per_metre * norm(velocity) * duration)
    return (velocity[0] * share, velocity[1] * share, velocity[2] * share)


@law
def plate_motion(speed: float, constant: float, viscous: float, time: float) -> tuple[float, float]:
    """Angle turned (rad) and angular velocity (rad/s) of a plate ``time`` s after it ran at ``speed``.

    Solves dW/dt = -constant - viscous W for W > 0 (mirrored for W < 0) until the plate stops; the ball is too
    light to change it. constant rad/s^2, viscous 1/s, both >= 0.
    """
    sign = -1.0 if speed < 0.0 else 1.0
    start = abs(speed)
    if viscous == 0.0:
        if constant > 0.0:
            time = min(time, start / constant)
        return sign * (start * time - 0.5 * constant * time * time), sign * (start - constant * time)
    limit = constant / viscous
    decay = exp(-viscous * time)
    now = (start + limit) * decay - limit
    if now <= 0.0 < constant:
        time, now = log(1.0 + start / limit) / viscous, 0.0
        decay = exp(-viscous * time)
    return sign * ((start + limit) * (1.0 - decay) / viscous - limit * time), sign * now
