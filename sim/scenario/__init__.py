"""Scenario files: a machine and its launch, with units, provenance, inheritance and every fault at once."""

from sim.scenario.loading import load_scenario
from sim.scenario.scenario import Scenario
from sim.scenario.suspicions import describe, suspicions

__all__ = ["Scenario", "describe", "load_scenario", "suspicions"]
