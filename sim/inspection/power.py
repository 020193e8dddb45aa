"""How many spins a test needs to find a bias, and how large a bias given spins find."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf

import numpy as np
from numpy.typing import NDArray

from sim.inspection import limits
from sim.inspection.noncentral import POWER, noncentrality

Floats = NDArray[np.float64]

RING_TESTS = ("F2.harmonic", "F2.harmonic_2", "F2.kuiper", "F2.scan")
TESTS = ("F1.chi_square", "F1.largest", "F1.range", *RING_TESTS)


@dataclass(frozen=True, slots=True)
class Power:
    """What one test needs or does against one alternative.

    spins: that find it with the wanted power; inf when none do. power: of the given spins, or None.
    detectable: by what factor the alternative may be weaker (or must be stronger) to be found by the given spins,
    or None. method: ``noncentral chi-square``, or ``simulated`` in the limit of many spins.
    """

    test: str
    spins: float
    power: float | None
    detectable: float | None
    method: str


def one_pocket(cells: int, excess: float) -> Floats:
    """Return the shares of a wheel of which one pocket is likelier by a relative excess, (cells,)."""
    return (1.0 + excess * np.asarray(limits.one_pocket(cells))) / cells


def sector(cells: int, amplitude: float) -> Floats:
    """Return the shares of a wheel with a cosine of that relative amplitude round its ring, (cells,)."""
    return (1.0 + amplitude * np.asarray(limits.cosine(cells))) / cells


def powers(
    shares: Floats,
    fair: Floats,
    *,
    alpha: float = 0.01,
    power: float = POWER,
    spins: int | None = None,
    tests: Sequence[str] = TESTS,
) -> tuple[Power, ...]:
    """Return every test's power against a wheel with these shares.

    shares, fair: (cells,), sum 1; on a ring in its order and fair ones equal. alpha: level of each test.
    power: wanted; spins: given, or None. tests: those wanted; on cells that are not equal only chi-square remains.
    """
    equal = bool(np.allclose(fair, fair[0]))
    wanted = [test for test in tests if equal or test == "F1.chi_square"]
    return tuple(_power(test, shares, fair, alpha, power, spins) for test in wanted)


def resultant_power(test: str, length: float, *, alpha: float, power: float, spins: int | None) -> Power:
    """Return the power of Rayleigh's test against azimuths whose mean resultant length is `length`."""
    return _noncentral(test, 2.0 * length**2, 2, alpha, power, spins)


def _power(test: str, shares: Floats, fair: Floats, alpha: float, power: float, spins: int | None) -> Power:
    cells = len(fair)
    if test == "F1.chi_square":
        return _noncentral(test, float(((shares - fair) ** 2 / fair).sum()), cells - 1, alpha, power, spins)
    if test.startswith("F2.harmonic"):
        order = 2 if test.endswith("2") else 1
        wave = np.exp(2j * np.pi * order * np.arange(cells) / cells)
        return _noncentral(test, 2.0 * float(abs(shares @ wave)) ** 2, 2, alpha, power, spins)
    shape = tuple(float(value) for value in np.round(shares * cells - 1.0, 12))
    if not any(shape):
        return Power(test, inf, None if spins is None else alpha, None, "simulated")
    needed = limits.spins_needed(test, shape, 1.0, alpha, power)
    if spins is None:
        return Power(test, float(ceil(needed)), None, None, "simulated")
    reached = limits.power_at(test, shape, 1.0, spins, alpha)
    return Power(test, float(ceil(needed)), reached, (needed / spins) ** 0.5, "simulated")


def _noncentral(test: str, per_spin: float, df: int, alpha: float, power: float, spins: int | None) -> Power:
    """per_spin: noncentrality that one spin adds."""
    from scipy.stats import chi2, ncx2

    wanted = noncentrality(df, alpha, power)
    needed = wanted / per_spin if per_spin > 1e-20 else inf
    rounded = float(ceil(needed)) if needed < inf else inf
    if spins is None:
        return Power(test, rounded, None, None, "noncentral chi-square")
    reached = alpha if needed == inf else float(ncx2.sf(chi2.isf(alpha, df), df, spins * per_spin))
    factor = None if needed == inf else (needed / spins) ** 0.5
    return Power(test, rounded, reached, factor, "noncentral chi-square")
