"""What stands on the table: the shapes of a machine, built from a scenario into the arrays that the laws read."""

from typing import TYPE_CHECKING

from sim.machines.plate import PlateMachine, build_plate
from sim.machines.wheel import WheelMachine, build_wheel

if TYPE_CHECKING:
    from sim.scenario import Scenario

Machine = PlateMachine | WheelMachine

__all__ = ["Machine", "PlateMachine", "WheelMachine", "build", "build_plate", "build_wheel"]


def build(scenario: "Scenario") -> Machine:
    """Build the machine of a scenario, which has been checked at load."""
    from sim.scenario import PlateScenario

    return build_plate(scenario) if isinstance(scenario, PlateScenario) else build_wheel(scenario)
