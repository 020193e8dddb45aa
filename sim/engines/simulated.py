"""Simulated spins as a table: drawn, played by the batch engine, decided by the rulebook. One row a spin.

The columns are those of `sim.spinlog.schema`. A row depends on scenario, rulebook, seed and its own index alone.
"""

from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sim.engines import plate_batch, wheel_batch
from sim.engines.draws import draw_pushes, draw_starts
from sim.machines import PlateMachine, WheelMachine, build
from sim.rules.decisions import CODES, Landings, decide_all
from sim.spinlog.schema import arrow_schema

if TYPE_CHECKING:
    from sim.rules.rulebook import Rulebook
    from sim.scenario import PlateScenario, Scenario, WheelScenario

Values = NDArray[Any] | list[str]
Columns = dict[str, Values]

_RPM = 30.0 / pi
_ENDINGS = {
    plate_batch.REST: "rest",
    plate_batch.LEFT: "left_apparatus",
    plate_batch.TIME_LIMIT: "time_limit",
}


def simulated(scenario: "Scenario", rulebook: "Rulebook", seed: int, indices: range) -> pa.Table:
    """Simulate these spins; a table of `len(indices)` rows in order of their indices."""
    from sim.scenario import PlateScenario

    if isinstance(scenario, PlateScenario):
        columns, landings = _plate(scenario, seed, indices)
    else:
        columns, landings = _wheel(scenario, seed, indices)
    ring = scenario.machine.ring
    made = decide_all(rulebook, ring, landings)
    columns |= {
        "spin_no": np.arange(indices.start, indices.stop, dtype=np.int64),
        "game_profile": [rulebook.id] * len(indices),
        "rest_index": _or_null(made.cell, made.cell < 0),
        "symbol": _or_null(np.array([*ring, None], dtype=object)[made.cell], ~made.valid),
        "valid": made.valid,
        "void_code": _or_null(np.array([*CODES, None], dtype=object)[made.code], made.valid),
        "close_time": made.closing,
    }
    schema = arrow_schema(columns, simulated=True)
    return pa.table([pa.array(columns[each.name], each.type, from_pandas=True) for each in schema], schema)


def _or_null(values: NDArray[Any], missing: NDArray[np.bool_]) -> NDArray[Any]:
    """Values as objects, None where they are missing."""
    filled = values.astype(object)
    filled[missing] = None
    return filled


def _direction(sign: NDArray[np.int64]) -> list[str]:
    return [("cw", "still", "ccw")[each + 1] for each in sign.tolist()]


def _plate(scenario: "PlateScenario", seed: int, indices: range) -> tuple[Columns, Landings]:
    machine = build(scenario)
    assert isinstance(machine, PlateMachine)
    starts = draw_starts(scenario, seed, indices)
    found = np.empty((len(indices), len(plate_batch.LANDING)))
    plate_batch.play(plate_batch.plan_of(machine), starts, found)
    start = dict(zip(plate_batch.START, starts.T, strict=True))
    at = dict(zip(plate_batch.LANDING, found.T, strict=True))
    rested = at["ending"] == plate_batch.REST
    ball, plate = _sign(start["ball_direction"]), _sign(start["plate_speed"])
    landings = Landings(
        pocket=at["pocket"].astype(np.int64),
        section=np.full(len(indices), -1),
        on_peg=np.zeros(len(indices), dtype=np.bool_),
        rested=rested,
        left=at["ending"] == plate_batch.LEFT,
        ball_direction=ball,
        plate_direction=plate,
        ball_turns=at["ball_turns"],
        turns_forward=np.full(len(indices), np.nan),
        touch=at["bell_time"],
        object_time=at["object_time"],
        end=at["duration"],
    )
    columns: Columns = {
        "ball_dir": _direction(ball),
        "plate_dir": _direction(plate),
        "plate_rpm": start["plate_speed"] * _RPM,
        "plate_phase_deg": np.degrees(start["plate_phase"]),
        "ball_speed_m_s": start["ball_speed"],
        "ball_azimuth_deg": np.degrees(start["ball_azimuth"]),
        "release_height_mm": start["release_height"] * 1e3,
        "heavy_x": start["heavy_x"],
        "heavy_y": start["heavy_y"],
        "heavy_z": start["heavy_z"],
        "drop_angle_deg": np.degrees(at["drop_azimuth"]),
        "band_angle_deg": np.degrees(at["band_azimuth"]),
        "hops": at["hops"].astype(np.int64),
        "first_hollow": _or_null(at["first_hollow"].astype(np.int64), at["first_hollow"] < 0),
        "exit_s": at["exit_time"],
        "bell_time": at["bell_time"],
        "settling_s": np.where(rested, at["duration"] - at["bell_time"], np.nan),
        "ball_turns": at["ball_turns"],
        "turns": at["groove_turns"],
        "impact_j_kg": at["impact_energy"],
        "max_impact_j_kg": at["hardest_impact"],
        **_ends(at, rested),
    }
    return columns, landings


def _wheel(scenario: "WheelScenario", seed: int, indices: range) -> tuple[Columns, Landings]:
    machine = build(scenario)
    assert isinstance(machine, WheelMachine)
    croupier, speed, phase = draw_pushes(scenario, seed, indices).T
    at = dict(
        zip(wheel_batch.LANDING, wheel_batch.land(machine, np.column_stack([speed, phase])).T, strict=True)
    )
    rested = at["ending"] == plate_batch.REST
    on_peg, section = at["on_peg"] == 1.0, at["section"].astype(np.int64)
    direction = np.where(speed < 0.0, -1, 1)
    missing = np.full(len(indices), np.nan)
    landings = Landings(
        pocket=np.where(on_peg, -1, section),
        section=section,
        on_peg=on_peg,
        rested=rested,
        left=np.zeros(len(indices), dtype=np.bool_),
        ball_direction=np.zeros(len(indices), dtype=np.int64),
        plate_direction=direction,
        ball_turns=np.zeros(len(indices)),
        turns_forward=at["turns_forward"],
        touch=missing,
        object_time=missing,
        end=at["duration"],
    )
    names = [each.name for each in scenario.push.active]
    columns: Columns = {
        "thrower_id": [names[int(each)] for each in croupier],
        "plate_dir": _direction(direction),
        "turns": at["turns_forward"],
        "plate_rpm": speed * _RPM,
        "plate_phase_deg": np.degrees(phase),
        "push_speed_rad_s": speed,
        "push_phase_deg": np.degrees(phase),
        "turns_net": at["turns_net"],
        "section": _or_null(section, section < 0),
        "on_peg": _or_null(on_peg, ~rested),
        "roll_back_deg": (at["turns_forward"] - at["turns_net"]) * 360.0,
        **_ends(at, rested),
    }
    return columns, landings


def _ends(at: dict[str, NDArray[np.float64]], rested: NDArray[np.bool_]) -> Columns:
    """What spins of every machine end with."""
    return {
        "rest_angle_deg": np.degrees(np.where(rested, at["rest_azimuth"], np.nan)),
        "rest_angle_plate_deg": np.degrees(np.where(rested, at["rest_azimuth_plate"], np.nan)),
        "offset_mm": np.where(rested, at["offset"], np.nan) * 1e3,
        "duration_s": at["duration"],
        "plate_turns": at["plate_turns"],
        "peak_speed_m_s": at["peak_speed"],
        "ending": [_ENDINGS[each] for each in at["ending"].tolist()],
    }


def _sign(values: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.sign(values).astype(np.int64)
