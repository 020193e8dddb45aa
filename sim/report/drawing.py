"""A machine as plain data for a drawing in a browser: lengths in m, angles in rad."""

from collections.abc import Iterator, Mapping
from math import acos, atan2, cos, degrees, pi, sin
from typing import Any

from sim.machines import Machine, PlateMachine, WheelMachine
from sim.physics.surface import CONVEX, LINE, SHAPE, A, B, C, D, E, F
from sim.scenario import PlateScenario, Scenario, WheelScenario

_ARC_STEPS = 12


def machine_data(scenario: Scenario, machine: Machine, colours: Mapping[str, str]) -> dict[str, Any]:
    """Return what there is to draw of a machine; ``colours`` is the rulebook's, by symbol."""
    if isinstance(machine, WheelMachine):
        return _wheel(scenario, machine, colours)
    return _plate(scenario, machine, colours)


def _plate(scenario: Scenario, machine: PlateMachine, colours: Mapping[str, str]) -> dict[str, Any]:
    assert isinstance(scenario, PlateScenario)
    table, surfaces = scenario.machine, machine.surfaces
    shapes: list[list[list[float]]] = []
    for index in range(table.hollows.count):
        if (shape := _profile(machine, index)) not in shapes:
            shapes.append(shape)
    hollows = [
        {
            "x": x,
            "y": y,
            "mouth": mouth,
            "depth": -table.hollow_at(index).bottom + table.raised_lip(index),
            "profile": shapes.index(_profile(machine, index)),
            "symbol": symbol,
            "colour": colours.get(symbol, "none"),
        }
        for index, ((x, y), mouth, symbol) in enumerate(
            zip(surfaces.centre.tolist(), surfaces.mouth.tolist(), table.ring, strict=True)
        )
    ]
    return {
        "kind": "plate",
        "frame": table.frame,
        "wall": machine.wall_radius,
        "groove": table.groove.radius,
        "ball": machine.ball_radius,
        "edge": table.band.outer_radius,
        "inner": table.band.inner_radius,
        "boss": table.plate.boss_radius,
        "slopes": {"cone": table.cone.slope, "boss": table.plate.boss_slope},
        "mount": surfaces.mount[3, :2].tolist(),
        "rings": len(table.hollows.rings),
        "hollows": hollows,
        "profiles": shapes,
        "worn": [{"azimuth": fault.azimuth, "width": fault.width} for fault in table.groove.faults],
        "tilt": {"deg": degrees(scenario.level.tilt), "low": scenario.level.low_side},
    }


def _wheel(scenario: Scenario, machine: WheelMachine, colours: Mapping[str, str]) -> dict[str, Any]:
    assert isinstance(scenario, WheelScenario)
    clapper, ring, heavy = machine.clapper, scenario.machine.ring, scenario.machine.wheel.imbalance
    begins = dict(zip(machine.section, machine.bounds, strict=True))
    ends = dict(zip(machine.section, (*machine.bounds[1:], machine.bounds[0] + 2 * pi), strict=True))
    return {
        "kind": "wheel",
        "radius": machine.radius,
        "pegs": [{"angle": a, "distance": d, "radius": r} for a, d, r in machine.pegs.tolist()],
        "sections": [
            {
                "from": begins[index],
                "to": ends[index],
                "symbol": symbol,
                "colour": colours.get(symbol, "none"),
            }
            for index, symbol in enumerate(ring)
        ],
        "pivot": [clapper.pivot_x, clapper.pivot_y],
        "arm": clapper.arm,
        "tip": clapper.radius,
        "heavy": {"angle": heavy.angle, "radius": heavy.radius}
        if scenario.machine.wheel.heavy_torque
        else None,
    }


def _profile(machine: PlateMachine, index: int) -> list[list[float]]:
    """Points (rho, z) of a hollow's cross-section from its axis outward, m; arcs in steps."""
    first, end = machine.surfaces.hollow_rows[index]
    points: list[list[float]] = []
    for piece in machine.surfaces.hollow[first:end].tolist():
        for rho, z in _outline(piece):
            if not points or rho > points[-1][0] + 1e-9:
                points.append([round(rho, 6), round(z, 6)])
    return [[0.0, points[0][1]], *points[1:]] if points[0][0] < 1e-9 else [[0.0, points[0][1]], *points]


def _outline(piece: list[float]) -> Iterator[tuple[float, float]]:
    """Points along one piece, in the way it is drawn."""
    if piece[SHAPE] == LINE:
        yield piece[A], piece[B]
        yield piece[A] + piece[C] * piece[E], piece[B] + piece[D] * piece[E]
        return
    # A convex arc is drawn clockwise about its centre, a concave one the other way.
    way = -1.0 if piece[SHAPE] == CONVEX else 1.0
    middle, half = atan2(piece[D], piece[C]), acos(piece[E])
    for step in range(_ARC_STEPS + 1):
        direction = middle + way * half * (2.0 * step / _ARC_STEPS - 1.0)
        yield piece[A] + piece[F] * cos(direction), piece[B] + piece[F] * sin(direction)
