"""Which factors matter: Sobol' and Morris indices of every metric with their intervals, and a tornado about the base.

Sampling and analysis are SALib's. Sobol': first-order S1 and total ST shares of a metric's variance over the ranges
(Saltelli et al., Comput. Phys. Commun. 181 (2010) 259). Morris: mean size mu* and spread sigma of the elementary
effects over the whole range (Campolongo et al., Environ. Model. Softw. 22 (2007) 1509). Intervals: bootstrap, 95 %.
"""

from collections.abc import Sequence
from math import isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.design.bench import Outcome, change
from sim.design.estimates import plain
from sim.design.factors import Axis, Design, design
from sim.design.metrics import Metric
from sim.design.study_model import Sensitivity

_LEVELS = 4
_RESAMPLES = 200
Floats = NDArray[np.float64]


def _problem(axes: Sequence[Axis]) -> dict[str, Any]:
    return {"num_vars": len(axes), "names": [a.path for a in axes], "bounds": [list(a.ends) for a in axes]}


def points(given: Sensitivity, axes: tuple[Axis, ...]) -> list[Design]:
    """The designs that the indices need, in blocks of `Sensitivity.block`."""
    problem = _problem(axes)
    if given.method == "sobol":
        from SALib.sample import sobol

        rows = sobol.sample(problem, given.count, calc_second_order=False, seed=given.seed)
    else:
        from SALib.sample import morris

        rows = morris.sample(problem, given.count, num_levels=_LEVELS, seed=given.seed)
    return [design(axes, tuple(row)) for row in rows.tolist()]


def indices(
    given: Sensitivity, axes: tuple[Axis, ...], outcomes: Sequence[Outcome], metric: Metric
) -> dict[str, Any]:
    """The indices of one metric. outcomes: of `points`, in order.

    noise: share of the metric's variance over the designs that is chance, not the factors'. dropped: blocks left out
    because a design of theirs is impossible or has no such metric.
    """
    found = [None if each.why_not else each.measured(metric) for each in outcomes]
    values = np.array([nan if each is None else each.value for each in found]).reshape(
        -1, given.block(len(axes))
    )
    kept = np.isfinite(values).all(axis=1)
    told: dict[str, Any] = {"blocks": int(kept.sum()), "dropped": int((~kept).sum()), "factors": []}
    y = values[kept].ravel()
    if kept.sum() < 2 or np.ptp(y) == 0.0:
        return told | {
            "noise": None,
            "why_not": "the metric is the same everywhere" if len(y) else "no design has it",
        }
    errors = np.array([nan if each is None else each.error for each in found]).reshape(values.shape)[kept]
    noise = float(np.nanmean(errors**2) / y.var())
    numbers = np.array([each.design.numbers for each in outcomes]).reshape(*values.shape, -1)[kept]
    columns = _sobol(given, axes, y) if given.method == "sobol" else _morris(given, axes, numbers, y)
    told["factors"] = [
        {"path": axis.path, "name": axis.name}
        | {name: float(column[i]) if isfinite(column[i]) else None for name, column in columns.items()}
        for i, axis in enumerate(axes)
    ]
    return told | {"noise": noise if isfinite(noise) else None}


def _sobol(given: Sensitivity, axes: tuple[Axis, ...], y: Floats) -> dict[str, Floats]:
    from SALib.analyze import sobol

    with np.errstate(all="ignore"):
        made = sobol.analyze(
            _problem(axes), y, calc_second_order=False, num_resamples=_RESAMPLES, seed=given.seed
        )
    return {"s1": made["S1"], "s1_half": made["S1_conf"], "st": made["ST"], "st_half": made["ST_conf"]}


def _morris(given: Sensitivity, axes: tuple[Axis, ...], numbers: Floats, y: Floats) -> dict[str, Floats]:
    from SALib.analyze import morris

    made = morris.analyze(
        _problem(axes),
        numbers.reshape(-1, len(axes)),
        y,
        num_levels=_LEVELS,
        num_resamples=_RESAMPLES,
        seed=given.seed,
    )
    return {
        "mu": np.asarray(made["mu"]),
        "mu_star": np.asarray(made["mu_star"]),
        "mu_star_half": np.asarray(made["mu_star_conf"]),
        "sigma": np.asarray(made["sigma"]),
    }


def tornado_designs(axes: tuple[Axis, ...]) -> list[Design]:
    """Both ends of every factor, low before high, all else as in the base."""
    return [
        Design((f"{axis.path}={axis.text(end)}",), (end,), (axis.text(end),))
        for axis in axes
        for end in axis.ends
    ]


def tornado(
    axes: tuple[Axis, ...], base: Outcome, outcomes: Sequence[Outcome], metric: Metric, paired: bool
) -> list[dict[str, Any]]:
    """How a metric differs from the base at both ends of every factor, the widest first."""
    bars = []
    for i, axis in enumerate(axes):
        ends = []
        for each in outcomes[2 * i : 2 * i + 2]:
            differs = change(metric, each, base, paired)
            told = {"impossible": list(each.why_not)} if differs is None else plain(differs.estimate)
            ends.append({"at": each.design.texts[0], **told})
        bars.append({"path": axis.path, "name": axis.name, "low": ends[0], "high": ends[1]})
    return sorted(bars, key=lambda bar: -max(abs(bar[end].get("value") or 0.0) for end in ("low", "high")))
