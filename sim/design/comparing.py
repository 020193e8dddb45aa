"""Machines side by side, played from the same starts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sim.design.bench import Bench, Outcome, Shelf, Simulation, change
from sim.design.estimates import plain
from sim.design.factors import Design
from sim.design.metrics import Metric
from sim.design.study_model import Observing
from sim.design.studying import INTERVAL, watched
from sim.engines.run import Pool
from sim.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Candidate:
    """A machine to compare. name: what it is called. base, overrides: what it was loaded from."""

    name: str
    base: str
    overrides: tuple[str, ...]
    scenario: Scenario


@dataclass(frozen=True, slots=True)
class Compared:
    """A machine and its spins."""

    machine: Candidate
    outcome: Outcome


def compare(
    machines: Sequence[Candidate],
    metrics: Sequence[Metric],
    spins: int,
    seed: int,
    fairwheel: str,
    each_chunk: Pool,
) -> list[Compared]:
    """Play machines from the same starts; the first is the reference."""
    shelf = Shelf()
    made = []
    for each in machines:
        source = Simulation(each.base, each.overrides, seed, fairwheel, each_chunk)
        made.append(Compared(each, Bench(source, shelf, metrics, spins).outcome(Design(()))))
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
        about = {"metric": metric.name, "title": metric.title, "unit": metric.unit, "about": metric.about}
        rows.append({**about, "machines": values})
    return {
        "machines": [
            {
                "name": each.machine.name,
                "title": each.machine.scenario.title,
                "sha256": each.machine.scenario.sha256,
                "assumed": len(each.machine.scenario.assumed),
            }
            for each in machines
        ],
        "differing": differing([each.machine.scenario for each in machines]),
        "seed": seed,
        "spins": first.outcome.spins,
        "interval": INTERVAL,
        "metrics": rows,
        **watched(metrics, Observing()),
    }


def differing(scenarios: Sequence[Scenario]) -> list[dict[str, Any]]:
    """What is not written alike in all of them: ``path`` and ``values``, one a scenario, None where it has none."""
    written = [dict(_leaves(each.document.data)) for each in scenarios]
    paths = dict.fromkeys(path for each in written for path in each)
    rows = ((path, [each.get(path) for each in written]) for path in paths if path not in ("name", "title"))
    return [
        {"path": path, "values": values}
        for path, values in rows
        if any(value != values[0] for value in values)
    ]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Paths and texts of what a document holds; a list of bare values is one."""
    if isinstance(value, dict):
        parts = ((f"{path}.{key}" if path else str(key), each) for key, each in value.items())
    elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
        parts = ((f"{path}.{number}", each) for number, each in enumerate(value))
    else:
        yield path, ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        return
    for where, each in parts:
        yield from _leaves(each, where)
