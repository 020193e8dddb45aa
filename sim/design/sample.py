"""The spins of one design, reduced to what its metrics read: one float64 column each, NaN where nothing happened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite, radians
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sim.physics.losses import plate_motion
from sim.scenario import PlateScenario
from sim.scenario.hollows import Points

if TYPE_CHECKING:
    from sim.scenario import Scenario, WheelScenario

Floats = NDArray[np.float64]
Columns = dict[str, Floats]

_PLATE = (
    "settling_s", "duration_s", "hops", "drop_angle_deg", "rest_index", "first_hollow", "impact_j_kg",
    "max_impact_j_kg", "plate_rpm", "plate_phase_deg", "exit_s", "bell_time", "close_time", "band_angle_deg",
    "rest_angle_plate_deg",
)  # fmt: skip
_WHEEL = (
    "duration_s", "turns", "turns_net", "roll_back_deg", "rest_index", "push_speed_rad_s", "push_phase_deg",
    "rest_angle_plate_deg",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Sample:
    """The spins of a design, in order of their indices.

    columns: each of shape (n,). Of both kinds of machine: ``void`` (0 or 1), ``rest_index``, ``duration_s``. Of a plate
    machine: ``off_pocket`` (0 or 1), ``travel`` (pockets from the first touch of the band to rest, the short way round,
    counter-clockwise positive) and columns of the spin log. Of a pegged wheel: ``on_peg`` (0 or 1), ``peg_energy_j``,
    ``thrower`` (number of the croupier who pushes) and columns of the spin log.
    facts: numbers of the machine, among them ``cells``.
    """

    columns: Mapping[str, Floats]
    facts: Mapping[str, float] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, name: str) -> Floats:
        return self.columns[name]

    def known(self, name: str) -> Floats:
        """A column less its NaN."""
        values = self.columns[name]
        return values[np.isfinite(values)]

    def with_column(self, name: str, values: Floats) -> "Sample":
        """The same spins with a column more, shape (n,)."""
        return Sample({**self.columns, name: values}, self.facts)

    def rows(self, keep: slice | NDArray[np.bool_]) -> "Sample":
        """Some of the spins."""
        return Sample({name: values[keep] for name, values in self.columns.items()}, self.facts)

    @cached_property
    def content(self) -> bytes:
        """Bytes that are equal for equal spins."""
        return b"".join(name.encode() + values.tobytes() for name, values in sorted(self.columns.items()))

    def table(self) -> pa.Table:
        """As a table, for a file; `of_table` reads it."""
        facts = {name: repr(value) for name, value in self.facts.items()}
        return pa.table(dict(self.columns)).replace_schema_metadata(facts)

    @classmethod
    def of_table(cls, table: pa.Table) -> "Sample":
        """The spins of a table that `table` made."""
        columns = {name: table[name].to_numpy() for name in table.column_names}
        facts = {key.decode(): float(value) for key, value in (table.schema.metadata or {}).items()}
        return cls(columns, facts)

    @classmethod
    def joined(cls, parts: list["Sample"]) -> "Sample":
        """Spins after spins."""
        names = parts[0].columns
        return cls({name: np.concatenate([part[name] for part in parts]) for name in names}, parts[0].facts)


def sample(scenario: "Scenario", table: pa.Table) -> Sample:
    """Reduce spins as `sim.engines.simulated` makes them."""
    column = _column_of(table)
    columns = {"void": 1.0 - column("valid")}
    if isinstance(scenario, PlateScenario):
        columns |= {name: column(name) for name in _PLATE}
        columns |= _on_plate(scenario, column)
        facts = {"cells": float(scenario.machine.hollows.count), "ball_kg": scenario.ball.mass}
        return Sample(columns, facts | _first_hollow(scenario))
    columns |= {name: column(name) for name in _WHEEL}
    columns |= _on_wheel(scenario, column)
    pushers = [each.name for each in scenario.push.active]
    columns["thrower"] = np.array([float(pushers.index(name)) for name in table["thrower_id"].to_pylist()])
    return Sample(columns, {"cells": float(len(scenario.machine.ring))})


def _first_hollow(scenario: PlateScenario) -> dict[str, float]:
    """Depth and radius of the mouth of hollow 0, where it is given by them."""
    hollow = scenario.machine.hollow_at(0)
    if isinstance(hollow, Points):
        return {}
    return {"first_depth_mm": 1e3 * hollow.depth, "first_mouth_mm": 1e3 * hollow.mouth_radius}


def _column_of(table: pa.Table) -> Callable[[str], Floats]:
    def column(name: str) -> Floats:
        values = table[name].cast(pa.float64()) if pa.types.is_boolean(table[name].type) else table[name]
        return np.asarray(values.cast(pa.float64()).fill_null(np.nan).to_numpy(), dtype=np.float64)

    return column


def _on_plate(scenario: PlateScenario, column: Callable[[str], Floats]) -> Columns:
    bearing, cells = scenario.machine.plate.bearing, scenario.machine.hollows.count
    launched = zip(column("plate_rpm").tolist(), column("bell_time").tolist(), strict=True)
    turned = np.full(len(column("bell_time")), np.nan)
    for row, (rpm, time) in enumerate(launched):
        if isfinite(time):
            turned[row] = plate_motion(radians(6.0 * rpm), bearing.constant, bearing.viscous, time)[0]
    touched = column("band_angle_deg") - column("plate_phase_deg") - np.degrees(turned)
    around = (column("rest_angle_plate_deg") - touched + 180.0) % 360.0 - 180.0
    rest = column("rest_index")
    return {
        "off_pocket": (~np.isfinite(rest)).astype(np.float64),
        "travel": np.where(np.isfinite(rest), around / 360.0 * cells, np.nan),
    }


def _on_wheel(scenario: "WheelScenario", column: Callable[[str], Floats]) -> Columns:
    """Energy: of the push, less what the bearing takes on the way, if the square of the speed falls evenly with it."""
    wheel = scenario.machine.wheel
    speed, path = np.abs(column("push_speed_rad_s")), 2.0 * np.pi * column("plate_turns")
    bearing = (
        wheel.bearing.constant
        + wheel.bearing.linear * speed * 2.0 / 3.0
        + wheel.bearing.quadratic * speed**2 / 2.0
    )
    passed = np.maximum(path / scenario.machine.pegs.pitch, 1.0)
    energy = wheel.moment * (0.5 * speed**2 - bearing * path) / passed
    return {"on_peg": np.nan_to_num(column("on_peg")), "peg_energy_j": energy}
