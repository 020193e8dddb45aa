"""The e-process: evidence against a fair wheel while spins arrive, valid whenever one stops."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from math import inf, isclose, log

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


class Damaged(ValueError):  # noqa: N818
    """A state whose numbers are not those of the results that it has seen."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a monitor stands after n valid spins.

    game: id of the rulebook. counts: result -> how often it came. log_e: after the last spin. peak: largest log E.
    alarm_at: number of valid spins at which E first reached 1 / alpha, or None. digest: SHA-256 of the results so
    far, by which a log that was rewritten is known.
    """

    game: str
    alpha: float
    counts: dict[str, int]
    log_e: float
    peak: float
    alarm_at: int | None
    digest: str

    @property
    def n(self) -> int:
        """Number of valid spins so far."""
        return sum(self.counts.values())


def begin(game: str, alpha: float) -> State:
    """Return the state before the first spin."""
    return State(game, alpha, {}, 0.0, 0.0, None, digest(()))


def digest(results: Iterable[str]) -> str:
    """Return the SHA-256 of results, a line each."""
    return sha256("".join(f"{result}\n" for result in results).encode()).hexdigest()


def advance(state: State, names: Sequence[str], shares: Floats, cells: Ints) -> tuple[State, Floats]:
    """Return the state after all of a log's valid results, and log E after each new one, (new,).

    names, shares: of the cells. cells: (n,) index of every result, from the log's first. Raises ValueError when the
    log does not begin with the results that the state has seen, Damaged when the state does not follow from them.
    """
    results = np.asarray(names, dtype=object)[cells]
    if len(cells) < state.n or digest(results[: state.n]) != state.digest:
        raise ValueError("the log does not begin with the results seen before")
    new = cells[state.n :]
    before = np.bincount(cells[: state.n], minlength=len(shares))
    _check(state, dict(zip(names, before.tolist(), strict=True)), float(mixed_log_e(before, shares)))
    if not len(new):
        return state, np.empty(0)
    values = path(new, shares, before)
    crossed = np.flatnonzero(values >= -log(state.alpha))
    alarm_at = state.alarm_at
    if alarm_at is None and len(crossed):
        alarm_at = state.n + int(crossed[0]) + 1
    counts = before + np.bincount(new, minlength=len(shares))
    after = replace(
        state,
        counts={name: int(count) for name, count in zip(names, counts, strict=True)},
        log_e=float(values[-1]),
        peak=max(state.peak, float(values.max())),
        alarm_at=alarm_at,
        digest=digest(results),
    )
    return after, values


def _check(state: State, counts: dict[str, int], log_e: float) -> None:
    """Raise Damaged unless a state follows from its counts. log_e: of them."""
    seen = {name: count for name, count in state.counts.items() if count}
    follows = (
        seen == {name: count for name, count in counts.items() if count}
        and isclose(state.log_e, log_e, rel_tol=1e-6, abs_tol=1e-4)
        and state.log_e <= state.peak < inf
        and (state.alarm_at is not None) == (state.peak >= -log(state.alpha))
    )
    if not follows:
        raise Damaged("the state does not follow from the results seen")


def from_plain(values: object) -> State:
    """Return the state of which `dataclasses.asdict` made these values. Raises ValueError for any others."""
    wrong = ValueError("not a state that fairwheel monitor wrote")
    if not isinstance(values, dict) or set(values) != {field.name for field in fields(State)}:
        raise wrong
    counts, alarm = values["counts"], values["alarm_at"]
    numbers = (values["alpha"], values["log_e"], values["peak"])
    good = (
        isinstance(counts, dict)
        and all(type(count) is int and count >= 0 for count in counts.values())
        and all(type(number) in {int, float} for number in numbers)
        and all(type(values[name]) is str for name in ("game", "digest"))
        and 0 < values["alpha"] < 1
        and (alarm is None or (type(alarm) is int and 0 < alarm <= sum(counts.values())))
    )
    if not good:
        raise wrong
    return State(**values)
