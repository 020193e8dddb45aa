"""A plate machine: a groove, a fixed cone, and a plate with a band of hollows that turns inside it."""

from math import pi
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, field_validator

from sim.documents.units import Angle, AngularAcceleration, PerTime
from sim.scenario.hollows import Hollow
from sim.scenario.model import Coefficient, Incline, Model, PositiveLength, Share, Size


def _as_text(given: Any) -> Any:
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


Symbol = Annotated[str, BeforeValidator(_as_text), Field(min_length=1, max_length=30)]
"""What a pocket is marked with; a whole number is taken as its text."""


class GrooveFault(Model):
    """An arc of the groove that is worn or has a bump: full strength in its middle, fading out to its ends."""

    azimuth: Angle
    """of its middle, in the lab"""
    width: Annotated[Angle, Field(gt=0, le=2 * pi)]
    """from end to end"""
    deceleration: AngularAcceleration = 0.0
    """added to what slows the ball"""
    slope: Annotated[Angle, Field(gt=-0.5, lt=0.5)] = 0.0
    """added to the slope of the floor, where it is decided whether the ball leaves"""


class Groove(Model):
    """The groove in which the ball circles first."""

    radius: PositiveLength
    """of the circle of the ball's centre"""
    wall_height: PositiveLength
    """above the floor of the groove"""
    faults: tuple[GrooveFault, ...] = ()


class Cone(Model):
    """The fixed slope from the edge of the plate up to the groove."""

    slope: Incline


class Bearing(Model):
    """What slows the plate: constant + viscous * speed."""

    constant: Annotated[AngularAcceleration, Field(ge=0)]
    viscous: Annotated[PerTime, Field(ge=0)]


class Eccentricity(Model):
    """The centre of the plate away from the spindle; a dial gauge at its edge swings by twice the offset."""

    offset: Size
    azimuth: Angle
    """of the plate's centre, from its zero mark"""


class RunOut(Model):
    """A plate that is not square to its spindle, by the swing of a dial gauge held against it."""

    axial: Size
    """full swing on the (outer) circle of the hollows' axes"""
    azimuth: Angle
    """of the plate's highest point, from its zero mark"""


class Plate(Model):
    """The plate that turns, less its band."""

    boss_slope: Incline
    """from the inner edge of the band up to the spindle"""
    boss_radius: Size
    """of the flat top of the boss"""
    bearing: Bearing
    eccentricity: Eccentricity | None = None
    run_out: RunOut | None = None


class Band(Model):
    """The level ring of the plate that carries the hollows."""

    inner_radius: PositiveLength
    outer_radius: PositiveLength


class HollowFault(Model):
    """One hollow that differs from the others; what is left out is as theirs."""

    hollow: Annotated[int, Field(ge=0)]
    """index from 0 in the order of the number ring"""
    depth: PositiveLength | None = None
    mouth_radius: PositiveLength | None = None
    lip_radius: Size | None = None
    raised_lip: Size = 0.0
    """by how much the lip stands above the band"""
    restitution: Share | None = None
    friction: Coefficient | None = None
    rolling_resistance: Coefficient | None = None
    pivot_resistance: Coefficient | None = None


class Ring(NamedTuple):
    """Hollows evenly spaced on one circle (m); azimuth (rad, from the zero mark) and index of the first; how many."""

    circle_radius: float
    azimuth: float
    first: int
    hollows: int


class Hollows(Model):
    """How many hollows, on which circle or circles."""

    layout: Literal["one_ring", "two_rings"] = "one_ring"
    """two_rings: half of the hollows on either circle, the outer ones first"""
    count: Annotated[int, Field(ge=2, le=1000)]
    """in all"""
    circle_radius: PositiveLength
    """of the hollows' axes; with two rings, of the outer ones"""
    inner_circle_radius: PositiveLength | None = None
    """with two rings, of the inner ones, which stand half a pitch further"""
    faults: tuple[HollowFault, ...] = ()

    @field_validator("faults")
    @classmethod
    def _once_each(cls, faults: tuple[HollowFault, ...]) -> tuple[HollowFault, ...]:
        for i, fault in enumerate(faults):
            if fault.hollow in (earlier.hollow for earlier in faults[:i]):
                raise ValueError(f"each hollow may be named once; given {fault.hollow} twice")
        return faults

    @property
    def rings(self) -> tuple[Ring, ...]:
        """The rings, outer first; a lone outer one where the inner circle is missing."""
        if self.layout == "one_ring" or self.inner_circle_radius is None:
            return (Ring(self.circle_radius, 0.0, 0, self.count),)
        half = self.count // 2
        return Ring(self.circle_radius, 0.0, 0, half), Ring(self.inner_circle_radius, pi / half, half, half)


class PlateMachine(Model):
    """Macau and Spanish Boule, and every machine of their kind."""

    kind: Literal["plate"]
    frame: PositiveLength | None = None
    """side of the square frame, where there is one"""
    groove: Groove
    cone: Cone
    plate: Plate
    band: Band
    hollows: Hollows
    hollow: Hollow
    number_ring: Annotated[tuple[Symbol, ...], Field(min_length=1)]
    """counter-clockwise from the plate's zero mark, ring by ring; a shorter list is repeated all round"""

    @property
    def ring(self) -> tuple[str, ...]:
        """The symbol of every hollow, in the order of their indices."""
        return self.number_ring * (self.hollows.count // len(self.number_ring))

    def changes_at(self, index: int) -> dict[str, float]:
        """What is different about one hollow, by the names of `HollowFault`."""
        changes: dict[str, float] = {}
        for fault in self.hollows.faults:
            if fault.hollow == index:
                changes |= fault.model_dump(exclude={"hollow"}, exclude_unset=True, exclude_none=True)
        return changes

    def hollow_at(self, index: int) -> Hollow:
        """The cross-section of one hollow, less its raised lip."""
        shape = {
            k: v for k, v in self.changes_at(index).items() if k in ("depth", "mouth_radius", "lip_radius")
        }
        return self.hollow.model_copy(update=shape) if shape else self.hollow

    def raised_lip(self, index: int) -> float:
        """By how much the lip of one hollow stands above the band, m."""
        return self.changes_at(index).get("raised_lip", 0.0)
