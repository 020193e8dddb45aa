"""F6: the same in both directions, for every thrower, ball and day. F7: a wheel's throws."""

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from sim.inspection.independence import contingency
from sim.inspection.noncentral import (
    amplitude,
    amplitude_interval,
    detectable_amplitude,
    share_interval,
)
from sim.inspection.result import FEWEST_SPINS, Finding, Result, cannot
from sim.inspection.statistics import Floats, tidy

Ints = NDArray[np.int64]
LEAST_EXPECTED = 5.0
SAMPLES = 9_999
SEED = 2004
MOST_SAMPLED = 5_000
"""Cells of a table of which 9 999 samples are still quick."""
FEWEST_OF_GROUP = 5
COHEN = "difference between groups, Cohen's w"


def needs_samples(table: Ints) -> bool:
    """Whether an expected count, of cells and groups that occur, is below 5."""
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    return bool(rows[rows > 0].min() * columns[columns > 0].min() / rows.sum() < LEAST_EXPECTED)


def homogeneity_p(table: Ints, samples: int = SAMPLES) -> tuple[float, float, int, str]:
    """Return statistic, p, df and method of the same shares in every group. table: (groups, cells).

    Monte Carlo over tables of the same margins (Patefield 1981) when an expected count is below 5.
    """
    from scipy.stats import chi2, random_table

    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    statistics, dfs = contingency(table[None])
    statistic, df = float(statistics[0]), int(dfs[0])
    if df == 0:
        return statistic, 1.0, df, "chi-square"
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    if not needs_samples(table):
        return statistic, float(chi2.sf(statistic, df)), df, "chi-square"
    seed = [SEED, *map(int, table.shape), int(table.sum())]
    sampled = random_table(rows, columns, seed=np.random.default_rng(seed))
    exceeded, chunk = 0, max(1, 2_000_000 // table.size)
    for first in range(0, samples, chunk):
        drawn = np.asarray(sampled.rvs(size=min(chunk, samples - first)), dtype=np.int64)
        exceeded += int((contingency(drawn)[0] >= statistic).sum())
    return statistic, (1 + exceeded) / (1 + samples), df, f"Monte Carlo, {samples} tables"


@dataclass(frozen=True, eq=False, slots=True)
class Labels:
    """Which group every spin belongs to. codes: (n,) index of its word, -1 where not logged. words: of the groups."""

    codes: Ints
    words: tuple[str, ...]

    def __getitem__(self, chosen: NDArray[np.bool_]) -> "Labels":
        return Labels(self.codes[chosen], self.words)

    def groups(self) -> tuple[tuple[str, ...], Ints]:
        """Return the words that occur, and which of them each spin with a word has, (n with a word,)."""
        present, group = np.unique(self.codes[self.codes >= 0], return_inverse=True)
        return tuple(self.words[code] for code in present), group


def homogeneity(field: str, labels: Labels, cells: Ints, size: int, confidence: float) -> Finding:
    """Return the finding of F6.<field>: do all groups land alike?

    labels: of the n valid spins. cells: (n,). size: number of cells.
    """
    identity = f"F6.{field}"
    known = labels.codes >= 0
    names, group = labels.groups()
    n = int(known.sum())
    if len(names) < 2:
        logged = f"only {names[0]!r} is logged" if len(names) else "none is logged"
        return cannot(identity, n, f"needs spins of two groups, and {logged}")
    if n < max(FEWEST_SPINS, FEWEST_OF_GROUP * len(names)):
        return cannot(
            identity, n, f"needs {FEWEST_OF_GROUP} spins of a group on average, and has {len(names)} groups"
        )
    table = np.bincount(group * size + cells[known], minlength=len(names) * size).reshape(-1, size)
    if table.size > MOST_SAMPLED and needs_samples(table):
        return cannot(
            identity,
            n,
            f"needs {LEAST_EXPECTED:g} spins expected of each cell in each of {len(names)} groups",
        )
    statistic, p, df, method = homogeneity_p(table)
    apart = _apart(table)
    result = Result(
        identity,
        n,
        statistic=statistic,
        df=df,
        p=p,
        effect=amplitude(statistic, df, n),
        interval=amplitude_interval(statistic, max(df, 1), n, confidence),
        measure=COHEN,
        method=method,
        where=f"{names[apart]} of {len(names)} groups",
    )
    return Finding(result, lambda level: detectable_amplitude(max(df, 1), n, level))


def _apart(table: Ints) -> int:
    """Return the group whose counts lie farthest from those of all groups, per degree of freedom."""
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(expected > 0, (table - expected) ** 2 / expected, 0.0)
    return int(np.argmax(terms.sum(axis=1)))


def drift_statistic(sequences: Ints, cells: int) -> Floats:
    """Return the score statistic of a linear drift of the cells' shares, (logs,). sequences: (logs, n).

    U_i = sum of t - mean(t) over the spins that gave cell i; sum U_i^2 n / (x_i S), S = sum (t - mean(t))^2, is
    chi-square with cells - 1 df (score test of a slope in multinomial logits; of two cells, Armitage 1955).
    """
    logs, n = sequences.shape
    time = np.arange(n) - (n - 1) / 2
    place = (sequences + np.arange(logs)[:, None] * cells).ravel()
    counts = np.bincount(place, minlength=logs * cells).reshape(logs, cells)
    scores = np.bincount(place, weights=np.tile(time, logs), minlength=logs * cells).reshape(logs, cells)
    terms = np.divide(scores**2, counts, out=np.zeros_like(scores), where=counts > 0)
    return tidy(n * terms.sum(axis=1) / float((time**2).sum()))


def drift(sequence: Ints, shares: Floats, confidence: float) -> Finding:
    """Return the finding of F6.drift: do the shares change from the first spin to the last? sequence: (n,)."""
    from scipy.stats import chi2

    n, df = len(sequence), len(shares) - 1
    if n * shares.min() < LEAST_EXPECTED:
        return cannot("F6.drift", n, f"needs {round(LEAST_EXPECTED / shares.min())} spins")
    statistic = float(drift_statistic(sequence[None], len(shares))[0])
    # A share that runs from f (1 - w) to f (1 + w) has slope variance w^2 / 3 over the log.
    result = Result(
        "F6.drift",
        n,
        statistic=statistic,
        df=df,
        p=float(chi2.sf(statistic, df)),
        effect=amplitude(statistic, df, n, 3.0),
        interval=amplitude_interval(statistic, df, n, confidence, 3.0),
        measure="rms change of a cell's share from the middle to either end, relative",
        method="chi-square",
    )
    return Finding(result, lambda level: detectable_amplitude(df, n, level, scale=3.0))


def throws(turns: Floats, throwers: Labels, confidence: float) -> Finding:
    """Return the finding of F7.turns: is the total rotation spread over the turn, for every thrower?

    turns: (n,) turns from push to rest, NaN where not logged; only their fraction counts. The statistic is the sum
    of every thrower's 2 n Rbar^2, chi-square with 2 df each.
    """
    from scipy.stats import chi2

    logged = np.isfinite(turns)
    n = int(logged.sum())
    if n < FEWEST_SPINS:
        return cannot("F7.turns", n, f"needs {FEWEST_SPINS} spins with their total rotation (turns_net)")
    if np.all(turns[logged] == np.round(turns[logged])):
        return cannot("F7.turns", n, "needs total rotations with their fraction of a turn, not whole turns")
    parts, worst = [], (-1.0, "")
    for code in np.unique(throwers.codes[logged]):
        own = turns[logged & (throwers.codes == code)]
        name = throwers.words[code] if code >= 0 else "throwers without a name"
        length = float(abs(np.mean(np.exp(2j * pi * own))))
        parts.append(2 * len(own) * length**2)
        worst = max(worst, (parts[-1], f"{name}: resultant {length:.3f} of {len(own)}"))
    statistic, df = float(sum(parts)), 2 * len(parts)
    result = Result(
        "F7.turns",
        n,
        statistic=statistic,
        df=df,
        p=float(chi2.sf(statistic, df)),
        effect=sqrt(max(0.0, statistic - df) / (2 * n)),
        interval=amplitude_interval(statistic, df, n, confidence, 0.5),
        measure="resultant length of the total rotation within a turn, rms over throwers",
        method="chi-square",
        where=worst[1],
    )
    return Finding(result, lambda level: detectable_amplitude(df, n, level, scale=0.5, most=1.0))


def invalid(void: NDArray[np.bool_], throwers: Labels, confidence: float) -> Finding:
    """Return the finding of F7.invalid: the share of spins without a result, and is it every thrower's?

    void: (spins,) of all spins, valid or not. No law bounds the share itself, so one thrower gives no p.
    """
    n = len(void)
    names, group = throwers.groups()
    count = int(void.sum())
    low, high = share_interval(count, n, confidence) if n else (0.0, 1.0)
    share = Result(
        "F7.invalid",
        n,
        effect=count / n if n else None,
        interval=(low, high),
        measure="share of spins without a result",
        method="exact interval",
        why_not="needs two throwers to compare; no law bounds the share itself",
    )
    named = void[throwers.codes >= 0]
    if len(names) < 2 or len(named) < FEWEST_SPINS or len(set(named)) < 2:
        return Finding(share)
    table = np.bincount(group * 2 + named, minlength=2 * len(names)).reshape(-1, 2)
    statistic, p, df, method = homogeneity_p(table)
    worst = int(np.argmax(table[:, 1] / table.sum(axis=1)))
    spread = sqrt(named.mean() * (1 - named.mean()))
    low, high = amplitude_interval(statistic, df, len(named), confidence)
    result = Result(
        "F7.invalid",
        len(named),
        statistic=statistic,
        df=df,
        p=p,
        effect=spread * amplitude(statistic, df, len(named)),
        interval=(spread * low, spread * high),
        measure="rms difference of a thrower's share of spins without a result from all throwers'",
        method=method,
        where=f"{names[worst]}: {table[worst, 1]} of {table[worst].sum()}; all: {count} of {n}",
    )
    return Finding(result, lambda level: _times(spread, detectable_amplitude(df, len(named), level)))


def _times(factor: float, value: float | None) -> float | None:
    return None if value is None else factor * value
