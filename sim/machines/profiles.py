"""Cross-sections, drawn the way a designer draws them, as the rows that ``sim.physics.surface`` reads.

Points are (q, z) in metres, from the axis outward, with the air on the left of the way drawn.
"""

from collections.abc import Sequence
from math import acos, asin, atan2, cos, hypot, pi, sin, tan

import numpy as np
from numpy.typing import NDArray

from sim.physics.surface import CHAIN, COLUMNS, CONCAVE, CONVEX, LINE, SHAPE, B, C, D, E, F
from sim.scenario.hollows import Hollow, Points, SphericalCap

Point = tuple[float, float]
Rows = list[list[float]]


def line(start: Point, end: Point, pair: int, part: int) -> list[float]:
    """One straight piece from start to end."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    return [
        LINE,
        *start,
        (end[0] - start[0]) / length,
        (end[1] - start[1]) / length,
        length,
        0.0,
        pair,
        part,
        0,
    ]


def arc(
    shape: int, centre: Point, radius: float, first: float, last: float, pair: int, part: int
) -> list[float]:
    """One arc between two directions (rad, from the centre), no longer than half a circle."""
    middle, half = 0.5 * (first + last), 0.5 * abs(last - first)
    return [shape, *centre, cos(middle), sin(middle), cos(half), radius, pair, part, 0]


def polyline(points: Sequence[Point], fillets: Sequence[float], pair: int, part: int) -> Rows:
    """Straight pieces through the points; ``fillets[i]`` rounds the corner at point i (0: sharp; ends are ignored).

    A sharp corner that points into the air becomes an edge, an arc of radius 0. Raises ValueError where a fillet does
    not fit between its neighbours.
    """
    rows: Rows = []
    start = points[0]
    used = 0.0
    for i in range(1, len(points)):
        before, corner = points[i - 1], points[i]
        if i == len(points) - 1:
            rows.append(line(start, corner, pair, part))
            break
        after = points[i + 1]
        into = atan2(corner[1] - before[1], corner[0] - before[0])
        out = atan2(after[1] - corner[1], after[0] - corner[0])
        turn = (out - into + pi) % (2.0 * pi) - pi
        trim = fillets[i] * abs(tan(0.5 * turn))
        length = hypot(corner[0] - before[0], corner[1] - before[1])
        if used + trim >= length + 1e-12:
            raise ValueError(f"the fillet of {fillets[i]:g} m at point {i} does not fit")
        end = (corner[0] - trim * cos(into), corner[1] - trim * sin(into))
        if length - used - trim > 1e-12:
            rows.append(line(start, end, pair, part))
        rows += _corner(end, into, turn, fillets[i], pair, part)
        start = (corner[0] + trim * cos(out), corner[1] + trim * sin(out))
        used = trim
    return rows


def _corner(end: Point, into: float, turn: float, fillet: float, pair: int, part: int) -> Rows:
    """The rounded or sharp corner after a piece that ends at ``end`` and is followed after a turn (rad, left > 0)."""
    if abs(turn) < 1e-12:
        return []
    if turn < 0.0:
        centre = (end[0] + fillet * sin(into), end[1] - fillet * cos(into))
        return [arc(CONVEX, centre, fillet, into + 0.5 * pi, into + turn + 0.5 * pi, pair, part)]
    if fillet == 0.0:
        return []
    centre = (end[0] - fillet * sin(into), end[1] + fillet * cos(into))
    return [arc(CONCAVE, centre, fillet, into - 0.5 * pi, into + turn - 0.5 * pi, pair, part)]


def spherical_cap(mouth: float, depth: float, lip: float, pair: int, part: int) -> Rows:
    """A cap of some depth below the band (z = 0), joined to it by a lip of radius ``lip`` that meets it at ``mouth``.

    Cap and lip touch: mouth^2 + (R - depth + lip)^2 = (R + lip)^2, so the cap's radius is
    R = (mouth^2 + depth^2)/(2 depth) - lip. With lip = 0 the rim is a sharp edge.
    """
    radius = cap_radius(mouth, depth, lip)
    centre = (0.0, radius - depth)
    joint = atan2(-lip - centre[1], mouth)
    return [
        arc(CONCAVE, centre, radius, -0.5 * pi, joint, pair, part),
        arc(CONVEX, (mouth, -lip), lip, joint + pi, 0.5 * pi, pair, part),
    ]


def cap_radius(mouth: float, depth: float, lip: float) -> float:
    """Radius (m) of the cap of ``spherical_cap``."""
    return (mouth * mouth + depth * depth) / (2.0 * depth) - lip


def flat_bottom(mouth: float, depth: float, lip: float, fillet: float, pair: int, part: int) -> Rows:
    """A flat-bottomed hole: floor, fillet, upright wall, lip that meets the band at ``mouth``."""
    wall = mouth - lip
    points = [(0.0, -depth), (wall, -depth), (wall, 0.0), (mouth + lip, 0.0)]
    rows = polyline(points, [0.0, fillet, lip, 0.0], pair, part)
    return rows[:-1]  # the last piece is the band's


def hollow(shape: Hollow, raised: float, pair: int, part: int) -> tuple[Rows, float]:
    """The cross-section of a scenario's hollow, its lip raised above the band (m), and the radius of its outer edge."""
    if isinstance(shape, Points):
        points = [*shape.points, (shape.mouth_radius + 1.0, 0.0)]  # the band, for the edge at the mouth
        return polyline(points, [0.0] * len(points), pair, part)[:-1], shape.mouth_radius
    mouth, depth, lip = shape.mouth_radius, shape.depth + raised, shape.lip_radius
    if isinstance(shape, SphericalCap):
        rows = spherical_cap(mouth, depth, lip, pair, part)
    else:
        rows = flat_bottom(mouth, depth, lip, shape.fillet_radius, pair, part)
    if raised == 0.0:
        return rows, mouth
    for row in rows:
        row[B] += raised
    # The lip goes on over its top, down to the band.
    inside = atan2(rows[-1][D], rows[-1][C]) + acos(rows[-1][E])
    outside = asin((lip - raised) / lip)
    rows[-1] = arc(CONVEX, (mouth, raised - lip), lip, inside, outside, pair, part)
    return rows, mouth + lip * cos(outside)


def link(rows: Rows, first: int, ball_radius: float) -> int:
    """Number the chains of pieces drawn one after another, from ``first``; returns the next free number.

    A chain ends at a corner that points into the material, and at a hollow arc too tight for the ball to follow.
    Changes rows.
    """
    chain = first
    for i, row in enumerate(rows):
        if i > 0:
            end, start = _normals(rows[i - 1])[1], _normals(row)[0]
            tight = any(piece[SHAPE] == CONCAVE and piece[F] <= ball_radius for piece in (rows[i - 1], row))
            if tight or hypot(end[0] - start[0], end[1] - start[1]) > 1e-6:
                chain += 1
        row[CHAIN] = chain
    return chain + 1


def _normals(row: list[float]) -> tuple[Point, Point]:
    """Normals (q, z) at the start and the end of a piece."""
    if row[SHAPE] == LINE:
        return (-row[D], row[C]), (-row[D], row[C])
    sign = 1.0 if row[SHAPE] == CONVEX else -1.0
    half, middle = sign * acos(row[E]), atan2(row[D], row[C])
    start, end = middle + half, middle - half
    return (sign * cos(start), sign * sin(start)), (sign * cos(end), sign * sin(end))


def as_array(rows: Rows) -> NDArray[np.float64]:
    """Rows as an array of shape (n, COLUMNS)."""
    return np.array(rows, dtype=np.float64).reshape(-1, COLUMNS)
