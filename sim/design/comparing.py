"""Machines side by side, played from the same starts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sim.design.bench import Bench, Outcome, Shelf, Simulation, change
from sim.design.estimates import plain
from sim.design.factors import Design
from sim.design.metrics import Metric
from sim.design.study_model import Observing
from sim.design.studying import watched
from sim.engines.run import Pool
from sim.scenario import Scenario


@dataclass(frozen=True)
class Compared:
    """One machine. outcome: its spins."""

    name: str
    scenario: Scenario
    outcome: Outcome


def compare(
    scenarios: Sequence[tuple[str, Scenario]],
    overrides: tuple[str, ...],
    metrics: Sequence[Metric],
    spins: int,
    seed: int,
    fairwheel: str,
    each_chunk: Pool,
) -> list[Compared]:
    """Play machines, given by what they are called and loaded as, from the same starts; the first is the reference."""
    made = []
    for name, scenario in scenarios:
        source = Simulation(name, overrides, seed, fairwheel, each_chunk)
        outcome = Bench(source, Shelf(), metrics, spins).outcome(Design(()))
        made.append(Compared(name, scenario, outcome))
    return made


def as_plain(machines: Sequence[Compared], metrics: Sequence[Metric], seed: int) -> dict[str, Any]:
    """The comparison as plain data: every metric with its interval and its paired difference to the first machine."""
    first = machines[0]
    rows = []
    for metric in metrics:
        values = []
        for machine in machines:
            estimate = machine.outcome.estimate(metric)
            differs = None if machine is first else change(metric, machine.outcome, first.outcome)
            values.append(
                {
                    **(plain(estimate) if estimate is not None else {"value": None}),
                    "to_first": plain(differs.estimate) if differs is not None else None,
                    "unpaired_half_width": differs.unpaired if differs is not None else None,
                }
            )
        rows.append({"metric": metric.name, "title": metric.title, "unit": metric.unit, "machines": values})
    return {
        "machines": [
            {"name": each.name, "title": each.scenario.title, "sha256": each.scenario.sha256}
            for each in machines
        ],
        "seed": seed,
        "spins": first.outcome.spins,
        "metrics": rows,
        **watched(metrics, Observing()),
    }
