"""What a study does: sample its factors, or find which matter, or search, or budget tolerances."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sim.design import optimising, sensitivity, tolerancing
from sim.design.bench import Bench, Shelf, Source
from sim.design.estimates import plain
from sim.design.factors import Design
from sim.design.optimising import Front
from sim.design.study_file import Study
from sim.design.studying import Found, Watch, as_plain, bench_of, carry_out, designs_of
from sim.engines.rulebook import rulebook_of
from sim.scenario import PlateScenario

Sources = Callable[[int], Source]
"""The source of designs by seed."""


@dataclass(frozen=True)
class Analysed:
    """A study carried out. told: all of it as plain data. front: of a search."""

    found: Found
    told: dict[str, Any]
    front: Front | None = None


def size(study: Study) -> int:
    """Designs that will be played, but for a front."""
    file = study.file
    if file.sensitivity is not None:
        return file.sensitivity.designs(len(study.axes)) + 1
    if file.optimise is not None:
        return file.optimise.trials + 1
    if file.tolerances is not None:
        return len(file.tolerances.dimensions) + 2
    return len(designs_of(study)) + 1


def analyse(study: Study, sources: Sources, shelf: Shelf, watch: Watch) -> Analysed:
    """Carry a study out."""
    bench = bench_of(study, sources(study.file.seed), shelf, watch)
    if study.kind == "sensitivity":
        return _sensitivity(study, bench)
    if study.kind == "optimise":
        return _optimise(study, bench, sources, shelf, watch)
    if study.kind == "tolerances":
        return _tolerances(study, bench, shelf, watch)
    found = carry_out(study, bench, designs_of(study))
    return Analysed(found, as_plain(found))


def _sensitivity(study: Study, bench: Bench) -> Analysed:
    given = study.file.sensitivity
    assert given is not None
    found = carry_out(study, bench, sensitivity.points(given, study.axes))
    told = as_plain(found) | {
        "sensitivity": {
            "method": given.method,
            "metrics": {
                metric.name: sensitivity.indices(given, study.axes, found.outcomes, metric)
                for metric in study.metrics
            },
        }
    }
    if given.tornado:
        ends = bench.outcomes(sensitivity.tornado_designs(study.axes))
        told["tornado"] = {
            metric.name: sensitivity.tornado(study.axes, found.base, ends, metric, found.paired)
            for metric in study.metrics
        }
    return Analysed(found, told)


def _optimise(study: Study, bench: Bench, sources: Sources, shelf: Shelf, watch: Watch) -> Analysed:
    given = study.file.optimise
    assert given is not None
    base = bench.outcome(Design(()))
    played = optimising.search(given, study.axes, bench, study.metric)
    found = Found(study, base, played, study.file.starts == "common")
    again = Bench(sources(given.final_seed), shelf, study.metrics, given.final_spins, None, watch)
    front = optimising.front(given, played, again, study.metric)
    told = as_plain(found) | {
        "front": optimising.as_plain(given, study.axes, front, played, study.metrics, study.metric),
        "front_base": {
            metric.name: plain(estimate) if estimate else {"value": None}
            for metric in study.metrics
            for estimate in [front.base.estimate(metric)]
        },
        "front_seed": given.final_seed,
    }
    return Analysed(found, told, front)


def _tolerances(study: Study, bench: Bench, shelf: Shelf, watch: Watch) -> Analysed:
    given, scenario = study.file.tolerances, study.scenario
    assert given is not None
    assert isinstance(scenario, PlateScenario)
    found = carry_out(study, bench, [tolerancing.stepped(scenario, each) for each in given.dimensions])
    told = as_plain(found)
    for row, each in zip(told["designs"], given.dimensions, strict=True):
        row["called"] = [f"every second hollow: {each.of} + {1e3 * each.step:g} mm"]
    if any(each.why_not for each in found.outcomes):
        return Analysed(found, told | {"tolerances": None})
    responses = [
        tolerancing.response(each, found.base, outcome)
        for each, outcome in zip(given.dimensions, found.outcomes, strict=True)
    ]
    budget = tolerancing.budget(given, responses, rulebook_of(scenario), scenario.machine.ring)
    budget["check"] = None
    again = Bench(bench.source, shelf, (), given.check_spins, None, watch)
    for built in tolerancing.checked_machines(given, scenario):
        if not again.why_not(built.design):
            budget["check"] = tolerancing.check(again.outcome(built.design), built, responses)
            break
    return Analysed(found, told | {"tolerances": budget})
