"""Plate machines (Boule): a fixed bowl with its groove, and a plate with a band of hollows."""

from dataclasses import dataclass
from math import cos, pi, sin, tan
from typing import TYPE_CHECKING

import numpy as np

from sim.machines import profiles
from sim.physics.ball import Setting
from sim.physics.rim import Rim, inertia
from sim.physics.surface import BAND, BOSS, CONE, HOLLOW, WALL, Surfaces
from sim.scenario.scenario import GRAVITY

if TYPE_CHECKING:
    from sim.scenario import Scenario
    from sim.scenario.scenario import Solver

_PAIRS = ("wall", "cone", "plate", "hollow")


@dataclass(frozen=True, slots=True)
class PlateMachine:
    """A plate machine as the engines read it: SI values and arrays only.

    Heights count from the band (z = 0). groove_height: m, of the circling ball's centre. wall_radius: m; a ball whose
    centre is beyond it has left the apparatus. bearing: constant (rad/s^2) and viscous (1/s) deceleration of the plate.
    """

    name: str
    sha256: str
    surfaces: Surfaces
    setting: Setting
    rim: Rim
    rim_inertia: str
    groove_height: float
    wall_radius: float
    bearing: tuple[float, float]
    solver: "Solver"

    @property
    def ball_radius(self) -> float:
        """Radius of the ball, m."""
        return self.setting.radius


def build_plate(scenario: "Scenario") -> PlateMachine:
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
        setting=Setting(radius, gravity, drag),
        rim=_rim(scenario),
        rim_inertia=scenario.rim.inertia,
        groove_height=(foot - edge) * tan(slope) + radius * cos(slope),
        wall_radius=machine.groove.radius + radius,
        bearing=(machine.plate.bearing.constant, machine.plate.bearing.viscous),
        solver=scenario.solver,
    )


def _surfaces(scenario: "Scenario", ball_radius: float) -> Surfaces:
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
    hollow = profiles.hollow(machine.hollow, pair["hollow"], HOLLOW)
    # The lip is smooth with the band: the hollow's last chain and the band's are one.
    chain = profiles.link(rotor, profiles.link(stator, 0, ball_radius), ball_radius)
    profiles.link([*hollow, rotor[-1]], chain, ball_radius)
    count = machine.hollows.count
    azimuths = 2.0 * pi * np.arange(count) / count
    circle = machine.hollows.circle_radius
    return Surfaces(
        stator=profiles.as_array(stator),
        rotor=profiles.as_array(rotor),
        hollow=profiles.as_array(hollow),
        hollow_rows=np.tile(np.array([0, len(hollow)]), (count, 1)),
        mouth=np.full(count, machine.hollow.mouth_radius),
        centre=circle * np.column_stack([np.cos(azimuths), np.sin(azimuths)]),
        rings=np.array([[0.0, 0.0, float(count)]]),
        pairs=np.array(
            [
                [row.restitution, row.friction, row.rolling_resistance, row.pivot_resistance]
                for row in (getattr(scenario.materials, name) for name in _PAIRS)
            ]
        ),
    )


def _rim(scenario: "Scenario") -> Rim:
    law = scenario.rim.deceleration
    chi, exit_inertia = inertia(scenario.rim.inertia, scenario.machine.cone.slope)
    table = np.array(getattr(law, "table", ()), dtype=np.float64).reshape(-1, 2)
    return Rim(
        radius=scenario.machine.groove.radius,
        slope=scenario.machine.cone.slope,
        chi=chi,
        exit_inertia=exit_inertia,
        constant=getattr(law, "constant", 0.0),
        linear=getattr(law, "linear", 0.0),
        quadratic=getattr(law, "quadratic", 0.0),
        table=table,
        gravity=GRAVITY,
        tilt=scenario.level.tilt,
        low_side=scenario.level.low_side,
    )
