"""How many spins a test needs to find a bias, and how large a bias given spins find."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from sim.inspection import limits
from sim.inspection.bias import chi_square_p, largest_count_p, range_count_p
from sim.inspection.lab import rayleigh
from sim.inspection.noncentral import POWER, noncentrality
from sim.inspection.sectors import harmonic_p, kuiper_p, rayleigh_p, scan_p
from sim.inspection.statistics import MOST_SCANNED, chi_square

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RING_TESTS = ("F2.harmonic", "F2.harmonic_2", "F2.kuiper", "F2.scan")
SEEN = 0.01
TESTS = ("F1.chi_square", "F1.largest", "F1.range", *RING_TESTS)


@dataclass(frozen=True, slots=True)
class Power:
    """What one test needs or does against one alternative.

    spins: that find it with the wanted power; None when none do, and `remark` says why. power: of the given spins.
    detectable: by what factor the alternative may be weaker (or must be stronger) to be found by the given spins,
    or None. method: ``noncentral chi-square``, or ``simulated`` in the limit of many spins.
    """

    test: str
    spins: int | None
    power: float | None
    detectable: float | None
    method: str
    remark: str = ""


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
    scanned = len(fair) <= MOST_SCANNED
    wanted = [test for test in tests if (equal or test == "F1.chi_square") and (scanned or test != "F2.scan")]
    return tuple(_power(test, shares, fair, alpha, power, spins) for test in wanted)


def simulated_powers(
    counts: Ints,
    azimuths: Mapping[str, Floats],
    *,
    alpha: float = 0.01,
    power: float = POWER,
    spins: int | None = None,
    tests: Sequence[str] = TESTS,
) -> tuple[Power, ...]:
    """Return every test's power against a wheel that was simulated.

    counts: (cells,) valid spins on equal cells in ring order. azimuths: test -> (spins,) rad, what Rayleigh's test
    is made on. What the simulation itself adds by chance is taken off: shares are drawn towards fair ones until
    their noncentrality is the estimated one. A test that the simulated spins do not satisfy at 1 % is not judged.
    """
    n, cells = int(counts.sum()), len(counts)
    fair = np.full(cells, 1.0 / cells)
    statistic = float(chi_square(counts[None], fair)[0])
    kept = sqrt(max(0.0, 1.0 - (cells - 1) / statistic)) if statistic > 0 else 0.0
    shares = fair + kept * (counts / n - fair)
    seen = _seen(counts, fair, tests)
    found = [
        one if seen[one.test] and one.spins is not None else _unseen(one.test, n)
        for one in powers(shares, fair, alpha=alpha, power=power, spins=spins, tests=tests)
    ]
    for test, angles in azimuths.items():
        score = float(rayleigh(angles[None])[0])
        if rayleigh_p(np.array([score]), len(angles))[0] > SEEN:
            found.append(_unseen(test, len(angles)))
        else:
            found.append(_noncentral(test, (score - 2) / len(angles), 2, alpha, power, spins))
    return tuple(found)


def _seen(counts: Ints, fair: Floats, tests: Sequence[str]) -> dict[str, bool]:
    """Return which tests find the simulated counts biased at 1 %."""
    p: dict[str, Callable[[], Floats]] = {
        "F1.chi_square": lambda: chi_square_p(counts[None], fair),
        "F1.largest": lambda: largest_count_p(counts[None]),
        "F1.range": lambda: range_count_p(counts[None]),
        "F2.harmonic": lambda: harmonic_p(counts[None]),
        "F2.harmonic_2": lambda: harmonic_p(counts[None], 2),
        "F2.kuiper": lambda: kuiper_p(counts[None]),
        "F2.scan": lambda: scan_p(counts[None]),
    }
    return {
        test: float(p[test]()[0]) <= SEEN for test in tests if test != "F2.scan" or len(fair) <= MOST_SCANNED
    }


def _unseen(test: str, n: int) -> Power:
    return Power(test, None, None, None, "", f"no bias seen in {n} simulated spins")


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
        return Power(test, None, None if spins is None else alpha, None, "simulated", "no bias")
    needed = limits.spins_needed(test, shape, 1.0, alpha, power)
    if spins is None:
        return Power(test, ceil(needed), None, None, "simulated")
    reached = limits.power_at(test, shape, 1.0, spins, alpha)
    return Power(test, ceil(needed), reached, (needed / spins) ** 0.5, "simulated")


def _noncentral(test: str, per_spin: float, df: int, alpha: float, power: float, spins: int | None) -> Power:
    """per_spin: noncentrality that one spin adds."""
    from scipy.stats import chi2, ncx2

    method = "noncentral chi-square"
    if per_spin < 1e-20:
        return Power(test, None, None if spins is None else alpha, None, method, "blind to it")
    needed = noncentrality(df, alpha, power) / per_spin
    if spins is None:
        return Power(test, ceil(needed), None, None, method)
    reached = float(ncx2.sf(chi2.isf(alpha, df), df, spins * per_spin))
    return Power(test, ceil(needed), reached, (needed / spins) ** 0.5, method)
