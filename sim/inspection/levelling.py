"""The tilt of an apparatus from the readings of a spirit level laid at several places."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, sin, sqrt

import numpy as np

from sim.inspection.tilt import Tilt

WARPED = 0.01
FEWEST = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading: how much the surface rises (tangent) towards an azimuth (rad) at a place (azimuth, rad).

    reversed: whether the instrument lay turned end for end; its reading is still noted as the rise towards that
    azimuth, so that half the difference of the pair is the instrument's error (reversal method, US Army TB 9-5210).
    line: of the file it comes from. step: the last digit that was written of it (tangent), 0 where it is not known.
    """

    place: float
    towards: float
    rise: float
    reversed: bool = False
    line: int = 0
    step: float = 0.0


@dataclass(frozen=True, slots=True)
class Levelling:
    """What the readings say.

    tilt: None where the readings leave no uncertainty. spread: standard uncertainty of a reading (tangent), stated or
    from the residuals. error: of the instrument (tangent) with its uncertainty, None without reversed readings.
    seat: what all readings share beside (tangent): the slope of the groove's floor where the level lies along the
    radius; with `error` None the two together. residuals: of each reading (tangent).
    p_plane: probability of residuals so large on a plane surface, None where it cannot be told.
    """

    tilt: Tilt | None
    x: float
    y: float
    spread: float | None
    error: tuple[float, float] | None
    seat: float
    residuals: tuple[float, ...]
    p_plane: float | None


class Undetermined(ValueError):  # noqa: N818
    """Readings that leave the tilt open; says why, in one line."""


def level(readings: Sequence[Reading], stated: float | None = None) -> Levelling:
    """Least squares of rise = x cos + y sin + seat +- error over the readings (+ for a reversed instrument: -).

    stated: standard uncertainty of one reading (tangent). With it the residuals tell whether the surface is plane;
    where they say it is not, the uncertainty is widened to fit them (Birge 1932, Phys. Rev. 40, 207). Without it the
    spread comes from the residuals, and is no smaller than what the last digit leaves open, step/sqrt(12) (JCGM
    100:2008, F.2.2.1). Raises Undetermined.
    """
    places = {round(reading.place, 6) for reading in readings}
    if len(places) < FEWEST:
        raise Undetermined(f"at least {FEWEST} places are needed; given {len(places)}")
    reversed_too = any(reading.reversed for reading in readings)
    columns = [
        [cos(one.towards), sin(one.towards), 1.0, *([-1.0 if one.reversed else 1.0] if reversed_too else [])]
        for one in readings
    ]
    design, rises = np.array(columns), np.array([one.rise for one in readings])
    if np.linalg.matrix_rank(design, tol=1e-6) < design.shape[1]:
        raise Undetermined(
            "the readings lie along one line, which leaves the tilt across it open; read elsewhere"
        )
    solution, *_ = np.linalg.lstsq(design, rises, rcond=None)
    residuals = rises - design @ solution
    df = len(rises) - design.shape[1]
    squares, p_plane = float(residuals @ residuals), None
    variance = None if stated is None else stated**2
    known = stated is not None
    if df > 0 and variance is not None:
        from scipy.stats import chi2

        p_plane = float(chi2.sf(squares / variance, df))
        if p_plane < WARPED:
            variance, known = squares / df, False
    elif df > 0:
        variance = max(squares / df, min(one.step for one in readings) ** 2 / 12.0)
    tilt, error = None, None
    x, y = -float(solution[0]), -float(solution[1])
    if variance is not None:
        covariance = np.linalg.inv(design.T @ design) * max(variance, 1e-18)
        block = covariance[:2, :2].tolist()
        tilt = Tilt(x, y, ((block[0][0], block[0][1]), (block[1][0], block[1][1])), None if known else df)
        error = (float(solution[3]), sqrt(float(covariance[3, 3]))) if reversed_too else None
    return Levelling(
        tilt=tilt,
        x=x,
        y=y,
        spread=None if variance is None else sqrt(variance),
        error=error,
        seat=float(solution[2]),
        residuals=tuple(residuals.tolist()),
        p_plane=p_plane,
    )
