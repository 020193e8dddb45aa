"""What a run adds up to, counted in whole numbers: the order in which its parts come does not matter."""

from collections import Counter
from dataclasses import dataclass, field
from math import inf, sqrt

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Z95 = 1.959963984540054
"""Quantile of the normal distribution for two-sided intervals of 95 %."""
BINS = {"settling_s": 0.01, "hops": 1.0, "turns": 0.01, "duration_s": 0.01}
"""Columns of which quantiles are kept, and the width of the bins in which they are counted."""


def wilson(count: int, total: int) -> tuple[float, float]:
    """Ends of Wilson's interval of 95 % for a share of which ``count`` of ``total`` were seen.

    Source: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209. Of no trials it is (0, 1).
    """
    if total == 0:
        return 0.0, 1.0
    share, z = count / total, Z95 * Z95 / total
    middle = (share + z / 2) / (1 + z)
    half = sqrt(z * (share * (1 - share) + z / 4)) / (1 + z)
    return max(middle - half, 0.0), min(middle + half, 1.0)


@dataclass(slots=True, eq=False)
class Tally:
    """Counts over spins.

    holes: shape (n_holes,), valid spins by hole or section. void: spins by void code. histograms: by column of `BINS`,
    spins by bin; a spin in which the thing did not happen is in none.
    """

    holes: NDArray[np.int64]
    spins: int = 0
    void: Counter[str] = field(default_factory=Counter)
    histograms: dict[str, Counter[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, holes: int) -> "Tally":
        """Nothing counted yet, of a machine with so many holes."""
        return cls(np.zeros(holes, dtype=np.int64))

    @property
    def valid(self) -> int:
        """Number of valid spins."""
        return self.spins - self.void.total()

    def add(self, table: pa.Table) -> None:
        """Count the spins of a table as `sim.engines.simulated` makes them."""
        self.spins += table.num_rows
        valid = table.filter(table["valid"])
        self.holes += np.bincount(valid["rest_index"].to_numpy(), minlength=len(self.holes))
        self.void.update(pc.drop_null(table["void_code"]).to_pylist())
        for name, width in BINS.items():
            if name in table.column_names:
                values = pc.drop_null(table[name]).to_numpy()
                bins, counts = np.unique(np.floor(values / width).astype(np.int64), return_counts=True)
                counter = self.histograms.setdefault(name, Counter())
                counter.update(dict(zip(bins.tolist(), counts.tolist(), strict=True)))

    def merge(self, other: "Tally") -> None:
        """Add the counts of other spins."""
        self.holes += other.holes
        self.spins += other.spins
        self.void.update(other.void)
        for name, counter in other.histograms.items():
            self.histograms.setdefault(name, Counter()).update(counter)

    def quantile(self, name: str, share: float) -> float | None:
        """The middle of the bin (of whole numbers: the number) up to which a share of the spins lies; None for none."""
        counter = self.histograms.get(name, Counter())
        below, wanted = 0, share * counter.total()
        for each in sorted(counter):
            below += counter[each]
            if below >= wanted:
                width = BINS[name]
                return each * width if width == 1.0 else (each + 0.5) * width
        return None

    @property
    def half_width(self) -> float:
        """The widest half of Wilson's intervals of 95 % for the holes' shares of the valid spins; infinite for none."""
        if self.valid == 0:
            return inf
        ends = [wilson(int(count), self.valid) for count in self.holes]
        return max((high - low) / 2 for low, high in ends)
