"""Surfaces as profiles: where a ball's centre is closest to a cross-section of lines and arcs.

A cross-section lies in a half-plane (q, z): q is the distance from the spindle for stator and rotor, from the
hollow's own axis for a hollow. It is drawn from the axis outward with the air on its left. One row per piece:

    column  line                       arc
    SHAPE   LINE                       CONVEX (air outside) or CONCAVE (air inside)
    A, B    start q, z                 centre q, z
    C, D    unit tangent q, z          unit direction from the centre to the middle of the arc
    E       length                     cosine of half the opening angle
    F       -                          radius (0: a sharp convex edge)
    PAIR    row of the pair table      (restitution, friction, rolling resistance, pivot resistance)
    PART    what the piece belongs to: WALL, CONE, BOSS, BAND or HOLLOW
    CHAIN   pieces with the same number join so smoothly that a ball rolls from one onto the next without an impact
"""

from math import atan2, floor, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.physics.compiled import law
from sim.physics.vectors import Vector

LINE, CONVEX, CONCAVE = 0, 1, 2
SHAPE, A, B, C, D, E, F, PAIR, PART, CHAIN = range(10)
COLUMNS = 10
WALL, CONE, BOSS, BAND, HOLLOW = range(5)
_SLACK = 1e-9  # m (lines) or cosine (arcs): pieces overlap by this, so that no ball slips through a joint


class Surfaces(NamedTuple):
    """Everything a ball can lie on, as arrays.

    stator, rotor, hollow: pieces, shape (n, COLUMNS); those of all hollows stand in one array.
    hollow_rows: shape (hollows, 2), first and last + 1 row of each hollow's cross-section.
    mouth: shape (hollows,), m, circle inside which the band is cut away.
    proud: indices of the hollows whose lip stands above the band.
    centre: shape (hollows, 2), m, axis of each hollow in the plate frame.
    rings: shape (rings, 3): azimuth of the ring's first hollow (rad), index of that hollow, number of hollows.
    pairs: shape (n, 4): restitution, friction, rolling resistance, pivot resistance.
    stator_inner, rotor_outer: m, the radii between which no ball can touch the one, the other, but for its own size.
    mount: shape (4, 3): how the plate sits on its spindle. Rows 0 to 2 are its axes in the frame that turns with the
    spindle (the identity, but for axial run-out), row 3 is its centre there, m (zero, but for eccentricity).
    """

    stator: NDArray[np.float64]
    rotor: NDArray[np.float64]
    hollow: NDArray[np.float64]
    hollow_rows: NDArray[np.int64]
    mouth: NDArray[np.float64]
    proud: NDArray[np.int64]
    centre: NDArray[np.float64]
    rings: NDArray[np.float64]
    pairs: NDArray[np.float64]
    stator_inner: float
    rotor_outer: float
    mount: NDArray[np.float64]


@law
def closest(pieces: NDArray[np.float64], row: int, q: float, z: float) -> tuple[bool, float, float, float]:
    """Whether the foot of (q, z) lies on a piece; its distance (m, negative inside the material); normal (q, z)."""
    dq, dz = q - pieces[row, A], z - pieces[row, B]
    c, d = pieces[row, C], pieces[row, D]
    if pieces[row, SHAPE] == LINE:
        along = dq * c + dz * d
        if along < -_SLACK or along > pieces[row, E] + _SLACK:
            return False, 0.0, 0.0, 0.0
        return True, dz * c - dq * d, -d, c
    distance = sqrt(dq * dq + dz * dz)
    if distance < 1e-12 or dq * c + dz * d < (pieces[row, E] - _SLACK) * distance:
        return False, 0.0, 0.0, 0.0
    if pieces[row, SHAPE] == CONVEX:
        return True, distance - pieces[row, F], dq / distance, dz / distance
    return True, pieces[row, F] - distance, -dq / distance, -dz / distance


@law
def nearest_hollow(x: float, y: float, surfaces: Surfaces) -> tuple[int, float]:
    """Index of the hollow whose axis is nearest to (x, y) in the plate frame, and the distance (m)."""
    best, smallest = -1, 1e300
    azimuth = atan2(y, x)
    for ring in range(surfaces.rings.shape[0]):
        count = int(surfaces.rings[ring, 2])
        step = floor((azimuth - surfaces.rings[ring, 0]) * count / (2.0 * pi) + 0.5)
        index = int(surfaces.rings[ring, 1]) + int(step) % count
        dx, dy = x - surfaces.centre[index, 0], y - surfaces.centre[index, 1]
        squared = dx * dx + dy * dy
        if squared < smallest:
            best, smallest = index, squared
    return best, sqrt(smallest)


@law
def in_plate(position: NDArray[np.float64], surfaces: Surfaces, c: float, s: float) -> Vector:
    """A point of the lab (m, shape (3,)) in the frame of a plate; c, s: cosine and sine of its spindle's turn."""
    mount = surfaces.mount
    x = c * position[0] + s * position[1] - mount[3, 0]
    y = c * position[1] - s * position[0] - mount[3, 1]
    z = position[2] - mount[3, 2]
    return (
        mount[0, 0] * x + mount[0, 1] * y + mount[0, 2] * z,
        mount[1, 0] * x + mount[1, 1] * y + mount[1, 2] * z,
        mount[2, 0] * x + mount[2, 1] * y + mount[2, 2] * z,
    )


@law
def out_of_plate(direction: Vector, surfaces: Surfaces, c: float, s: float) -> Vector:
    """A direction of the plate's frame, in the lab."""
    mount = surfaces.mount
    x = mount[0, 0] * direction[0] + mount[1, 0] * direction[1] + mount[2, 0] * direction[2]
    y = mount[0, 1] * direction[0] + mount[1, 1] * direction[1] + mount[2, 1] * direction[2]
    z = mount[0, 2] * direction[0] + mount[1, 2] * direction[1] + mount[2, 2] * direction[2]
    return (c * x - s * y, c * y + s * x, z)
