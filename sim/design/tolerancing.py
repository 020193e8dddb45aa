"""From how far single hollows stray to the bias of the machines that are made: a budget of tolerances.

1. Response of each dimension: a machine whose every second hollow is larger by a step is played beside the base; the
   shares of these hollows against the others give r, the relative change of a hollow's share a metre, and its interval.
2. Machines: every hollow strays normally in every dimension; the excess of hollow i is e_i = sum over dimensions of
   r (d_i - mean d), to first order and as if a hollow changed no share but its own.
3. The worst pocket and the bet that profits most, over the machines; which sd to halve first, and what that buys.
4. One such machine is built and played, hollow by hollow, its shares held against those that 2 gives it. Its hollows
   stray more than those of 2, as far as the steps of 1 reach: so few spins show what many could not of smaller strays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim.design.bench import Outcome
from sim.design.estimates import T95, Measured, measured
from sim.design.factors import Design
from sim.design.sample import Sample
from sim.design.study_model import Tolerance, Tolerances
from sim.rules.rulebook import Distinct, OneOf

if TYPE_CHECKING:
    from sim.rules.rulebook import Rulebook
    from sim.scenario import PlateScenario

Floats = NDArray[np.float64]
QUANTILES = (0.5, 0.9, 0.95, 0.99)
_DRAWS = 100


@dataclass(frozen=True, slots=True)
class Response:
    """Relative change of a hollow's share for each metre of a dimension, and its standard error, 1/m."""

    of: str
    value: float
    error: float


def _with_faults(scenario: "PlateScenario", changes: dict[str, Floats]) -> Design:
    """The machine whose hollows' dimensions differ by so much, m; shape (hollows,) each."""
    rows = []
    for hollow in range(scenario.machine.hollows.count):
        parts = [f"hollow: {hollow}"]
        for name, change in changes.items():
            if change[hollow] != 0.0:
                size = 1e3 * (getattr(scenario.machine.hollow, name) + change[hollow])
                parts.append(f"{name}: {size:.9g} mm")
        if len(parts) > 1:
            rows.append(f"{{{', '.join(parts)}}}")
    return Design((f"machine.hollows.faults=[{', '.join(rows)}]",))


def stepped(scenario: "PlateScenario", tolerance: Tolerance) -> Design:
    """The machine whose every second hollow is larger by the step."""
    second = (np.arange(scenario.machine.hollows.count) % 2).astype(np.float64)
    return _with_faults(scenario, {tolerance.of: tolerance.step * second})


def response(tolerance: Tolerance, base: Outcome, outcome: Outcome) -> Response:
    """The response of a dimension: shares of the larger hollows, paired with the base on the same starts."""
    cells = int(base.samples[""].facts["cells"])
    larger = cells // 2

    def share(samples: Sequence[Sample]) -> Floats:
        rest = samples[0]["rest_index"]
        return np.where(np.isfinite(rest), rest % 2 == 1, np.nan)

    one, other = (measured(share, [each.samples[""]]) for each in (outcome, base))
    scale = cells**2 / (larger * (cells - larger)) / tolerance.step
    apart = Measured(one.value - other.value, one.left_out - other.left_out, one.n)
    return Response(tolerance.of, scale * apart.value, scale * apart.error)


def drawn(given: Tolerances, cells: int) -> Floats:
    """How far the hollows of the machines stray, m; shape (machines, dimensions, cells)."""
    random = np.random.default_rng(given.seed)
    unit = random.standard_normal((given.machines, len(given.dimensions), cells))
    return np.asarray(unit * np.array([each.sd for each in given.dimensions])[:, None])


def excess(strays: Floats, responses: Floats) -> Floats:
    """Relative excess of every hollow's share, first order; shape (machines, cells)."""
    even = strays - strays.mean(axis=2, keepdims=True)
    return np.asarray(np.einsum("mdc,d->mc", even, responses))


def best_bet(rulebook: "Rulebook", ring: Sequence[str], excesses: Floats) -> Floats:
    """Expectation of a unit on the bet that profits most, for each machine; shape (machines,)."""
    symbols = list(dict.fromkeys(ring))
    shares = ((1.0 + excesses) / len(ring)) @ np.array([[float(mark == s) for s in symbols] for mark in ring])
    best = np.full(len(excesses), -np.inf)
    for bet in rulebook.bets:
        covered = np.sort(shares[:, [symbols.index(s) for s in rulebook.covers(bet) if s in symbols]], axis=1)
        if isinstance(bet, OneOf | Distinct):
            covered = covered[:, -(bet.count if isinstance(bet, Distinct) else 1) :]
        best = np.maximum(best, covered.sum(axis=1) * (1 + rulebook.prize(bet).pays) - 1.0)
    return best


def budget(
    given: Tolerances, responses: Sequence[Response], rulebook: "Rulebook", ring: Sequence[str]
) -> dict[str, Any]:
    """The distribution over machines, as plain data; its intervals are those of the responses."""
    strays = drawn(given, len(ring))
    values = np.array([each.value for each in responses])
    errors = np.array([each.error for each in responses])
    random = np.random.default_rng([given.seed, 1])
    part = strays[: max(100, given.machines // 5)]
    spread = [
        np.quantile(excess(part, random.normal(values, errors)).max(axis=1), QUANTILES) for _ in range(_DRAWS)
    ]
    low, high = np.quantile(spread, [0.025, 0.975], axis=0)
    found = excess(strays, values)
    worst = found.max(axis=1)
    bets = best_bet(rulebook, ring, found)
    return {
        "responses": [
            {
                "of": each.of,
                "per_mm": each.value * 1e-3,
                "low": (each.value - T95 * each.error) * 1e-3,
                "high": (each.value + T95 * each.error) * 1e-3,
                "sd_mm": tolerance.sd * 1e3,
            }
            for each, tolerance in zip(responses, given.dimensions, strict=True)
        ],
        "worst_pocket": [
            {"share_of_machines": q, "excess": float(x), "low": float(a), "high": float(b)}
            for q, x, a, b in zip(QUANTILES, np.quantile(worst, QUANTILES), low, high, strict=True)
        ],
        "best_bet": [
            {"share_of_machines": q, "expectation": float(x)}
            for q, x in zip(QUANTILES, np.quantile(bets, QUANTILES), strict=True)
        ],
        "profitable_machines": float((bets > 0.0).mean()),
        "tighten": _tighten(given, strays, values, worst),
    }


def _tighten(
    given: Tolerances, strays: Floats, responses: Floats, worst: Floats
) -> list[dict[str, float | str]]:
    """What halving each sd alone makes of the worst pocket of 95 % of the machines; the best first."""
    now = float(np.quantile(worst, 0.95))
    rows: list[tuple[float, str]] = []
    for number, tolerance in enumerate(given.dimensions):
        halved = np.where(np.arange(len(responses)) == number, 0.5, 1.0) * responses
        rows.append((float(np.quantile(excess(strays, halved).max(axis=1), 0.95)), tolerance.of))
    return [{"of": name, "excess_95": after, "buys": now - after} for after, name in sorted(rows)]


@dataclass(frozen=True, slots=True)
class Built:
    """A machine as it is built. strays: shape (1, dimensions, cells), m. times: how much larger than those drawn, each
    dimension's.
    """

    design: Design
    strays: Floats
    times: tuple[float, ...]


def checked_machines(given: Tolerances, scenario: "PlateScenario") -> Iterator[Built]:
    """Machines for the check, of which the first that can be built is played.

    The hollows of the first stray in every dimension by half a step at one standard deviation, those of the next by
    half of that, down to the tolerances themselves.
    """
    first = drawn(given, scenario.machine.hollows.count)[:1]
    names = [each.of for each in given.dimensions]
    wide = np.array([each.step / (2.0 * each.sd) for each in given.dimensions])
    while True:
        times = np.maximum(wide, 1.0)
        strays = times[:, None] * first
        design = _with_faults(scenario, dict(zip(names, strays[0], strict=True)))
        yield Built(design, strays, tuple(times.tolist()))
        if (times == 1.0).all():
            return
        wide /= 2.0


def check(outcome: Outcome, built: Built, responses: Sequence[Response]) -> dict[str, Any]:
    """The machine's shares beside those expected of it, and how likely shares as far off are by chance.

    slope: of what is seen on what is expected; its interval is that of both.
    """
    from scipy.stats import chisquare, norm

    rest = outcome.samples[""].known("rest_index").astype(np.int64)
    strays, cells = built.strays, built.strays.shape[2]
    counts = np.bincount(rest, minlength=cells)
    expected = excess(strays, np.array([each.value for each in responses]))[0]
    wanted = len(rest) * (1.0 + expected) / cells
    wanted *= len(rest) / wanted.sum()
    seen = counts * cells / len(rest) - 1.0
    # Regression of what is seen on what is expected, through the origin: 1 where the budget is right.
    weight = float((expected**2).sum())
    slope = float((seen * expected).sum()) / weight if weight else 0.0
    by_dimension = (excess(strays[:, [i]], np.ones(1))[0] for i in range(len(responses)))
    of_responses = sum(
        (each.error * float(part @ expected) / weight) ** 2
        for each, part in zip(responses, by_dimension if weight else (), strict=bool(weight))
    )
    error = sqrt(cells / len(rest) / weight + of_responses) if weight else float("inf")
    half = float(norm.isf(0.025)) * error
    return {
        "spins": len(rest),
        "times": {each.of: times for each, times in zip(responses, built.times, strict=True)},
        "expected_excess": expected.tolist(),
        "seen_excess": seen.tolist(),
        "p_as_expected": float(chisquare(counts, wanted).pvalue),
        "p_all_alike": float(chisquare(counts).pvalue),
        "slope": slope if weight else None,
        "slope_low": slope - half if weight else None,
        "slope_high": slope + half if weight else None,
    }
