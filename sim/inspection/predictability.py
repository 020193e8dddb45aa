"""F5: does what can be seen before bets close tell the result? Measured on spins that the observer has not learnt from.

For every spin the observer names the azimuth on the plate where he expects the ball (a constant offset does not
matter), and classes of what else he saw. From half of the spins he learns how results lie about that azimuth; on the
other half he bets; then the halves change places.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from sim.rules.rulebook import Distinct, OneOf, Rulebook

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
FEWEST = 200
RESAMPLES = 2000
SEED = 1979
_PRIOR = 0.05
_LEAST = 0.02
_ROUNDS = 200
_FINE = 4


@dataclass(frozen=True, slots=True)
class Watched:
    """What an observer knew when bets closed, and what came of it.

    expected: (k, n), rad on the plate, by k ways of his to tell; NaN where one tells nothing. classes: name -> (n,)
    classes 0, 1, ... of what else he saw, -1 for none. cells: (n,) hollow or section, -1 for a void spin. sites:
    (cells,) place of every cell round the plate, 0 to cells - 1, evenly spaced, counter-clockwise from the zero mark.
    """

    expected: Floats
    classes: Mapping[str, Ints]
    cells: Ints
    sites: Ints


@dataclass(frozen=True, slots=True)
class Predictability:
    """How well the observer does, on spins that he has not learnt from.

    n: spins; valid: those with a result. bits: mean information of a valid spin, log2 of the chance that he gave to
    what came, over that of a fair cell; below zero where he learnt too little to know better than that. expectation:
    of a unit on the bet that he thinks best, every spin. Both with their bootstrap intervals. edge: what the house
    keeps of the bet that is best on equal cells.
    """

    n: int
    valid: int
    bits: float
    bits_interval: tuple[float, float]
    expectation: float
    interval: tuple[float, float]
    edge: float


def predictability(
    watched: Watched, rulebook: Rulebook, ring: Sequence[str], confidence: float = 0.95
) -> Predictability:
    """Return how well the observer does. ring: symbol of every cell. Raises ValueError for fewer than 200 spins."""
    n = len(watched.cells)
    chances = _chances(watched)
    bits = _information(watched, chances)
    bits = bits[np.isfinite(bits)]
    _, gains = _best_bets(rulebook, ring, chances, watched.cells)
    random = np.random.default_rng(SEED)
    fair = np.full((1, len(ring)), 1.0 / len(ring))
    return Predictability(
        n=n,
        valid=len(bits),
        bits=float(bits.mean()) if len(bits) else 0.0,
        bits_interval=_bootstrap(bits, confidence, random),
        expectation=float(gains.mean()),
        interval=_bootstrap(gains, confidence, random),
        edge=-float(_best_bets(rulebook, ring, fair, np.array([-1]))[0][0]),
    )


def information(watched: Watched) -> Floats:
    """Information of each spin, bits, shape (n,), as in `Predictability`; NaN for a void one.

    Raises ValueError for fewer than 200 spins.
    """
    return _information(watched, _chances(watched))


def _information(watched: Watched, chances: Floats) -> Floats:
    won = watched.cells >= 0
    bits = np.full(len(won), np.nan)
    bits[won] = np.log2(chances[won, watched.cells[won]] * len(watched.sites))
    return bits


def _chances(watched: Watched) -> Floats:
    """The chances that he gives to every cell, (n, cells): those of each half as learnt from the other."""
    n = len(watched.cells)
    if n < FEWEST:
        raise ValueError(f"at least {FEWEST} spins are needed")
    half = np.arange(n) % 2 == 0
    chances = np.empty((n, len(watched.sites)))
    for learnt in (half, ~half):
        chances[~learnt] = _learn(_part(watched, learnt))(_part(watched, ~learnt))
    return chances


def _part(watched: Watched, kept: NDArray[np.bool_]) -> Watched:
    classes = {name: values[kept] for name, values in watched.classes.items()}
    return Watched(watched.expected[:, kept], classes, watched.cells[kept], watched.sites)


def _bootstrap(values: Floats, confidence: float, random: np.random.Generator) -> tuple[float, float]:
    """Percentile interval of the mean; values that are alike are drawn together."""
    if len(values) == 0:
        return 0.0, 0.0
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) > 1000:
        # By the central limit theorem the percentiles of so many resampled means are those of a normal.
        from scipy.stats import norm

        half = float(norm.isf((1 - confidence) / 2) * values.std() / np.sqrt(len(values)))
        return float(values.mean()) - half, float(values.mean()) + half
    means = random.multinomial(len(values), counts / len(values), size=RESAMPLES) @ distinct / len(values)
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2]).tolist()
    return low, high


Expert = Callable[[Watched], Floats]
"""Gives every spin its chances, (n, cells)."""


def _learn(seen: Watched) -> Expert:
    """A mixture of experts, weighted by how well each does on spins that it has not learnt from."""
    inner = np.arange(len(seen.cells)) % 2 == 0
    scores = []
    for learnt in (inner, ~inner):
        rest = _part(seen, ~learnt)
        won = rest.cells >= 0
        tried = [expert(rest)[won, rest.cells[won]] for expert in _experts(_part(seen, learnt))]
        scores.append(np.stack(tried, axis=1))
    weights = _weights(np.concatenate(scores))
    experts = _experts(seen)

    def mixed(watched: Watched) -> Floats:
        told = (
            weight * expert(watched) for weight, expert in zip(weights, experts, strict=True) if weight > 1e-6
        )
        return np.asarray(sum(told), float)

    return mixed


def _weights(scores: Floats) -> Floats:
    """Shares of the experts of most likelihood, by expectation and maximisation. scores: (n, experts)."""
    weights = np.full(scores.shape[1], 1.0 / scores.shape[1])
    if len(scores) == 0:
        return weights
    for _ in range(_ROUNDS):
        parts = scores * weights
        weights = (parts / parts.sum(axis=1, keepdims=True)).mean(axis=0)
    return np.asarray(weights / weights.sum())


def _experts(seen: Watched) -> list[Expert]:
    """The experts, learnt from spins: fair; what came; where it lies about what was expected, in several ways."""
    cells = len(seen.sites)
    valid = seen.cells >= 0
    counts = np.bincount(seen.cells[valid], minlength=cells) + 1.0
    often = counts / counts.sum()

    def fair(watched: Watched) -> Floats:
        return np.full((len(watched.cells), cells), 1.0 / cells)

    def marginal(watched: Watched) -> Floats:
        return np.tile(often, (len(watched.cells), 1))

    experts: list[Expert] = [fair, marginal]
    for way in range(len(seen.expected)):
        known = _part(seen, valid & np.isfinite(seen.expected[way]))
        for name in (None, *known.classes):
            smooth = _by_class(name, known, way, _smooth)
            experts += [smooth, _times(smooth, often), _by_class(name, known, way, _table)]
    return experts


def _times(expert: Expert, often: Floats) -> Expert:
    def product(watched: Watched) -> Floats:
        chances = expert(watched) * often
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    return product


def _by_class(name: str | None, known: Watched, way: int, learn: Callable[[Watched, int], Expert]) -> Expert:
    """An expert for each class; where nothing is known, or the class is new, all cells are alike."""

    def classes(watched: Watched) -> Ints:
        return np.zeros(len(watched.cells), np.int64) if name is None else watched.classes[name]

    own = classes(known)
    learnt = {kind: learn(_part(known, own == kind), way) for kind in np.unique(own[own >= 0]).tolist()}
    cells = len(known.sites)

    def told(watched: Watched) -> Floats:
        chances = np.full((len(watched.cells), cells), 1.0 / cells)
        for kind, expert in learnt.items():
            these = (classes(watched) == kind) & np.isfinite(watched.expected[way])
            if these.any():
                chances[these] = expert(_part(watched, these))
        return chances

    return told


def _smooth(known: Watched, way: int) -> Expert:
    """A density round the circle: Fourier coefficients of where results lie about what was expected, each shrunk by
    the share of it that chance makes (James & Stein 1961).
    """
    cells, n = len(known.sites), len(known.cells)
    azimuths = 2.0 * pi * known.sites / cells
    orders = np.arange(1, cells // 2 + 1)
    away = azimuths[known.cells] - known.expected[way]
    found = np.array([np.exp(-1j * order * away).mean() for order in orders])
    found *= np.maximum(0.0, 1.0 - 2.0 / np.maximum(n * np.abs(found) ** 2, 1e-12))

    def told(watched: Watched) -> Floats:
        density = np.ones((len(watched.cells), cells))
        turns = np.exp(-1j * np.outer(watched.expected[way], orders)) * found
        density += 2.0 * (turns @ np.exp(1j * np.outer(orders, azimuths))).real
        density = np.maximum(density, _LEAST)
        return np.asarray(density / density.sum(axis=1, keepdims=True))

    return told


def _table(known: Watched, way: int) -> Expert:
    """Counts of how many places further the result lies, by where within its place the expected azimuth is."""
    cells = len(known.sites)
    place, within = _places(known, way)
    counts = np.full((_FINE, cells), _PRIOR)
    np.add.at(counts, (within, (known.sites[known.cells] - place) % cells), 1.0)
    shares = counts / counts.sum(axis=1, keepdims=True)

    def told(watched: Watched) -> Floats:
        here, inside = _places(watched, way)
        return np.asarray(shares[inside[:, None], (watched.sites[None, :] - here[:, None]) % cells])

    return told


def _places(watched: Watched, way: int) -> tuple[Ints, Ints]:
    """The place nearest to what was expected, and in which quarter of it that lies."""
    exact = watched.expected[way] / (2.0 * pi) * len(watched.sites) + 0.5
    place = np.floor(exact)
    return place.astype(np.int64), np.minimum(((exact - place) * _FINE).astype(np.int64), _FINE - 1)


def _best_bets(
    rulebook: Rulebook, ring: Sequence[str], chances: Floats, cells: Ints
) -> tuple[Floats, Floats]:
    """What a unit on the best bet is expected to gain by the chances, and what it gains; a void spin returns it.

    chances: (n, cells). Both of shape (n,).
    """
    symbols = list(dict.fromkeys(ring))
    code = {symbol: i for i, symbol in enumerate(symbols)}
    of_cell = np.array([code[symbol] for symbol in ring])
    by_symbol = chances @ np.eye(len(symbols))[of_cell]
    came = np.where(cells >= 0, of_cell[np.maximum(cells, 0)], -1)
    best = np.full(len(chances), -np.inf)
    gains = np.zeros(len(chances))
    for bet in rulebook.bets:
        covered = np.array([code[symbol] for symbol in rulebook.covers(bet) if symbol in code])
        if len(covered) == 0:
            continue
        chosen = len(covered)
        if isinstance(bet, OneOf | Distinct):
            chosen = min(bet.count if isinstance(bet, Distinct) else 1, len(covered))
        order = np.argsort(-by_symbol[:, covered], axis=1, kind="stable")[:, :chosen]
        picked = covered[order]
        pays = rulebook.prize(bet).pays
        hope = np.take_along_axis(by_symbol, picked, axis=1).sum(axis=1) * (1 + pays) - 1.0
        won = (picked == came[:, None]).any(axis=1)
        better = hope > best + 1e-12
        best = np.where(better, hope, best)
        gains = np.where(better, np.where(came < 0, 0.0, np.where(won, float(pays), -1.0)), gains)
    return best, gains
