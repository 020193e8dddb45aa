"""How long a person waits at the prompt."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks import Measure

ROOT = Path(__file__).parents[1]


def measure() -> Iterator[Measure]:
    yield Measure("run_sim.py --help", _seconds("--help"), "s", 0.6, "median of 5")
    yield Measure("run_sim.py list", _seconds("list"), "s", None, "median of 5")
    yield Measure(
        "run_sim.py spin macau-boule, one spin",
        _seconds("spin", "macau-boule"),
        "s",
        5.0,
        "median of 5, warm",
    )


def _seconds(*words: str) -> float:
    """Median wall time of five runs, after one that warms the caches."""
    command = [sys.executable, str(ROOT / "run_sim.py"), *words]
    times = []
    for _ in range(6):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return statistics.median(times[1:])
