"""The batch engine against the rigid engine on one core, and its cost by the number of spins and of hollows."""

import statistics
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks import Measure, cpu_time
from sim.engines import plate_batch, wheel_batch
from sim.engines.draws import draw_pushes, draw_starts
from sim.engines.play import draw, spin
from sim.engines.stride import STRIDE
from sim.machines import PlateMachine, build
from sim.scenario import Scenario, load_scenario

MACHINES = ("macau-boule", "spanish-boule", "roda-da-sorte")
LEAST = {"macau-boule": 500.0}
RIGID, BATCH = 6, 1000
SIZES = (1_000, 10_000, 100_000)
HOLLOWS = (9, 18, 27, 36, 45, 54)
SMALL = "{profile: spherical_cap, mouth_radius: 14 mm, depth: 6 mm, lip_radius: 2 mm}"


def play(scenario: Scenario, indices: range, stride: float = STRIDE) -> NDArray[np.float64]:
    """Draws and landings of these spins."""
    machine = build(scenario)
    if not isinstance(machine, PlateMachine):
        return wheel_batch.land(machine, draw_pushes(scenario, 1979, indices)[:, 1:].copy())
    landings = np.empty((len(indices), len(plate_batch.LANDING)))
    starts = draw_starts(scenario, 1979, indices)
    plate_batch.play(plate_batch.plan_of(machine, stride), starts, landings)
    return landings


def measure() -> Iterator[Measure]:
    for name in MACHINES:
        yield from _engines(name)
    yield from _sizes()
    yield from _hollows()


def _engines(name: str) -> Iterator[Measure]:
    scenario = load_scenario(name)
    machine = build(scenario)
    costs = []
    for index in range(RIGID + 1):
        start = draw(scenario, 1979, index)
        begin = time.process_time()
        spin(machine, start)
        costs.append(time.process_time() - begin)
    rigid = statistics.median(costs[1:])
    default = cpu_time(lambda: play(scenario, range(BATCH)), 3) / BATCH
    said = f"CPU time, draws included, {BATCH} spins"
    yield Measure(f"{name}: batch engine", 1 / default, "spins/s", note=said, least=LEAST.get(name))
    yield Measure(f"{name}: rigid engine", 1 / rigid, "spins/s", note=f"median of {RIGID} spins")
    yield Measure(f"{name}: batch over rigid engine", rigid / default, "x")
    if isinstance(machine, PlateMachine):
        fine = cpu_time(lambda: play(scenario, range(BATCH // 4), 1.0), 3) / (BATCH // 4)
        yield Measure(f"{name}: the same with equal steps", rigid / fine, "x", note="stride 1, equal bits")


def _sizes() -> Iterator[Measure]:
    """A chunk of 1000 at a time, as a run plays them."""
    scenario = load_scenario("macau-boule")
    for size in SIZES:
        begin = time.process_time()
        for first in range(0, size, 1000):
            play(scenario, range(first, first + 1000))
        each = (time.process_time() - begin) / size
        yield Measure(f"macau-boule: a spin among {size}", 1e3 * each, "ms", note="CPU time")


def _hollows() -> Iterator[Measure]:
    """Small hollows and a small ball, so that all these counts fit on one plate."""
    for count in HOLLOWS:
        ring = ", ".join(str(number) for number in range(count))
        scenario = load_scenario(
            "macau-boule",
            [
                f"machine.hollows.count={count}",
                f"machine.number_ring=[{ring}]",
                f"machine.hollow={SMALL}",
                "machine.band={inner_radius: 266 mm, outer_radius: 294 mm}",
                "ball.diameter=24 mm",
                "solver.step=0.25 ms",
            ],
        )
        each = cpu_time(lambda scenario=scenario: play(scenario, range(300)), 3) / 300
        landings = play(scenario, range(300))
        lasts = (
            landings[:, plate_batch.LANDING.index("duration")]
            - landings[:, plate_batch.LANDING.index("exit_time")]
        )
        yield Measure(
            f"a plate of {count} hollows: a spin",
            1e3 * each,
            "ms",
            note=f"{lasts.mean():.1f} s out of the groove",
        )
