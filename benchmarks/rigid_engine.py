"""The rigid engine on one core: against the clock of the spin itself, in memory, and where its time goes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import Measure

ROOT = Path(__file__).parents[1]
SPINS = 12
MEASURED = """
import cProfile, json, pstats, resource, sys, time
from sim.engines.play import draw, spin
from sim.machines import build
from sim.scenario import load_scenario
scenario = load_scenario(sys.argv[1])
machine = build(scenario)
starts = [draw(scenario, 1979, index) for index in range(int(sys.argv[2]) + 1)]
spin(machine, starts.pop())
begin = time.process_time()
physical = sum(spin(machine, start).landing.duration for start in starts)
used = time.process_time() - begin
with cProfile.Profile() as profile:
    spin(machine, starts[0])
stats = pstats.Stats(profile).get_stats_profile()
costs = sorted(((one.tottime, name) for name, one in stats.func_profiles.items()), reverse=True)[:6]
shares = [[name, cost / stats.total_tt] for cost, name in costs]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"ratio": used / physical, "each": used / len(starts), "peak": peak, "shares": shares}))
"""


MACHINES = (("macau-boule", "Macau Boule", 1 / 8), ("roda-da-sorte", "Roda da Sorte", 1 / 10))


def measure() -> Iterator[Measure]:
    for scenario, title, most in MACHINES:
        command = [sys.executable, "-c", MEASURED, scenario, str(SPINS)]
        made = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        found = json.loads(made.stdout)
        yield Measure(
            f"{title}: time over physical duration", found["ratio"], "", most, f"{SPINS} spins, one core"
        )
        yield Measure(f"{title}: time of one spin", found["each"], "s")
        yield Measure(f"{title}: peak memory", found["peak"], "MB", 300.0)
        for name, share in found["shares"]:
            yield Measure(f"{title}: share of `{name}`", 100 * share, "%", None, "under a profiler")
