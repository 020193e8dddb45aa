"""Where the time of a batch spin goes: how many steps of each kind it takes, and what one of them costs."""

import time
from collections.abc import Iterator

import numba
import numpy as np

from benchmarks import Measure, cpu_time
from sim.engines.draws import draw_starts
from sim.engines.plate_batch import LANDING, _advance, _stride, plan_of, play, released
from sim.engines.watch import ESCAPED, RESTED
from sim.machines import build_plate
from sim.scenario import load_scenario

KINDS = (
    "on the wall",
    "on the cone",
    "on the boss",
    "on the band",
    "in a hollow",
    "in the air",
    "on several",
)
"""A kind of step is what the ball touches as it begins: a part, by its number in `sim.physics.surface`, or these."""
AIR, SEVERAL = 5, 6
MACHINES = ("macau-boule", "spanish-boule")
SPINS = 400


@numba.njit
def _now() -> float:
    with numba.objmode(now="float64"):
        now = time.process_time()
    return now  # noqa: RET504  (numba wants a name)


@numba.njit(error_model="numpy")
def _follow(plan, starts, clocked, steps, longer, seconds):
    """Count the steps of every kind and the longer ones among them; their CPU time (s) and times the clock was read."""
    reads = np.zeros(len(steps))
    for row in range(starts.shape[0]):
        flight, ending = released(plan, starts[row])
        ball, before, since = flight.ball, -1, 0.0
        while ending < 0.0 and flight.time[0] < plan.time_limit:
            kind = ball.place[0, 2] if ball.touching[0] == 1 else SEVERAL if ball.touching[0] > 1 else AIR
            if clocked and kind != before:
                now = _now()
                if before >= 0:
                    seconds[before] += now - since
                    reads[before] += 1
                before, since = kind, _now()
            stride = _stride(plan, flight)
            steps[kind] += 1
            longer[kind] += stride > 1.0
            if _advance(plan, flight, plan.step * stride) & (RESTED | ESCAPED):
                break
        if clocked:
            seconds[before] += _now() - since
            reads[before] += 1
    return reads


@numba.njit
def _rim(plan, starts):
    for row in range(starts.shape[0]):
        released(plan, starts[row])


@numba.njit
def _read_clock(times):
    total = 0.0
    for _ in range(times):
        begin = _now()
        total += _now() - begin
    return total / times


def measure() -> Iterator[Measure]:
    for name in MACHINES:
        yield from _figures(name)


def _figures(name: str) -> Iterator[Measure]:
    scenario = load_scenario(name)
    plan = plan_of(build_plate(scenario))
    starts = draw_starts(scenario, 1979, range(SPINS))
    landings = np.empty((SPINS, len(LANDING)))
    whole = cpu_time(lambda: play(plan, starts, landings)) / SPINS
    rim = cpu_time(lambda: _rim(plan, starts)) / SPINS
    steps, longer, seconds = (np.zeros(len(KINDS)) for _ in range(3))
    _follow(plan, starts[:1], True, steps.copy(), longer.copy(), seconds.copy())
    reads = _follow(plan, starts, True, steps, longer, seconds)
    seconds -= reads * _read_clock(20_000)
    steps, longer, seconds = steps / SPINS, longer / SPINS, seconds / SPINS
    yield Measure(f"{name}: a spin", 1e6 * whole, "us", note=f"{steps.sum():.0f} steps")
    yield Measure(f"{name}: groove", 1e6 * rim, "us", note=f"a spin, {100 * rim / whole:.0f} % of its time")
    for kind in np.argsort(-seconds):
        if steps[kind] < 1.0:
            continue
        said = f"{steps[kind]:.0f} a spin, {100 * longer[kind] / steps[kind]:.0f} % of them longer"
        share = f"{100 * seconds[kind] / whole:.0f} % of its time"
        each = 1e9 * seconds[kind] / steps[kind]
        yield Measure(f"{name}: a step {KINDS[kind]}", each, "ns", note=f"{said}, {share}")
    told = 100 * (seconds.sum() + rim) / whole
    yield Measure(f"{name}: time that these explain", told, "%")
