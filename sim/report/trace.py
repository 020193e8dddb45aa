"""The trace file: the recorded path of one spin, as CSV under one comment line that says what was recorded.

The first line is ``# `` and a JSON object (`TraceHeader`); the second names the columns (`COLUMNS`); every
further line is one moment. Positions and velocities are the ball centre's in the lab frame, in SI units.
Readers of CSV that skip lines beginning with ``#`` read it as it is.
"""

import io
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sim.documents.faults import BadInput, Fault, Mark
from sim.landing import EventKind

if TYPE_CHECKING:
    from sim.engines.rigid import Spin
    from sim.machines import PlateMachine
    from sim.scenario import Scenario

COLUMNS = ("time_s", "x_m", "y_m", "z_m", "plate_rad", "vx", "vy", "vz", "wx", "wy", "wz")
_MOST_FAULTS = 20

Length = Annotated[float, Field(allow_inf_nan=False)]
Size = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Hollow(_Strict):
    """A hollow seen from above: its axis in the plate frame and the radius of its mouth, m; what it bears."""

    x: Length
    y: Length
    radius: Size
    symbol: str
    colour: str


class Plan(_Strict):
    """A plate machine seen from above, m: circles about its axis (groove, band) and its hollows."""

    circles: Annotated[list[Size], Field(min_length=1, max_length=20)]
    ball_radius: Size
    hollows: Annotated[list[Hollow], Field(max_length=500)]


class Moment(_Strict):
    """An event of the spin: when it happened (s) and what it was."""

    time_s: Length
    kind: EventKind


class TraceHeader(_Strict):
    """What a trace is of: scenario and digest, run seed, index of the spin, plan of the machine, events."""

    fairwheel_trace: Literal[1] = 1
    scenario: str
    sha256: str
    seed: int
    index: int
    plan: Plan
    events: list[Moment]


def header_of(
    scenario: "Scenario", colours: Mapping[str, str], machine: "PlateMachine", spin: "Spin"
) -> TraceHeader:
    """Return the header of a recorded spin; ``colours`` is the rulebook's, by symbol."""
    table = scenario.machine
    surfaces = machine.surfaces
    hollows = [
        Hollow(x=x, y=y, radius=radius, symbol=symbol, colour=colours.get(symbol, "none"))
        for (x, y), radius, symbol in zip(
            surfaces.centre.tolist(), surfaces.mouth.tolist(), table.ring, strict=True
        )
    ]
    circles = [table.groove.radius, table.band.outer_radius, table.band.inner_radius]
    return TraceHeader(
        scenario=scenario.name,
        sha256=scenario.sha256,
        seed=spin.start.seed,
        index=spin.start.index,
        plan=Plan(circles=circles, ball_radius=machine.ball_radius, hollows=hollows),
        events=[Moment(time_s=event.time, kind=event.kind) for event in spin.events],
    )


def format_trace(header: TraceHeader, rows: NDArray[np.float64]) -> str:
    """Return the trace file's text.

    rows: shape (n_moments, 11), columns as in `COLUMNS`, times never falling.
    """
    text = io.StringIO()
    text.write(f"# {header.model_dump_json()}\n{','.join(COLUMNS)}\n")
    np.savetxt(text, rows, fmt="%.9g", delimiter=",")
    return text.getvalue()


def read_trace(path: Path) -> tuple[TraceHeader, NDArray[np.float64]]:
    """Read a trace file, as `parse_trace` does. Raises BadInput, also when the file cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        message = f"cannot be read: {(error.strerror or 'unknown reason').lower()}"
        raise BadInput([Fault(Mark(str(path)), "trace", message)]) from None
    except ValueError as error:
        raise BadInput([Fault(Mark(str(path)), "trace", f"must be text in UTF-8: {error}")]) from None
    return parse_trace(text, str(path))


def parse_trace(text: str, name: str) -> tuple[TraceHeader, NDArray[np.float64]]:
    """Read a trace file's text; ``name`` is what faults call it.

    Returns the header and the moments: shape (n_moments, 11), at least 2, all finite, times never falling.
    Raises BadInput with the line and column of every fault (the first 20 when there are more).
    """
    lines = text.splitlines()
    header, faults = _header(lines[0] if lines else "", name)
    if len(lines) < 2 or lines[1] != ",".join(COLUMNS):
        given = repr(lines[1][:80]) if len(lines) > 1 else "nothing"
        faults.append(Fault(Mark(name, 2, 1), "columns", f"must be {','.join(COLUMNS)}, not {given}"))
    rows: list[list[float]] = []
    for number, line in enumerate(lines[2:], start=3):
        if len(faults) >= _MOST_FAULTS:
            break
        row, found = _row(line, Mark(name, number, 1))
        faults += found
        if not found and rows and row[0] < rows[-1][0]:
            faults.append(
                Fault(Mark(name, number, 1), "time_s", f"must not fall, and {row[0]} follows {rows[-1][0]}")
            )
        elif not found:
            rows.append(row)
    if not faults and len(rows) < 2:
        faults.append(
            Fault(Mark(name, len(lines), 1), "rows", f"must be at least 2 moments, not {len(rows)}")
        )
    if faults or header is None:
        raise BadInput(faults)
    return header, np.array(rows)


def _header(line: str, name: str) -> tuple[TraceHeader | None, list[Fault]]:
    mark = Mark(name, 1, 1)
    if not line.startswith("# "):
        return None, [
            Fault(mark, "header", f"must be '# ' and the JSON that --trace writes, not {line[:40]!r}")
        ]
    try:
        header = TraceHeader.model_validate_json(line[2:])
    except ValidationError as error:
        return None, [
            Fault(
                mark,
                ".".join(map(str, one["loc"])) or "header",
                f"{one['msg']}, given {str(one['input'])[:40]!r}",
            )
            for one in error.errors(include_url=False)
        ]
    return header, []


def _row(line: str, mark: Mark) -> tuple[list[float], list[Fault]]:
    cells = line.split(",")
    if len(cells) != len(COLUMNS):
        return [], [Fault(mark, "row", f"must have {len(COLUMNS)} cells, not {len(cells)}")]
    row, faults, column = [], [], 1
    for title, cell in zip(COLUMNS, cells, strict=True):
        try:
            value = float(cell)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            place = Mark(mark.file, mark.line, column)
            faults.append(Fault(place, title, f"must be a finite number, not {cell[:40]!r}"))
        row.append(value)
        column += len(cell) + 1
    return row, faults
