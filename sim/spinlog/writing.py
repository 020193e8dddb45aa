"""Writing a spin log in the schema: Parquet, or CSV that no spreadsheet takes for formulas."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from sim.documents.untrusted import for_cell
from sim.documents.writing import write_atomically
from sim.spinlog.log import SpinLog
from sim.spinlog.schema import METADATA_KEY

SUFFIXES = (".csv", ".parquet")


def write_log(path: Path, log: SpinLog, field: str = "--out") -> None:
    """Write the usable rows of a log whole or not at all, as the path's suffix says: ``.csv`` or ``.parquet``.

    field: what a fault names. Raises BadInput when the file cannot be written, ValueError for another suffix.
    """
    if path.suffix.lower() == ".csv":
        write_atomically(path, csv_bytes(log.table), field)
    elif path.suffix.lower() == ".parquet":
        write_atomically(path, parquet_bytes(log.table, log.manifest), field)
    else:
        raise ValueError(f"a spin log ends in {' or '.join(SUFFIXES)}, not {path.suffix!r}")


def parquet_bytes(table: pa.Table, manifest: Mapping[str, Any] | None = None) -> bytes:
    """Return a table of spins as a Parquet file; the manifest goes into its metadata. Same table, same bytes."""
    metadata = {} if manifest is None else {METADATA_KEY: json.dumps(manifest, sort_keys=True).encode()}
    sink = pa.BufferOutputStream()
    pq.write_table(_plain(table).replace_schema_metadata(metadata), sink, compression="zstd")
    return bytes(sink.getvalue())


def csv_bytes(table: pa.Table) -> bytes:
    """Return a table of spins as CSV in UTF-8, lines ended by ``\\n``, nothing for null.

    A text that a spreadsheet would take for a formula begins with an apostrophe, which the reader takes off again.
    """
    table = _guarded(_plain(table))
    sink = io.BytesIO()
    sink.write((",".join(table.column_names) + "\n").encode())
    try:
        options = pacsv.WriteOptions(include_header=False, quoting_style="none")
        rest = io.BytesIO()
        pacsv.write_csv(table, rest, options)
        sink.write(rest.getbuffer())
    except pa.ArrowInvalid:
        # Some text holds a quotation mark, a comma or a line end.
        options = pacsv.WriteOptions(include_header=False, quoting_style="needed")
        pacsv.write_csv(table, sink, options)
    return sink.getvalue()


def _plain(table: pa.Table) -> pa.Table:
    """The table without dictionaries."""
    return pa.table(
        {
            name: table.column(name).cast(pa.string())
            if pa.types.is_dictionary(table.column(name).type)
            else table.column(name)
            for name in table.column_names
        }
    )


def _guarded(table: pa.Table) -> pa.Table:
    for at, name in enumerate(table.column_names):
        if pa.types.is_string(table.column(name).type):
            words = table.column(name).combine_chunks().dictionary_encode()
            guarded = pa.array([for_cell(word) for word in words.dictionary.to_pylist()], pa.string())
            table = table.set_column(at, name, pc.take(guarded, words.indices))
    return table
