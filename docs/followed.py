"""Spins of the batch engine watched step by step: the path, and when each margin would have decided the hollow."""

import numpy as np
from numpy.typing import NDArray

from sim.engines.capture import Basin, is_decided
from sim.engines.plate_batch import LEFT, REST, TIME_LIMIT, Plan, _advance, _stride, released
from sim.engines.watch import BELL, ESCAPED, RESTED
from sim.physics.compiled import law, routine
from sim.physics.surface import HOLLOW

SETTLED = ("pocket", "ending", "bell_time", "duration", "steps")
DECIDED = ("decided", "decided_time", "decided_steps")
"""Columns of `settle`: SETTLED, then for each margin the hollow (-1: never), time (s) and steps so far."""


@routine
def path(plan: Plan, start: NDArray[np.float64], rows: NDArray[np.float64]) -> int:
    """Time (s) and place (m) after every step from the groove to the first touch of the band or of a hollow.

    rows, written: shape (most, 4). Returns how many of them.
    """
    flight, ending = released(plan, start)
    place, count = flight.ball.position, 0
    while ending < 0.0 and count < rows.shape[0]:
        happened = _advance(plan, flight, plan.step * _stride(plan, flight))
        rows[count, 0] = flight.time[0]
        rows[count, 1], rows[count, 2], rows[count, 3] = place[0], place[1], place[2]
        count += 1
        if happened & (BELL | RESTED | ESCAPED):
            break
    return count


@law
def _with(basin: Basin, margin: float) -> Basin:
    return Basin(margin, basin.sideways, basin.shift, basin.heavy, basin.constant, basin.viscous)


@routine
def settle(
    plan: Plan, starts: NDArray[np.float64], margins: NDArray[np.float64], found: NDArray[np.float64]
) -> None:
    """Settle every spin in full and note when each margin decides it.

    plan: made with an infinite margin, so that no step in a hollow is lengthened. margins: J/kg, rising.
    starts: shape (n, len(START)). found, written: shape (n, len(SETTLED) + 3 n_margins).
    """
    first = 5
    for row in range(starts.shape[0]):
        flight, ending = released(plan, starts[row])
        ball, steps, decided = flight.ball, 0, 0
        found[row, :] = -1.0
        while ending < 0.0:
            happened = _advance(plan, flight, plan.step * _stride(plan, flight))
            steps += 1
            if happened & RESTED:
                ending = REST
            elif happened & ESCAPED:
                ending = LEFT
            elif flight.time[0] >= plan.time_limit:
                ending = TIME_LIMIT
            hollow = flight.watch.hollow[0]
            if hollow < 0 or ball.touching[0] != 1 or ball.place[0, 2] != HOLLOW:
                continue
            while decided < margins.shape[0] and is_decided(
                ball,
                hollow,
                flight.plate_speed[0],
                plan.surfaces,
                plan.setting,
                _with(plan.pace.basin, margins[decided]),
            ):
                place = first + 3 * decided
                found[row, place], found[row, place + 1] = hollow, flight.time[0]
                found[row, place + 2] = steps
                decided += 1
        found[row, 0] = flight.watch.hollow[0] if ending == REST else -1
        found[row, 1], found[row, 2] = ending, flight.watch.bell[0]
        found[row, 3], found[row, 4] = flight.time[0], steps
