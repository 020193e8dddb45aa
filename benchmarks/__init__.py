"""What is measured, side by side, in one run: ``make bench``."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """One measured figure and the most that it may be; None where it is only shown."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    note: str = ""

    @property
    def holds(self) -> bool:
        return self.limit is None or self.value <= self.limit
