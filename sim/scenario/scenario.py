"""A scenario: one machine, how it stands, what it is made of and how it is launched. SI throughout."""

import hashlib
import json
import math
from bisect import bisect_right
from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, PrivateAttr, Tag, field_validator

from sim.documents.document import Document, Path, dotted
from sim.documents.faults import Mark
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
from sim.scenario.distributions import Distribution
from sim.scenario.level import Level
from sim.scenario.model import Coefficient, Model, PositiveLength, Share
from sim.scenario.plate_machine import PlateMachine

GRAVITY = 9.80665
"""m/s^2"""


class Ball(Model):
    """The ball, a solid sphere."""

    diameter: PositiveLength
    mass: Annotated[Mass, Field(gt=0)]
    drag_coefficient: Coefficient

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


class Scenario(Model):
    """All that decides a spin, but for its seed and index. Built by `sim.scenario.load_scenario`."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    title: str
    rulebook: Annotated[str, Field(min_length=1)]
    machine: PlateMachine
    ball: Ball
    air: Air
    materials: Materials
    rim: Rim
    level: Level
    launch: Launch
    solver: Solver

    _document: Document = PrivateAttr()
    _sources: Mapping[Path, str] = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Keep where the values were written and where they come from."""
        self._document = context["document"]
        self._sources = context["sources"]

    @property
    def document(self) -> Document:
        """The resolved document: `document.fault(path, message)` is a fault at the place of a value."""
        return self._document

    @property
    def marks(self) -> Mapping[Path, Mark]:
        """Path of a value, such as ``("machine", "number_ring", 3)``, to the place where it was written."""
        return self._document.marks

    @property
    def provenance(self) -> dict[str, str]:
        """Dotted path of every physical value to where it comes from.

        ``assumed``, ``measured``, ``measured: ...``, ``cited: ...``, or ``unstated`` where nothing is said.
        """
        return {
            dotted(path): source
            for path, source in sorted(self._sources.items(), key=lambda item: dotted(item[0]))
        }

    @property
    def assumed(self) -> list[str]:
        """Dotted paths, sorted, of the values that nobody measured or cited; what is unstated counts."""
        return [path for path, source in self.provenance.items() if source in ("assumed", "unstated")]

    @property
    def sha256(self) -> str:
        """Digest of the resolved SI values, the name and the rulebook, as canonical JSON.

        The title, comments, spelling of units, the files a value came from and its provenance do not change
        it. The same level given in another form does.
        """
        data = self.model_dump(mode="json", exclude={"title"})
        return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    @property
    def rim_exit_speed(self) -> float:
        """Angular speed at which the ball leaves its groove on a level machine, rad/s."""
        slope = self.machine.cone.slope
        share = 0.4 / (1 + math.sin(slope)) if self.rim.inertia == "two_contact" else 0.0
        return math.sqrt(GRAVITY / self.machine.groove.radius * math.tan(slope) / (1 + share))
