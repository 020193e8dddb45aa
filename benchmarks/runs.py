"""Whole runs of ``fairwheel batch``: first compile, start, memory, second core, Dask."""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import Measure
from tests.e2e.test_batch import ROOT, cluster

TRIES = 3


def run(spins: int, *words: str, **environment: str) -> tuple[dict[str, Any], float]:
    """Summary of a run on Macau Boule that writes its parts, and its CPU time, s."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(ROOT / "run_sim.py"), "batch", "macau-boule", "--spins", str(spins)]
        command += ["--seed", "1979", "--out", str(Path(folder, "run")), "--json", *words]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        made = subprocess.run(
            command, env=os.environ | environment, check=True, capture_output=True, text=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return json.loads(made.stdout), used


def rate(*words: str) -> float:
    return float(run(10_000, *words)[0]["rate_spins_per_s"])


def load() -> str:
    return f"load of the machine {os.getloadavg()[0]:.1f}"


def measure() -> Iterator[Measure]:
    with tempfile.TemporaryDirectory() as empty:
        _, first = run(1, XDG_CACHE_HOME=empty, TMPDIR=empty)
    yield Measure("first compile and one spin", first, "s", 40.0, "CPU time, empty cache")
    warm = statistics.median(run(1000)[1] for _ in range(TRIES))
    yield Measure("a batch of 1000 spins, start included", warm, "s", 5.0, "CPU time, warm cache")
    peaks = {spins: run(spins, "--workers", "2")[0]["peak_memory_mb"] for spins in (10_000, 100_000)}
    yield Measure("peak memory, 100 000 spins, 2 workers", peaks[100_000], "MB", 600.0)
    growth = 100 * (peaks[100_000] / peaks[10_000] - 1.0)
    yield Measure("peak memory, 100 000 over 10 000 spins", growth, "%", 5.0, "more")
    rates = [(rate("--workers", "1"), rate("--workers", "2")) for _ in range(TRIES)]
    yield Measure("one thread", statistics.median(one for one, _ in rates), "spins/s", note=load())
    second = statistics.median(two / one for one, two in rates)
    yield Measure("second thread", second, "x", note=f"median of {TRIES}, by the clock; {load()}", least=1.9)
    with tempfile.TemporaryDirectory() as folder, cluster(Path(folder)) as (address, _):
        rate("--cluster", address)
        pairs = [(rate("--cluster", address), rate("--workers", "2")) for _ in range(TRIES)]
    share = statistics.median(away / here for away, here in pairs)
    yield Measure(
        "two Dask workers over two threads", share, "x", note=f"median of {TRIES}, by the clock; {load()}"
    )
