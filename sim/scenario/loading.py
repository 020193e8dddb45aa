"""From the name of a scenario to the scenario, or to all that is wrong with it."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sim.documents.document import Document, near, shown
from sim.documents.faults import BadInput
from sim.documents.reading import load_document, parse_document
from sim.documents.resources import find_scenario
from sim.documents.validation import validate
from sim.scenario.drawn import AT as DRAWING
from sim.scenario.drawn import drawn
from sim.scenario.laps import AT as LAPS
from sim.scenario.laps import tabulated
from sim.scenario.layers import Layer, layer, over, override
from sim.scenario.pegged_wheel import WheelScenario
from sim.scenario.refusals import refusals
from sim.scenario.scenario import PlateScenario
from sim.scenario.wheel_checks import wheel_refusals

Scenario = PlateScenario | WheelScenario

MAX_CHAIN = 8


class Impossible(BadInput):
    """A well-formed scenario of a machine that cannot exist, or of settings that cannot integrate it."""


_KINDS: dict[str, type[PlateScenario] | type[WheelScenario]] = {
    "plate": PlateScenario,
    "pegged": WheelScenario,
}


def load_scenario(name: str | Path, overrides: Iterable[str] = ()) -> Scenario:
    """Load a scenario: a path, else the name of a shipped one.

    A file may extend another; overrides (``PATH=VALUE``) come last. A file without a name of its own is named
    after itself. Raises BadInput with every fault of form at once, or else Impossible with every physical reason.
    """
    return _checked(_resolve(find_scenario(str(name))), overrides)


def parse_scenario(text: str, label: str) -> Scenario:
    """Load a scenario from a text that stands alone; ``label`` is what faults call it.

    Raises BadInput as `load_scenario` does, also for a text that extends another.
    """
    document = parse_document(text, label)
    if "extends" in document.data:
        raise BadInput([document.fault(("extends",), "a text that stands alone extends nothing", key=True)])
    if document.get(LAPS) is not None:
        raise BadInput([document.fault(LAPS, "a text that stands alone names no other file", key=True)])
    if isinstance(document.get(DRAWING), dict):
        raise BadInput([document.fault(DRAWING, "a text that stands alone names no other file", key=True)])
    return _checked(layer(document), ())


def _checked(resolved: Layer, overrides: Iterable[str]) -> Scenario:
    """The scenario of a layer with the overrides over it."""
    label = resolved.document.label
    faults = list(resolved.faults)
    for text in overrides:
        try:
            resolved = over(resolved, override(text))
        except BadInput as error:
            faults.extend(error.faults)
    faults.extend(fault for fault in resolved.faults if fault not in faults)
    try:
        resolved = drawn(tabulated(resolved))
    except BadInput as error:
        raise BadInput([*faults, *error.faults]) from None
    document = replace(resolved.document, label=label)
    try:
        scenario = _scenario(document, {"document": document, "sources": resolved.sources})
    except BadInput as error:
        raise BadInput([*faults, *error.faults]) from None
    if not faults:
        faults = wheel_refusals(scenario) if isinstance(scenario, WheelScenario) else refusals(scenario)
        if faults:
            raise Impossible(faults)
    if faults:
        raise BadInput(faults)
    return scenario


def _scenario(document: Document, context: Mapping[str, Any]) -> Scenario:
    """The scenario of the kind of machine that a document names."""
    kind = document.get(("machine", "kind"))
    if isinstance(kind, str) and kind not in _KINDS:
        message = f"must be one of {', '.join(_KINDS)}; given {shown(kind)}{near(kind, _KINDS)}"
        raise BadInput([document.fault(("machine", "kind"), message)])
    return validate(document, _KINDS[kind if isinstance(kind, str) else "plate"], context)


def _resolve(path: Path) -> Layer:
    """The layer of a file over those that it extends, root first."""
    chain: list[Layer] = []
    seen: list[Path] = []
    following: Path | None = path
    while following is not None:
        seen.append(following.resolve())
        document = load_document(following)
        extended = document.data.get("extends")
        bare = {field: value for field, value in document.data.items() if field != "extends"}
        if not chain:
            bare.setdefault("name", following.stem)
        chain.append(layer(replace(document, data=bare)))
        following = _base(document, extended, following, seen) if "extends" in document.data else None
    resolved = chain.pop()
    while chain:
        resolved = over(resolved, chain.pop())
    return resolved


def _base(document: Document, extended: object, path: Path, seen: list[Path]) -> Path:
    """The file that a document extends: beside it, else a shipped one."""

    def refused(message: str) -> BadInput:
        return BadInput([document.fault(("extends",), message)])

    if not isinstance(extended, str) or not extended:
        raise refused(f"must be a path, or the name of a shipped scenario; given {shown(extended)}")
    beside = path.parent / extended
    try:
        base = beside if os.path.isfile(beside) else find_scenario(extended)  # noqa: PTH113  (never raises)
    except BadInput as error:
        raise refused(f"{error.faults[0].message}; given {shown(extended)}") from None
    if base.resolve() in seen:
        raise refused(f"comes back to a file that extends this one; given {shown(extended)}")
    if len(seen) >= MAX_CHAIN:
        raise refused(f"the {MAX_CHAIN}th file in a row; at most {MAX_CHAIN} extend each other")
    return base
