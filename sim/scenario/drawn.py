"""A hollow from a drawing: ``hollow: {profile: {dxf: pocket.dxf}}``.

The drawing shows half of the cross-section, the axis at x = 0 and the band at y = 0: lines, arcs and polylines from the
axis outward and up to the band. A cap with its lip, and a flat bottom, become those profiles, with their measures; any
other contour becomes points, its arcs chords no further from them than a micrometre.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, cos, hypot, pi, radians, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.documents.document import Document, shown
from sim.documents.faults import BadInput
from sim.scenario.hollows import mm
from sim.scenario.layers import Layer

if TYPE_CHECKING:
    from ezdxf.entities.dxfentity import DXFEntity

AT = ("machine", "hollow", "profile")
GAP = 1e-6
"""m: ends that are no further apart meet"""
_SAME = 1e-9
_SAGITTA = 1e-6
_UNITS = {1: 0.0254, 2: 0.3048, 4: 1e-3, 5: 1e-2, 6: 1.0}
"""m, by $INSUNITS: inches, feet, millimetres, centimetres, metres"""
_REMARKS = {
    "TEXT",
    "MTEXT",
    "DIMENSION",
    "LEADER",
    "MULTILEADER",
    "POINT",
    "VIEWPORT",
    "ACAD_TABLE",
    "TOLERANCE",
}
_MOST_BYTES = 20_000_000

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line, or an arc (with a centre), drawn from start to end; turn: rad, counter-clockwise positive."""

    start: Point
    end: Point
    centre: Point | None = None
    turn: float = 0.0

    @property
    def reversed(self) -> "Stroke":
        """The same, drawn the other way."""
        return Stroke(self.end, self.start, self.centre, -self.turn)

    @property
    def radius(self) -> float:
        """Of an arc, m."""
        assert self.centre is not None
        return hypot(self.start[0] - self.centre[0], self.start[1] - self.centre[1])

    def points(self) -> list[Point]:
        """The points after the start, an arc in chords."""
        if self.centre is None:
            return [self.end]
        steps = max(1, int(-(-abs(self.turn) // (2.0 * (2.0 * _SAGITTA / self.radius) ** 0.5))))
        first = atan2(self.start[1] - self.centre[1], self.start[0] - self.centre[0])
        angles = [first + self.turn * i / steps for i in range(1, steps)]
        on_arc = [
            (self.centre[0] + self.radius * cos(a), self.centre[1] + self.radius * sin(a)) for a in angles
        ]
        return [*on_arc, self.end]


class NotDrawn(Exception):  # noqa: N818
    """A drawing that shows no hollow; the message is one line."""


def drawn(resolved: Layer) -> Layer:
    """The layer with the drawing of its hollow made into a profile. Raises BadInput at the line that names it."""
    given: Any = resolved.document.get(AT)
    if not isinstance(given, dict):
        return resolved
    document = resolved.document
    others = sorted(given.keys() - {"dxf"})
    if others or not isinstance(given.get("dxf"), str) or not given["dxf"] or "\0" in given["dxf"]:
        message = f"must be the name of a profile, or {{dxf: FILE}}; given {shown(given)}"
        raise BadInput([document.fault(AT, message)])
    beside = sorted(document.data["machine"]["hollow"].keys() - {"profile"})
    if beside:
        message = f"unknown field beside a drawing; given {', '.join(beside)}"
        raise BadInput([document.fault((*AT[:2], beside[0]), message, key=True)])
    at = (*AT, "dxf")
    path = _beside(document, given["dxf"])
    try:
        hollow, digest = profile(path), hashlib.sha256(path.read_bytes()).hexdigest()
    except NotDrawn as why:
        raise BadInput([document.fault(at, f"{why}; given {shown(given['dxf'])}")]) from None
    return _with_profile(resolved, hollow, f"cited: drawing {path.name}, sha256 {digest[:12]}")


def _beside(document: Document, given: str) -> Path:
    """The file, relative to the file that names it, or to the working folder when a command line does."""
    file = document.mark((*AT, "dxf")).file
    return Path(given) if file.startswith("--set ") else Path(file).parent / given


def _with_profile(resolved: Layer, hollow: dict[str, Any], told: str) -> Layer:
    document, at, here = resolved.document, (*AT, "dxf"), AT[:2]
    machine = {**document.data["machine"], "hollow": hollow}
    gone = {AT, at}
    marks = {place: mark for place, mark in document.marks.items() if place not in gone}
    keys = {place: mark for place, mark in document.keys.items() if place not in gone}
    for name in hollow:
        marks[(*here, name)] = keys[(*here, name)] = document.mark(at)
    stated = resolved.sources.get(at, "unstated")
    sources = {place: source for place, source in resolved.sources.items() if place != at}
    sources |= {
        (*here, name): told if stated == "unstated" else stated for name in hollow if name != "profile"
    }
    data = {**document.data, "machine": machine}
    return replace(resolved, document=replace(document, data=data, marks=marks, keys=keys), sources=sources)


def profile(path: Path) -> dict[str, Any]:
    """The hollow of a drawing as a scenario gives it. Raises NotDrawn with what is wrong, in one line."""
    return _named(_chain(_strokes(path)))


def _strokes(path: Path) -> list[Stroke]:
    from ezdxf.filemanagement import readfile
    from ezdxf.lldxf.const import DXFError

    try:
        if path.stat().st_size > _MOST_BYTES:
            raise NotDrawn(f"too large a drawing; at most {_MOST_BYTES} bytes are read")
        drawing = readfile(path)
    except OSError as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else "cannot be read as a DXF drawing"
        raise NotDrawn(why) from None
    except (DXFError, ValueError, IndexError, KeyError, UnicodeDecodeError):
        raise NotDrawn("cannot be read as a DXF drawing") from None
    unit = _UNITS.get(drawing.header.get("$INSUNITS", 0))
    if unit is None:
        raise NotDrawn("does not say its unit; set it to millimetres ($INSUNITS 4) where it was drawn")
    strokes = [stroke for entity in drawing.modelspace() for stroke in _of_entity(entity, unit)]
    strokes = [
        each for each in strokes if hypot(each.end[0] - each.start[0], each.end[1] - each.start[1]) > _SAME
    ]
    if not strokes:
        raise NotDrawn("shows no line and no arc")
    return strokes


def _of_entity(entity: "DXFEntity", unit: float) -> Iterator[Stroke]:
    kind = entity.dxftype()
    if kind in _REMARKS:
        return
    if kind in ("LWPOLYLINE", "POLYLINE"):
        if getattr(entity, "is_closed", False) or getattr(entity, "closed", False):
            raise NotDrawn("a closed polyline; draw the contour open, from the axis to the band")
        for part in entity.virtual_entities():  # type: ignore[attr-defined]
            yield from _of_entity(part, unit)
    elif kind == "LINE":
        yield Stroke(
            (unit * entity.dxf.start.x, unit * entity.dxf.start.y),
            (unit * entity.dxf.end.x, unit * entity.dxf.end.y),
        )
    elif kind == "ARC":
        centre = (unit * entity.dxf.center.x, unit * entity.dxf.center.y)
        first, radius = radians(entity.dxf.start_angle), unit * entity.dxf.radius
        turn = radians(entity.dxf.end_angle - entity.dxf.start_angle) % (2.0 * pi)
        ends = [
            (centre[0] + radius * cos(angle), centre[1] + radius * sin(angle))
            for angle in (first, first + turn)
        ]
        yield Stroke(ends[0], ends[1], centre, turn)
    else:
        raise NotDrawn(f"holds a {kind}; only lines, arcs and polylines are read")


def _chain(strokes: list[Stroke]) -> list[Stroke]:
    """The strokes end to end, from the axis to the band."""
    if min(x for each in strokes for x, _ in [each.start, *each.points()]) < -GAP:
        raise NotDrawn("reaches to the left of the axis, x = 0; draw the right half only")
    left = list(strokes)
    begins = [
        each if abs(each.start[0]) <= abs(each.end[0]) else each.reversed
        for each in left
        if min(abs(each.start[0]), abs(each.end[0])) <= GAP
    ]
    if len(begins) != 1:
        many = "no stroke begins" if not begins else f"{len(begins)} strokes begin"
        raise NotDrawn(f"{many} on the axis, x = 0; the contour must begin there once")
    chain = begins
    left = [each for each in left if each not in (chain[0], chain[0].reversed)]
    while left:
        here = chain[-1].end
        following = [
            each if _apart(each.start, here) <= GAP else each.reversed
            for each in left
            if min(_apart(each.start, here), _apart(each.end, here)) <= GAP
        ]
        if len(following) > 1:
            raise NotDrawn(f"parts at {_place(here)}; the contour must be one line")
        if not following:
            nearest = min(min(_apart(each.start, here), _apart(each.end, here)) for each in left)
            raise NotDrawn(f"is open at {_place(here)}; the next stroke is {mm(nearest)} away")
        chain.append(following[0])
        left = [each for each in left if each not in (following[0], following[0].reversed)]
    if abs(chain[-1].end[1]) > GAP:
        raise NotDrawn(f"ends at {_place(chain[-1].end)}; it must end on the band, y = 0")
    _check_crossings(chain)
    return chain


def _check_crossings(chain: list[Stroke]) -> None:
    points = [chain[0].start, *(point for each in chain for point in each.points())]
    pieces = list(pairwise(points))
    for i, (a, b) in enumerate(pieces):
        for c, d in pieces[i + 2 :]:
            apart = max(min(a[0], b[0]), min(c[0], d[0])) > min(max(a[0], b[0]), max(c[0], d[0]))
            if not apart and _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0:
                raise NotDrawn(f"crosses itself near {_place(a)}")


def _side(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _apart(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _place(point: Point) -> str:
    return f"({1e3 * point[0]:.6g}, {1e3 * point[1]:.6g}) mm"


def _named(chain: list[Stroke]) -> dict[str, Any]:
    """The profile that the contour is, or its points."""
    bottom, last = chain[0], chain[-1]
    mouth, depth, lip = last.end[0], -bottom.start[1], 0.0
    if last.centre is not None and last.turn < 0 and abs(last.centre[0] - mouth) < _SAME:
        lip = last.radius
    measures: dict[str, Any] = {"mouth_radius": _m(mouth), "depth": _m(depth), "lip_radius": _m(lip)}
    inner = chain[:-1] if lip else chain
    if depth > 0 and len(inner) == 1 and bottom.centre is not None and abs(bottom.centre[0]) < _SAME:
        radius = (mouth**2 + depth**2) / (2.0 * depth) - lip
        if bottom.turn > 0 and abs(radius - bottom.radius) < _SAME:
            return {"profile": "spherical_cap", **measures}
    if depth > 0 and _is_flat(inner, mouth - lip, depth, lip):
        fillet = inner[1].radius if inner[1].centre is not None else 0.0
        return {"profile": "flat_bottom", **measures, "fillet_radius": _m(fillet)}
    points = [chain[0].start, *(point for each in chain for point in each.points())]
    if bottom.centre is not None and abs(bottom.centre[0]) < _SAME:
        points = level_at_the_axis(points)
    points[0], points[-1] = (0.0, points[0][1]), (points[-1][0], 0.0)
    return {"profile": "points", "points": [[_m(rho), _m(z)] for rho, z in points]}


def level_at_the_axis(points: list[Point]) -> list[Point]:
    """Points of an arc about the axis, from its bottom outward, the first chord in two: level, then along the tangent.

    A chord that rises from the bottom itself would hold a ball off it, as the arc does not.
    """
    (rho, z), (following, _), *_ = points
    return [points[0], ((rho + following) / 2.0, z), *points[1:]]


def _is_flat(inner: list[Stroke], wall: float, depth: float, lip: float) -> bool:
    """Whether strokes are a level floor, perhaps a fillet, and an upright wall up to the lip."""
    floor, upright, fillet = inner[0], inner[-1], inner[1:-1]
    if len(inner) not in (2, 3) or floor.centre is not None or upright.centre is not None:
        return False
    level = abs(floor.end[1] + depth) < _SAME
    wanted = max(abs(upright.start[0] - wall), abs(upright.end[0] - wall), abs(upright.end[1] + lip)) < _SAME
    if not fillet:
        return level and wanted and abs(floor.end[0] - wall) < _SAME
    centre = fillet[0].centre
    if centre is None or fillet[0].turn < 0:
        return False
    radius = fillet[0].radius
    round_corner = max(abs(centre[0] - (wall - radius)), abs(centre[1] - (radius - depth))) < _SAME
    return level and wanted and round_corner


def _m(value: float) -> str:
    return f"{value!r} m"
