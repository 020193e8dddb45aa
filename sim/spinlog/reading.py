"""Reading a spin log: a file of any kind, the folder of a batch run, or standard input."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sim.documents.document import shown
from sim.documents.faults import BadInput, Fault, Mark
from sim.spinlog.cells import Cells, SymbolReader, is_void_word
from sim.spinlog.delimited import open_text
from sim.spinlog.form import Form
from sim.spinlog.gathering import Gathered, gather
from sim.spinlog.lines import Lines
from sim.spinlog.log import SpinLog
from sim.spinlog.moments import moments
from sim.spinlog.names import PARTS, RESULTS
from sim.spinlog.names import field_of as by_name
from sim.spinlog.noticing import notice
from sim.spinlog.parquet import ParquetSheet
from sim.spinlog.plan import Source as Column
from sim.spinlog.plan import field_in, plan
from sim.spinlog.run_folder import Part, RunSheet, folder_input, manifest_in
from sim.spinlog.schema import COLUMNS
from sim.spinlog.settling import settle
from sim.spinlog.sheet import Rejected, Sheet, by_reason
from sim.spinlog.sources import Source, open_source
from sim.spinlog.workbook import open_workbook

_MOST_FAULTS = 1000
MANY = 0.1
"""Share of the rows; fewer, such as a line of totals, are rejected for good reason."""
NEEDED = RESULTS | {"valid", "void_code", "game_profile"}
"""Fields without which a spin would be counted wrongly."""


def read_log(name: str, cells: Cells, form: Form | None = None, stdin: BinaryIO | None = None) -> SpinLog:
    """Read a spin log.

    name: of a file (Parquet, delimited text in any encoding, ``.xlsx``, a bare list of results; text may be packed
    with gzip), of the folder of a batch run, or ``-`` for standard input. cells: of the game. form: what is told about
    the log. Raises BadInput for a log that cannot be used as a whole: unreadable, without a column of results, with two
    columns for one field, with no row that can be used. Rows that cannot be used are in the result, each with its line
    and reason.
    """
    form = form or Form()
    if name not in ("-", "") and "\0" not in name and os.path.isdir(name):  # noqa: PTH112  (never raises)
        run = _open_run(name, cells, form)
        log = _log(run, cells, form, run.manifest)
        return replace(log, inputs=(folder_input(name, run.inputs), *run.inputs))
    with open_source(name, stdin or sys.stdin.buffer) as source:
        sheet = _open_sheet(source, cells, form)
        log = _log(sheet, cells, form, manifest_in(sheet))
        source.drain()
        return replace(log, inputs=(source.input,))


def _open_sheet(source: Source, cells: Cells, form: Form) -> Sheet:
    """The table in a file, whatever kind it is."""

    is_result = _is_result(cells, form)
    numbered = form.is_numbered
    field_of = by_name if numbered else partial(field_in, form)
    kind = source.kind
    if kind == "parquet":
        content = source.seekable()
        return ParquetSheet(
            content if isinstance(content, Path) else pa.py_buffer(content.getvalue()), source.label
        )
    if kind == "zip":
        return open_workbook(source.seekable(), source.label, field_of, is_result, numbered)
    lines = Lines(source.unpacked() if kind == "gzip" else source, source.label)
    return open_text(lines, source.label, field_of, is_result, form.delimiter, numbered)


def _is_result(cells: Cells, form: Form) -> Callable[[str], bool]:
    """Whether a word in a bare list is a result of the game."""
    readers = [SymbolReader(each) for each in (cells, cells.settled(["0"]))]
    told = form.values.get("symbol", {})
    known: dict[str, bool] = {}

    def is_result(word: str) -> bool:
        if word not in known:
            known[word] = is_void_word(word) or any(
                _reads(reader, told.get(word, word)) for reader in readers
            )
        return known[word]

    return is_result


def _reads(reader: SymbolReader, word: str) -> bool:
    try:
        reader(word)
    except ValueError:
        return False
    return True


def _open_run(name: str, cells: Cells, form: Form) -> RunSheet:
    def open_part(part: Part) -> tuple[Source, Sheet]:
        source = open_source(str(part.path), BytesIO())
        return source, _open_sheet(source, cells, form)

    return RunSheet(Path(name), name, open_part)


def _log(sheet: Sheet, cells: Cells, form: Form, told: Mapping[str, Any] | None) -> SpinLog:
    """The log that a sheet comes to."""
    sources = {"symbol": Column(0, "1")} if sheet.is_list else plan(sheet, form)
    gathered = gather(sheet, sources)
    columns, cells = settle(gathered, cells, form)
    times, remarks = _add_times(gathered, columns, form)
    kept = np.ones(len(gathered.lines), np.bool_)
    kept[list(gathered.reasons)] = False
    rejected = [
        *sheet.rejected,
        *(Rejected(int(gathered.lines[row]), "; ".join(why)) for row, why in gathered.reasons.items()),
    ]
    rejected.sort(key=lambda each: (each.file, each.line))
    alone = _alone(gathered, sources)
    if not kept.any():
        raise _nothing(sheet, rejected, alone)
    noticed = notice(columns, gathered.lines, times, kept)
    mask = pa.array(kept)
    return SpinLog(
        name=sheet.label,
        table=pa.table(
            {each.name: columns[each.name].filter(mask) for each in COLUMNS if each.name in columns}
        ),
        lines=gathered.lines[kept],
        times=None if times is None else times[kept],
        cells=cells,
        rejected=tuple(rejected),
        remarks=(*sheet.remarks, *gathered.remarks, *alone, *remarks, *noticed),
        manifest=told,
    )


def _alone(gathered: Gathered, sources: Mapping[str, Column]) -> list[str]:
    """Say which columns that a log can do without reject many rows by themselves, and how not to read them."""
    count: Counter[str] = Counter()
    for reasons in gathered.reasons.values():
        fields = {reason.partition(":")[0] for reason in reasons}
        count.update(fields if len(fields) == 1 else ())
    remarks = []
    for name, source in sources.items():
        rows = count[name] + (count["utc_time"] if name in PARTS and name not in RESULTS else 0)
        if name not in NEEDED and rows >= max(1, MANY * len(gathered.lines)):
            remarks.append(
                f"the column {shown(source.name)} ({name}) alone rejects {rows} row{'s' * (rows > 1)}; "
                f"with --map {shown(f'{source.name}=-')} it is not read"
            )
    return remarks


def _nothing(sheet: Sheet, rejected: list[Rejected], remarks: list[str]) -> BadInput:
    """No row can be used: the log as a whole is at fault."""
    label = sheet.label
    if not rejected:
        return BadInput([Fault(Mark(label, sheet.line, 1), "log", "holds no spin below its header")])
    words = [f"no row can be used: all {len(rejected)} are rejected, as follows", *remarks]
    faults = [Fault(Mark(label), "log", each) for each in words]
    for each in by_reason(rejected):
        several = f"{each.where}: " if len(each.lines) > 1 else ""
        faults.append(Fault(Mark(each.file or label, each.lines[0], 1), "row", several + each.reason))
    return BadInput(faults[:_MOST_FAULTS])


def _add_times(
    gathered: Gathered, columns: dict[str, pa.Array], form: Form
) -> tuple[np.typing.NDArray[np.int64] | None, list[str]]:
    """Put the moments of a log into its columns; rows with one that cannot be read are rejected."""
    whole, day, time = (gathered.columns.get(name) for name in ("utc_time", "date", "time"))
    if whole is None and day is None and time is not None and _has_days(time):
        whole, time = time, None
    given = [
        None if each is None else pc.fill_null(each.cast(pa.string()), "") for each in (whole, day, time)
    ]
    if all(each is None for each in given):
        return None, []
    if given[1] is not None and given[0] is None and given[2] is None:
        given = [given[1], None, None]
    used = np.ones(len(gathered.lines), np.bool_)
    used[list(gathered.reasons)] = False
    found = moments(given[0], given[1], given[2], form.dates, used)
    for row, reason in found.failures.items():
        gathered.reject([row], f"utc_time: {reason}")
    columns["utc_time"] = found.text
    return found.times, found.remarks


def _has_days(column: pa.DictionaryArray) -> bool:
    """Whether a column called time holds more than times of day."""
    words = column.dictionary.drop_null()
    clock = pc.match_substring_regex(words, r"^[0-9]{1,2}\s?[:h][0-9]{2}")
    return len(words) > 0 and not pc.all(clock).as_py()
