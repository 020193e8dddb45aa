"""Parquet files as sheets, and the manifest that a batch run leaves in them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.documents.faults import BadInput, Fault, Mark
from sim.spinlog.schema import METADATA_KEY
from sim.spinlog.sheet import Batch, Sheet

_ROWS = 1 << 17


class ParquetSheet(Sheet):
    """A Parquet file; the line of a row is its number, from 1. manifest: what a batch run says of itself, or None."""

    def __init__(self, source: Path | pa.Buffer, label: str) -> None:
        """Raises BadInput for a file that is not whole, or no Parquet."""
        try:
            self._file = pq.ParquetFile(source if isinstance(source, Path) else pa.BufferReader(source))
        except (pa.ArrowException, OSError) as error:
            raise BadInput([Fault(Mark(label), "log", f"not a whole Parquet file: {_why(error)}")]) from None
        names = tuple(self._file.schema_arrow.names)
        super().__init__(label, names, 0, len(names))
        self.rows: int = self._file.metadata.num_rows
        metadata = self._file.schema_arrow.metadata or {}
        self.manifest = _manifest(metadata.get(METADATA_KEY), label)

    def batches(self, wanted: frozenset[int]) -> Iterator[Batch]:
        """Yield the rows. Raises BadInput where the file turns out to be damaged."""
        assert self.header is not None
        first = 1
        order = sorted(wanted)
        try:
            for batch in self._file.iter_batches(_ROWS, columns=[self.header[at] for at in order]):
                columns = {at: _flat(batch.column(self.header[at])) for at in order}
                yield Batch(columns, np.arange(first, first + batch.num_rows, dtype=np.int64))
                first += batch.num_rows
        except (pa.ArrowException, OSError, KeyError) as error:
            raise BadInput(
                [Fault(Mark(self.label), "log", f"a damaged Parquet file: {_why(error)}")]
            ) from None


def _manifest(text: bytes | None, label: str) -> dict[str, Any] | None:
    """What a batch run says of itself. Raises BadInput for a manifest that cannot be read."""
    if text is None:
        return None
    try:
        given = json.loads(text)
    except ValueError:
        given = None
    if isinstance(given, dict):
        return given
    raise BadInput([Fault(Mark(label), "manifest", "the manifest in the metadata must be a JSON object")])


def _flat(column: pa.Array) -> pa.Array:
    """Numbers as they are, anything else as text."""
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return column
    return column.cast(pa.string())


def _why(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
