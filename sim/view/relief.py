"""How high the surfaces of a plate machine lie, seen from above: for shading, and for the shadow of the ball."""

from dataclasses import dataclass
from math import acos, atan2, cos, hypot, sin

import numpy as np
from numpy.typing import NDArray

from sim.machines import PlateMachine
from sim.physics.surface import CONCAVE, LINE, SHAPE, A, B, C, D, E, F

Array = NDArray[np.float64]
_STEP = 2.5e-4  # m, between two entries of a table


@dataclass(frozen=True, slots=True)
class Profile:
    """Heights z (m) over distances q (m) from an axis, evenly spaced from 0, shape (n,) both."""

    q: Array
    z: Array

    def height(self, q: Array) -> Array:
        """Height at distances, m; beyond the last entry as there."""
        return np.interp(q, self.q, self.z)

    def lean(self, q: Array) -> Array:
        """How far the surface leans outward there, from -1 to 1: the outward part of its normal."""
        slope = np.gradient(self.z, self.q)
        return np.interp(q, self.q, -slope / np.hypot(1.0, slope))


def profile(pieces: NDArray[np.float64], beyond: float) -> Profile:
    """Tabulate a cross-section, rows as in `sim.physics.surface`, out to ``beyond`` m."""
    q = np.arange(0.0, beyond + _STEP, _STEP)
    z = np.full(len(q), np.nan)
    for piece in pieces:
        first, last = _reach(piece)
        inside = (q >= first - 1e-9) & (q <= last + 1e-9)
        if piece[SHAPE] == LINE:
            if abs(piece[C]) > 1e-9:
                z[inside] = piece[B] + (q[inside] - piece[A]) * piece[D] / piece[C]
        else:
            rise = np.sqrt(np.maximum(piece[F] ** 2 - (q[inside] - piece[A]) ** 2, 0.0))
            z[inside] = piece[B] - rise if piece[SHAPE] == CONCAVE else piece[B] + rise
    known = np.isfinite(z)
    return Profile(q, np.interp(q, q[known], z[known]))


def _reach(piece: NDArray[np.float64]) -> tuple[float, float]:
    """The distances from the axis between which a piece lies, m."""
    if piece[SHAPE] == LINE:
        end = piece[A] + piece[E] * piece[C]
        return min(piece[A], end), max(piece[A], end)
    middle, half = atan2(piece[D], piece[C]), acos(piece[E])
    ends = [piece[A] + piece[F] * cos(middle + side * half) for side in (-1.0, 0.0, 1.0)]
    return min(ends), max(ends)


class Relief:
    """The whole machine: the fixed cone, the plate, and each of its hollows."""

    def __init__(self, machine: PlateMachine) -> None:
        surfaces = machine.surfaces
        self.edge, self.centre = machine.plate_radius, surfaces.centre
        self.off = (float(surfaces.mount[3, 0]), float(surfaces.mount[3, 1]))
        self.stator = profile(surfaces.stator, machine.wall_radius)
        self.rotor = profile(surfaces.rotor, self.edge)
        self.hollows = [
            profile(surfaces.hollow[first:end], 1.25 * mouth)
            for (first, end), mouth in zip(surfaces.hollow_rows, surfaces.mouth.tolist(), strict=True)
        ]
        self.mouth = surfaces.mouth

    def height(self, x: float, y: float, angle: float) -> float:
        """Height of the surface under a point of the lab, m, with the plate at ``angle``, rad."""
        radius = hypot(x, y)
        if radius > self.edge:
            return float(self.stator.height(np.array(radius)))
        px = x * cos(angle) + y * sin(angle) - self.off[0]
        py = y * cos(angle) - x * sin(angle) - self.off[1]
        away = np.hypot(self.centre[:, 0] - px, self.centre[:, 1] - py)
        nearest = int(np.argmin(away))
        if away[nearest] < self.mouth[nearest]:
            return float(self.hollows[nearest].height(away[nearest]))
        return float(self.rotor.height(np.array(hypot(px, py))))
