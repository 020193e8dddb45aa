"""Long steps of the batch engine: where they are taken, and that what they bring does not depend on them."""

from math import hypot

import numpy as np
import pytest

from sim.engines import plate_batch
from sim.engines.draws import draw_starts
from sim.engines.plate_batch import REST, _advance, _stride, fly, plan_of
from sim.engines.stride import STRIDE
from sim.engines.watch import slip_squared
from sim.machines import build_plate
from sim.physics.surface import HOLLOW
from sim.scenario import load_scenario

POLYGON = "machine.hollow={profile: points, points: [[0 mm, -9 mm], [10 mm, -9 mm], [29 mm, 0 mm]]}"


@pytest.mark.parametrize("stride", [1.0, 4.0, 8.0])
def test_a_ball_at_rest_on_a_turning_plate_is_at_rest_whatever_the_step(stride):
    """Seen from half a step later it would move at W^2 r dt/2."""
    scenario = load_scenario("macau-boule")
    plan = plan_of(build_plate(scenario))
    flight, ending = fly(plan, draw_starts(scenario, 3, range(1))[0])
    assert ending == REST
    ball = flight.ball
    for _ in range(200):
        _advance(plan, flight, stride * plan.step)
    turning = flight.plate_speed[0]
    naive = hypot(
        ball.velocity[0] + turning * ball.position[1], ball.velocity[1] - turning * ball.position[0]
    )
    lag = turning * turning * hypot(ball.position[0], ball.position[1]) * stride * plan.step / 2.0
    assert naive == pytest.approx(lag, rel=0.1)
    assert slip_squared(ball, turning) < (0.05 * lag) ** 2


@pytest.mark.parametrize(("overrides", "smooth"), [([], True), ([POLYGON], False)])
def test_corners_are_struck_in_the_solvers_own_steps(overrides, smooth):
    scenario = load_scenario("macau-boule", overrides)
    plan = plan_of(build_plate(scenario))
    assert (plan.pace.smooth == smooth).all()
    flight, _ = fly(plan, draw_starts(scenario, 3, range(1))[0])
    assert flight.ball.place[0, 2] == HOLLOW
    assert (_stride(plan, flight) > 1.0) == (smooth and flight.ball.touching[0] == 1)


def test_a_ball_carried_in_the_seam_rests_where_the_solvers_steps_leave_it():
    """Off the hollows: as often, within the interval of the difference, and as late, to a hundredth."""
    scenario = load_scenario("macau-boule-wide-band")
    machine, starts = build_plate(scenario), draw_starts(scenario, 5, range(400))
    off, lasted = [], []
    for stride in (1.0, STRIDE):
        found = np.empty((len(starts), len(plate_batch.LANDING)))
        plate_batch.play(plan_of(machine, stride), starts, found)
        lies = found[:, 0] < 0
        off.append(lies.mean())
        lasted.append(found[lies, plate_batch.LANDING.index("duration")].mean())
    assert abs(off[0] - off[1]) < 3.0 * np.sqrt((off[0] * (1 - off[0]) + off[1] * (1 - off[1])) / len(starts))
    assert lasted[1] == pytest.approx(lasted[0], rel=1e-2)
