"""The rulebook that a scenario names, each checked against the other."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sim.documents.faults import BadInput
from sim.rules.equipment import check_dimensions, check_ring
from sim.rules.library import load
from sim.scenario import WheelScenario

if TYPE_CHECKING:
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario


def rulebook_of(scenario: "Scenario") -> "Rulebook":
    """Load the rulebook of a scenario: a file beside it, else a shipped one.

    Raises BadInput, also where the machine does not fit the rulebook.
    """
    beside = Path(scenario.document.mark(("rulebook",)).file).parent / scenario.rulebook
    try:
        rulebook = load(str(beside) if os.path.isfile(beside) else scenario.rulebook)  # noqa: PTH113
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
    return rulebook
