"""A plate machine: a groove, a fixed cone, and a plate with a band of hollows that turns inside it."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from sim.documents.units import AngularAcceleration, PerTime
from sim.scenario.hollows import Hollow
from sim.scenario.model import Incline, Model, PositiveLength, Size


def _as_text(given: Any) -> Any:
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


Symbol = Annotated[str, BeforeValidator(_as_text), Field(min_length=1, max_length=30)]
"""What a pocket is marked with; a whole number is taken as its text."""


class Groove(Model):
    """The groove in which the ball circles first."""

    radius: PositiveLength
    """of the circle of the ball's centre"""
    wall_height: PositiveLength
    """above the floor of the groove"""


class Cone(Model):
    """The fixed slope from the edge of the plate up to the groove."""

    slope: Incline


class Bearing(Model):
    """What slows the plate: constant + viscous * speed."""

    constant: Annotated[AngularAcceleration, Field(ge=0)]
    viscous: Annotated[PerTime, Field(ge=0)]


class Plate(Model):
    """The plate that turns, less its band."""

    boss_slope: Incline
    """from the inner edge of the band up to the spindle"""
    boss_radius: Size
    """of the flat top of the boss"""
    bearing: Bearing


class Band(Model):
    """The level ring of the plate that carries the hollows."""

    inner_radius: PositiveLength
    outer_radius: PositiveLength


class Hollows(Model):
    """How many hollows, on which circle."""

    count: Annotated[int, Field(ge=2, le=1000)]
    circle_radius: PositiveLength


class PlateMachine(Model):
    """Macau and Spanish Boule, and every machine of their kind."""

    kind: Literal["plate"]
    groove: Groove
    cone: Cone
    plate: Plate
    band: Band
    hollows: Hollows
    hollow: Hollow
    number_ring: Annotated[tuple[Symbol, ...], Field(min_length=1)]
    """counter-clockwise from the plate's zero mark"""
