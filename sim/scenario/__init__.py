"""Scenario files: a machine and its launch, with units, provenance, inheritance and every fault at once."""

from sim.scenario.loading import Impossible, Scenario, load_scenario
from sim.scenario.pegged_wheel import WheelScenario
from sim.scenario.scenario import PlateScenario
from sim.scenario.suspicions import describe, suspicions

__all__ = [
    "Impossible",
    "PlateScenario",
    "Scenario",
    "WheelScenario",
    "describe",
    "load_scenario",
    "suspicions",
]
