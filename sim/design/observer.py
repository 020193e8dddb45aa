"""What an observer of a simulated spin knows when bets close: passes timed with an error, physics known to a margin.

At that moment the ball circles in its groove (its last lap and the plate's tell where and when it will leave), is on
its way down (where it left was seen), has touched the band of hollows (where it did was seen) or rests.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi, sqrt
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from sim.engines.groove import rim_step
from sim.engines.rulebook import rulebook_of
from sim.inspection.predictability import Predictability, Watched, information, predictability
from sim.machines import PlateMachine, build
from sim.physics.compiled import routine
from sim.physics.losses import plate_motion
from sim.physics.rim import Rim, advance, circulate, exit_speed

if TYPE_CHECKING:
    from sim.design.sample import Sample
    from sim.rules.rulebook import Rulebook
    from sim.scenario import PlateScenario, Scenario, WheelScenario

Floats = NDArray[np.float64]
Columns = Mapping[str, NDArray[Any]]
Closing = Literal["rulebook", "nothing", "launch", "exit", "touch", "rest"]
PLATE_CLOSINGS: tuple[Closing, ...] = ("rulebook", "nothing", "launch", "exit", "touch", "rest")
WHEEL_CLOSINGS: tuple[Closing, ...] = ("rulebook", "nothing", "launch", "rest")
_CLASSES = 3
_LIMIT = 300.0
_SECTORS = 6


@dataclass(frozen=True, slots=True)
class Observer:
    """timing: standard error of a timed pass, s. physics: relative standard error of the groove's deceleration as he
    knows it, anew every spin. before: how long before the closing he must have decided, s. seed: of his errors.
    """

    timing: float
    physics: float
    before: float = 0.0
    seed: int = 0


@routine
def _foretell(
    rim: Rim, direction: int, exits: Floats, before: Floats, errors: Floats, timing: float, told: Floats
) -> None:
    """Columns of told: azimuth (rad) and time (s from now) at which the ball will leave; NaN without a lap seen.

    exits: (n,) azimuths at which it does leave. before: (n, 2), how long ago, from then, bets close, and how long the
    ball has circled then. errors: (n, 3) of the pass, the lap (both standard normal) and the deceleration (relative).
    """
    for i in range(exits.shape[0]):
        told[i, 0], told[i, 1] = np.nan, np.nan
        azimuth, speed = exits[i], exit_speed(exits[i], rim)
        left = before[i, 0]
        while left > 0.0:
            step = min(rim_step(rim), left)
            azimuth, speed = advance(azimuth, speed, direction, rim, -step)
            left -= step
        lap = 2.0 * pi / speed
        if before[i, 1] < lap:
            continue
        azimuth += direction * speed * timing * errors[i, 0]
        speed = max(speed * (1.0 + sqrt(2.0) * timing / lap * errors[i, 1]), 0.1)
        factor = max(1.0 + errors[i, 2], 0.1)
        losses = rim.table.copy()
        losses[:, 1] *= factor
        believed = Rim(
            rim.radius, rim.slope, rim.chi, rim.exit_inertia, rim.radial, rim.axial, rim.constant * factor,
            rim.linear * factor, rim.quadratic * factor, losses, rim.gravity, rim.tilt, rim.low_side, rim.faults,
        )  # fmt: skip
        found, _, time, gone = circulate(azimuth, speed, direction, believed, rim_step(rim), _LIMIT)
        if gone:
            told[i, 0], told[i, 1] = found, time


@routine
def _plate_angles(speeds: Floats, constant: float, viscous: float, times: Floats, angles: Floats) -> None:
    for i in range(speeds.shape[0]):
        angles[i], _ = plate_motion(speeds[i], constant, viscous, times[i])


def watch(scenario: "Scenario", columns: Columns, closing: Closing, observer: Observer) -> Watched:
    """What the observer knows of these simulated spins when bets close.

    columns: of `sim.spinlog.schema`, (n,) each. closing: ``rulebook`` (close_time), the launch, the ball's exit from
    its groove, its first touch of the band, its rest, or ``nothing`` where nothing is seen at all. Raises ValueError
    for a closing that a pegged wheel does not have.
    """
    from sim.scenario import PlateScenario

    if isinstance(scenario, PlateScenario):
        return _watch_plate(scenario, columns, closing, observer)
    if closing not in WHEEL_CLOSINGS:
        raise ValueError(f"a pegged wheel has no {closing}")
    return _watch_wheel(scenario, columns, closing)


def predictability_of(
    scenario: "Scenario",
    rulebook: "Rulebook",
    columns: Columns,
    observer: Observer,
    closing: Closing = "rulebook",
    confidence: float = 0.95,
) -> Predictability:
    """How well such an observer foretells these simulated spins; see `watch` and `Predictability`.

    Raises ValueError for fewer than 200 spins, or a closing that the machine does not have.
    """
    return predictability(
        watch(scenario, columns, closing, observer), rulebook, scenario.machine.ring, confidence
    )


def usual_closing(scenario: "Scenario", rulebook: "Rulebook") -> Closing:
    """When bets close: by the rulebook or, where it does not say, the first touch of the band, a wheel's push."""
    if rulebook.closing is not None:
        return "rulebook"
    return "launch" if scenario.machine.kind == "pegged" else "touch"


def information_of(
    scenario: "Scenario", spins: "Sample", observer: Observer, closing: Closing | None
) -> Floats:
    """What such an observer knows of each spin, bits, (n,); NaN for a void one. closing: None for the usual one.

    Raises ValueError for fewer than 200 spins.
    """
    columns = {
        **spins.columns,
        "valid": spins["void"] == 0.0,
        "rest_index": np.nan_to_num(spins["rest_index"], nan=-1.0),
    }
    if "thrower" in columns:
        columns["thrower_id"] = columns["thrower"]
    chosen = closing or usual_closing(scenario, rulebook_of(scenario))
    return information(watch(scenario, columns, chosen, observer))


def _watch_wheel(scenario: "WheelScenario", columns: Columns, closing: Closing) -> Watched:
    """Before the push the wheel stands still for all to see, and who pushes which way is known."""
    cells = np.asarray(columns["rest_index"], np.int64)
    expected = -np.radians(np.asarray(columns["push_phase_deg"], float))
    throwers = np.unique(np.asarray(columns["thrower_id"], dtype=str), return_inverse=True)[1]
    forward = (np.asarray(columns["push_speed_rad_s"], float) > 0).astype(np.int64)
    classes = {"direction": forward, "thrower": 2 * throwers.astype(np.int64) + forward}
    if closing == "nothing":
        expected[:] = np.nan
    elif closing == "rest":
        expected = np.radians(np.asarray(columns["rest_angle_plate_deg"], float))
    return Watched(expected[None], classes, _valid(columns, cells), np.arange(len(scenario.machine.ring)))


def _valid(columns: Columns, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where(np.asarray(columns["valid"], bool), cells, -1)


def _sites(scenario: "PlateScenario") -> NDArray[np.int64]:
    """The place of every hollow round the plate; of two rings every other place is on the inner one."""
    count, rings = scenario.machine.hollows.count, scenario.machine.hollows.rings
    indices = np.arange(count)
    if len(rings) == 1:
        return indices
    half = count // 2
    return np.where(indices < half, 2 * indices, 2 * (indices - half) + 1)


def _watch_plate(
    scenario: "PlateScenario", columns: Columns, closing: Closing, observer: Observer
) -> Watched:
    machine = build(scenario)
    assert isinstance(machine, PlateMachine)
    rim, direction = machine.rim, scenario.launch.ball_sign
    at = {name: np.asarray(columns[name], float) for name in _READ}
    n = len(at["duration_s"])
    random = np.random.default_rng([observer.seed, n])
    errors = random.standard_normal((n, 5))
    errors[:, 2] *= observer.physics
    speed = at["plate_rpm"] * pi / 30.0
    bearing = (scenario.machine.plate.bearing.constant, scenario.machine.plate.bearing.viscous)

    def phase(times: Floats) -> Floats:
        angles = np.empty(n)
        _plate_angles(speed, *bearing, np.nan_to_num(times), angles)
        return np.asarray(np.radians(at["plate_phase_deg"]) + angles)

    closed = {
        "rulebook": np.where(np.isfinite(at["close_time"]), at["close_time"], at["duration_s"]),
        "nothing": np.full(n, -np.inf),
        "launch": np.zeros(n),
        "exit": at["exit_s"],
        "touch": at["bell_time"],
        "rest": at["duration_s"],
    }[closing] - observer.before
    drop, fall = np.radians(at["drop_angle_deg"]), at["bell_time"] - at["exit_s"]
    usual, habit = _mean(fall), _mean(at["bell_time"])
    leaving = _exit_speeds(rim, drop)
    turning = np.abs(_rates(phase, closed))
    seen = observer.timing * (leaving * errors[:, 0] - turning * errors[:, 3])

    told = np.full((n, 2), np.nan)
    circling = (closed < at["exit_s"]) & (closed > 0)
    if circling.any():
        before = np.column_stack([at["exit_s"] - closed, closed])[circling]
        part = np.empty((int(circling.sum()), 2))
        _foretell(rim, direction, drop[circling], before, errors[circling], observer.timing, part)
        told[circling] = part
    turned = observer.timing * turning * errors[:, 3]
    coming = np.where(circling, closed + told[:, 1], at["exit_s"]) + usual
    # His last turn of the plate, mistimed, tells its speed.
    ahead = np.where(np.isfinite(closed), coming - closed, 0.0)
    drift = observer.timing * turning**2 / (sqrt(2.0) * pi) * errors[:, 4] * ahead
    dropped, touched, rested = (closed >= at[name] for name in ("exit_s", "bell_time", "duration_s"))
    by_drop = drop + seen - phase(coming) - drift
    by_touch = np.radians(at["band_angle_deg"]) + seen - phase(at["bell_time"])
    by_rest = np.radians(at["rest_angle_plate_deg"]) - turned
    by_laps = told[:, 0] - turned - phase(coming) - drift
    # Before he has seen a lap he knows the plate, and how long the ball usually takes.
    by_habit = np.where(closed >= 0, -phase(np.full(n, habit)) - turned, np.nan)
    early = np.select([dropped, circling & np.isfinite(by_laps)], [by_drop, by_laps], by_habit)
    late = np.select([rested, touched], [by_rest, by_touch], np.nan)
    lab = np.select([dropped, circling], [drop, told[:, 0]], np.nan)
    classes = {
        "plate": _thirds(np.where(np.isfinite(early), turning, np.nan)),
        "fall": _thirds(np.where(touched, fall, np.where(circling, told[:, 1], np.nan))),
        "lab": np.where(np.isfinite(lab), np.nan_to_num(lab % (2.0 * pi)) / (2.0 * pi) * _SECTORS, -1).astype(
            np.int64
        ),
    }
    cells = _valid(columns, np.asarray(columns["rest_index"], np.int64))
    return Watched(np.stack([early, late]), classes, cells, _sites(scenario))


_READ = (
    "plate_rpm",
    "plate_phase_deg",
    "drop_angle_deg",
    "band_angle_deg",
    "rest_angle_plate_deg",
    "exit_s",
    "bell_time",
    "duration_s",
    "close_time",
)


def _mean(values: Floats) -> float:
    """Of what is known; 0 where nothing is."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else 0.0


def _exit_speeds(rim: Rim, azimuths: Floats) -> Floats:
    return np.array([exit_speed(each, rim) if np.isfinite(each) else 0.0 for each in azimuths.tolist()])


def _rates(phase: Any, times: Floats) -> Floats:
    """Angular velocity of the plate, rad/s."""
    usable = np.where(np.isfinite(times), np.maximum(times, 0.0), 0.0)
    return np.asarray((phase(usable + 1e-3) - phase(usable)) / 1e-3)


def _thirds(values: Floats) -> NDArray[np.int64]:
    """Thirds of the values that are known, equally many in each; -1 for the others."""
    known = np.isfinite(values)
    if not known.any():
        return np.full(len(values), -1)
    cuts = np.quantile(values[known], np.arange(1, _CLASSES) / _CLASSES)
    return np.where(known, np.searchsorted(cuts, np.nan_to_num(values), side="right"), -1)
