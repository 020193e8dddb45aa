"""False-alarm rates of every test of an inspection on fair wheels: ``python -m tests.calibration``.

Ten thousand fair logs a game and length; a rate counts as too high when a test that keeps its level exactly would
reach it in fewer than one of a thousand repetitions of the whole table. Writes docs/calibration.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, chi2

from sim.inspection import bias, groups, independence, lab, sectors
from sim.inspection.exact import largest_p, range_cdf, range_p
from sim.inspection.monitor import SCALES
from sim.inspection.statistics import null

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DOCUMENT = Path(__file__).parents[1] / "docs" / "calibration.md"
LOGS = 10_000
LENGTHS = (50, 500, 5_000)
LEVELS = (0.05, 0.01)
STREAM = 20_000
SURE = 0.001
CHUNK = 5_000_000
TABLES = 499
"""Sampled tables for one homogeneity test; an inspection takes 9 999. The p is as valid."""


@dataclass(frozen=True)
class Game:
    """cells: equal ones of the ring. symbols: (cells,) of each, from 0. colours: (cells,) of each, or empty."""

    name: str
    symbols: tuple[int, ...]
    colours: tuple[int, ...] = ()
    pegged: bool = False

    @property
    def cells(self) -> int:
        return len(self.symbols)


GAMES = (
    Game("Macau Boule, 25 hollows", tuple(range(25)), (2, *[0, 1] * 12)),
    Game("Spanish Boule, 18 holes", tuple(range(9)) * 2),
    Game(
        "Roda da Sorte, 52 sections",
        tuple(np.repeat(range(7), (24, 12, 8, 4, 2, 1, 1)).tolist()),
        pegged=True,
    ),
    Game("roulette, 37 pockets", tuple(range(37))),
)


@dataclass(frozen=True)
class Rate:
    """What share of fair logs a test at a level calls biased, and what an exact test attains, where known."""

    game: str
    test: str
    n: int
    level: float
    logs: int
    rate: float
    attainable: float | None


def p_values(game: Game, n: int, logs: int, seed: int) -> dict[str, Floats]:
    """Return the p-values of every test on fair logs of n spins, test -> (logs,)."""
    random = np.random.default_rng([seed, game.cells, n])
    parts: dict[str, list[Floats]] = {}
    done = 0
    while done < logs:
        size = min(logs - done, max(1, CHUNK // n))
        for test, p in _chunk(game, n, size, random):
            parts.setdefault(test, []).append(np.asarray(p, float))
        done += size
    return {test: np.concatenate(several) for test, several in parts.items()}


def _chunk(game: Game, n: int, logs: int, random: np.random.Generator) -> Iterator[tuple[str, Floats]]:
    cells = game.cells
    sequences = random.integers(0, cells, (logs, n))
    counts = _counts(sequences, cells)
    shares = np.full(cells, 1 / cells)
    yield "F1.chi_square", bias.chi_square_p(counts, shares)
    yield "F1.g", bias.g_p(counts, shares)
    yield "F1.largest", bias.largest_count_p(counts)
    yield "F1.range", bias.range_count_p(counts)
    yield "F1.too_even", bias.chi_square_p(counts, shares, even=True)
    symbols = np.asarray(game.symbols)
    kinds = int(symbols.max()) + 1
    if kinds < cells:
        by_symbol = counts @ (symbols[:, None] == np.arange(kinds))
        yield "F1.numbers", bias.chi_square_p(by_symbol, np.bincount(symbols) / cells)
    yield "F2.harmonic", sectors.harmonic_p(counts)
    yield "F2.harmonic_2", sectors.harmonic_p(counts, 2)
    yield "F2.kuiper", sectors.kuiper_p(counts)
    yield "F2.scan", sectors.scan_p(counts)
    yield "F3.lag1", independence.lag1_p(sequences, cells)
    if game.colours:
        yield "F3.runs", independence.runs_p(np.asarray(game.colours)[sequences])
    turns = random.random((logs, n))
    if game.pegged:
        both = [2 * half.shape[1] * _squared(half) for half in (turns[:, ::2], turns[:, 1::2])]
        yield "F7.turns", chi2.sf(both[0] + both[1], 4)
    else:
        yield "F3.lag1_drop", chi2.sf(independence.circular_correlation(2 * pi * turns), 4)
        yield "F4.harmonic", sectors.rayleigh_p(lab.rayleigh(2 * pi * turns), n)
    tables = np.stack([_counts(sequences[:, ::2], cells), _counts(sequences[:, 1::2], cells)], axis=1)
    yield "F6.direction", np.array([groups.homogeneity_p(table, TABLES)[1] for table in tables])
    if n / cells >= groups.LEAST_EXPECTED:
        yield "F6.drift", chi2.sf(groups.drift_statistic(sequences, cells), cells - 1)


def _squared(turns: Floats) -> Floats:
    return np.abs(np.exp(2j * pi * turns).mean(axis=1)) ** 2


def _counts(sequences: Ints, cells: int) -> Ints:
    logs = len(sequences)
    place = sequences + np.arange(logs)[:, None] * cells
    return np.bincount(place.ravel(), minlength=logs * cells).reshape(logs, cells)


def attainable(test: str, game: Game, n: int, level: float) -> float | None:
    """Return the largest size not above the level that a discrete test can have, or None where it is not known."""
    cells = game.cells
    if test == "F1.largest":
        reached = [largest_p(n, cells, count) for count in range(n // cells, n + 1)]
        return max((p for p in reached if p <= level), default=0.0)
    if test == "F1.range":
        return _attainable_range(n, cells, level)
    name = {"F1.chi_square": "chi_square", "F1.too_even": "chi_square", "F1.g": "g"}.get(test, test[3:])
    if name in {"kuiper", "scan"} or (name in {"chi_square", "g"} and n / cells < bias.LEAST_EXPECTED):
        sample = null((1 / cells,) * cells, n)[name]
        if test == "F1.too_even":
            sample = -sample[::-1]
        first = np.unique(sample, return_index=True)[1]
        sizes = (1.0 + len(sample) - first) / (1.0 + len(sample))
        return float(max(sizes[sizes <= level], default=0.0))
    return None


def _attainable_range(n: int, cells: int, level: float) -> float:
    widths = [width for width in range(n + 1) if range_cdf(n, cells, width - 1) < 1 - 1e-9]
    chances = np.diff([0.0, *(range_cdf(n, cells, width) for width in widths)])
    return float(sum(c for w, c in zip(widths, chances, strict=True) if range_p(n, cells, w) <= level))


def rates(logs: int = LOGS, lengths: tuple[int, ...] = LENGTHS, seed: int = 1) -> list[Rate]:
    """Return the rate of every game, length, test and level, and of the family (Holm)."""
    found = []
    for game in GAMES:
        for n in lengths:
            p = p_values(game, n, logs, seed)
            least = np.min(list(p.values()), axis=0) * len(p)
            for level in LEVELS:
                for test, values in p.items():
                    share = float(np.mean(values <= level))
                    exact = attainable(test, game, n, level)
                    found.append(Rate(game.name, test, n, level, logs, share, exact))
                together = float(np.mean(least <= level))
                found.append(Rate(game.name, "family", n, level, logs, together, None))
    return found


def alarms(logs: int = LOGS, length: int = STREAM, seed: int = 2) -> list[Rate]:
    """Return in what share of fair streams the e-process ever reaches 1 / level."""
    found = []
    for game in GAMES:
        random = np.random.default_rng([seed, game.cells])
        peak = _peaks(game.cells, logs, length, random)
        for level in LEVELS:
            share = float(np.mean(peak >= 1 / level))
            found.append(Rate(game.name, "e-process", length, level, logs, share, None))
    return found


def _peaks(cells: int, logs: int, length: int, random: np.random.Generator) -> Floats:
    """Return the largest E of every fair stream, (logs,): spin by spin, all streams side by side."""
    counts = np.zeros((logs, cells), dtype=np.int64)
    place = counts.reshape(-1)
    first = np.arange(logs) * cells
    scales = np.array(SCALES)[:, None]
    each = np.ones((len(SCALES), logs))
    peak = np.ones(logs)
    for spin in range(length):
        drawn = first + random.integers(0, cells, logs)
        each *= (scales + place[drawn]) * (cells / (scales * cells + spin))
        place[drawn] += 1
        np.maximum(peak, each.mean(axis=0), out=peak)
    return peak


def too_high(found: list[Rate]) -> list[Rate]:
    """Return the rates above their level beyond what 99.9 % confidence over all of them allows."""
    limit = SURE / len(found)
    return [one for one in found if binom.sf(round(one.rate * one.logs) - 1, one.logs, one.level) < limit]


def off(found: list[Rate]) -> list[Rate]:
    """Return the rates that differ, at 99.9 % over all of them, from the exact attainable size where it is known."""
    known = [one for one in found if one.attainable is not None]
    limit = SURE / max(1, 2 * len(known))

    def apart(one: Rate) -> bool:
        count, size = round(one.rate * one.logs), min(one.attainable or 0.0, 1.0)
        # A size read off 49 999 samples is itself only known to four standard deviations of theirs.
        slack = 4 * np.sqrt(size * (1 - size) / 49_999)
        above = binom.sf(count - 1, one.logs, min(1.0, size + slack)) < limit
        return bool(above or binom.cdf(count, one.logs, max(0.0, size - slack)) < limit)

    return [one for one in known if apart(one)]


def document(found: list[Rate]) -> str:
    """Return the rates as a Markdown page."""
    lines = [
        "# Calibration",
        "",
        f"False-alarm rates in {found[0].logs} fair logs of each game and length, in percent, by `make calibration`.",
        "A discrete test cannot spend its whole level; *attainable* is the most that it can, where that is known.",
        f"No rate lies above its level, at 99.9 % over all {len(found)} rates."
        if not too_high(found)
        else "TOO HIGH: " + ", ".join(f"{one.game} {one.test} n={one.n}" for one in too_high(found)),
    ]
    for game in dict.fromkeys(one.game for one in found):
        lines += ["", f"## {game}", "", "| test | n | at 5 % | attainable | at 1 % | attainable |"]
        lines += ["|---|---:|---:|---:|---:|---:|"]
        own = [one for one in found if one.game == game]
        for test, n in dict.fromkeys((one.test, one.n) for one in own):
            pair = [next(o for o in own if (o.test, o.n, o.level) == (test, n, level)) for level in LEVELS]
            cells = [f"{100 * one.rate:.2f} | {_percent(one.attainable)}" for one in pair]
            lines.append(f"| {test} | {n} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.2f}"


if __name__ == "__main__":
    everything = rates() + alarms()
    DOCUMENT.write_text(document(everything), encoding="utf-8")
    print(f"{len(everything)} rates; too high: {too_high(everything)}; off: {off(everything)}")
