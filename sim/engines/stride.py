"""Strides: where a step may be several of the solver's, without changing what comes of a spin (docs/engines.md)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.engines.capture import MARGIN, Basin, basin_of, is_decided
from sim.engines.watch import Watch, slip_squared
from sim.machines import PlateMachine
from sim.physics.ball import Ball, Setting
from sim.physics.compiled import law
from sim.physics.surface import BAND, BOSS, CHAIN, CONE, HOLLOW, Surfaces

STRIDE = 4.0
"""How many times longer than the solver's step a step on one smooth surface is; see `stride_of`."""
STILL = 1e-3
"""m/s: a ball that is slower relative to the plate lies on it."""


class Pace(NamedTuple):
    """What decides strides on a machine.

    stride: see `stride_of`. smooth: shape (hollows,), whether long steps may be taken in a hollow: it has no corner
    that a ball in it strikes, and no chip falls. basin: see `sim.engines.capture`.
    """

    stride: float
    smooth: NDArray[np.bool_]
    basin: Basin


def pace_of(machine: PlateMachine, stride: float = STRIDE, margin: float = MARGIN) -> Pace:
    """The strides of a machine. With stride = 1 every step is the solver's. margin: J/kg, of capture."""
    chains = machine.surfaces.hollow[:, CHAIN]
    round_ = [len(set(chains[first:last])) == 1 for first, last in machine.surfaces.hollow_rows]
    return Pace(stride, np.array(round_) & (not machine.objects), basin_of(machine, margin))


@law
def stride_of(
    pace: Pace,
    ball: Ball,
    watch: Watch,
    plate_speed: float,
    captured: NDArray[np.int64],
    surfaces: Surfaces,
    setting: Setting,
) -> float:
    """How many of the solver's steps the next step takes: several on one smooth surface that the ball stays on.

    So it is on the cone (which curves least: half as many again), the boss (half as many) and the band, and in a
    hollow once it is decided that it can no longer leave, but not over corners, nor where a chip may still meet it. So
    it is too for a ball that lies still on the plate in the seam with the cone, where it may be carried for a minute.

    captured: shape (1,), the hollow that the ball can no longer leave, or -1; written. plate_speed: rad/s.
    """
    hollow, touching, part = watch.hollow[0], ball.touching[0], ball.place[0, 2]
    if pace.stride == 1.0 or touching == 0 or touching > 2:
        return 1.0
    if touching == 2:
        seam = part == CONE or ball.place[1, 2] == CONE
        return float(pace.stride) if seam and slip_squared(ball, plate_speed) < STILL * STILL else 1.0
    if part == CONE:
        return 1.5 * pace.stride
    if part == BOSS:
        return 0.5 * pace.stride
    if part == BAND:
        return pace.stride
    if part != HOLLOW or hollow < 0 or not pace.smooth[hollow]:
        return 1.0
    if captured[0] != hollow:
        if not is_decided(ball, hollow, plate_speed, surfaces, setting, pace.basin):
            return 1.0
        captured[0] = hollow
    return pace.stride
