"""The file of a study, checked against the machine that it studies: every fault at once, each with its line."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sim.design.factors import Axis, Sampling, axis, range_faults, sampling_faults
from sim.design.metrics import PREDICTABILITY, Kind, Metric, of_kind
from sim.design.observer import PLATE_CLOSINGS, WHEEL_CLOSINGS
from sim.design.study_model import Optimise, StudyFile
from sim.documents.document import Document, near
from sim.documents.faults import BadInput, Fault
from sim.documents.reading import load_document
from sim.documents.validation import validate
from sim.scenario import Impossible, Scenario, load_scenario


@dataclass(frozen=True, slots=True)
class Study:
    """A study that can be carried out. base: the machine that designs are changes of, by its overrides."""

    file: StudyFile
    text: str
    base: str
    scenario: Scenario
    axes: tuple[Axis, ...]
    metrics: tuple[Metric, ...]

    def metric(self, name: str) -> Metric:
        """A metric of this study, by its name."""
        return next(each for each in self.metrics if each.name == name)

    def with_spins(self, spins: int) -> "Study":
        """The same study with so many spins of every design."""
        return replace(self, file=self.file.model_copy(update={"spins": spins}))

    @property
    def kind(self) -> str:
        """What is done: sensitivity, optimise, tolerances or, else, sampling."""
        parts = ("sensitivity", "optimise", "tolerances")
        return next((part for part in parts if getattr(self.file, part) is not None), "sampling")


def load_study(path: Path) -> Study:
    """Load a study. Raises BadInput: every fault of form at once, or else all that does not fit the machine."""
    document = load_document(path)
    file = validate(document, StudyFile)
    found: list[Fault] = []
    base, scenario = _base(document, file, path, found)
    axes = _axes(document, file, found)
    known = of_kind(scenario.machine.kind) if scenario else {}
    metrics = _metrics(document, file, scenario.machine.kind if scenario else None, found)
    if scenario is not None:
        found += _observer(document, file, scenario.machine.kind, metrics)
    found += _shape(document, file, axes)
    if scenario is not None:
        for number, each in axes.items():
            found += _values(document, number, each, base, file.set)
        if file.tolerances is not None and scenario.machine.kind != "plate":
            found.append(
                document.fault(("tolerances",), "are of hollows; the base is a pegged wheel", key=True)
            )
    if found or scenario is None:
        raise BadInput(found)
    chosen = {**known, PREDICTABILITY: file.watched_by.metric}
    return Study(
        file, document.text, base, scenario, tuple(axes.values()), tuple(chosen[name] for name in metrics)
    )


def _base(document: Document, file: StudyFile, path: Path, found: list[Fault]) -> tuple[str, Scenario | None]:
    """The base, beside the study or shipped, with what the study sets."""
    beside = path.parent / file.base
    base = str(beside) if os.path.isfile(beside) else file.base  # noqa: PTH113  (never raises)
    try:
        return base, load_scenario(base, file.set)
    except BadInput as error:
        for fault in error.faults:
            wrong = next((i for i, text in enumerate(file.set) if fault.mark.file == f"--set {text}"), None)
            if wrong is not None:
                found.append(document.fault(("set", wrong), f"{fault.field}: {fault.message}"))
            elif fault.mark.line:
                found.append(fault)
            else:
                found.append(document.fault(("base",), f"{fault.message}; given {file.base!r}"))
        return base, None


def _axes(document: Document, file: StudyFile, found: list[Fault]) -> dict[int, Axis]:
    axes: dict[int, Axis] = {}
    for number, factor in enumerate(file.factors):
        made, faults = axis(document, number, factor)
        found += faults
        if made is not None:
            if made.path in (other.path for other in axes.values()):
                found.append(
                    document.fault(("factors", number, "path"), f"each path once; given {made.path!r} twice")
                )
            axes[number] = made
    return axes


def _values(
    document: Document, number: int, given: Axis, base: str, overrides: tuple[str, ...]
) -> list[Fault]:
    """What a scenario says of a factor's values; that a machine is impossible is no fault of the study."""
    ends = [(end, given.text(x)) for end, x in (("from", given.low), ("to", given.high)) if x is not None]
    at: list[tuple[tuple[str | int, ...], str]] = (
        [(("range", end), text) for end, text in ends]
        if ends
        else [(("values", i), text) for i, text in enumerate(given.texts)]
    )
    found: list[Fault] = []
    for where, text in at:
        try:
            load_scenario(base, [*overrides, f"{given.path}={text}"])
        except Impossible:
            continue
        except BadInput as error:
            for fault in error.faults:
                of_path = fault.mark.column < len("--set ") + len(given.path) + 2
                place = ("path",) if of_path else where
                fault_here = document.fault(("factors", number, *place), f"{fault.field}: {fault.message}")
                if fault_here not in found:
                    found.append(fault_here)
    return found


def _metrics(document: Document, file: StudyFile, kind: Kind | None, found: list[Fault]) -> tuple[str, ...]:
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


def _observer(document: Document, file: StudyFile, kind: Kind, metrics: tuple[str, ...]) -> list[Fault]:
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


def _shape(document: Document, file: StudyFile, axes: dict[int, Axis]) -> list[Fault]:
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
        return faults
    if file.optimise is not None:
        return range_faults(document, chosen, "optimise") + _constraints(document, file.optimise)
    return sampling_faults(document, file.sampling or Sampling(), chosen)


def _constraints(document: Document, optimise: Optimise) -> list[Fault]:
    """Constraints that no design can keep, each at the last of those that contradict."""
    found, low, high = [], dict[str, float](), dict[str, float]()
    for i, each in enumerate(optimise.constraints):
        at = ("optimise", "constraints", i)
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
