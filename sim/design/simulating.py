"""Spins of a scenario as columns, for what measures a machine."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sim.engines.simulated import simulated

if TYPE_CHECKING:
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario

Columns = dict[str, NDArray[Any]]
Watch = Callable[[Iterable[range], int], Iterator[range]]
"""Passes the chunks on and may show how far it has come: (chunks, how many)."""
CHUNK = 500
_MISSING = {"int64": -1, "bool": False}


def columns(
    scenario: "Scenario", rulebook: "Rulebook", seed: int, spins: int, watch: Watch | None = None
) -> Columns:
    """Simulate spins 0 to ``spins`` of a run; the columns of `sim.spinlog.schema`, (n,) each.

    What did not happen is NaN, -1, False or None, as in `sim.api.Spins`.
    """
    parts = [range(first, min(first + CHUNK, spins)) for first in range(0, spins, CHUNK)]
    shown = iter(parts) if watch is None else watch(parts, len(parts))
    return arrays(
        pa.concat_tables([simulated(scenario, rulebook, seed, part) for part in shown]).combine_chunks()
    )


def arrays(table: pa.Table) -> Columns:
    """The columns of a table as arrays."""
    found: Columns = {}
    for name in table.column_names:
        column = table[name].combine_chunks()
        if pa.types.is_string(column.type):
            found[name] = np.array(column.to_pylist(), dtype=object)
        else:
            filled = column.fill_null(_MISSING.get(str(column.type), np.nan))
            found[name] = np.array(filled.to_numpy(zero_copy_only=False))
    return found


def level_override(scenario: "Scenario", tilt: float) -> str:
    """The override that sets a plate machine out of level by ``tilt`` (rad), its low side where it was."""
    low_side = getattr(getattr(scenario, "level", None), "low_side", 0.0)
    return f"level={{tilt: {tilt!r} rad, low_side: {low_side!r} rad, source: assumed}}"
