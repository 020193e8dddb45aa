"""What is measured, side by side, in one run: ``make bench``."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """One measured figure, the most and the least that it may be; None where it is only shown."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    note: str = ""
    least: float | None = None

    @property
    def holds(self) -> bool:
        return (self.limit is None or self.value <= self.limit) and (
            self.least is None or self.value >= self.least
        )


def cpu_time(call: Callable[[], object], times: int = 5) -> float:
    """Median CPU time of a call, all threads of this process, after one that warms it, s."""
    call()
    found = []
    for _ in range(times):
        begin = time.process_time()
        call()
        found.append(time.process_time() - begin)
    return statistics.median(found)
