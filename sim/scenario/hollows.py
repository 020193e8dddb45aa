"""Cross-sections of a hollow: surfaces of revolution about its own axis, in (rho, z), z = 0 on the band.

Every profile has `mouth_radius`, the circle in which it meets the band, and `bottom`, its height on the axis,
both m; and `clearance`, by which it is judged whether a ball can reach the bottom.
"""

import math
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator

from sim.documents.units import Length
from sim.scenario.model import Model, PositiveLength, Size


class _Lipped(Model):
    """A hollow with a rounded lip, tangent to the band at the mouth radius and curving down inside it."""

    mouth_radius: PositiveLength
    depth: PositiveLength
    lip_radius: Size

    @property
    def bottom(self) -> float:
        """Height of the bottom, m, below 0."""
        return -self.depth

    def _from_lip(self, height: float) -> float:
        return math.hypot(self.mouth_radius, height + self.lip_radius) - self.lip_radius


class SphericalCap(_Lipped):
    """Part of a sphere of radius (mouth_radius^2 + depth^2) / (2 depth) - lip_radius, tangent to its lip."""

    profile: Literal["spherical_cap"]

    @property
    def sphere_radius(self) -> float:
        """Radius of the sphere, m; it has none, and this is not positive, where the lip is too large."""
        return (self.mouth_radius**2 + self.depth**2) / (2 * self.depth) - self.lip_radius

    def clearance(self, height: float) -> float:
        """Distance from the point of the axis at a height to the nearest point of the profile, m."""
        sphere = self.sphere_radius
        return min(sphere - abs(height - (sphere - self.depth)), self._from_lip(height))

    def impossible(self) -> list[str]:
        """What is wrong with the shape itself."""
        if self.lip_radius >= self.mouth_radius:
            return [_lip_too_large(self)]
        if self.depth > self.mouth_radius:
            return [
                "a spherical cap deeper than its mouth radius would be undercut; "
                f"depth at most {mm(self.mouth_radius)}; given {mm(self.depth)}"
            ]
        if self.sphere_radius <= 0:
            largest = self.sphere_radius + self.lip_radius
            return [f"the lip leaves no cap; lip_radius below {mm(largest)}; given {mm(self.lip_radius)}"]
        return []


class FlatBottom(_Lipped):
    """A flat floor, a fillet, an upright wall at radius mouth_radius - lip_radius, and the lip."""

    profile: Literal["flat_bottom"]
    fillet_radius: Size = 0.0

    @property
    def wall_radius(self) -> float:
        """Radius of the upright wall, m."""
        return self.mouth_radius - self.lip_radius

    def clearance(self, height: float) -> float:
        """Distance from the point of the axis at a height to the nearest point of the profile, m.

        The fillet is never nearer than its two ends, on the floor and on the wall.
        """
        low, high = self.fillet_radius - self.depth, -self.lip_radius
        wall = math.hypot(self.wall_radius, height - min(max(height, low), high))
        return min(height + self.depth, wall, self._from_lip(height))

    def impossible(self) -> list[str]:
        """What is wrong with the shape itself."""
        if self.lip_radius >= self.mouth_radius:
            return [_lip_too_large(self)]
        faults = []
        if self.lip_radius + self.fillet_radius > self.depth:
            faults.append(
                "lip and fillet together must not be higher than the hollow is deep; "
                f"at most {mm(self.depth)}; given {mm(self.lip_radius)} and {mm(self.fillet_radius)}"
            )
        if self.fillet_radius > self.wall_radius:
            faults.append(
                "the fillet leaves no floor; fillet_radius at most "
                f"{mm(self.wall_radius)}; given {mm(self.fillet_radius)}"
            )
        return faults


class Points(Model):
    """Straight lines through points (rho, z) from the axis outward and up to the band."""

    profile: Literal["points"]
    points: Annotated[tuple[tuple[Size, Length], ...], Field(min_length=2)]

    @field_validator("points")
    @classmethod
    def _ordered(cls, points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        if points[0][0] != 0:
            raise ValueError(f"the first point must lie on the axis, rho = 0; given rho = {mm(points[0][0])}")
        if points[-1][1] != 0 or points[-1][0] == 0:
            raise ValueError(f"the last point must lie on the band, z = 0; given z = {mm(points[-1][1])}")
        if any(z > 0 for _, z in points):
            highest = max(z for _, z in points)
            raise ValueError(f"no point may lie above the band, z <= 0; given z = {mm(highest)}")
        for (rho, z), (next_rho, next_z) in pairwise(points):
            if next_rho < rho or (next_rho, next_z) == (rho, z):
                raise ValueError(
                    "the points must go outward and never stand still; "
                    f"given rho = {mm(rho)} and then rho = {mm(next_rho)}"
                )
        return points

    @property
    def mouth_radius(self) -> float:
        """Radius of the circle in which the profile meets the band, m."""
        return self.points[-1][0]

    @property
    def bottom(self) -> float:
        """Height on the axis, m."""
        return self.points[0][1]

    def clearance(self, height: float) -> float:
        """Distance from the point of the axis at a height to the nearest point of the profile, m."""
        return min(_from_line(height, a, b) for a, b in pairwise(self.points))

    def impossible(self) -> list[str]:
        """What is wrong with the shape itself."""
        if self.bottom < 0:
            return []
        return ["the hollow has no depth; its point on the axis must lie below the band; given z = 0 mm"]


def _from_line(height: float, a: tuple[float, float], b: tuple[float, float]) -> float:
    """Distance from (0, height) to the line from a to b, m."""
    along = (b[0] - a[0], b[1] - a[1])
    share = (-a[0] * along[0] + (height - a[1]) * along[1]) / (along[0] ** 2 + along[1] ** 2)
    share = min(max(share, 0.0), 1.0)
    return math.hypot(a[0] + share * along[0], a[1] + share * along[1] - height)


def _lip_too_large(hollow: _Lipped) -> str:
    mouth, lip = mm(hollow.mouth_radius), mm(hollow.lip_radius)
    return f"lip larger than the mouth; lip_radius below {mouth}; given {lip}"


def mm(length: float) -> str:
    """A length as faults show it."""
    return f"{length * 1000:.6g} mm"


Hollow = Annotated[SphericalCap | FlatBottom | Points, Field(discriminator="profile")]
"""The cross-section of a hollow, told apart by ``profile``."""
