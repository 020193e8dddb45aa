"""What is possible but looks wrong, and the line that says what a scenario is."""

import math
from collections import Counter

import numpy as np

from sim.scenario.hollows import mm
from sim.scenario.loading import Scenario
from sim.scenario.pegged_wheel import WheelScenario
from sim.scenario.scenario import PlateScenario
from sim.scenario.wheel_checks import describe_wheel, wheel_suspicions

LEAST_SPREAD = 0.7
"""Laps in one standard deviation below which a level machine prefers a drop zone."""


def describe(scenario: Scenario) -> str:
    """One line: what the machine is, and how much of it is assumed."""
    machine = describe_wheel(scenario) if isinstance(scenario, WheelScenario) else _plate(scenario)
    assumed = f"{len(scenario.assumed)} of {len(scenario.provenance)} values assumed"
    return f"{scenario.name}: {scenario.title}; {machine}, rulebook {scenario.rulebook}; {assumed}"


def _plate(scenario: PlateScenario) -> str:
    machine, ball = scenario.machine, scenario.ball
    return (
        f"{machine.hollows.count} hollows "
        f"({machine.hollow.profile.replace('_', ' ')}), groove {mm(machine.groove.radius)}, "
        f"ball {mm(ball.diameter)} and {ball.mass * 1000:.6g} g, "
        f"tilt {math.degrees(scenario.level.tilt):.4g} deg"
    )


def suspicions(scenario: Scenario) -> list[str]:
    """What looks suspicious, a sentence each; empty when nothing does."""
    if isinstance(scenario, WheelScenario):
        return [*wheel_suspicions(scenario), *_provenance(scenario)]
    return [*_rim(scenario), *_directions(scenario), *_ball(scenario), *_provenance(scenario)]


def _rim(scenario: PlateScenario) -> list[str]:
    """The groove phase: does the ball leave, and is where it leaves spread enough?"""
    launch, leaving = scenario.launch, scenario.rim_exit_speed
    shares = (np.arange(2000) + 0.5) / 2000
    speeds = launch.ball_speed.quantile(shares) / scenario.machine.groove.radius
    found = []
    slow = float(np.mean(speeds <= leaving))
    if slow > 0:
        found.append(
            f"{slow:.1%} of the balls are launched too slowly to circle: "
            f"they leave the groove at once, below {leaving * scenario.machine.groove.radius:.3g} m/s"
        )
    if speeds.max() <= leaving:
        return found
    grid = np.linspace(leaving, speeds.max(), 4001)
    losses = np.array([scenario.rim.deceleration.at(float(speed)) for speed in grid])
    if losses.min() <= 0:
        stuck = grid[losses.argmin()]
        return [
            *found,
            f"the rim law does not slow the ball at {stuck:.3g} rad/s, so it would never leave its groove",
        ]
    per_speed = grid / losses
    steps = np.diff(grid) * (per_speed[1:] + per_speed[:-1]) / 2
    angles = np.interp(speeds, grid, np.concatenate(([0.0], np.cumsum(steps))))
    spread = math.hypot(angles.std(), launch.ball_azimuth.quantile(shares).std()) / (2 * math.pi)
    if spread < LEAST_SPREAD:
        found.append(
            f"the launch spreads the exit from the groove by {spread:.2f} laps in one standard deviation; "
            f"below {LEAST_SPREAD} even a level machine prefers a drop zone"
        )
    return found


def _directions(scenario: PlateScenario) -> list[str]:
    launch = scenario.launch
    if launch.plate_speed.highest > 0 and launch.plate_sign == launch.ball_sign:
        return ["the plate turns in the same direction as the ball"]
    return []


def _ball(scenario: PlateScenario) -> list[str]:
    ball = scenario.ball
    density = ball.mass / (4 / 3 * math.pi * ball.radius**3)
    if 300 <= density <= 8000:
        return []
    return [
        f"the ball's material would weigh {density:.0f} kg/m^3; wood, rubber, ivory and steel lie in 300-8000"
    ]


def _provenance(scenario: Scenario) -> list[str]:
    counts = Counter(source.split(":")[0] for source in scenario.provenance.values())
    if unstated := counts["unstated"]:
        return [f"values that do not say where they come from: {unstated}; they count as assumed"]
    return []
