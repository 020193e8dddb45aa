"""How level the apparatus stands, in the three forms in which it is measured.

Each form has `tilt` (rad, >= 0) and `low_side` (azimuth towards which a ball would roll, rad in [0, 2 pi)).
"""

import math
from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag, field_validator

from sim.documents.units import Angle, Length, Slope
from sim.scenario.model import Model, PositiveLength


class TiltAndSide(Model):
    """Tilt and the azimuth of the low side."""

    tilt: Annotated[Angle, Field(ge=0, lt=1.5)]
    low_side: Angle


class Gradient(Model):
    """Rise of the apparatus along +x and +y, as tangents."""

    x: Slope
    y: Slope


class SlopeAlongAxes(Model):
    """Two readings of a machinist's level.

    ``slope: {x: 1 mm/m, y: 0 mm/m}`` rises towards +x, so its low side is at azimuth 180 deg.
    """

    slope: Gradient

    @property
    def tilt(self) -> float:
        """Angle from level, rad."""
        return math.atan(math.hypot(self.slope.x, self.slope.y))

    @property
    def low_side(self) -> float:
        """Azimuth of the low side, rad; 0 when level."""
        return _downhill(self.slope.x, self.slope.y)


class Foot(Model):
    """Height of the apparatus at one of its feet."""

    azimuth: Angle
    radius: PositiveLength
    height: Length


class FeetReadings(Model):
    """Heights at three feet or more: the plane through three, the least-squares plane of more."""

    feet: Annotated[tuple[Foot, ...], Field(min_length=3)]

    @field_validator("feet")
    @classmethod
    def _spread(cls, feet: tuple[Foot, ...]) -> tuple[Foot, ...]:
        xx, xy, yy, _, _ = _moments(feet)
        if xx * yy - xy * xy <= 1e-9 * (xx + yy) ** 2:
            raise ValueError(
                "the feet stand in one line, which leaves the tilt across it open; move one of them"
            )
        return feet

    @property
    def _gradient(self) -> tuple[float, float]:
        xx, xy, yy, xz, yz = _moments(self.feet)
        determinant = xx * yy - xy * xy
        return (xz * yy - yz * xy) / determinant, (yz * xx - xz * xy) / determinant

    @property
    def tilt(self) -> float:
        """Angle from level, rad."""
        return math.atan(math.hypot(*self._gradient))

    @property
    def low_side(self) -> float:
        """Azimuth of the low side, rad; 0 when level."""
        return _downhill(*self._gradient)


def _moments(feet: tuple[Foot, ...]) -> tuple[float, float, float, float, float]:
    """Second moments xx, xy, yy, xz, yz of the feet about their mean, m^2."""
    points = [(f.radius * math.cos(f.azimuth), f.radius * math.sin(f.azimuth), f.height) for f in feet]
    mx, my, mz = (sum(column) / len(points) for column in zip(*points, strict=True))
    centred = [(x - mx, y - my, z - mz) for x, y, z in points]
    return (
        sum(x * x for x, _, _ in centred),
        sum(x * y for x, y, _ in centred),
        sum(y * y for _, y, _ in centred),
        sum(x * z for x, _, z in centred),
        sum(y * z for _, y, z in centred),
    )


def _downhill(x: float, y: float) -> float:
    if x == y == 0:
        return 0.0
    # A tiny negative angle becomes a whole turn in the first remainder, and 0 in the second.
    return math.atan2(-y, -x) % math.tau % math.tau


def _form(given: Any) -> str:
    """The tag of a form; not one of its fields, so that a fault's path is never in doubt."""
    names = given if isinstance(given, dict) else getattr(type(given), "model_fields", ())
    return next((f"by {form}" for form in ("slope", "feet") if form in names), "by tilt")


Level = Annotated[
    Annotated[TiltAndSide, Tag("by tilt")]
    | Annotated[SlopeAlongAxes, Tag("by slope")]
    | Annotated[FeetReadings, Tag("by feet")],
    Discriminator(_form),
]
"""``{tilt, low_side}``, ``{slope: {x, y}}`` or ``{feet: [{azimuth, radius, height}, ...]}``."""
