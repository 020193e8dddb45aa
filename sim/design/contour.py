"""The contour of a hollow as a draughtsman draws it: lines and arcs from the axis outward, points in (rho, z), m."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import acos, atan2, cos, hypot, pi, sin

from sim.machines import profiles
from sim.physics.surface import CONVEX, LINE, SHAPE, A, B, C, D, E, F
from sim.scenario.drawn import level_at_the_axis
from sim.scenario.hollows import Hollow

Point = tuple[float, float]
_SAGITTA = 2e-5


@dataclass(frozen=True, slots=True)
class Line:
    """A straight piece."""

    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc from one direction to another (rad, from its centre); counter-clockwise where last > first."""

    centre: Point
    radius: float
    first: float
    last: float

    def at(self, angle: float) -> Point:
        """The point in a direction."""
        return self.centre[0] + self.radius * cos(angle), self.centre[1] + self.radius * sin(angle)

    @property
    def start(self) -> Point:
        """Where it begins."""
        return self.at(self.first)

    @property
    def end(self) -> Point:
        """Where it ends."""
        return self.at(self.last)


Piece = Line | Arc


def contour(hollow: Hollow) -> list[Piece]:
    """The pieces of a hollow, from its axis to its mouth; an edge without a radius is none."""
    rows, _ = profiles.hollow(hollow, 0.0, 0, 0)
    pieces: list[Piece] = []
    for row in rows:
        if row[SHAPE] == LINE:
            length = row[E]
            pieces.append(Line((row[A], row[B]), (row[A] + length * row[C], row[B] + length * row[D])))
        elif row[F] > 0.0:
            sign = -1.0 if row[SHAPE] == CONVEX else 1.0
            middle, half = atan2(row[D], row[C]), acos(row[E])
            pieces.append(Arc((row[A], row[B]), row[F], middle - sign * half, middle + sign * half))
    return pieces


def flattened(pieces: Sequence[Piece], sagitta: float = _SAGITTA) -> list[Point]:
    """Points along a hollow's pieces, on the axis first and on the band last.

    A chord lies no further from its arc than the sagitta, m.
    """
    points = [pieces[0].start]
    for piece in pieces:
        if isinstance(piece, Arc):
            widest = 2.0 * acos(max(1.0 - sagitta / piece.radius, -1.0))
            steps = max(1, int(-(-abs(piece.last - piece.first) // widest)))
            turn = (piece.last - piece.first) / steps
            points += [piece.at(piece.first + turn * i) for i in range(1, steps + 1)]
        else:
            points.append(piece.end)
    if isinstance(pieces[0], Arc):
        points = level_at_the_axis(points)
    points[0], points[-1] = (0.0, points[0][1]), (points[-1][0], 0.0)
    return points


def length(pieces: Sequence[Piece]) -> float:
    """Length of the contour, m."""
    return sum(
        abs(each.last - each.first) * each.radius
        if isinstance(each, Arc)
        else hypot(each.end[0] - each.start[0], each.end[1] - each.start[1])
        for each in pieces
    )


def svg_path(pieces: Sequence[Piece], scale: float = 1e3) -> str:
    """The contour and its mirror image as the ``d`` of an SVG path, rho to the right and z up, by default in mm."""

    def shown(point: Point, side: float) -> str:
        return f"{side * scale * point[0]:.4f} {-scale * point[1]:.4f}"

    parts = []
    for side in (1.0, -1.0):
        parts.append(f"M{shown(pieces[0].start, side)}")
        for piece in pieces:
            if isinstance(piece, Arc):
                large = int(abs(piece.last - piece.first) > pi)
                sweep = int((piece.last > piece.first) != (side > 0))
                parts.append(
                    f"A{scale * piece.radius:.4f} {scale * piece.radius:.4f} 0 {large} {sweep} {shown(piece.end, side)}"
                )
            else:
                parts.append(f"L{shown(piece.end, side)}")
    return "".join(parts)
