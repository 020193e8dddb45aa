"""F3: does a spin tell anything of the next?"""

from math import pi

import numpy as np
from numpy.typing import NDArray

from sim.inspection.noncentral import amplitude, amplitude_interval, detectable_amplitude
from sim.inspection.result import FEWEST_SPINS, Finding, Result, cannot
from sim.inspection.statistics import Floats, tidy

Ints = NDArray[np.int64]
LEAST_EXPECTED = 5.0


def lag_table(sequences: Ints, cells: int) -> Ints:
    """Return how often each cell followed each, (logs, cells, cells). sequences: (logs, n) of cells from 0."""
    logs = len(sequences)
    pairs = sequences[:, :-1] * cells + sequences[:, 1:] + np.arange(logs)[:, None] * cells * cells
    return np.bincount(pairs.ravel(), minlength=logs * cells * cells).reshape(logs, cells, cells)


def contingency(tables: Ints) -> tuple[Floats, NDArray[np.int64]]:
    """Return X^2 and df of independence in every table, (logs,) each. tables: (logs, rows, columns).

    Rows and columns without a count take no part. Of pairs of successive spins this is Anderson and Goodman's test
    of order 0 against order 1 (1957, Ann. Math. Statist. 28, 89), chi-square whatever the pockets' shares.
    """
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    total = rows.sum(axis=1)[:, None, None]
    expected = rows[:, :, None] * columns[:, None, :] / total
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(expected > 0, (tables - expected) ** 2 / expected, 0.0)
    df = ((rows > 0).sum(axis=1) - 1) * ((columns > 0).sum(axis=1) - 1)
    return tidy(terms.sum(axis=(1, 2))), df


def circular_correlation(angles: Floats) -> Floats:
    """Return Jupp and Mardia's (n - 1) r^2 between every angle and the next, (logs,). angles: (logs, n), rad.

    r^2 = trace(S11^-1 S12 S22^-1 S21) of (cos, sin) of both; chi-square with 4 df when independent, whatever the
    distribution of the angles (Jupp & Mardia 1980, Biometrika 67, 163).
    """
    pairs = angles.shape[1] - 1
    vectors = np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    vectors -= vectors.mean(axis=1, keepdims=True)
    first, second = vectors[:, :-1], vectors[:, 1:]
    within = np.einsum("lni,lnj->lij", first, first) / pairs
    next_within = np.einsum("lni,lnj->lij", second, second) / pairs
    across = np.einsum("lni,lnj->lij", first, second) / pairs
    singular = np.linalg.det(within) * np.linalg.det(next_within) < 1e-12
    within[singular] = next_within[singular] = np.eye(2)
    product = np.linalg.solve(within, across) @ np.linalg.solve(next_within, across.transpose(0, 2, 1))
    return tidy(pairs * np.trace(product, axis1=1, axis2=2))


def allows_table(n: int, cells: int) -> bool:
    """Whether n spins fill a table of pairs of successive cells, with five expected in each."""
    return (n - 1) / cells**2 >= LEAST_EXPECTED


def lag1_p(sequences: Ints, cells: int) -> Floats:
    """Return the p of lag-1 dependence of every log: of the table of pairs where it is filled, else of the angles."""
    from scipy.stats import chi2

    if allows_table(sequences.shape[1], cells):
        return np.asarray(chi2.sf(*contingency(lag_table(sequences, cells))))
    return np.asarray(chi2.sf(circular_correlation(2 * pi * sequences / cells), 4))


def runs(kinds: Ints) -> Floats:
    """Return z of the number of runs of like kinds, with continuity correction, (logs,). kinds: (logs, n) from 0.

    Mean and variance given how often each kind came: Barton & David 1957, Biometrika 44, 168 (two kinds: Wald and
    Wolfowitz). Zero where only one kind came.
    """
    logs, n = kinds.shape
    counted = 1 + (kinds[:, 1:] != kinds[:, :-1]).sum(axis=1)
    different = int(kinds.max()) + 1
    counts = np.stack([(kinds == kind).sum(axis=1) for kind in range(different)], axis=1).astype(float)
    mean, sd = runs_moments(counts, n)
    away = np.maximum(0.0, np.abs(counted - mean) - 0.5) * np.sign(counted - mean)
    return np.asarray(np.divide(away, sd, out=np.zeros(logs), where=sd > 0))


def runs_moments(counts: Floats, n: int) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of the number of runs, (logs,) each. counts: (logs, kinds)."""
    squares, cubes = (counts**2).sum(axis=1), (counts**3).sum(axis=1)
    mean = n + 1 - squares / n
    variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n**2 * (n - 1))
    return mean, np.sqrt(np.maximum(variance, 0.0))


def runs_p(kinds: Ints) -> Floats:
    """Return the two-sided p of the number of runs of every log, (logs,)."""
    from scipy.stats import norm

    return np.asarray(2.0 * norm.sf(np.abs(runs(kinds))))


def lag1(sequence: Ints, cells: int, ring: bool, confidence: float) -> Finding:
    """Return the finding of F3.lag1. sequence: (n,) cells of valid spins in order; ring: cells are in ring order."""
    n = len(sequence)
    if n < FEWEST_SPINS:
        return cannot("F3.lag1", n, f"needs {FEWEST_SPINS} spins")
    if allows_table(n, cells):
        statistics, dfs = contingency(lag_table(sequence[None], cells))
        return _finding("F3.lag1", n - 1, float(statistics[0]), int(dfs[0]), confidence, "table of pairs")
    if not ring:
        return cannot(
            "F3.lag1", n, f"needs {round(LEAST_EXPECTED * cells**2) + 1} spins, or the ring's order"
        )
    return correlation("F3.lag1", 2 * pi * sequence / cells, confidence)


def correlation(identity: str, angles: Floats, confidence: float) -> Finding:
    """Return the finding of the circular correlation of successive angles. angles: (n,), rad."""
    n = len(angles)
    if n < FEWEST_SPINS:
        return cannot(identity, n, f"needs {FEWEST_SPINS} spins")
    statistic = float(circular_correlation(angles[None])[0])
    return _finding(identity, n - 1, statistic, 4, confidence, "circular correlation")


def _finding(identity: str, pairs: int, statistic: float, df: int, confidence: float, method: str) -> Finding:
    from scipy.stats import chi2

    result = Result(
        identity,
        pairs,
        statistic=statistic,
        df=df,
        p=float(chi2.sf(statistic, df)) if df > 0 else 1.0,
        effect=amplitude(statistic, df, pairs),
        interval=amplitude_interval(statistic, max(df, 1), pairs, confidence),
        measure="dependence of successive spins, Cohen's w",
        method=f"{method}, chi-square",
    )
    return Finding(result, lambda level: detectable_amplitude(max(df, 1), pairs, level))


def colour_runs(kinds: Ints, confidence: float) -> Finding:
    """Return the finding of F3.runs. kinds: (n,) colour of every valid spin in order, from 0."""
    from scipy.stats import norm

    n = len(kinds)
    if n < FEWEST_SPINS:
        return cannot("F3.runs", n, f"needs {FEWEST_SPINS} spins")
    counts = np.bincount(kinds).astype(float)[None]
    means, sds = runs_moments(counts, n)
    mean, sd = float(means[0]), float(sds[0])
    if sd == 0:
        return cannot("F3.runs", n, "needs results of two colours")
    counted = 1 + int((kinds[1:] != kinds[:-1]).sum())
    half = float(norm.isf((1 - confidence) / 2)) * sd / mean
    result = Result(
        "F3.runs",
        n,
        statistic=float(counted),
        p=float(runs_p(kinds[None])[0]),
        effect=counted / mean - 1,
        interval=(counted / mean - 1 - half, counted / mean - 1 + half),
        measure="number of runs of one colour over its mean, relative",
        method="normal",
    )
    return Finding(result, lambda level: float(norm.isf(level / 2) + norm.ppf(0.9)) * sd / mean)
