"""A spin log as it was read: the rows that can be used, those that cannot and why, and what else was noticed."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sim.spinlog.cells import Cells
from sim.spinlog.schema import BY_NAME
from sim.spinlog.sheet import Rejected

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Input:
    """A file that was read: its name as given, the SHA-256 of its bytes, how many there were."""

    name: str
    sha256: str
    size: int


@dataclass(frozen=True, eq=False)
class SpinLog:
    """Spins, observed or simulated, in the order of the log.

    table: a row a spin, columns of `sim.spinlog.schema` that the log has (`symbol`, `rest_index`, `valid` and
    `void_code` always); text is dictionary-encoded. lines: line of each row in its file, ``(n,)``; of a batch run
    the number of the row over all parts, from 1. times: microseconds since 1970 UTC (or in the log's own clock),
    ``(n,)``, or None where days are missing. cells: those of the game, with the labels that the log uses.
    rejected: rows that are not in the table. remarks: what was noticed in the log, a line each. inputs: the files.
    manifest: what a batch run says of itself, None for another log.
    """

    name: str
    table: pa.Table
    lines: Integers
    times: Integers | None
    cells: Cells
    rejected: tuple[Rejected, ...] = ()
    remarks: tuple[str, ...] = ()
    inputs: tuple[Input, ...] = ()
    manifest: Mapping[str, Any] | None = None

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def has(self, name: str) -> bool:
        """Whether any spin has a value in this column."""
        return name in self.table.column_names and self.table.column(name).null_count < len(self)

    @cached_property
    def valid(self) -> Flags:
        """Which spins count, ``(n,)``."""
        return np.asarray(self.table.column("valid").to_numpy(), np.bool_)

    @property
    def excluded(self) -> dict[str, int]:
        """How many spins do not count, by void code."""
        codes = self.table.column("void_code").filter(pa.array(~self.valid)).cast(pa.string()).to_pylist()
        return dict(sorted(Counter(map(str, codes)).items()))

    def floats(self, name: str) -> Floats:
        """A column of numbers, ``(n,)``, in the schema's unit; NaN where there is none, or no such column."""
        if name not in self.table.column_names:
            return np.full(len(self), np.nan)
        column = self.table.column(name).cast(pa.float64())
        return np.asarray(pc.fill_null(column, float("nan")).to_numpy(), np.float64)

    def integers(self, name: str) -> Integers:
        """A column of whole numbers or truths, ``(n,)``; -1 where there is none, or no such column."""
        if name not in self.table.column_names:
            return np.full(len(self), -1, np.int64)
        column = self.table.column(name).cast(pa.int64())
        return np.asarray(pc.fill_null(column, -1).to_numpy(), np.int64)

    def codes(self, name: str) -> tuple[Integers, tuple[str, ...]]:
        """A column as numbers of its distinct values, ``(n,)``, -1 where there is none, and the values as text.

        The values of ``symbol`` are all symbols of the cells, in their order; others are those that occur.
        """
        words: tuple[str, ...]
        if name not in self.table.column_names:
            codes, words = np.full(len(self), -1, np.int64), ()
        else:
            column = self.table.column(name)
            if not pa.types.is_dictionary(column.type):
                column = column.cast(pa.string()).dictionary_encode()
            merged = column.combine_chunks()
            codes = np.asarray(pc.fill_null(merged.indices, -1).to_numpy(), np.int64)
            words = tuple(merged.dictionary.to_pylist())
        if name != "symbol":
            return codes, words
        order = {symbol: place for place, symbol in enumerate(self.cells.symbols)}
        places = np.array([*(order[word] for word in words), -1], np.int64)
        return places[codes], tuple(order)

    @property
    def is_simulated(self) -> bool:
        """Whether a machine wrote the log: a batch run, or columns that nobody can observe."""
        return self.manifest is not None or any(
            BY_NAME[name].spins == "simulated" for name in self.table.column_names
        )
