"""A plate machine on its table: how it stands, what it is made of, how it is launched. SI throughout."""

import math
from bisect import bisect_right
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator

from sim.documents.units import (
    Angle,
    AngularAcceleration,
    AngularSpeed,
    Density,
    Duration,
    Length,
    Mass,
    PerAngle,
    PerTime,
    Speed,
)
from sim.scenario.base import GRAVITY, BaseScenario
from sim.scenario.distributions import Distribution
from sim.scenario.level import Level
from sim.scenario.model import Coefficient, Model, PositiveLength, Share, Size
from sim.scenario.plate_machine import PlateMachine


class Ball(Model):
    """The ball, a solid sphere."""

    diameter: PositiveLength
    mass: Annotated[Mass, Field(gt=0)]
    drag_coefficient: Coefficient
    centre_offset: Size = 0.0
    """of the centre of mass from the ball's centre: a ball out of balance"""

    @property
    def radius(self) -> float:
        """m."""
        return self.diameter / 2


class Air(Model):
    """The air of the room."""

    density: Annotated[Density, Field(ge=0)]


class Material(Model):
    """The pair that the ball makes with what it meets.

    rolling_resistance: a ball rolling freely on a level floor decelerates at exactly this times g.
    """

    restitution: Share
    friction: Coefficient
    rolling_resistance: Coefficient
    pivot_resistance: Coefficient


class Materials(Model):
    """The ball against each surface of a plate machine."""

    cone: Material
    wall: Material
    plate: Material
    hollow: Material


class Polynomial(Model):
    """Angular deceleration in the groove: constant + linear w + quadratic w^2."""

    constant: AngularAcceleration
    linear: PerTime
    quadratic: PerAngle

    def at(self, speed: float) -> float:
        """Deceleration at an angular speed, rad/s^2 and rad/s."""
        return self.constant + (self.linear + self.quadratic * speed) * speed


class Table(Model):
    """Angular deceleration in the groove as measured: linear between the rows, held beyond them."""

    table: Annotated[
        tuple[tuple[Annotated[AngularSpeed, Field(ge=0)], AngularAcceleration], ...], Field(min_length=2)
    ]

    @field_validator("table")
    @classmethod
    def _increasing(cls, table: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        for (speed, _), (following, _) in pairwise(table):
            if following <= speed:
                message = (
                    f"the speeds must increase from row to row; given {following:g} after {speed:g} rad/s"
                )
                raise ValueError(message)
        return table

    def at(self, speed: float) -> float:
        """Deceleration at an angular speed, rad/s^2 and rad/s."""
        row = bisect_right(self.table, speed, key=lambda pair: pair[0])
        if row in (0, len(self.table)):
            return self.table[max(row - 1, 0)][1]
        (low, below), (high, above) = self.table[row - 1], self.table[row]
        return below + (above - below) * (speed - low) / (high - low)


def _deceleration_form(given: Any) -> str:
    names = given if isinstance(given, dict) else getattr(type(given), "model_fields", ())
    return "by table" if "table" in names else "by polynomial"


Deceleration = Annotated[
    Annotated[Polynomial, Tag("by polynomial")] | Annotated[Table, Tag("by table")],
    Discriminator(_deceleration_form),
]
"""``{constant, linear, quadratic}`` or ``{table: [[speed, deceleration], ...]}``."""


class Rim(Model):
    """The ball in its groove: which inertia it shows, what slows it."""

    inertia: Literal["point_mass", "rolling", "two_contact"]
    deceleration: Deceleration


class Launch(Model):
    """How the ball and the plate are set going. Speeds are unsigned; the directions give their sense."""

    ball_direction: Literal["clockwise", "counter-clockwise"]
    plate_direction: Literal["opposite", "same", "clockwise", "counter-clockwise"]
    ball_speed: Distribution[Speed]
    """of the ball's centre along its groove, m/s"""
    ball_azimuth: Distribution[Angle]
    release_height: Distribution[Length]
    """of the ball's centre above its circling position, m"""
    plate_speed: Distribution[AngularSpeed]
    plate_phase: Distribution[Angle]

    @property
    def ball_sign(self) -> int:
        """+1 counter-clockwise, -1 clockwise, seen from above."""
        return 1 if self.ball_direction == "counter-clockwise" else -1

    @property
    def plate_sign(self) -> int:
        """+1 counter-clockwise, -1 clockwise, seen from above."""
        relative = {"opposite": -self.ball_sign, "same": self.ball_sign}
        return relative.get(self.plate_direction, 1 if self.plate_direction == "counter-clockwise" else -1)


_PositiveDuration = Annotated[Duration, Field(gt=0)]


class Chip(Model):
    """A chip that falls on the plate while the ball moves, and lies there flat, at the height of the band."""

    kind: Literal["chip"]
    diameter: PositiveLength
    thickness: PositiveLength
    mass: Annotated[Mass, Field(gt=0)]
    friction: Coefficient
    """with the plate, and with the ball"""
    restitution: Share
    """with the ball"""
    time: Annotated[Duration, Field(ge=0)]
    """after the release of the ball"""
    radius: Size
    """distance from the spindle at which it lands"""
    azimuth: Angle
    """at which it lands, in the lab"""


class Solver(Model):
    """Settings of the integration and of what counts as rest; not physical parameters."""

    step: _PositiveDuration
    time_limit: _PositiveDuration
    """after the release; a ball still moving then is given no pocket"""
    rest_time: _PositiveDuration
    """how long the ball must have been still relative to the plate"""
    rest_speed: Annotated[Speed, Field(gt=0)]
    stopped_plate: Annotated[AngularSpeed, Field(gt=0)]
    """off the hollows a ball is at rest only on a plate slower than this"""
    hop_time: _PositiveDuration
    """shortest flight between two contacts that counts as a hop"""


class PlateScenario(BaseScenario):
    """A plate machine, how it stands, what it is made of and how it is launched."""

    machine: PlateMachine
    ball: Ball
    air: Air
    materials: Materials
    rim: Rim
    level: Level
    launch: Launch
    objects: tuple[Chip, ...] = ()
    solver: Solver

    @property
    def rim_exit_speed(self) -> float:
        """Angular speed at which the ball leaves its groove on a level machine, rad/s."""
        slope = self.machine.cone.slope
        share = 0.4 / (1 + math.sin(slope)) if self.rim.inertia == "two_contact" else 0.0
        return math.sqrt(GRAVITY / self.machine.groove.radius * math.tan(slope) / (1 + share))
