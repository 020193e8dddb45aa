"""Which machines of a study play side by side in its report: the base, and the design that shows most."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from sim.design.analyses import Analysed
from sim.report.study.words import brief, shift

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Side:
    """A machine to be played. about: why it is chosen. overrides: of the study's base, those of all designs too."""

    title: str
    about: str
    overrides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Thrown:
    """Machines that were thrown alike. seed, index: of the throw. sides: each with the HTML in which it plays."""

    seed: int
    index: int
    sides: tuple[tuple[Side, Markup], ...]


def sides(analysed: Analysed) -> Iterator[Side]:
    """Yield the base and, where a design can be built, the one that shows most.

    Of a search that is the trial of its front that does best by the first objective, of those that keep the
    constraints if any does; of other studies the design whose first metric differs from the base's most surely.
    """
    study = analysed.found.study
    yield Side("The base", study.scenario.name, tuple(study.file.set))
    best = _trial(analysed) if study.file.optimise is not None else _surest(analysed)
    if best is not None:
        title, about, overrides = best
        what = ", ".join(
            f"{axis.name} {brief(axis.called(text))}"
            for axis in study.axes
            for path, _, text in (one.partition("=") for one in overrides)
            if path == axis.path
        )
        if study.file.tolerances is not None:
            what = next(
                row["called"][0] for row in analysed.told["designs"] if f"Design {row['design']}" == title
            )
        yield Side(title, f"{about}: {what}", (*study.file.set, *overrides))


def _trial(analysed: Analysed) -> tuple[str, str, tuple[str, ...]] | None:
    given, front = analysed.found.study.file.optimise, analysed.told["front"]
    assert given is not None
    goal = given.objectives[0]
    sign = 1.0 if goal.goal == "minimise" else -1.0
    known = [row for row in front if row["metrics"][goal.metric]["value"] is not None]
    if not known:
        return None
    row = min(
        known, key=lambda each: (not each["keeps_constraints"], sign * each["metrics"][goal.metric]["value"])
    )
    metric = analysed.found.study.metric(goal.metric)
    most = "least" if goal.goal == "minimise" else "most"
    overrides = tuple(f"{path}={text}" for path, text in row["factors"].items())
    return f"Trial {row['trial']}", f"of the front, the one with the {most} {metric.title.lower()}", overrides


def _surest(analysed: Analysed) -> tuple[str, str, tuple[str, ...]] | None:
    found = analysed.found
    metric = found.metrics[0]
    surest: tuple[float, int, Plain] | None = None
    for row in analysed.told["designs"]:
        apart = ((row.get("metrics") or {}).get(metric.name) or {}).get("to_base")
        if not apart or apart["value"] is None or apart["low"] is None:
            continue
        half = 0.5 * (apart["high"] - apart["low"])
        sure = abs(apart["value"]) / half if half > 0.0 else 0.0
        if surest is None or sure > surest[0]:
            surest = sure, row["design"], apart
    if surest is None:
        return None
    _, number, apart = surest
    size = f"{shift(apart).rstrip('*')} {metric.unit}".rstrip()
    about = f"of all designs the surest difference to the base in {metric.title.lower()}, {size}"
    return f"Design {number}", about, found.outcomes[number - 1].design.overrides
