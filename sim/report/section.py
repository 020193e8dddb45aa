"""The cross-section of a machine with its dimensions: as a picture, and the contour of its hollow as a DXF drawing."""

import io
from collections.abc import Sequence
from math import cos, degrees, pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.design.contour import Arc, Piece, contour, flattened
from sim.scenario import PlateScenario, Scenario, WheelScenario

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_METAL, _BALL, _SIZE = "#5b4630", "#b98a2e", "#1f5a8a"
_LAYER = "HOLLOW"


def dxf(scenario: PlateScenario) -> str:
    """The hollow's contour, axis at x = 0 and band at y = 0, in millimetres; `sim.scenario.drawn` reads it."""
    from ezdxf.document import Drawing
    from ezdxf.filemanagement import new

    drawing: Drawing = new("R2010", units=4)
    drawing.layers.add(_LAYER)
    space = drawing.modelspace()
    for piece in contour(scenario.machine.hollow):
        if isinstance(piece, Arc):
            first, last = sorted((piece.first, piece.last))
            centre = (1e3 * piece.centre[0], 1e3 * piece.centre[1])
            space.add_arc(
                centre, 1e3 * piece.radius, degrees(first), degrees(last), dxfattribs={"layer": _LAYER}
            )
        else:
            begin, end = ((1e3 * x, 1e3 * y) for x, y in (piece.start, piece.end))
            space.add_line(begin, end, dxfattribs={"layer": _LAYER})
    text = io.StringIO()
    drawing.write(text)
    return text.getvalue()


def picture(scenario: Scenario, suffix: str) -> bytes:
    """The cross-section in millimetres, as ``.svg`` or ``.png``; the same scenario gives the same bytes."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "fairwheel", "font.size": 9}):
        figure = Figure(
            figsize=(9.0, 6.4 if isinstance(scenario, PlateScenario) else 4.2), layout="constrained"
        )
        FigureCanvasAgg(figure)
        if isinstance(scenario, WheelScenario):
            whole, near = figure.subplots(1, 2, width_ratios=(1, 1.4))
            _wheel(whole, scenario)
            _clapper(near, scenario)
        else:
            near, whole = figure.subplots(2, 1, height_ratios=(1.6, 1))
            _hollow(near, scenario)
            _plate(whole, scenario)
        figure.suptitle(f"{scenario.title}: cross-section, mm", fontsize=10)
        sink = io.BytesIO()
        metadata: dict[str, Any] = {"Date": None} if suffix == ".svg" else {"Software": None}
        figure.savefig(sink, format=suffix[1:], dpi=140, metadata=metadata)
    return sink.getvalue()


def _mm(points: Sequence[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    both = 1e3 * np.asarray(points)
    return both[:, 0], both[:, 1]


def _dimension(
    axes: "Axes", a: tuple[float, float], b: tuple[float, float], text: str, off: float = 0.0
) -> None:
    """A line with arrows between two points (m) and its text beside the middle; off: m, upward."""
    one, other = ((1e3 * x, 1e3 * (y + off)) for x, y in (a, b))
    arrow = {"arrowstyle": "<->", "color": _SIZE, "lw": 0.9, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", one, other, arrowprops=arrow)
    axes.update_datalim([one, other])
    middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
    upright = abs(a[0] - b[0]) < abs(a[1] - b[1])
    axes.annotate(
        text,
        middle,
        (4, 0) if upright else (0, 3),
        textcoords="offset points",
        color=_SIZE,
        va="center" if upright else "bottom",
        ha="left" if upright else "center",
    )


def _leader(axes: "Axes", at: tuple[float, float], to: tuple[float, float], text: str) -> None:
    axes.annotate(
        text,
        (1e3 * at[0], 1e3 * at[1]),
        (1e3 * to[0], 1e3 * to[1]),
        color=_SIZE,
        arrowprops={"arrowstyle": "->", "color": _SIZE, "lw": 0.9},
    )
    axes.update_datalim([(1e3 * to[0], 1e3 * to[1])])


def _bare(axes: "Axes", title: str) -> None:
    axes.set_aspect("equal")
    axes.set_title(title, loc="left", fontsize=9)
    axes.axis("off")
    axes.margins(0.08)
    axes.autoscale_view()


def _hollow(axes: "Axes", scenario: PlateScenario) -> None:
    hollow, ball = scenario.machine.hollow, scenario.ball.radius
    pieces: list[Piece] = contour(hollow)
    half = flattened(pieces)
    mouth, bottom, beyond = hollow.mouth_radius, hollow.bottom, 1.45 * hollow.mouth_radius
    left = [(-x, y) for x, y in reversed(half)]
    top = [(-beyond, 0.0), *left, *half[1:], (beyond, 0.0)]
    x, y = _mm(top)
    axes.fill_between(x, y, 1e3 * (bottom - 0.3 * mouth), color=_METAL, alpha=0.18, lw=0)
    axes.plot(x, y, color=_METAL, lw=1.6)
    around = np.linspace(0.0, 2.0 * pi, 120)
    axes.plot(1e3 * ball * np.cos(around), 1e3 * (bottom + ball + ball * np.sin(around)), color=_BALL, lw=1.2)
    _dimension(axes, (-mouth, 0.0), (mouth, 0.0), f"mouth {2e3 * mouth:.4g}", bottom - 0.22 * mouth)
    _dimension(axes, (-beyond * 0.94, 0.0), (-beyond * 0.94, bottom), f"depth {-1e3 * bottom:.4g}")
    top_of_ball = bottom + 2.0 * ball
    _dimension(axes, (beyond * 0.8, bottom), (beyond * 0.8, top_of_ball), f"ball {2e3 * ball:.4g}")
    axes.plot([0, 1e3 * beyond * 0.8], [1e3 * top_of_ball] * 2, color=_SIZE, lw=0.5, ls=":")
    arcs = [piece for piece in pieces if isinstance(piece, Arc)]
    for i, arc in enumerate(arcs):
        at = arc.at((arc.first + arc.last) / 2)
        to = (at[0] + (-0.5 - 0.1 * i) * mouth, 0.35 * mouth + at[1] + 0.12 * mouth * i)
        _leader(axes, at, to, f"R {1e3 * arc.radius:.4g}")
    _bare(axes, f"hollow ({hollow.profile.replace('_', ' ')}), with the ball at rest")


def _plate(axes: "Axes", scenario: PlateScenario) -> None:
    machine, ball = scenario.machine, scenario.ball.radius
    wall = machine.groove.radius + ball
    inner, edge = machine.band.inner_radius, machine.band.outer_radius
    floor = (wall - edge) * np.tan(machine.cone.slope)
    summit = (inner - machine.plate.boss_radius) * np.tan(machine.plate.boss_slope)
    middle = machine.hollows.circle_radius
    half = flattened(contour(machine.hollow))
    section = [(middle + x, y) for x, y in [*[(-x, y) for x, y in reversed(half)], *half[1:]]]
    plate = [(0.0, summit), (machine.plate.boss_radius, summit), (inner, 0.0), *section, (edge, 0.0)]
    top = floor + machine.groove.wall_height
    for part, colour in ((plate, _METAL), ([(edge, 0.0), (wall, floor), (wall, top)], "black")):
        axes.plot(*_mm(part), color=colour, lw=1.4)
    axes.axvline(0.0, color="grey", lw=0.6, ls="-.")
    slope = machine.cone.slope
    centre = (machine.groove.radius, floor - ball * sin(slope) * np.tan(slope) + ball * cos(slope))
    around = np.linspace(0.0, 2.0 * pi, 80)
    axes.plot(
        1e3 * (centre[0] + ball * np.cos(around)), 1e3 * (centre[1] + ball * np.sin(around)), color=_BALL
    )
    low = min(-0.02, 2.2 * machine.hollow.bottom)
    for place, radius in enumerate((middle, edge, machine.groove.radius)):
        name = ("hollows R", "band's edge R", "groove R")[place]
        _dimension(axes, (0.0, low), (radius, low), f"{name} {1e3 * radius:.4g}", -0.03 * place)
    _leader(axes, (edge + 0.4 * (wall - edge), 0.4 * floor), (edge, 1.2 * top), f"cone {degrees(slope):.4g}°")
    _leader(
        axes,
        (inner / 2, summit / 2),
        (inner / 3, 1.2 * top),
        f"boss {degrees(machine.plate.boss_slope):.4g}°",
    )
    _bare(axes, f"plate and bowl, {machine.hollows.count} hollows")


def _circle(
    axes: "Axes", centre: tuple[float, float], radius: float, colour: str, width: float = 1.2
) -> None:
    around = np.linspace(0.0, 2.0 * pi, 180)
    axes.plot(
        1e3 * (centre[0] + radius * np.cos(around)),
        1e3 * (centre[1] + radius * np.sin(around)),
        color=colour,
        lw=width,
    )


def _wheel(axes: "Axes", scenario: WheelScenario) -> None:
    machine = scenario.machine
    _circle(axes, (0.0, 0.0), machine.wheel.diameter / 2, _METAL, 1.6)
    for peg in machine.pegs.standing:
        angle, out = peg.angle + pi / 2 + machine.pegs.pitch / 2, machine.pegs.circle_radius
        _circle(axes, (out * cos(angle), out * sin(angle)), peg.radius, _BALL, 0.8)
    low = -machine.wheel.diameter / 2
    _dimension(axes, (low, low), (-low, low), f"diameter {1e3 * machine.wheel.diameter:.4g}", -0.14)
    _dimension(
        axes, (0.0, 0.0), (machine.pegs.circle_radius, 0.0), f"pegs R {1e3 * machine.pegs.circle_radius:.4g}"
    )
    _bare(axes, f"wheel, {machine.pegs.count} pegs, from the front")


def _clapper(axes: "Axes", scenario: WheelScenario) -> None:
    machine = scenario.machine
    pegs, clapper = machine.pegs, machine.clapper
    out, pivot, tip = pegs.circle_radius, machine.pivot, machine.resting_tip
    for side in (-1.5, -0.5, 0.5, 1.5):
        angle = pi / 2 + side * pegs.pitch
        _circle(axes, (out * cos(angle), out * sin(angle)), pegs.radius, _BALL, 1.4)
    axes.plot(*_mm([pivot, tip]), color=_METAL, lw=4, alpha=0.5, solid_capstyle="round")
    _circle(axes, tip, clapper.tip_radius, _METAL, 1.4)
    axes.plot(1e3 * pivot[0], 1e3 * pivot[1], "o", color=_METAL, ms=5)
    aside = 2.2 * pegs.pitch * out
    _dimension(axes, (aside, tip[1]), (aside, pivot[1]), f"arm {1e3 * clapper.worn_arm:.4g}")
    _dimension(axes, (0.5 * aside, tip[1]), (0.5 * aside, pegs.reach), f"overlap {1e3 * clapper.overlap:.4g}")
    for height in (tip[1], pegs.reach):
        axes.plot([0, 1e3 * aside], [1e3 * height] * 2, color=_SIZE, lw=0.5, ls=":")
    _leader(axes, tip, (-0.62 * aside, tip[1] - 0.025), f"tip R {1e3 * clapper.tip_radius:.4g}")
    peg = (out * cos(pi / 2 + 1.5 * pegs.pitch), out * sin(pi / 2 + 1.5 * pegs.pitch))
    _leader(axes, peg, (-1.1 * aside, peg[1] + 0.03), f"peg R {1e3 * pegs.radius:.4g}")
    pair = [(out * cos(pi / 2 + s * pegs.pitch), out * sin(pi / 2 + s * pegs.pitch)) for s in (0.5, -0.5)]
    _dimension(axes, pair[0], pair[1], f"pitch {1e3 * pegs.pitch * out:.4g}", -0.065)
    _bare(axes, "clapper at rest between two pegs")
