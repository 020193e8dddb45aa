"""The trace file: the recorded path of one spin, as CSV under one comment line that says what was recorded.

The first line is ``# `` and a JSON object (`TraceHeader` of a plate machine, `WheelTraceHeader` of a pegged wheel);
the second names the columns (`COLUMNS`, `WHEEL_COLUMNS`); every further line is one moment. Positions and velocities
are the ball centre's in the lab frame, in SI units. Readers of CSV that skip lines beginning with ``#`` read it as
it is.
"""

import io
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.reading import read_text
from sim.landing import COLUMNS, WHEEL_COLUMNS, EventKind

if TYPE_CHECKING:
    from sim.engines.rigid import Spin
    from sim.machines import Machine, WheelMachine
    from sim.scenario import Scenario

_MOST_FAULTS = 20
_WHEEL = re.compile(r'"wheel"\s*:')
_MOST_BYTES = 200_000_000
_LARGEST = 1e9
_LEAST_SPAN_S = 1e-3

Length = Annotated[float, Field(ge=-1e3, le=1e3)]
Size = Annotated[float, Field(ge=1e-6, le=1e3)]


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

    time_s: Annotated[float, Field(ge=0, le=_LARGEST)]
    kind: EventKind


class Peg(_Strict):
    """A peg as it stands when the zero mark is at azimuth 0, m."""

    x: Length
    y: Length
    radius: Size


class WheelPlan(_Strict):
    """A pegged wheel seen from the front, m and rad: its pegs, the places of its sections, and its clapper.

    bounds: where the sections begin, from the zero mark; section k, which bears ``symbols[k]``, begins at the k-th.
    """

    radius: Size
    pegs: Annotated[list[Peg], Field(min_length=1, max_length=500)]
    bounds: Annotated[list[Length], Field(min_length=1, max_length=500)]
    symbols: Annotated[list[str], Field(min_length=1, max_length=500)]
    pivot_x: Length
    pivot_y: Length
    arm: Size
    tip_radius: Size


class _Header(_Strict):
    fairwheel_trace: Literal[1] = 1
    scenario: str
    sha256: str
    seed: int
    index: int
    events: list[Moment]

    @property
    def title(self) -> str:
        """What heads a picture: one line of characters that print, with no formula in it."""
        line = f"{self.scenario}, seed {self.seed}, spin {self.index}, scenario {self.sha256[:12]}"
        return "".join(each if each.isprintable() else " " for each in line).replace("$", r"\$")


class TraceHeader(_Header):
    """What a trace is of: scenario and digest, run seed, index of the spin, plan of the machine, events."""

    columns: ClassVar[tuple[str, ...]] = COLUMNS
    plan: Plan


class WheelTraceHeader(_Header):
    """What a trace of a pegged wheel is of, as `TraceHeader`."""

    columns: ClassVar[tuple[str, ...]] = WHEEL_COLUMNS
    wheel: WheelPlan


Header = TraceHeader | WheelTraceHeader


def header_of(scenario: "Scenario", colours: Mapping[str, str], machine: "Machine", spin: "Spin") -> Header:
    """Return the header of a recorded spin; ``colours`` is the rulebook's, by symbol."""
    from sim.machines import WheelMachine
    from sim.scenario import PlateScenario

    common: dict[str, Any] = {
        "scenario": scenario.name,
        "sha256": scenario.sha256,
        "seed": spin.start.seed,
        "index": spin.start.index,
        "events": [Moment(time_s=event.time, kind=event.kind) for event in spin.events],
    }
    ring = scenario.machine.ring
    if isinstance(machine, WheelMachine):
        return WheelTraceHeader(wheel=_wheel(machine, ring), **common)
    assert isinstance(scenario, PlateScenario)
    table = scenario.machine
    surfaces = machine.surfaces
    hollows = [
        Hollow(x=x, y=y, radius=radius, symbol=symbol, colour=colours.get(symbol, "none"))
        for (x, y), radius, symbol in zip(
            surfaces.centre.tolist(), surfaces.mouth.tolist(), ring, strict=True
        )
    ]
    circles = [table.groove.radius, table.band.outer_radius, table.band.inner_radius]
    plan = Plan(circles=circles, ball_radius=machine.ball_radius, hollows=hollows)
    return TraceHeader(plan=plan, **common)


def _wheel(machine: "WheelMachine", ring: Sequence[str]) -> WheelPlan:
    angles, distances, radii = machine.pegs.T
    places = zip(
        (distances * np.cos(angles)).tolist(),
        (distances * np.sin(angles)).tolist(),
        radii.tolist(),
        strict=True,
    )
    begins = dict(zip(machine.section, machine.bounds, strict=True))
    clapper = machine.clapper
    return WheelPlan(
        radius=machine.radius,
        pegs=[Peg(x=x, y=y, radius=radius) for x, y, radius in places],
        bounds=[begins[section] for section in range(len(ring))],
        symbols=list(ring),
        pivot_x=clapper.pivot_x,
        pivot_y=clapper.pivot_y,
        arm=clapper.arm,
        tip_radius=clapper.radius,
    )


def format_trace(header: Header, rows: NDArray[np.float64]) -> str:
    """Return the trace file's text.

    rows: shape (n_moments, n_columns), columns as the header's, times never falling.
    """
    text = io.StringIO()
    text.write(f"# {header.model_dump_json()}\n{','.join(header.columns)}\n")
    np.savetxt(text, rows, fmt="%.9g", delimiter=",")
    return text.getvalue()


def read_trace(path: Path) -> tuple[Header, NDArray[np.float64]]:
    """Read a trace file, as `parse_trace` does. Raises BadInput, also when the file cannot be read."""
    return parse_trace(read_text(path, str(path), _MOST_BYTES), str(path))


def parse_trace(text: str, name: str) -> tuple[Header, NDArray[np.float64]]:
    """Read a trace file's text; ``name`` is what faults call it.

    Returns the header and the moments: shape (n_moments, n_columns), at least 2, all finite, times never
    falling, up to the last event.
    Raises BadInput with the line and column of every fault (the first 20 when there are more).
    """
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []
    header, faults = _header(lines[0] if lines else "", name)
    columns = header.columns if header is not None else COLUMNS
    if len(lines) < 2 or lines[1] != ",".join(columns):
        given = repr(lines[1][:80]) if len(lines) > 1 else "nothing"
        faults.append(Fault(Mark(name, 2, 1), "columns", f"must be {','.join(columns)}, not {given}"))
    rows: list[list[float]] = []
    for number, line in enumerate(lines[2:], start=3):
        if len(faults) >= _MOST_FAULTS:
            break
        row, found = _row(line, columns, Mark(name, number, 1))
        faults += found
        if not found and rows and row[0] < rows[-1][0]:
            faults.append(
                Fault(Mark(name, number, 1), "time_s", f"must not fall, and {row[0]} follows {rows[-1][0]}")
            )
        elif not found:
            rows.append(row)
    end = Mark(name, max(len(lines), 1), 1)
    if not faults and (len(rows) < 2 or rows[-1][0] - rows[0][0] < _LEAST_SPAN_S):
        span = rows[-1][0] - rows[0][0] if rows else 0
        wanted = f"must be at least 2 moments over {_LEAST_SPAN_S:g} s"
        faults.append(Fault(end, "rows", f"{wanted}, not {len(rows)} over {span:g} s"))
    last = max((event.time_s for event in header.events), default=0.0) if header else 0.0
    if not faults and rows[-1][0] < last - _LEAST_SPAN_S:
        message = f"end at {rows[-1][0]:g} s, and the last event is at {last:g} s: the file was cut short"
        faults.append(Fault(end, "rows", message))
    if faults or header is None:
        raise BadInput(faults)
    return header, np.array(rows)


def _header(line: str, name: str) -> tuple[Header | None, list[Fault]]:
    mark = Mark(name, 1, 1)
    if not line.startswith("# "):
        return None, [
            Fault(mark, "header", f"must be '# ' and the JSON that --trace writes, not {line[:40]!r}")
        ]
    kind = WheelTraceHeader if _WHEEL.search(line) else TraceHeader
    try:
        header = kind.model_validate_json(line[2:])
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


def _row(line: str, columns: tuple[str, ...], mark: Mark) -> tuple[list[float], list[Fault]]:
    cells = line.split(",")
    if len(cells) != len(columns):
        return [], [Fault(mark, "row", f"must have {len(columns)} cells, not {len(cells)}")]
    row, faults, column = [], [], 1
    for title, cell in zip(columns, cells, strict=True):
        try:
            value = float(cell)
        except ValueError:
            value = math.nan
        if not abs(value) <= _LARGEST:
            place = Mark(mark.file, mark.line, column)
            faults.append(Fault(place, title, f"must be a number within {_LARGEST:g}, not {cell[:40]!r}"))
        row.append(value)
        column += len(cell) + 1
    return row, faults
