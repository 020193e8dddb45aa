"""The folder of a batch run as one sheet: its parts in order, none of another run, none missing unsaid."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from sim.documents.document import shown
from sim.documents.faults import BadInput, Fault, Mark
from sim.spinlog.log import Input
from sim.spinlog.parquet import ParquetSheet
from sim.spinlog.sheet import Batch, Rejected, Sheet
from sim.spinlog.sources import Source

RUN = "run.json"
SUMS = "parts.sha256"
"""SHA-256 of every part, in the lines of ``sha256sum``."""
_SUM = re.compile(r"([0-9a-f]{64})  (part-[0-9-]{1,60}\.(?:parquet|csv))")
_PART = re.compile(r"part-(\d{1,18})-(\d{1,18})\.(parquet|csv)")


@dataclass(frozen=True, order=True, slots=True)
class Part:
    """One part: the spins from first up to but without last."""

    first: int
    last: int
    path: Path

    @property
    def size(self) -> int:
        """How many spins its name promises."""
        return self.last - self.first


def parts_of(folder: Path, label: str) -> list[Part]:
    """Return the parts of a run in order.

    Raises BadInput for a folder without parts, of parts in two formats, or of parts that overlap.
    """
    try:
        names = sorted(path.name for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise BadInput([Fault(Mark(label), "log", f"cannot be read: {error.strerror}")]) from None
    found = [(match, folder / name) for name in names if (match := _PART.fullmatch(name))]
    if not found:
        message = "a folder without a batch run; its parts are named part-000000000000-000000001000.parquet"
        raise BadInput([Fault(Mark(label), "log", message)])
    parts = sorted(Part(int(match[1]), int(match[2]), path) for match, path in found)
    faults = []
    if len({match[3] for match, _ in found}) > 1:
        faults.append(Fault(Mark(label), "log", "holds parts as .parquet and as .csv; keep one kind"))
    faults += [
        Fault(Mark(str(part.path)), "part", "its name ends before it begins")
        for part in parts
        if part.size <= 0
    ]
    for one, two in pairwise(parts):
        if two.first < one.last:
            message = f"overlaps {one.path.name}; each spin belongs to one part"
            faults.append(Fault(Mark(str(two.path)), "part", message))
    if faults:
        raise BadInput(faults)
    return parts


def sums_of(folder: Path) -> dict[str, str]:
    """SHA-256 of the parts by their names, as far as they stand in the folder; of a line half written nothing."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    found = (_SUM.fullmatch(line) for line in lines)
    return {each[2]: each[1] for each in found if each}


class RunSheet(Sheet):
    """The parts of a run, one after the other; the line of a row is its number over all parts, from 1."""

    def __init__(self, folder: Path, label: str, open_part: Callable[[Part], tuple[Source, Sheet]]) -> None:
        """open_part: the opened file of a part, and the sheet in it.

        Raises BadInput with the faults of all parts: not whole, of another run, with other columns.
        """
        self._parts = parts = parts_of(folder, label)
        self._open = open_part
        told = _told(folder)
        self._sums = sums_of(folder)
        self.inputs: list[Input] = []
        faults: list[Fault] = []
        first: Sheet | None = None
        self.manifest: dict[str, Any] | None = told.get("manifest")
        for part in parts:
            try:
                source, sheet = open_part(part)
            except BadInput as error:
                faults += error.faults
                continue
            with source:
                first = first or sheet
                mine = manifest_in(sheet)
                self.manifest = mine if self.manifest is None else self.manifest
                if isinstance(sheet, ParquetSheet) and mine != self.manifest:
                    message = "of another run than the other parts or run.json tell; one folder holds one run"
                    faults.append(Fault(Mark(str(part.path)), "part", message))
                else:
                    faults += _differences(part, sheet, first)
        if faults or first is None:
            raise BadInput(faults)
        super().__init__(label, first.header, first.line, first.width)
        missing = [(0, parts[0].first), *((one.last, two.first) for one, two in pairwise(parts))]
        for begin, end in missing:
            if end > begin:
                self.remarks.append(f"spins {begin} to {end - 1} of the run are missing")
        if told.get("finished") is False:
            self.remarks.append("the run was not finished")

    def batches(self, wanted: frozenset[int]) -> Iterator[Batch]:
        """Yield the rows of all parts. Raises BadInput for a part that holds other than its name says."""
        before = 0
        at = self.header.index("spin_no") if self.header and "spin_no" in self.header else -1
        for part in self._parts:
            count = 0
            source, sheet = self._open(part)
            with source:
                for batch in sheet.batches(wanted):
                    if at in wanted and not count and len(batch.lines):
                        _check_number(part, batch.columns[at][0])
                    yield Batch(
                        batch.columns, np.arange(before + count + 1, before + count + 1 + len(batch.lines))
                    )
                    count += len(batch.lines)
                source.drain()
                self.inputs.append(source.input)
            if self._sums.get(part.path.name, source.input.sha256) != source.input.sha256:
                message = f"was changed after it was written: its SHA-256 is not the one in {SUMS}"
                raise BadInput([Fault(Mark(str(part.path)), "part", message)])
            self.rejected += [Rejected(each.line, each.reason, part.path.name) for each in sheet.rejected]
            if count + len(sheet.rejected) != part.size:
                message = f"holds {count + len(sheet.rejected)} spins where its name says {part.size}"
                raise BadInput([Fault(Mark(str(part.path)), "part", message)])
            before += count


def _check_number(part: Part, number: pa.Scalar) -> None:
    """Raise BadInput unless the first spin of a part has the number that the part's name says."""
    if str(number) != str(part.first):
        message = f"its spins are numbered from {shown(str(number))}, where its name says {part.first}"
        raise BadInput([Fault(Mark(str(part.path)), "part", message)])


def _differences(part: Part, sheet: Sheet, first: Sheet) -> list[Fault]:
    """What makes a part differ from the first one, or from its own name."""
    mark = Mark(str(part.path))
    faults = []
    if sheet.header != first.header:
        faults.append(
            Fault(mark, "part", f"other columns than {Path(first.label).name}; one folder holds one run")
        )
    if isinstance(sheet, ParquetSheet) and sheet.rows != part.size:
        faults.append(Fault(mark, "part", f"holds {sheet.rows} spins where its name says {part.size}"))
    return faults


def _told(folder: Path) -> dict[str, Any]:
    """What run.json tells, nothing where there is none. Raises BadInput when it cannot be read."""
    path = folder / RUN
    if not path.is_file():
        return {}
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(told, dict) and isinstance(told.get("manifest"), dict):
            return told
    except (OSError, ValueError, RecursionError):
        pass
    raise BadInput([Fault(Mark(str(path)), "log", "cannot be read; a JSON object with a manifest is needed")])


def manifest_in(sheet: Sheet) -> dict[str, Any] | None:
    """The manifest in a sheet, less what says which spins of the run it holds."""
    told = sheet.manifest if isinstance(sheet, ParquetSheet) else None
    return (
        None if told is None else {name: each for name, each in told.items() if name not in ("first", "last")}
    )


def folder_input(label: str, inputs: list[Input]) -> Input:
    """One hash over all parts: SHA-256 of a line ``HASH  NAME`` for each, as ``sha256sum`` prints them."""
    listing = "".join(f"{each.sha256}  {Path(each.name).name}\n" for each in inputs)
    return Input(label, hashlib.sha256(listing.encode()).hexdigest(), sum(each.size for each in inputs))
