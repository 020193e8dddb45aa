"""The tilt of an apparatus from where balls dropped, by the response that a simulation of its groove has given."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import atan, atan2, cos, hypot, pi, sin, tan
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sim.inspection.lab import resultant
from sim.inspection.tilt import Tilt, noncentral_bounds

Floats = NDArray[np.float64]
FEWEST_DROPS = 20
GATHERED = 0.5
"""Mean resultant of a level machine above which its own drop zone hides the tilt."""


@dataclass(frozen=True)
class Response:
    """Mean resultant of the drop azimuths of one direction of travel, by tilt.

    tilts: rad, increasing from 0, (k,). table: complex, (k, m): at azimuths 2 pi j / m of the low side, m even; between
    them a trigonometric polynomial, between the tilts a cubic that keeps to them (PCHIP).
    """

    tilts: Floats
    table: NDArray[np.complex128]

    @property
    def level(self) -> complex:
        """On a level machine."""
        return complex(self.table[0, 0])

    def at(self, x: float, y: float) -> complex:
        """At a tilt vector towards the low side (tangents); a tilt beyond the table is taken as its last."""
        parts = self._coefficients(min(atan(hypot(x, y)), float(self.tilts[-1])))
        m = self.table.shape[1]
        waves = np.exp(1j * np.fft.fftfreq(m, 1.0 / m) * atan2(y, x))
        return complex((parts[:m] + 1j * parts[m:]) @ waves)

    @cached_property
    def _coefficients(self) -> Callable[[float], Floats]:
        """Fourier coefficients round the low side, real parts then imaginary ones, by tilt."""
        from scipy.interpolate import PchipInterpolator

        found = np.fft.fft(self.table, axis=1) / self.table.shape[1]
        stacked = np.hstack([found.real, found.imag])
        return cast("Callable[[float], Floats]", PchipInterpolator(self.tilts, stacked))


@dataclass(frozen=True, slots=True)
class Drops:
    """The drops of one direction of travel: azimuths (n,), rad, in the lab, and the machine's response."""

    angles: Floats
    response: Response


@dataclass(frozen=True, slots=True)
class DropTilt:
    """The tilt that explains the drops.

    tilt: vector with its covariance, linear about the estimate. low, high: confidence interval of the angle, rad, by
    inversion of the response along the estimated azimuth; high None where the response does not bound it. n: drops.
    resultants: observed mean resultant of each direction. p_directions: probability that two directions disagree so
    much, None for one. gathered: the largest mean resultant of a level machine.
    """

    tilt: Tilt
    low: float
    high: float | None
    n: int
    resultants: tuple[complex, ...]
    p_directions: float | None
    gathered: float


@dataclass(frozen=True, slots=True)
class Dropped:
    """What the drops of a log tell. log: its name. remarks: what was noticed in it."""

    log: str
    found: DropTilt
    remarks: tuple[str, ...] = ()


def estimate(drops: Sequence[Drops], confidence: float) -> DropTilt:
    """Generalised least squares of the mean resultants against the response, and the interval of the angle.

    Raises ValueError for fewer than 20 drops in a direction.
    """
    from scipy.optimize import least_squares
    from scipy.stats import chi2

    if any(len(each.angles) < FEWEST_DROPS for each in drops):
        raise ValueError(f"at least {FEWEST_DROPS} drops in a direction are needed")
    observed = [resultant(each.angles) for each in drops]
    whitening = [_whitening(each.angles) for each in drops]
    most = tan(min(float(each.response.tilts[-1]) for each in drops))

    def whitened(resultants: Sequence[complex]) -> Floats:
        return np.concatenate(
            [w @ np.array([one.real, one.imag]) for w, one in zip(whitening, resultants, strict=True)]
        )

    target = whitened(observed)
    level = whitened([each.response.level for each in drops])

    def explained(at: Floats) -> Floats:
        return whitened([each.response.at(float(at[0]) * most, float(at[1]) * most) for each in drops])

    starts = [(0.3 * cos(turn), 0.3 * sin(turn)) for turn in (0.0, 0.5 * pi, pi, 1.5 * pi)]
    best = min(
        (
            least_squares(lambda at: explained(at) - target, start, bounds=(-1.0, 1.0), diff_step=1e-3)
            for start in starts
        ),
        key=lambda found: float(found.cost),
    )
    x, y = (best.x * most).tolist()
    jacobian = best.jac / most
    covariance = np.linalg.pinv(jacobian.T @ jacobian)
    tilt = Tilt(
        x,
        y,
        (
            (float(covariance[0, 0]), float(covariance[0, 1])),
            (float(covariance[1, 0]), float(covariance[1, 1])),
        ),
    )
    distance = float(np.sum((explained(best.x) - level) ** 2))
    low, high = _angles(drops, whitened, level, tilt.low_side, noncentral_bounds(distance, None, confidence))
    df = 2 * len(drops) - 2
    return DropTilt(
        tilt=tilt,
        low=low or 0.0,
        high=high,
        n=sum(len(each.angles) for each in drops),
        resultants=tuple(observed),
        p_directions=float(chi2.sf(2.0 * best.cost, df)) if df else None,
        gathered=max(abs(each.response.level) for each in drops),
    )


def _whitening(angles: Floats) -> Floats:
    """W with W' W the inverse of the covariance of the mean of (cos, sin)."""
    points = np.stack([np.cos(angles), np.sin(angles)])
    covariance = np.cov(points) / len(angles) + 1e-12 * np.eye(2)
    return np.asarray(np.linalg.cholesky(np.linalg.inv(covariance)).T)


def _angles(
    drops: Sequence[Drops],
    whitened: Callable[[Sequence[complex]], Floats],
    level: Floats,
    azimuth: float,
    bounds: tuple[float, float],
) -> tuple[float | None, ...]:
    """The smallest angles along an azimuth whose response lies so far from that of a level machine."""
    tilts = np.linspace(0.0, min(float(each.response.tilts[-1]) for each in drops), 200)
    away = np.array(
        [
            np.sum((whitened([each.response.at(x, y) for each in drops]) - level) ** 2)
            for x, y in ((tan(t) * cos(azimuth), tan(t) * sin(azimuth)) for t in tilts.tolist())
        ]
    )
    found: list[float | None] = []
    for bound in bounds:
        beyond = np.flatnonzero(away >= bound)
        if len(beyond) == 0:
            found.append(None)
        elif beyond[0] == 0:
            found.append(0.0)
        else:
            i = int(beyond[0])
            roots = np.sqrt([away[i - 1], away[i], bound])
            share = (roots[2] - roots[0]) / (roots[1] - roots[0])
            found.append(float(tilts[i - 1] + share * (tilts[i] - tilts[i - 1])))
    return tuple(found)
