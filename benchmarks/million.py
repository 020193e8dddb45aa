"""A million spins, as the README promises them: half an hour or less, so only when named."""

from collections.abc import Iterator

from benchmarks import Measure
from benchmarks.runs import load, run

WHEN_NAMED = True


def measure() -> Iterator[Measure]:
    some, _ = run(100_000, "--workers", "2")
    all_of_them, used = run(1_000_000, "--workers", "2")
    seconds = all_of_them["spins"] / all_of_them["rate_spins_per_s"]
    yield Measure("1 000 000 spins, 2 workers", seconds / 60, "min", 20.0, f"by the clock; {load()}")
    yield Measure("1 000 000 spins: a spin", 1e3 * used / 1e6, "ms", note="CPU time")
    yield Measure("1 000 000 spins: peak memory", all_of_them["peak_memory_mb"], "MB", 600.0)
    growth = 100 * (all_of_them["peak_memory_mb"] / some["peak_memory_mb"] - 1.0)
    yield Measure("peak memory, 1 000 000 over 100 000 spins", growth, "%", 5.0, "more")
