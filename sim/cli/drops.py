"""The tilt of a machine from where the balls of a log left their groove."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.inspection.drop_zone import Dropped
    from sim.scenario import PlateScenario
    from sim.spinlog.log import SpinLog


def dropped(
    log: "SpinLog", machine: "PlateScenario", confidence: float, launches: int | None = None
) -> "Dropped":
    """Simulate the groove's response for each direction of travel, and invert it.

    launches: of a response; by default as many as the drops deserve. Raises BadInput for too few drops.
    """
    import numpy as np

    from sim.design.drop_zone import launches_for, response
    from sim.documents.faults import BadInput, Fault, Mark
    from sim.inspection.drop_zone import FEWEST_DROPS, Dropped, Drops, estimate

    angles = np.radians(log.floats("drop_angle_deg"))
    codes, words = log.codes("ball_dir")
    own = "ccw" if machine.launch.ball_sign > 0 else "cw"
    way = np.array([*words, own], dtype=object)[codes]
    logged = np.isfinite(angles)
    parts, remarks = [], []
    for direction in ("ccw", "cw"):
        these = angles[logged & (way == direction)]
        if 0 < len(these) < FEWEST_DROPS:
            remarks.append(f"{len(these)} drops {direction} are left out; {FEWEST_DROPS} are needed")
        elif len(these):
            sign = 1 if direction == "ccw" else -1
            count = launches_for(len(these)) if launches is None else launches
            parts.append(Drops(these, response(machine, sign, count)))
    if not parts:
        message = f"at least {FEWEST_DROPS} spins with drop_angle_deg are needed; given {int(logged.sum())}"
        raise BadInput([Fault(Mark(log.name), "drop_angle_deg", message)])
    return Dropped(log.name, estimate(parts, confidence), tuple(remarks))
