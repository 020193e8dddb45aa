"""One spin of any machine: its draws, and the rigid engine that plays it."""

from typing import TYPE_CHECKING

from sim.engines import rigid, wheel
from sim.engines.draws import draw_push, draw_start
from sim.engines.rigid import Spin
from sim.engines.stride import STRIDE
from sim.landing import Push, Start
from sim.machines import Machine, PlateMachine, WheelMachine

if TYPE_CHECKING:
    from sim.scenario import Scenario


def draw(scenario: "Scenario", seed: int, index: int) -> Start | Push:
    """What decides one spin beside the machine."""
    from sim.scenario import PlateScenario

    if isinstance(scenario, PlateScenario):
        return draw_start(scenario, seed, index)
    return draw_push(scenario, seed, index)


def spin(
    machine: Machine, start: Start | Push, trace_step: float | None = None, stride: float = STRIDE
) -> Spin:
    """Play one spin; see `sim.engines.rigid.spin` and `sim.engines.wheel.spin`, which knows no stride.

    Raises TypeError when the start is one of another kind of machine.
    """
    if isinstance(machine, PlateMachine) and isinstance(start, Start):
        return rigid.spin(machine, start, trace_step, stride)
    if isinstance(machine, WheelMachine) and isinstance(start, Push):
        return wheel.spin(machine, start, trace_step)
    raise TypeError(f"a {type(machine).__name__} cannot be set going by a {type(start).__name__}")
