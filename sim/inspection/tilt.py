"""How far and towards where an apparatus is out of level: a vector with its uncertainty, however it was measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, atan2, cos, hypot, pi, sin, sqrt, tau

import numpy as np
from numpy.typing import NDArray

from sim.inspection.noncentral import noncentrality_interval

Floats = NDArray[np.float64]
DISAGREE = 0.01
"""Probability below which two measurements of one tilt are said to disagree."""
_FAR = 1000.0
"""Squared distance from level, in standard deviations, beyond which the estimate of the tilt is taken as normal."""


@dataclass(frozen=True, slots=True)
class Tilt:
    """A tilt vector: it points to the low side, and is as long as the slope there is steep.

    x, y: slope downhill along the azimuths 0 and 90 deg (tangents). covariance: ((xx, xy), (xy, yy)). df: degrees of
    freedom behind the covariance; None where it is known beforehand.
    """

    x: float
    y: float
    covariance: tuple[tuple[float, float], tuple[float, float]]
    df: int | None = None

    @property
    def angle(self) -> float:
        """Angle from level, rad."""
        return atan(hypot(self.x, self.y))

    @property
    def low_side(self) -> float:
        """Azimuth of the low side, rad in [0, 2 pi)."""
        return atan2(self.y, self.x) % tau % tau

    @property
    def squared_distance(self) -> float:
        """t' C^-1 t: the squared distance from level in standard deviations."""
        at = np.array([self.x, self.y])
        return float(at @ np.linalg.solve(np.array(self.covariance), at))

    def along(self, azimuth: float) -> float:
        """Standard uncertainty of the slope along an azimuth (rad)."""
        way = np.array([cos(azimuth), sin(azimuth)])
        return sqrt(float(way @ np.array(self.covariance) @ way))

    def p_level(self) -> float:
        """Probability of an estimate at least so far from level, were the apparatus level."""
        return _beyond(self.squared_distance, self.df)

    def interval(self, confidence: float) -> tuple[float, float]:
        """Confidence interval of the angle from level, rad, by inversion of the noncentral distribution.

        The squared distance is noncentral chi-square with 2 df, and the tilt is along the estimated azimuth. Where the
        spread was estimated, the confidence is that at which a normal quantile is as large as Student's: exact far from
        level, on the safe side near it.
        """
        squared, length = self.squared_distance, hypot(self.x, self.y)
        if squared > _FAR:
            half = _quantile(confidence, self.df) * self.along(self.low_side)
            return atan(max(0.0, length - half)), atan(length + half)
        low, high = noncentral_bounds(squared, self.df, confidence)
        scale = length / sqrt(squared) if squared > 0 else self.along(0.0)
        return atan(scale * sqrt(low)), atan(scale * sqrt(high))

    def half_width(self, confidence: float) -> float:
        """Half the width of the confidence interval of the low side's azimuth, rad; pi where it may be anywhere.

        The azimuths whose crosswise slope does not differ from zero (Fieller 1954, J. R. Statist. Soc. B 16, 175).
        """
        at = np.array([self.x, self.y])
        factor = _quantile(confidence, self.df)
        form = np.outer(at, at) - factor**2 * np.array(self.covariance)
        small, large = np.linalg.eigvalsh(form).tolist()
        return atan(sqrt(-small / large)) if large > 0 > small else 0.0 if large > 0 else pi

    def disagreement(self, other: "Tilt") -> float:
        """Probability that two measurements of one tilt differ at least so much."""
        apart = np.array([self.x - other.x, self.y - other.y])
        joint = np.array(self.covariance) + np.array(other.covariance)
        known = [each for each in (self.df, other.df) if each is not None]
        return _beyond(float(apart @ np.linalg.solve(joint, apart)), min(known) if known else None)


def noncentral_bounds(squared: float, df: int | None, confidence: float) -> tuple[float, float]:
    """Interval of the noncentrality of a squared distance of two dimensions, equal tails; see `Tilt.interval`.

    An estimate nearer to level than chance allows bounds the tilt no better than one at the distance to be expected
    (power-constrained limits: Cowan, Cranmer, Gross & Vitells 2011, arXiv:1105.3166); else its interval could be empty.
    """
    from scipy.stats import norm

    wider = confidence if df is None else 1.0 - 2.0 * float(norm.sf(_quantile(confidence, df)))
    return noncentrality_interval(squared, 2, wider)[0], noncentrality_interval(max(squared, 2.0), 2, wider)[
        1
    ]


def _beyond(squared: float, df: int | None) -> float:
    from scipy.stats import chi2, f

    return float(chi2.sf(squared, 2) if df is None else f.sf(squared / 2.0, 2, df))


def _quantile(confidence: float, df: int | None) -> float:
    from scipy.stats import norm, t

    tail = (1.0 - confidence) / 2.0
    return float(norm.isf(tail) if df is None else t.isf(tail, df))


@dataclass(frozen=True, slots=True)
class Foot:
    """Where a foot stands: azimuth (rad) and distance from the axis (m); pitch of its screw (m) where it is known."""

    azimuth: float
    radius: float
    pitch: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """By how much a foot must be raised (m), the standard uncertainty of that (m), and the turns of its screw.

    uncertainty, turns: None where they are not known.
    """

    foot: Foot
    rise: float
    uncertainty: float | None
    turns: float | None


def turns(
    slope: tuple[float, float],
    covariance: tuple[tuple[float, float], tuple[float, float]] | None,
    feet: Sequence[Foot],
) -> tuple[Turn, ...]:
    """How to level by raising feet only: the highest stays as it is, so that no foot leaves the floor.

    slope, covariance: as those of `Tilt`; the covariance None where it is not known.
    """
    places = np.array([(foot.radius * cos(foot.azimuth), foot.radius * sin(foot.azimuth)) for foot in feet])
    depth = places @ np.array(slope)
    highest = int(np.argmin(depth))
    found = []
    for foot, place, deep in zip(feet, places, depth, strict=True):
        apart = place - places[highest]
        rise = float(deep - depth[highest])
        spread = None
        if covariance is not None:
            spread = sqrt(max(0.0, float(apart @ np.array(covariance) @ apart)))
        found.append(Turn(foot, rise, spread, rise / foot.pitch if foot.pitch else None))
    return tuple(found)
