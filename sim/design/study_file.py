"""The file of a study, checked against the machine that it studies: every fault at once, each with its line."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from sim.design.factors import Axis, Factor, Sampling, axis, range_faults, sampling_faults
from sim.design.metrics import Kind, Metric, of_kind
from sim.documents.document import Document, near
from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.reading import load_document
from sim.documents.units import Length
from sim.documents.validation import validate
from sim.scenario import Impossible, Scenario, load_scenario
from sim.scenario.model import Model

MOST_SPINS = 10_000_000
FEWEST_SPINS = 100

Spins = Annotated[int, Field(ge=FEWEST_SPINS, le=MOST_SPINS)]
Seed = Annotated[int, Field(ge=0, lt=2**64)]


class Until(Model):
    """Play a design on, twice as many spins each time, until a metric is known well enough."""

    metric: str
    half_width: Annotated[float, Field(gt=0)]
    most: Spins


class Sensitivity(Model):
    """Which factors matter over their ranges (SALib). count: of base points (Sobol) or trajectories (Morris)."""

    method: Literal["sobol", "morris"]
    count: Annotated[int, Field(ge=2, le=100_000)]
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    tornado: bool = True
    """both ends of every factor too, the others as in the base"""


class Objective(Model):
    """What is to be made large or small."""

    metric: str
    goal: Literal["minimise", "maximise"]


class Constraint(Model):
    """What a design must keep to."""

    metric: str
    at_least: float | None = None
    at_most: float | None = None


class Optimise(Model):
    """Search in fixed batches. spins of the study are for a trial, final_spins for the front, from fresh starts."""

    objectives: Annotated[tuple[Objective, ...], Field(min_length=1, max_length=4)]
    constraints: tuple[Constraint, ...] = ()
    trials: Annotated[int, Field(ge=2, le=100_000)]
    batch: Annotated[int, Field(ge=1, le=1000)] = 8
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    final_spins: Spins
    final_seed: Seed


class Tolerance(Model):
    """How far a dimension of single hollows strays, normally; and the larger step by which its effect is measured."""

    of: Literal["depth", "mouth_radius", "lip_radius"]
    sd: Annotated[Length, Field(gt=0)]
    step: Annotated[Length, Field(gt=0)]


class Tolerances(Model):
    """From the tolerances of every hollow to the bias of the machines that are made with them."""

    dimensions: Annotated[tuple[Tolerance, ...], Field(min_length=1)]
    machines: Annotated[int, Field(ge=100, le=1_000_000)] = 10_000
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    check_spins: Spins
    """of one machine, drawn and played, against which the whole is held"""


class StudyFile(Model):
    """A study as it is written."""

    name: Annotated[str, Field(pattern=r"^[\w-]{1,60}$")]
    title: str
    base: Annotated[str, Field(min_length=1)]
    set: tuple[str, ...] = ()
    """overrides of the base, ``PATH=VALUE``"""
    factors: tuple[Factor, ...] = ()
    sampling: Sampling | None = None
    sensitivity: Sensitivity | None = None
    optimise: Optimise | None = None
    tolerances: Tolerances | None = None
    metrics: Annotated[tuple[str, ...], Field(min_length=1)]
    spins: Spins
    until: Until | None = None
    seed: Seed = 0
    starts: Literal["common", "independent"] = "common"
    """the same launches for every design, or others for each"""


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
    return Study(
        file, document.text, base, scenario, tuple(axes.values()), tuple(known[name] for name in metrics)
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


def find_study(name: str) -> Path:
    """The file of a study: a path, else the name of a shipped one. Raises BadInput when there is neither."""
    from sim.documents.resources import shipped

    path = Path(name)
    if name and "\0" not in name and os.path.isfile(path):  # noqa: PTH113  (never raises)
        return path
    files = {file.stem: file for file in shipped("scenarios/studies").glob("*.yaml")}
    if name.removesuffix(".yaml") in files:
        return files[name.removesuffix(".yaml")]
    hint = near(path.name.removesuffix(".yaml"), files)
    message = f"no such file, nor a shipped study ({', '.join(sorted(files))}){hint}"
    raise BadInput([Fault(Mark(name or "''"), "study", message)])


def base_design(study: Study) -> tuple[float, ...] | None:
    """Numbers of the base on the axes; None where one is no quantity of the axis' unit."""
    numbers = []
    for each in study.axes:
        written = study.scenario.document.get(tuple(each.path.split(".")))
        text = str(written)
        if each.unit and not text.endswith(each.unit):
            return None
        try:
            numbers.append(float(text.removesuffix(each.unit)))
        except ValueError:
            return None
    return tuple(numbers)
