"""The file of a study, checked against the machine that it studies: every fault at once, each with its line."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from sim.design.factors import Axis, axis
from sim.design.metrics import PREDICTABILITY, Metric, of_kind
from sim.design.study_checks import asked, observer_faults, shape_faults, tolerance_faults
from sim.design.study_model import StudyFile
from sim.documents.document import Document
from sim.documents.faults import BadInput, Fault
from sim.documents.reading import load_document
from sim.documents.resources import find_rulebook, find_scenario
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
    if "machine" in document.data or "extends" in document.data:
        raise BadInput([Fault(document.mark(()), "document", "is a scenario; a study is needed")])
    file = validate(document, StudyFile)
    found: list[Fault] = []
    base, scenario = _base(document, file, path, found)
    axes = _axes(document, file, found)
    known = of_kind(scenario.machine.kind) if scenario else {}
    metrics = asked(document, file, scenario.machine.kind if scenario else None, found)
    if scenario is not None:
        found += observer_faults(document, file, scenario.machine.kind, metrics)
    found += shape_faults(document, file, axes)
    if scenario is not None:
        for number, each in axes.items():
            found += _values(document, number, each, base, file.set)
        found += tolerance_faults(document, file, scenario)
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
        written = load_document(find_scenario(base)).data
        if "metrics" in written and "machine" not in written:
            found.append(document.fault(("base",), f"is a study; a scenario is needed; given {file.base!r}"))
            return base, None
        return base, load_scenario(base, file.set)
    except BadInput as error:
        for fault in error.faults:
            wrong = next((i for i, text in enumerate(file.set) if fault.mark.file == f"--set {text}"), None)
            if wrong is not None:
                field = "" if fault.field == "--set" else f"{fault.field}: "
                found.append(document.fault(("set", wrong), field + fault.message))
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
            for other in axes.values():
                if f"{made.path}.".startswith(f"{other.path}.") or f"{other.path}.".startswith(
                    f"{made.path}."
                ):
                    twice = f"each value by one factor; given {made.path!r} and {other.path!r}"
                    found.append(document.fault(("factors", number, "path"), twice))
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
            if given.path == "rulebook":
                find_rulebook(text)
        except Impossible:
            continue
        except BadInput as error:
            for fault in error.faults:
                of_path = (
                    fault.mark.file.startswith("--set")
                    and fault.mark.column < len("--set ") + len(given.path) + 2
                )
                place = ("path",) if of_path else where
                fault_here = document.fault(("factors", number, *place), f"{fault.field}: {fault.message}")
                if not any(of_path and each.mark == fault_here.mark for each in found):
                    found.append(fault_here)
    return found
