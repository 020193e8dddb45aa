"""A search for better designs, and its front told from starts that the search has not seen.

Optuna proposes and is told (ask and tell) in batches of a fixed size with a fixed seed, so a search repeats exactly.
The metrics of the trials that were chosen for being good are better than their designs are (the winner's curse); so the
front is played again, with other starts.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from sim.design.bench import Bench, Outcome, change
from sim.design.estimates import plain
from sim.design.factors import Axis, Design, design
from sim.design.metrics import Metric
from sim.design.study_model import Optimise

Named = Callable[[str], Metric]


@dataclass(frozen=True)
class Front:
    """The trials that no other feasible trial beats. trials: numbers, from 1. final: the same designs, fresh starts."""

    trials: list[int]
    final: list[Outcome]
    base: Outcome


def search(given: Optimise, axes: tuple[Axis, ...], bench: Bench, named: Named) -> list[Outcome]:
    """Play all trials, in order."""
    import optuna

    optuna.logging.set_verbosity(logging.ERROR)
    sampler = optuna.samplers.TPESampler(
        seed=given.seed, constant_liar=True, n_startup_trials=max(given.batch, 2 * len(axes) + 2)
    )
    directions = optuna.study.StudyDirection
    goals = [
        directions.MINIMIZE if each.goal == "minimise" else directions.MAXIMIZE for each in given.objectives
    ]
    study = optuna.create_study(directions=goals, sampler=sampler)
    played: list[Outcome] = []
    while len(played) < given.trials:
        asked = [study.ask() for _ in range(min(given.batch, given.trials - len(played)))]
        for trial in asked:
            numbers = tuple(trial.suggest_float(axis.path, *axis.ends) for axis in axes)
            played.append(bench.outcome(design(axes, numbers)))
        for trial, outcome in zip(asked, played[-len(asked) :], strict=True):
            values = _values([each.metric for each in given.objectives], outcome, named)
            excess = excesses(given, outcome, named)
            for i, over in enumerate(excess):
                trial.set_constraint(f"constraint {i}", over)
            if values is None or not all(map(isfinite, excess)):
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, values)
    return played


def _values(names: Sequence[str], outcome: Outcome, named: Named) -> list[float] | None:
    """Metrics of a design; None where it has not all of them."""
    found = [outcome.estimate(named(name)) for name in names]
    values = [each.value for each in found if each is not None and isfinite(each.value)]
    return values if len(values) == len(names) else None


def excesses(given: Optimise, outcome: Outcome, named: Named) -> list[float]:
    """By how much each constraint is broken, in the metric's unit; 0 or less where it is kept, infinite if unknown."""
    found = []
    for each in given.constraints:
        values = _values([each.metric], outcome, named)
        value = values[0] if values else float("nan")
        over = [value - each.at_most] if each.at_most is not None else []
        under = [each.at_least - value] if each.at_least is not None else []
        worst = max([*over, *under])
        found.append(worst if isfinite(worst) else float("inf"))
    return found


def front(given: Optimise, played: Sequence[Outcome], again: Bench, named: Named) -> Front:
    """The feasible trials that none beats in every objective, played again on another bench."""
    signs = [1.0 if each.goal == "minimise" else -1.0 for each in given.objectives]
    names = [each.metric for each in given.objectives]
    scored: list[tuple[int, list[float]]] = []
    for number, outcome in enumerate(played, 1):
        values = _values(names, outcome, named)
        if values is not None and all(x <= 0.0 for x in excesses(given, outcome, named)):
            scored.append((number, [sign * x for sign, x in zip(signs, values, strict=True)]))
    kept = [
        number
        for number, values in scored
        if not any(
            all(a <= b for a, b in zip(other, values, strict=True)) and (other != values or earlier < number)
            for earlier, other in scored
            if earlier != number
        )
    ]
    return Front(
        kept, [again.outcome(played[number - 1].design) for number in kept], again.outcome(Design(()))
    )


def as_plain(
    given: Optimise,
    axes: tuple[Axis, ...],
    found: Front,
    played: Sequence[Outcome],
    metrics: Sequence[Metric],
    named: Named,
) -> list[dict[str, Any]]:
    """The front as plain data: every metric from fresh starts, with what the search had seen beside it."""
    rows = []
    for number, final in zip(found.trials, found.final, strict=True):
        told = {}
        for metric in metrics:
            estimate, seen = final.estimate(metric), played[number - 1].estimate(metric)
            differs = change(metric, final, found.base)
            told[metric.name] = {
                **(plain(estimate) if estimate else {"value": None}),
                "in_search": seen.value if seen is not None and isfinite(seen.value) else None,
                "to_base": plain(differs.estimate) if differs else None,
            }
        rows.append(
            {
                "trial": number,
                "factors": dict(zip((axis.path for axis in axes), final.design.texts, strict=True)),
                "keeps_constraints": all(x <= 0.0 for x in excesses(given, final, named)),
                "metrics": told,
            }
        )
    return rows
