"""What of a study does not go together, or not with its machine: a fault for each."""

from typing import Any

from sim.design.factors import MOST_DESIGNS, Axis, Sampling, range_faults, sampling_faults
from sim.design.metrics import METRICS, PREDICTABILITY, Kind, of_kind
from sim.design.observer import PLATE_CLOSINGS, WHEEL_CLOSINGS
from sim.design.study_model import StudyFile
from sim.documents.document import Document, near
from sim.documents.faults import Fault
from sim.scenario import PlateScenario, Scenario


def asked(document: Document, file: StudyFile, kind: Kind | None, found: list[Fault]) -> tuple[str, ...]:
    """Names of all metrics that are needed; each once, in the order of the file."""
    if kind is None:
        return ()
    known = of_kind(kind)
    wanted: list[tuple[tuple[str | int, ...], str]] = [
        (("metrics", i), name) for i, name in enumerate(file.metrics)
    ]
    if file.until is not None:
        wanted.append((("until", "metric"), file.until.metric))
    if file.optimise is not None:
        for part in ("objectives", "constraints"):
            listed: Any = getattr(file.optimise, part)
            wanted += [(("optimise", part, i, "metric"), each.metric) for i, each in enumerate(listed)]
    for at, name in wanted:
        if name not in known:
            message = (
                f"no metric of this machine; allowed: {', '.join(known)}; given {name!r}{near(name, known)}"
            )
            found.append(document.fault(at, message))
    return tuple(dict.fromkeys(name for _, name in wanted if name in known))


def observer_faults(document: Document, file: StudyFile, kind: Kind, metrics: tuple[str, ...]) -> list[Fault]:
    """An observer of nothing, a moment that the machine does not have, spins too few to learn from."""
    at, metric = ("observer",), file.watched_by.metric
    if PREDICTABILITY not in metrics:
        message = f"watches for the metric {PREDICTABILITY}, which is not asked for; add it to metrics"
        return [document.fault(at, message, key=True)] if file.observer is not None else []
    found = []
    allowed = WHEEL_CLOSINGS if kind == "pegged" else PLATE_CLOSINGS
    if file.watched_by.closing not in (None, *allowed):
        message = f"must be one of {', '.join(allowed)} on this machine; given {file.watched_by.closing!r}"
        found.append(document.fault((*at, "closing"), message))
    for where, spins in ((("spins",), file.spins), *_final_spins(file)):
        if spins < metric.fewest:
            message = f"{PREDICTABILITY} needs at least {metric.fewest}; given {spins}"
            found.append(document.fault(where, message))
    return found


def _final_spins(file: StudyFile) -> list[tuple[tuple[str, ...], int]]:
    return [] if file.optimise is None else [(("optimise", "final_spins"), file.optimise.final_spins)]


def shape_faults(document: Document, file: StudyFile, axes: dict[int, Axis]) -> list[Fault]:
    """Parts that do not go together, and numbers that a method cannot use."""
    parts = [
        name
        for name in ("sampling", "sensitivity", "optimise", "tolerances")
        if getattr(file, name) is not None
    ]
    if len(parts) > 1:
        return [
            document.fault((parts[1],), f"one of these to a study; given {' and '.join(parts)}", key=True)
        ]
    if file.until is not None and file.until.most < file.spins:
        message = f"must be at least spins, {file.spins}; given {file.until.most}"
        return [document.fault(("until", "most"), message)]
    if file.tolerances is not None:
        return [document.fault(("factors",), "tolerances have none", key=True)] if file.factors else []
    if not file.factors:
        return [document.fault(("factors",), "is empty; at least one factor is needed; given none")]
    chosen = tuple(axes.values())
    if len(chosen) < len(file.factors):
        return []
    if file.sensitivity is not None:
        count = file.sensitivity.count
        faults = range_faults(document, chosen, file.sensitivity.method)
        if file.sensitivity.method == "sobol" and count & (count - 1):
            message = f"must be a power of two, or Sobol points lose their balance; given {count}"
            faults.append(document.fault(("sensitivity", "count"), message))
        designs = file.sensitivity.designs(len(chosen))
        if designs > MOST_DESIGNS:
            message = (
                f"makes {designs} designs of {len(chosen)} factors; at most {MOST_DESIGNS}; given {count}"
            )
            faults.append(document.fault(("sensitivity", "count"), message))
        return faults
    if file.optimise is not None:
        return range_faults(document, chosen, "optimise") + _search(document, file)
    return sampling_faults(document, file.sampling or Sampling(), chosen)


def tolerance_faults(document: Document, file: StudyFile, scenario: Scenario) -> list[Fault]:
    """Tolerances of what the base does not have, or has twice."""
    if file.tolerances is None:
        return []
    if not isinstance(scenario, PlateScenario):
        return [document.fault(("tolerances",), "are of hollows; the base is a pegged wheel", key=True)]
    found, hollow = [], scenario.machine.hollow
    if scenario.machine.hollows.faults:
        message = f"start from equal hollows; {scenario.name} has faults of single ones"
        found.append(document.fault(("tolerances",), message, key=True))
    names = [each.of for each in file.tolerances.dimensions]
    for i, name in enumerate(names):
        at = ("tolerances", "dimensions", i, "of")
        if not hasattr(hollow, name):
            message = f"a hollow whose profile is {hollow.profile} has none; given {name!r}"
            found.append(document.fault(at, message))
        elif name in names[:i]:
            found.append(document.fault(at, f"each dimension once; given {name!r} twice"))
    return found


def _search(document: Document, file: StudyFile) -> list[Fault]:
    """Goals and constraints that no design can keep, each at the last of those that contradict; starts that are not
    fresh.
    """
    optimise = file.optimise
    assert optimise is not None
    found, low, high = [], dict[str, float](), dict[str, float]()
    if optimise.final_seed == file.seed:
        message = (
            f"must differ from seed, or the front is told from the starts that chose it; given {file.seed}"
        )
        found.append(document.fault(("optimise", "final_seed"), message))
    goals = [each.metric for each in optimise.objectives]
    for i, goal in enumerate(goals):
        if goal in goals[:i]:
            message = f"each metric once; given {goal!r} twice"
            found.append(document.fault(("optimise", "objectives", i, "metric"), message))
    for i, each in enumerate(optimise.constraints):
        at = ("optimise", "constraints", i)
        if each.metric in METRICS and METRICS[each.metric].share:
            low.setdefault(each.metric, 0.0)
            high.setdefault(each.metric, 1.0)
        if each.at_least is None and each.at_most is None:
            found.append(document.fault(at, "must say at_least or at_most"))
            continue
        if each.at_least is not None:
            low[each.metric] = max(low.get(each.metric, each.at_least), each.at_least)
        if each.at_most is not None:
            high[each.metric] = min(high.get(each.metric, each.at_most), each.at_most)
        if each.metric in low and each.metric in high and low[each.metric] > high[each.metric]:
            message = (
                f"contradicts what is asked of {each.metric}: "
                f"at least {low[each.metric]:g} and at most {high[each.metric]:g} cannot both hold"
            )
            found.append(document.fault(at, message))
    return found
