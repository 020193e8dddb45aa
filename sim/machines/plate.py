"""Plate machines (Boule): a fixed bowl with its groove, and a plate with a band of hollows."""

from dataclasses import dataclass
from math import atan, cos, pi, sin, tan
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.machines import profiles
from sim.physics.ball import Setting
from sim.physics.rim import Rim, inertia, rolling
from sim.physics.surface import BAND, BOSS, CONE, HOLLOW, WALL, Surfaces
from sim.scenario.base import GRAVITY

if TYPE_CHECKING:
    from sim.scenario import PlateScenario
    from sim.scenario.scenario import Chip, Material, Solver

_PAIRS = ("wall", "cone", "plate", "hollow")


@dataclass(frozen=True, slots=True)
class PlateMachine:
    """A plate machine as the engines read it: SI values and arrays only.

    Heights count from the band (z = 0). groove_height: m, of the circling ball's centre. wall_radius: m; a ball
    whose centre is beyond it has left the apparatus. bearing: constant (rad/s^2) and viscous (1/s) deceleration of
    the plate. plate_radius: m. ball_mass: kg. objects: what falls on the plate.
    """

    name: str
    sha256: str
    surfaces: Surfaces
    setting: Setting
    rim: Rim
    groove_height: float
    wall_radius: float
    plate_radius: float
    ball_mass: float
    bearing: tuple[float, float]
    objects: tuple["Chip", ...]
    solver: "Solver"

    @property
    def ball_radius(self) -> float:
        """Radius of the ball, m."""
        return self.setting.radius


def build_plate(scenario: "PlateScenario") -> PlateMachine:
    """Build the machine of a scenario whose ``machine.kind`` is ``plate``; the scenario has been checked at load."""
    machine, ball = scenario.machine, scenario.ball
    radius = ball.radius
    slope = machine.cone.slope
    edge = machine.band.outer_radius
    foot = machine.groove.radius + radius * sin(slope)
    tilt, low_side = scenario.level.tilt, scenario.level.low_side
    gravity = (
        GRAVITY * sin(tilt) * cos(low_side),
        GRAVITY * sin(tilt) * sin(low_side),
        -GRAVITY * cos(tilt),
    )
    drag = scenario.air.density * ball.drag_coefficient * pi * radius * radius / (2.0 * ball.mass)
    return PlateMachine(
        name=scenario.name,
        sha256=scenario.sha256,
        surfaces=_surfaces(scenario, radius),
        setting=Setting(radius, gravity, drag, ball.centre_offset),
        rim=_rim(scenario),
        groove_height=(foot - edge) * tan(slope) + radius * cos(slope),
        wall_radius=machine.groove.radius + radius,
        plate_radius=edge,
        ball_mass=ball.mass,
        bearing=(machine.plate.bearing.constant, machine.plate.bearing.viscous),
        objects=scenario.objects,
        solver=scenario.solver,
    )


def _surfaces(scenario: "PlateScenario", ball_radius: float) -> Surfaces:
    machine = scenario.machine
    pair = {name: row for row, name in enumerate(_PAIRS)}
    inner, edge = machine.band.inner_radius, machine.band.outer_radius
    wall = machine.groove.radius + ball_radius
    floor = (wall - edge) * tan(machine.cone.slope)
    top = floor + machine.groove.wall_height
    boss = (inner - machine.plate.boss_radius) * tan(machine.plate.boss_slope)
    summit = (machine.plate.boss_radius, boss)

    rim_edge = profiles.polyline(
        [(wall, floor), (wall, top), (wall + 0.1, top)], [0.0] * 3, pair["wall"], WALL
    )
    stator = [profiles.line((edge, 0.0), (wall, floor), pair["cone"], CONE), *rim_edge]
    rotor = [
        *profiles.polyline([(0.0, boss), summit, (inner, 0.0)], [0.0] * 3, pair["plate"], BOSS),
        profiles.line((inner, 0.0), (edge, 0.0), pair["plate"], BAND),
    ]
    chain = profiles.link(rotor, profiles.link(stator, 0, ball_radius), ball_radius)
    pairs = [_pair(getattr(scenario.materials, name)) for name in _PAIRS]
    drawn: list[list[float]] = []
    places: dict[object, tuple[list[int], float]] = {}
    order = []
    for index in range(machine.hollows.count):
        shape, raised, material = (
            machine.hollow_at(index),
            machine.raised_lip(index),
            hollow_material(scenario, index),
        )
        key = (shape, raised, material)
        if key not in places:
            if _pair(material) not in pairs[pair["hollow"] :]:
                pairs.append(_pair(material))
            row = pairs.index(_pair(material), pair["hollow"])
            pieces, mouth = profiles.hollow(shape, raised, row, HOLLOW)
            # A lip that is not raised is smooth with the band: the hollow's last chain and the band's are one.
            chain = profiles.link([*pieces, rotor[-1]], chain, ball_radius)
            places[key] = [len(drawn), len(drawn) + len(pieces)], mouth
            drawn += pieces
        order.append(places[key])
    rings = machine.hollows.rings
    azimuths = np.concatenate([r.azimuth + 2.0 * pi * np.arange(r.hollows) / r.hollows for r in rings])
    circles = np.concatenate([np.full(r.hollows, r.circle_radius) for r in rings])
    return Surfaces(
        stator=profiles.as_array(stator),
        rotor=profiles.as_array(rotor),
        hollow=profiles.as_array(drawn),
        hollow_rows=np.array([rows for rows, _ in order], dtype=np.int64),
        mouth=np.array([mouth for _, mouth in order]),
        proud=np.flatnonzero([machine.raised_lip(index) > 0.0 for index in range(machine.hollows.count)]),
        centre=np.column_stack([circles * np.cos(azimuths), circles * np.sin(azimuths)]),
        rings=np.array([[r.azimuth, r.first, r.hollows] for r in rings], dtype=np.float64),
        pairs=np.array(pairs),
        stator_inner=edge,
        rotor_outer=edge + (machine.plate.eccentricity.offset if machine.plate.eccentricity else 0.0),
        mount=_mount(scenario),
    )


def hollow_material(scenario: "PlateScenario", index: int) -> "Material":
    """What the ball makes with one hollow, faults of its own included."""
    material = scenario.materials.hollow
    changes = {name: v for name, v in scenario.machine.changes_at(index).items() if hasattr(material, name)}
    return material.model_copy(update=changes)


def _pair(material: "Material") -> list[float]:
    return [material.restitution, material.friction, material.rolling_resistance, material.pivot_resistance]


def _mount(scenario: "PlateScenario") -> NDArray[np.float64]:
    """How the plate sits on its spindle: its axes, tilted by run-out, and its centre, off by eccentricity."""
    plate, circle = scenario.machine.plate, scenario.machine.hollows.circle_radius
    mount = np.vstack([np.eye(3), np.zeros(3)])
    if plate.run_out is not None:
        lean, towards = atan(0.5 * plate.run_out.axial / circle), plate.run_out.azimuth
        high = np.array([cos(towards), sin(towards), 0.0])
        across = np.array([-high[1], high[0], 0.0])
        # Rotate about the horizontal axis across the high point, so that the plate rises towards it.
        rise = cos(lean) * high + sin(lean) * np.array([0.0, 0.0, 1.0])
        axes = np.column_stack([rise, across, np.cross(rise, across)])
        mount[:3] = (axes @ np.column_stack([high, across, [0.0, 0.0, 1.0]]).T).T
    if plate.eccentricity is not None:
        offset, azimuth = plate.eccentricity.offset, plate.eccentricity.azimuth
        mount[3] = offset * cos(azimuth), offset * sin(azimuth), 0.0
    return mount


def _rim(scenario: "PlateScenario") -> Rim:
    law = scenario.rim.deceleration
    chi, exit_inertia = inertia(scenario.rim.inertia, scenario.machine.cone.slope)
    radial, axial = rolling(scenario.rim.inertia, scenario.machine.cone.slope)
    faults = np.array(
        [[f.azimuth, 0.5 * f.width, f.deceleration, f.slope] for f in scenario.machine.groove.faults]
    )
    table = np.array(getattr(law, "table", ()), dtype=np.float64).reshape(-1, 2)
    return Rim(
        radius=scenario.machine.groove.radius,
        slope=scenario.machine.cone.slope,
        chi=chi,
        exit_inertia=exit_inertia,
        radial=radial,
        axial=axial,
        constant=getattr(law, "constant", 0.0),
        linear=getattr(law, "linear", 0.0),
        quadratic=getattr(law, "quadratic", 0.0),
        table=table,
        gravity=GRAVITY,
        tilt=scenario.level.tilt,
        low_side=scenario.level.low_side,
        faults=faults.reshape(-1, 4),
    )
