"""F4: is the table level? No azimuth of the lab is preferred for the drop or for the rest."""

from math import degrees, pi

import numpy as np

from sim.inspection.noncentral import amplitude_interval, detectable_amplitude
from sim.inspection.result import FEWEST_SPINS, Finding, Result, cannot
from sim.inspection.sectors import azimuth_half_width, rayleigh_p
from sim.inspection.statistics import Floats, tidy

RESULTANT = "mean resultant length of the azimuths, 0 to 1"


def resultant(angles: Floats) -> complex:
    """Return the mean resultant of angles, rad, (n,): its length is in [0, 1], its argument the mean direction."""
    return complex(np.mean(np.exp(1j * angles)))


def rayleigh(angles: Floats) -> Floats:
    """Return Rayleigh's 2 n Rbar^2 of every log, (logs,). angles: (logs, n), rad. Chi-square with 2 df."""
    n = angles.shape[1]
    return tidy(2.0 * n * np.abs(np.exp(1j * angles).mean(axis=1)) ** 2)


def azimuth(identity: str, angles: Floats, confidence: float, what: str) -> Finding:
    """Return the finding of Rayleigh's test on azimuths in the lab. angles: (n,), rad; NaN where not logged."""
    logged = angles[np.isfinite(angles)]
    n = len(logged)
    if n < FEWEST_SPINS:
        return cannot(identity, n, f"needs {FEWEST_SPINS} spins with {what}")
    mean = resultant(logged)
    statistic = float(rayleigh(logged[None])[0])
    half = azimuth_half_width(statistic, confidence)
    towards = f"at {degrees(np.angle(mean)) % 360:.0f} deg"
    result = Result(
        identity,
        n,
        statistic=statistic,
        df=2,
        p=float(rayleigh_p(np.array([statistic]), n)[0]),
        effect=abs(mean),
        interval=_interval(statistic, n, confidence),
        measure=RESULTANT,
        method="chi-square, to order 1/n",
        where=f"{towards} +- {degrees(half):.0f} deg" if half < pi else None,
    )
    return Finding(result, lambda level: detectable_amplitude(2, n, level, scale=0.5, most=1.0))


def _interval(statistic: float, n: int, confidence: float) -> tuple[float, float]:
    low, high = amplitude_interval(statistic, 2, n, confidence, 0.5)
    return min(low, 1.0), min(high, 1.0)
