"""Small stages on which one law at a time can be watched: a floor, a slope, a cone, a bowl, a groove."""

from math import cos, hypot, pi, sin

import numpy as np

from sim.machines import profiles
from sim.physics.ball import Ball, Setting, new_ball
from sim.physics.kick import kick
from sim.physics.move import move
from sim.physics.surface import BAND, CONE, HOLLOW, WALL, Surfaces

G = 9.80665
K = 0.4
Row = list[float]


def surfaces(
    stator: list[Row] | None = None,
    rotor: list[Row] | None = None,
    hollow: list[Row] | None = None,
    mouth: float = 0.0,
    pair: tuple[float, float, float, float] = (0.5, 0.5, 0.0, 0.0),
) -> Surfaces:
    """Surfaces with one pair of materials; a hollow, if given, has its axis on the spindle."""
    count = 1 if hollow else 0
    return Surfaces(
        stator=profiles.as_array(stator or []),
        rotor=profiles.as_array(rotor or []),
        hollow=profiles.as_array(hollow or []),
        hollow_rows=np.array([[0, len(hollow or [])]] * count, dtype=np.int64).reshape(-1, 2),
        mouth=np.full(count, mouth),
        proud=np.zeros(0, dtype=np.int64),
        centre=np.zeros((count, 2)),
        rings=np.array([[0.0, 0.0, 1.0]] * count).reshape(-1, 3),
        pairs=np.array([pair]),
        stator_inner=0.0,
        rotor_outer=1e9,
        mount=np.vstack([np.eye(3), np.zeros(3)]),
    )


def floor(radius: float = 50.0) -> Row:
    return profiles.line((0.0, 0.0), (radius, 0.0), 0, BAND)


def cone(slope: float, reach: float = 50.0) -> Row:
    return profiles.line((0.0, 0.0), (reach * cos(slope), reach * sin(slope)), 0, CONE)


def bowl(radius: float) -> Row:
    """A hemisphere whose lowest point is the origin."""
    return profiles.arc(2, (0.0, radius), radius, -pi / 2, 0.0, 0, HOLLOW)


def wall(radius: float, height: float = 1.0) -> Row:
    return profiles.line((radius, 0.0), (radius, height), 0, WALL)


def level(ball_radius: float, drag: float = 0.0, tilt: float = 0.0) -> Setting:
    """A setting whose table is low on the +x side by tilt (rad)."""
    return Setting(ball_radius, (G * sin(tilt), 0.0, -G * cos(tilt)), drag)


def free(drag: float = 0.0) -> Setting:
    return Setting(0.025, (0.0, 0.0, 0.0), drag)


class Stage:
    """A ball on surfaces, stepped by the two halves of the contact law."""

    def __init__(self, on: Surfaces, setting: Setting, step: float, plate_speed: float = 0.0) -> None:
        self.on, self.setting, self.step, self.plate_speed = on, setting, step, plate_speed
        self.time = 0.0
        self.ball: Ball = new_ball((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

    def place(self, position, velocity, spin=(0.0, 0.0, 0.0)) -> "Stage":
        self.ball = new_ball(position, velocity, spin)
        return self

    def run(self, duration: float, each=None) -> "Stage":
        for _ in range(round(duration / self.step)):
            kick(self.ball, self.on, self.setting, self.plate_speed, self.step)
            self.time += self.step
            angle = self.plate_speed * self.time
            move(self.ball, self.on, self.setting, angle, self.plate_speed, self.step)
            if each is not None:
                each(self)
        return self

    @property
    def velocity(self) -> np.ndarray:
        """Velocity at the time of the position, m/s."""
        if self.ball.touching[0]:
            return self.ball.velocity.copy()
        return self.ball.velocity + self.ball.pending[0] * np.array(self.setting.gravity)

    @property
    def speed(self) -> float:
        return float(np.linalg.norm(self.velocity))

    @property
    def radius(self) -> float:
        """Distance from the spindle, m."""
        return hypot(self.ball.position[0], self.ball.position[1])

    def energy(self) -> float:
        """Translation, spin and height, J/kg."""
        r = self.setting.radius
        spin = float(self.ball.spin @ self.ball.spin)
        height = -float(np.dot(self.setting.gravity, self.ball.position))
        return 0.5 * self.speed**2 + 0.5 * K * r * r * spin + height
