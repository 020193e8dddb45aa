"""Criteria that authorities state, each with the rate at which it finds fault with a fair wheel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.inspection.independence import lag_table
from sim.inspection.result import Result
from sim.inspection.statistics import Counts, Floats, chi_square

Ints = NDArray[np.int64]
RISK = 0.025
DEVIATIONS = 3.0
TRIALS = 1000


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion. passed: None when it cannot be judged, and `remark` says why; else remark says what was found.

    false_alarm: chance that a fair wheel fails it.
    """

    what: str
    passed: bool | None
    remark: str
    false_alarm: float


@dataclass(frozen=True, slots=True)
class Profile:
    """The criteria of one authority. false_alarm: chance that a fair wheel fails one of those that count.

    The rates are taken as if the criteria were independent.
    """

    name: str
    source: str
    criteria: tuple[Criterion, ...]
    false_alarm: float


PROFILES = ("slovenia-2002", "ontario-99")


def profile(
    name: str, sequence: Ints, names: Sequence[str], shares: Floats, tests: Mapping[str, Result]
) -> Profile:
    """Return what a profile says. Raises KeyError for a name that is none of `PROFILES`.

    sequence: (n,) cells of valid spins in order. names, shares: of the cells. tests: the inspection's, by id.
    """
    return {"slovenia-2002": _slovenia, "ontario-99": _ontario}[name](sequence, names, shares, tests)


def outside(counts: Counts, n: int, shares: Floats) -> NDArray[np.bool_]:
    """Return which counts lie more than three standard deviations from n f. counts, shares: (cells,)."""
    return np.asarray(np.abs(counts - n * shares) > DEVIATIONS * np.sqrt(n * shares * (1 - shares)))


def outside_rate(n: int, shares: Floats) -> float:
    """Return the chance that some count of a fair wheel lies more than three standard deviations out.

    Exact binomial distributions of the counts, taken as independent.
    """
    from scipy.stats import binom

    different, times = np.unique(shares, return_counts=True)
    mean, half = n * different, DEVIATIONS * np.sqrt(n * different * (1 - different))
    inside = binom.cdf(np.floor(mean + half), n, different) - binom.cdf(
        np.ceil(mean - half) - 1, n, different
    )
    return float(1 - np.prod(inside**times))


def pairs_rate(cells: int, critical: float) -> float:
    """Return the chance that X^2 of overlapping successive pairs of a fair wheel exceeds a critical value.

    X^2 of overlapping pairs is not chi-square: it is chi-square with (cells - 1)^2 df plus twice an independent one
    with cells - 1 (Good 1953, Proc. Camb. Phil. Soc. 49, 276).
    """
    from scipy.integrate import quad
    from scipy.stats import chi2

    df = cells - 1
    spread = 12 * np.sqrt(2 * df)
    low, high = max(0.0, df - spread), df + spread + 60
    return float(quad(lambda y: chi2.sf(critical - 2 * y, df**2) * chi2.pdf(y, df), low, high, limit=200)[0])


def _slovenia(sequence: Ints, names: Sequence[str], shares: Floats, tests: Mapping[str, Result]) -> Profile:
    from scipy.stats import chi2

    n, cells = len(sequence), len(shares)
    trials, df = TRIALS * cells, len(shares) - 1
    enough = n >= trials
    spins = max(n, trials)
    counts = np.bincount(sequence, minlength=cells)
    pairs = lag_table(sequence[None], cells).ravel() if n > 1 else np.zeros(cells**2, dtype=np.int64)
    pair_shares = np.outer(shares, shares).ravel()
    statistic = float(chi_square(counts[None], shares)[0]) if n else 0.0
    pair_statistic = float(chi_square(pairs[None], pair_shares)[0]) if n > 1 else 0.0
    upper, pair_upper = float(chi2.isf(RISK, df)), float(chi2.isf(RISK, cells**2 - 1))
    low, high = float(chi2.ppf(RISK / 2, df)), float(chi2.isf(RISK / 2, df))
    out = [names[int(index)] for index in np.flatnonzero(outside(counts, n, shares))]
    pairs_out = int(outside(pairs, n - 1, pair_shares).sum())

    def judged(what: str, passed: bool, found: str, rate: float) -> Criterion:
        return Criterion(what, passed if enough else None, found if enough else f"needs {trials} spins", rate)

    criteria = (
        judged(
            "each outcome within 3 s.d.", not out, ", ".join(out) or "all inside", outside_rate(spins, shares)
        ),
        judged(f"chi-square <= {upper:.3f}", statistic <= upper, f"{statistic:.3f}", RISK),
        judged(
            "each pair in succession within 3 s.d.",
            not pairs_out,
            f"{pairs_out} of {cells**2} outside",
            outside_rate(spins - 1, pair_shares),
        ),
        judged(
            f"chi-square of pairs <= {pair_upper:.3f}",
            pair_statistic <= pair_upper,
            f"{pair_statistic:.3f}",
            pairs_rate(cells, pair_upper),
        ),
        judged(
            f"or two-sided: {low:.3f} to {high:.3f}",
            low <= statistic <= high,
            f"{statistic:.3f}",
            RISK,
        ),
    )
    return Profile("slovenia-2002", "UL RS 100/2002 art. 1", criteria, _together(criteria[:4]))


def _ontario(sequence: Ints, names: Sequence[str], shares: Floats, tests: Mapping[str, Result]) -> Profile:
    wanted = {"frequency": "F1.chi_square", "runs": "F3.runs", "serial correlation": "F3.lag1"}
    criteria = []
    for what, identity in wanted.items():
        test = tests[identity]
        if test.p is None:
            criteria.append(Criterion(f"{what} at 99 %", None, test.why_not or "", 0.01))
        else:
            criteria.append(Criterion(f"{what} at 99 %", test.p >= 0.01, f"{identity} p {test.p:.3g}", 0.01))
    return Profile("ontario-99", "AGCO RNG standards section 5", tuple(criteria), _together(criteria))


def _together(criteria: Sequence[Criterion]) -> float:
    return float(1 - np.prod([1 - one.false_alarm for one in criteria]))
