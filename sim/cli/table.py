"""The scenario and the rulebook of a table, each checked against the other."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario


def open_table(name: str, overrides: list[str]) -> "tuple[Scenario, Rulebook]":
    """Load a scenario and its rulebook. Raises BadInput, also where the machine does not fit the rulebook."""
    from sim.engines.rulebook import rulebook_of
    from sim.scenario import load_scenario

    _refuse_other_kind(name, "scenario", is_rulebook)
    scenario = load_scenario(name, overrides)
    return scenario, rulebook_of(scenario)


def open_rulebook(name: str) -> "Rulebook":
    """Load a rulebook by its name or path. Raises BadInput."""
    from sim.rules.library import load

    _refuse_other_kind(name, "rulebook", is_scenario)
    return load(name)


def is_rulebook(name: str) -> bool:
    """Whether a name or a file is a rulebook, good or bad, and not a scenario."""
    from sim.documents.resources import rulebook_names

    known = name.startswith("cells:") or name.removesuffix(".yaml") in rulebook_names()
    return (known and not os.path.isfile(name)) or _has_field(name, "articles")  # noqa: PTH113


def is_scenario(name: str) -> bool:
    """Whether a file is a scenario, good or bad."""
    return _has_field(name, "machine") or _has_field(name, "extends")


def _has_field(name: str, field: str) -> bool:
    """Whether a file has a line that begins with a field's name; it may be broken elsewhere."""
    from sim.documents.faults import BadInput
    from sim.documents.reading import MAX_BYTES, read_text

    if not os.path.isfile(name):  # noqa: PTH113  (never raises; a pipe can be read once only)
        return False
    try:
        lines = read_text(Path(name), name, MAX_BYTES).splitlines()
    except BadInput:
        return False
    return any(line.partition(":")[0].rstrip() == field for line in lines)


def _refuse_other_kind(name: str, kind: str, is_other: "Callable[[str], bool]") -> None:
    """Raise BadInput, with one fault instead of one for every field, where a file is of the other kind."""
    from sim.documents.faults import BadInput, Fault, Mark

    if is_other(name):
        other = "scenario" if kind == "rulebook" else "rulebook"
        raise BadInput(
            [Fault(Mark(name), kind, f"is a {other}; a {kind} is needed (fairwheel list shows them)")]
        )
