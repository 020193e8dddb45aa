"""What stands on the table: the shapes of a machine, built from a scenario into the arrays that the laws read."""

from sim.machines.plate import PlateMachine, build_plate

__all__ = ["PlateMachine", "build_plate"]
