"""The scenario and the rulebook of a table, each checked against the other."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario


def open_table(name: str, overrides: list[str]) -> "tuple[Scenario, Rulebook]":
    """Load a scenario and its rulebook. Raises BadInput, also where the machine does not fit the rulebook."""
    from sim.documents.faults import BadInput
    from sim.rules.equipment import check_ring
    from sim.rules.library import load
    from sim.scenario import load_scenario

    scenario = load_scenario(name, overrides)
    try:
        rulebook = load(scenario.rulebook)
    except BadInput as error:
        named = scenario.document.fault(("rulebook",), f"{scenario.rulebook!r} cannot be used")
        raise BadInput([named, *error.faults]) from None
    faults = check_ring(
        rulebook, scenario.machine.number_ring, scenario.document.mark(("machine", "number_ring"))
    )
    if faults:
        raise BadInput(faults)
    return scenario, rulebook
