"""The scenario and the rulebook of a table, each checked against the other."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario


def open_table(name: str, overrides: list[str]) -> "tuple[Scenario, Rulebook]":
    """Load a scenario and its rulebook. Raises BadInput, also where the machine does not fit the rulebook."""
    from sim.documents.faults import BadInput
    from sim.rules.equipment import check_dimensions, check_ring
    from sim.rules.library import load
    from sim.scenario import WheelScenario, load_scenario

    scenario = load_scenario(name, overrides)
    try:
        rulebook = load(scenario.rulebook)
    except BadInput as error:
        at, given = ("rulebook",), scenario.rulebook
        faults = [
            fault if fault.mark.line else scenario.document.fault(at, f"{fault.message}; given {given!r}")
            for fault in error.faults
        ]
        raise BadInput(faults) from None
    faults = check_ring(rulebook, scenario.machine.ring, scenario.document.mark(("machine", "number_ring")))
    if isinstance(scenario, WheelScenario):
        wheel = {"wheel diameter": scenario.machine.wheel.diameter}
        faults += check_dimensions(rulebook, wheel, scenario.document.mark(("machine", "wheel", "diameter")))
    if faults:
        raise BadInput(faults)
    return scenario, rulebook
