"""A pegged wheel: sections between pegs, a clapper that reads them, and the croupiers who push. SI throughout.

Seen from the front, as the players see it: x to the right, y up, origin on the axis, angles counter-clockwise.
"""

import math
from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag, field_validator

from sim.documents.units import (
    Angle,
    AngularAcceleration,
    AngularSpeed,
    Damping,
    Duration,
    Inertia,
    Length,
    Mass,
    PerAngle,
    PerTime,
    Stiffness,
)
from sim.scenario.base import GRAVITY, BaseScenario
from sim.scenario.distributions import Distribution
from sim.scenario.model import Coefficient, Model, PositiveLength, Share, Size
from sim.scenario.plate_machine import Symbol

PositiveMass = Annotated[Mass, Field(gt=0)]
PositiveDuration = Annotated[Duration, Field(gt=0)]


class Moment(Model):
    """The moment of inertia as measured, pegs included."""

    moment: Annotated[Inertia, Field(gt=0)]


class MassAndForm(Model):
    """A mass spread evenly over a disc of the wheel's diameter, or along its rim."""

    mass: PositiveMass
    form: Literal["disc", "rim"]


def _inertia_form(given: object) -> str:
    names = given if isinstance(given, dict) else getattr(type(given), "model_fields", ())
    return "by mass" if "mass" in names or "form" in names else "by moment"


class Bearing(Model):
    """Angular deceleration by bearing and air: constant + linear w + quadratic w^2. A wheel at rest is held by it."""

    constant: Annotated[AngularAcceleration, Field(ge=0)]
    linear: Annotated[PerTime, Field(ge=0)]
    quadratic: Annotated[PerAngle, Field(ge=0)]


class Imbalance(Model):
    """A mass beyond the even wheel: how much, how far from the axis, where from the zero mark."""

    mass: Annotated[Mass, Field(ge=0)]
    radius: Size
    angle: Angle


class Wheel(Model):
    """The wheel on its bearing."""

    diameter: PositiveLength
    inertia: Annotated[
        Annotated[Moment, Tag("by moment")] | Annotated[MassAndForm, Tag("by mass")],
        Discriminator(_inertia_form),
    ]
    """``{moment}`` or ``{mass, form}``"""
    bearing: Bearing
    imbalance: Imbalance

    @property
    def moment(self) -> float:
        """Moment of inertia about the axis, kg m^2."""
        if isinstance(self.inertia, Moment):
            return self.inertia.moment
        share = 0.5 if self.inertia.form == "disc" else 1.0
        return share * self.inertia.mass * (self.diameter / 2) ** 2

    @property
    def heavy_torque(self) -> float:
        """Largest torque of the imbalance, M g e, N m."""
        return self.imbalance.mass * GRAVITY * self.imbalance.radius

    @property
    def bearing_torque(self) -> float:
        """Torque with which the bearing holds a wheel at rest, N m."""
        return self.moment * self.bearing.constant


class PegFault(Model):
    """What is wrong with one peg."""

    peg: Annotated[int, Field(ge=0)]
    """index, from 0 at the zero mark, counter-clockwise"""
    angle: Angle = 0.0
    """by which it is bent out of its place, counter-clockwise"""
    radius: PositiveLength | None = None
    """what wear has left of it"""
    missing: bool = False


class Peg(Model):
    """A peg as it stands: its angle from the zero mark (rad) and its radius (m)."""

    index: int
    angle: float
    radius: float


class Pegs(Model):
    """Round pegs across the wheel's face, evenly spaced but for their faults; peg 0 is at the zero mark."""

    count: Annotated[int, Field(ge=3, le=500)]
    circle_radius: PositiveLength
    radius: PositiveLength
    faults: tuple[PegFault, ...] = ()

    @field_validator("faults")
    @classmethod
    def _once(cls, faults: tuple[PegFault, ...]) -> tuple[PegFault, ...]:
        for i, fault in enumerate(faults):
            if fault.peg in {other.peg for other in faults[:i]}:
                raise ValueError(f"each peg may be named once; given {fault.peg} twice")
        return faults

    @property
    def pitch(self) -> float:
        """Angle from one peg to the next, rad."""
        return math.tau / self.count

    @property
    def standing(self) -> tuple[Peg, ...]:
        """The pegs that are there, by index."""
        faults = {fault.peg: fault for fault in self.faults}
        sound = PegFault(peg=0)
        return tuple(
            Peg(index=i, angle=i * self.pitch + fault.angle, radius=fault.radius or self.radius)
            for i in range(self.count)
            for fault in [faults.get(i, sound)]
            if not fault.missing
        )

    @property
    def reach(self) -> float:
        """Radius of the circle round all sound pegs, m."""
        return self.circle_radius + self.radius


class Clapper(Model):
    """A uniform arm, as thick as its round tip, that hangs from a pivot above the wheel into the circle of pegs.

    The pivot is placed so that the unworn arm, hanging straight down, has the middle of its tip ``overlap`` inside
    the circle round all pegs; ``offset`` moves the pivot to the side, ``wear`` is what the arm has lost since.
    """

    arm: PositiveLength
    """from the pivot to the middle of the tip, new"""
    mass: PositiveMass
    """of the new arm"""
    tip_radius: PositiveLength
    overlap: Length
    spring: Annotated[Stiffness, Field(ge=0)]
    damper: Annotated[Damping, Field(ge=0)]
    rest_angle: Angle
    """at which the spring is slack, counter-clockwise from straight down"""
    offset: Length
    """of the pivot, to the right of the axis"""
    wear: Size = 0.0

    @property
    def worn_arm(self) -> float:
        """From the pivot to the middle of the tip as it is, m."""
        return self.arm - self.wear

    @property
    def moment(self) -> float:
        """Moment of inertia of the worn arm about the pivot, m L^2/3 of a uniform rod, kg m^2."""
        return self.mass * self.worn_arm / self.arm * self.worn_arm**2 / 3

    @property
    def weight(self) -> float:
        """Torque of gravity on the worn arm held level, N m."""
        return self.mass * self.worn_arm / self.arm * GRAVITY * self.worn_arm / 2


class WheelMachine(Model):
    """Roda da Sorte, Big Six, and every wheel of their kind."""

    kind: Literal["pegged"]
    wheel: Wheel
    pegs: Pegs
    clapper: Clapper
    number_ring: Annotated[tuple[Symbol, ...], Field(min_length=1)]
    """counter-clockwise; section k lies between peg k and the next"""

    @property
    def ring(self) -> tuple[str, ...]:
        """The symbol of every section, counter-clockwise from the zero mark."""
        return self.number_ring

    @property
    def pivot(self) -> tuple[float, float]:
        """Of the clapper, m."""
        return self.clapper.offset, self.pegs.reach - self.clapper.overlap + self.clapper.arm

    @property
    def resting_tip(self) -> tuple[float, float]:
        """Middle of the tip when the spring is slack, m."""
        x, y = self.pivot
        angle, arm = self.clapper.rest_angle, self.clapper.worn_arm
        return x + arm * math.sin(angle), y - arm * math.cos(angle)

    @property
    def passing_angle(self) -> float | None:
        """Deflection from the radial line at which a sound peg just passes the tip, rad; None if it never does."""
        pivot, arm = math.hypot(*self.pivot), self.clapper.worn_arm
        over = self.pegs.reach + self.clapper.tip_radius
        cosine = (pivot**2 + arm**2 - over**2) / (2 * pivot * arm)
        return math.acos(cosine) if abs(cosine) <= 1 else None


class TipAndPeg(Model):
    """The pair that the clapper's tip makes with a peg."""

    restitution: Share
    friction: Coefficient


class Materials(Model):
    """The one pair of a pegged wheel."""

    tip: TipAndPeg


class Croupier(Model):
    """How one croupier pushes: the speed that the push leaves the wheel with."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    speed: Distribution[AngularSpeed]
    """unsigned; the direction gives its sense"""


class Push(Model):
    """Who pushes, how hard, which way, and how the wheel stood before."""

    croupiers: Annotated[tuple[Croupier, ...], Field(min_length=1)]
    turns: Literal["rotation", "first"]
    """each croupier in turn, spin by spin, or always the first"""
    direction: Literal["clockwise", "counter-clockwise", "alternate"]
    """``alternate`` begins counter-clockwise; with croupiers in turn, it changes when all have pushed"""
    phase: Distribution[Angle]
    """of the zero mark before the push; the tip then stands clear between the two pegs nearest to it"""

    @field_validator("croupiers")
    @classmethod
    def _named_apart(cls, croupiers: tuple[Croupier, ...]) -> tuple[Croupier, ...]:
        names = [each.name for each in croupiers]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise ValueError(f"croupiers must have different names; given {name!r} twice")
        return croupiers

    @property
    def active(self) -> tuple[Croupier, ...]:
        """Those who push at all, in their order."""
        return self.croupiers if self.turns == "rotation" else self.croupiers[:1]


class Solver(Model):
    """Settings of the integration and of what counts as rest; not physical parameters."""

    step: PositiveDuration
    time_limit: PositiveDuration
    """after the push; a wheel still moving then is given no section"""
    rest_time: PositiveDuration
    """how long wheel and clapper must have stayed where they are"""
    rest_angle: Annotated[Angle, Field(gt=0)]
    """by which the wheel may still have moved in that time; a wheel that has turned back by more is in reverse"""
    clapper_rest_angle: Annotated[Angle, Field(gt=0)]


class WheelScenario(BaseScenario):
    """A pegged wheel, its materials and its croupiers."""

    machine: WheelMachine
    materials: Materials
    push: Push
    solver: Solver
