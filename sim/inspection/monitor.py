"""The e-process: evidence against a fair wheel while spins arrive, valid whenever one stops."""

from dataclasses import dataclass, replace
from hashlib import sha256
from math import log

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SCALES = (12.5, 50.0, 200.0, 800.0)
"""Spins of prior weight for each cell, mixed with equal weights: the smaller see strong bias, the larger weak."""


def log_e(counts: Ints, shares: Floats, scale: float) -> Floats:
    """Return log E of counts at one scale, counts: (..., cells) -> (...).

    E = Gamma(A) / Gamma(A + n) prod Gamma(a_i + x_i) / Gamma(a_i) / prod f_i^x_i with a_i = A f_i, A = scale * cells
    (Lindon & Malek 2022, Anytime-valid inference for multinomial count data, eq. 8): a martingale of mean 1.
    """
    from scipy.special import gammaln

    prior = scale * len(shares) * shares
    n = counts.sum(axis=-1)
    cells = gammaln(prior + counts) - gammaln(prior) - counts * np.log(shares)
    total = scale * len(shares)
    return np.asarray(gammaln(total) - gammaln(total + n) + cells.sum(axis=-1))


def mixed_log_e(counts: Ints, shares: Floats) -> Floats:
    """Return log of the mean of E over `SCALES`, counts: (..., cells) -> (...)."""
    from scipy.special import logsumexp

    each = np.stack([log_e(counts, shares, scale) for scale in SCALES])
    return np.asarray(logsumexp(each, axis=0) - log(len(SCALES)))


def path(cells: Ints, shares: Floats, before: Ints) -> Floats:
    """Return log E after every spin, (n,). cells: (n,) of the new spins. before: (cells,) counts up to then."""
    from scipy.special import logsumexp

    n, size = len(cells), len(shares)
    order = np.argsort(cells, kind="stable")
    first = np.concatenate(([0], np.cumsum(np.bincount(cells, minlength=size))))[:-1]
    earlier = np.empty(n, dtype=np.int64)
    earlier[order] = np.arange(n) - first[cells[order]]
    earlier += before[cells]
    spins = before.sum() + np.arange(n)
    steps = []
    for scale in SCALES:
        weight = scale * size
        ratio = (weight * shares[cells] + earlier) / ((weight + spins) * shares[cells])
        steps.append(float(log_e(before, shares, scale)) + np.cumsum(np.log(ratio)))
    return np.asarray(logsumexp(np.stack(steps), axis=0) - log(len(SCALES)))


@dataclass(frozen=True, slots=True)
class State:
    """Where a monitor stands after n valid spins.

    game: id of the rulebook. shares, counts: of its cells. log_e: after the last spin. peak: largest log E so far.
    alarm_at: number of valid spins at which E first reached 1 / alpha, or None. digest: SHA-256 of the results so
    far, by which a log that was rewritten is known.
    """

    game: str
    shares: tuple[float, ...]
    alpha: float
    counts: tuple[int, ...]
    log_e: float
    peak: float
    alarm_at: int | None
    digest: str

    @property
    def n(self) -> int:
        """Number of valid spins so far."""
        return sum(self.counts)


def begin(game: str, shares: tuple[float, ...], alpha: float) -> State:
    """Return the state before the first spin."""
    return State(game, shares, alpha, (0,) * len(shares), 0.0, 0.0, None, digest(np.empty(0, dtype=np.int64)))


def digest(cells: Ints) -> str:
    """Return the SHA-256 of results, as 32-bit little-endian whole numbers."""
    return sha256(cells.astype("<i4").tobytes()).hexdigest()


def continues(state: State, cells: Ints) -> bool:
    """Whether a log's valid results (n,) begin with those that the state has seen."""
    return len(cells) >= state.n and digest(cells[: state.n]) == state.digest


def advance(state: State, cells: Ints) -> tuple[State, Floats]:
    """Return the state after all of a log's valid results, and log E after each new one, (new,).

    cells: (n,) from the log's first spin. Raises ValueError when the log does not continue what the state has seen.
    """
    if not continues(state, cells):
        raise ValueError("the log does not begin with the results seen before")
    new = cells[state.n :]
    if not len(new):
        return state, np.empty(0)
    shares, before = np.asarray(state.shares), np.asarray(state.counts, dtype=np.int64)
    values = path(new, shares, before)
    crossed = np.flatnonzero(values >= -log(state.alpha))
    alarm_at = state.alarm_at
    if alarm_at is None and len(crossed):
        alarm_at = state.n + int(crossed[0]) + 1
    counts = before + np.bincount(new, minlength=len(shares))
    after = replace(
        state,
        counts=tuple(int(count) for count in counts),
        log_e=float(values[-1]),
        peak=max(state.peak, float(values.max())),
        alarm_at=alarm_at,
        digest=digest(cells),
    )
    return after, values


def to_json(state: State) -> dict[str, object]:
    """Return a state as plain values for a JSON file."""
    return {
        "game": state.game,
        "alpha": state.alpha,
        "shares": list(state.shares),
        "counts": list(state.counts),
        "log_e": state.log_e,
        "peak": state.peak,
        "alarm_at": state.alarm_at,
        "digest": state.digest,
    }


def from_json(values: object) -> State:
    """Return the state that `to_json` wrote. Raises ValueError for anything else."""
    if not isinstance(values, dict) or set(values) != set(to_json(begin("", (1.0,), 0.5))):
        raise ValueError("not a state of fairwheel monitor")
    shares, counts, alarm = values["shares"], values["counts"], values["alarm_at"]
    lists = isinstance(shares, list) and isinstance(counts, list) and len(shares) == len(counts)
    numbers = (values["alpha"], values["log_e"], values["peak"], *(shares if lists else ()))
    good = (
        lists
        and all(type(count) is int and count >= 0 for count in counts)
        and all(type(number) in {int, float} for number in numbers)
        and all(share > 0 for share in shares)
        and (alarm is None or type(alarm) is int)
        and 0 < values["alpha"] < 1
        and isinstance(values["game"], str)
        and isinstance(values["digest"], str)
    )
    if not good:
        raise ValueError("not a state of fairwheel monitor")
    return State(
        game=values["game"],
        shares=tuple(map(float, shares)),
        alpha=values["alpha"],
        counts=tuple(counts),
        log_e=values["log_e"],
        peak=values["peak"],
        alarm_at=alarm,
        digest=values["digest"],
    )
