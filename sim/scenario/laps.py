"""The rim law as an inspector's own lap times: ``rim.deceleration: {laps: FILE.csv}``.

The file has either a row for every lap of every spin, in order (``lap_s``, and ``spin`` where there are several), or a
row for every pair of successive laps (``earlier_s``, ``later_s``). Two laps of T1 and T2 seconds run at the mean speeds
2 pi / T1 and 2 pi / T2, whose middles are (T1 + T2) / 2 apart: that is one measurement of the deceleration d, at the
mean of both speeds (Small & Tse 2012, Fig. 4). The measurements are averaged over classes of speed, equally many in
each, into the rows of a table.
"""

import hashlib
from dataclasses import replace
from itertools import pairwise
from math import pi
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sim.documents.document import Document, shown
from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.resources import label_of
from sim.documents.sheet import Sheet, read_sheet
from sim.scenario.layers import Layer

AT = ("rim", "deceleration", "laps")
FEWEST_PAIRS = 6
"""in all; and in a class of speeds"""
MOST_ROWS = 12
_SLOWEST, _FASTEST = 60.0, 0.05


def tabulated(resolved: Layer) -> Layer:
    """The layer with lap times made into a table of decelerations, ``measured`` unless it says otherwise.

    Raises BadInput with every fault of the file.
    """
    given = resolved.document.get(AT)
    deceleration = resolved.document.get(AT[:2])
    if given is None or not isinstance(deceleration, dict):
        return resolved
    others = sorted(deceleration.keys() - {"laps"})
    if others:
        message = f"unknown field beside laps; given {', '.join(others)}"
        raise BadInput([resolved.document.fault((*AT[:2], others[0]), message, key=True)])
    if not isinstance(given, str) or not given or "\0" in given:
        raise BadInput([resolved.document.fault(AT, f"must name a file of lap times; given {shown(given)}")])
    path = _beside(resolved.document, given)
    try:
        rows, digest = _rows(path), hashlib.sha256(path.read_bytes()).hexdigest()
    except BadInput as error:
        # A file that cannot be read at all is a fault of the line that names it.
        faults = [
            fault
            if fault.mark.line
            else resolved.document.fault(AT, f"{fault.message}; given {shown(given)}")
            for fault in error.faults
        ]
        raise BadInput(faults) from None
    table = [[f"{speed!r} rad/s", f"{loss!r} rad/s^2"] for speed, loss in rows]
    document = _with_table(resolved.document, table)
    stated = resolved.sources.get(AT, "unstated")
    told = f"measured: lap times in {Path(given).name}, sha256 {digest[:12]}"
    sources = {place: source for place, source in resolved.sources.items() if place != AT}
    sources[(*AT[:2], "table")] = told if stated in ("unstated", "measured") else stated
    return replace(resolved, document=document, sources=sources)


def _beside(document: Document, given: str) -> Path:
    """The file, relative to the file that names it, or to the working folder when a command line does."""
    file = document.mark(AT).file
    return Path(given) if file.startswith("--set ") else Path(file).parent / given


def _with_table(document: Document, table: list[list[str]]) -> Document:
    """The document with the table in place of the laps, at the same mark."""
    rim = dict(document.data["rim"])
    rim["deceleration"] = {"table": table}
    here, at = (*AT[:2], "table"), document.mark(AT)
    marks = {place: mark for place, mark in document.marks.items() if place != AT} | {here: at}
    keys = {place: mark for place, mark in document.keys.items() if place != AT} | {
        here: document.mark(AT, key=True)
    }
    return replace(document, data={**document.data, "rim": rim}, marks=marks, keys=keys)


def _rows(path: Path) -> list[tuple[float, float]]:
    """Speeds (rad/s, increasing) and decelerations (rad/s^2) of a file of lap times."""
    sheet = read_sheet(path, label_of(path), ("spin", "lap_s", "earlier_s", "later_s"))
    pairs = _pairs(sheet)
    sheet.check()
    if len(pairs) < FEWEST_PAIRS:
        message = f"at least {FEWEST_PAIRS} pairs of successive laps are needed; given {len(pairs)}"
        raise BadInput([Fault(Mark(sheet.label), "laps", message)])
    return classes(np.array(pairs))


def classes(pairs: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Mean speed (rad/s) and mean deceleration (rad/s^2) of each class of speeds, speeds increasing.

    pairs: shape (n, 2), lap times earlier and later, s.
    """
    rates = 2.0 * pi / pairs
    speed, loss = rates.mean(axis=1), (rates[:, 0] - rates[:, 1]) / pairs.mean(axis=1)
    order = np.argsort(speed, kind="stable")
    parts = max(2, min(MOST_ROWS, len(pairs) // FEWEST_PAIRS))
    split = [part for part in np.array_split(order, parts) if len(part)]
    rows = [(float(speed[part].mean()), float(loss[part].mean())) for part in split]
    return [row for i, row in enumerate(rows) if i == 0 or row[0] > rows[i - 1][0]]


def _pairs(sheet: Sheet) -> list[tuple[float, float]]:
    if {"earlier_s", "later_s"} <= set(sheet.names) and "lap_s" not in sheet.names:
        found = [(_time(sheet, *row, "earlier_s"), _time(sheet, *row, "later_s")) for row in sheet.rows]
        return [(first, second) for first, second in found if first and second]
    if "lap_s" not in sheet.names or len(set(sheet.names) & {"earlier_s", "later_s"}):
        sheet.fault(1, "header", "must name either lap_s, or earlier_s and later_s")
        return []
    laps = [(cells.get("spin", ""), _time(sheet, line, cells, "lap_s")) for line, cells in sheet.rows]
    return [(a, b) for (spin, a), (other, b) in pairwise(laps) if spin == other and a and b]


def _time(sheet: Sheet, line: int, cells: dict[str, str], column: str) -> float | None:
    before = len(sheet.faults)
    time = sheet.number(line, cells, column)
    if time is None:
        if len(sheet.faults) == before:
            sheet.fault(line, column, "missing; the time of a lap in seconds is needed")
        return None
    if _FASTEST <= time <= _SLOWEST:
        return time
    sheet.fault(line, column, f"must be a lap of {_FASTEST:g} to {_SLOWEST:g} s; given {time:g}")
    return None
