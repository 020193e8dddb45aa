"""Where balls leave the groove, by tilt: the rim law alone, which decides it, over the launches of a scenario."""

from math import pi
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.engines.groove import rim_step
from sim.inspection.drop_zone import Response
from sim.machines import PlateMachine, build
from sim.physics.compiled import routine
from sim.physics.rim import Rim, circulate, deceleration, exit_speed, uneven_exit

if TYPE_CHECKING:
    from sim.scenario import PlateScenario

Floats = NDArray[np.float64]
LAUNCHES = 1000
AZIMUTHS = 6
NODES = (0.0, 0.3, 0.6, 0.9, 1.3, 2.0, 3.2)
"""Tilts of a response, as multiples of the tilt at which the exits of a level throw begin to leave out an arc."""
_SLOWEST_LOSS = 0.02
_STEEPEST = 0.8


@routine
def _leave(launches: Floats, direction: int, rim: Rim, limit: float, drops: Floats) -> None:
    for i in range(launches.shape[0]):
        azimuth, _, _, left = circulate(launches[i, 1], launches[i, 0], direction, rim, rim_step(rim), limit)
        drops[i] = azimuth % (2.0 * pi) if left else np.nan


def drops(rim: Rim, launches: Floats, direction: int, limit: float) -> Floats:
    """Drop azimuths (n,), rad, NaN where the ball has not left after ``limit`` s.

    launches: (n, 2), angular speed (rad/s) and azimuth (rad). direction: +1 counter-clockwise.
    """
    found = np.empty(len(launches))
    _leave(launches, direction, rim, limit, found)
    return found


def launches(scenario: "PlateScenario", count: int) -> Floats:
    """Launches spread evenly over a scenario's throws: a Kronecker lattice with the golden ratio, (count, 2)."""
    i = np.arange(count)
    speed = scenario.launch.ball_speed.quantile((i + 0.5) / count)
    azimuth = scenario.launch.ball_azimuth.quantile((0.5 + i * (5.0**0.5 - 1.0) / 2.0) % 1.0)
    return np.column_stack([speed / scenario.machine.groove.radius, azimuth])


def rim_of(scenario: "PlateScenario", tilt: float, low_side: float) -> Rim:
    """A scenario's groove at another tilt, rad."""
    machine = build(scenario)
    assert isinstance(machine, PlateMachine)
    return machine.rim._replace(tilt=tilt, low_side=low_side)


def _tilts(rim: Rim) -> Floats:
    loss = max(deceleration(exit_speed(0.0, rim._replace(tilt=0.0)), rim), _SLOWEST_LOSS)
    unit = 1.0 / uneven_exit(rim._replace(tilt=1.0), loss)
    scale = min(unit, _STEEPEST * rim.slope / NODES[-1])
    return scale * np.array(NODES)


def response(scenario: "PlateScenario", direction: int, count: int = LAUNCHES) -> Response:
    """Mean resultant of the drops by tilt and low side; see `sim.inspection.drop_zone.Response`."""
    rim, thrown, limit = rim_of(scenario, 0.0, 0.0), launches(scenario, count), scenario.solver.time_limit
    tilts = _tilts(rim)

    def gathered(tilt: float, low_side: float) -> complex:
        found = drops(rim._replace(tilt=tilt, low_side=low_side), thrown, direction, limit)
        return complex(np.nanmean(np.exp(1j * found)))

    level = gathered(0.0, 0.0)
    azimuths = [2.0 * pi * j / AZIMUTHS for j in range(AZIMUTHS)]
    rows = [[gathered(tilt, azimuth) for azimuth in azimuths] for tilt in tilts[1:].tolist()]
    return Response(tilts, np.array([[level] * AZIMUTHS, *rows]))


def launches_for(drops: int) -> int:
    """How many launches make a response whose own error is small beside that of so many drops."""
    return int(min(max(drops, LAUNCHES), 8 * LAUNCHES))
