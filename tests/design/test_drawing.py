"""Hollows out to DXF and back, and drawings that show none."""

import io
from itertools import pairwise
from pathlib import Path

import ezdxf
import pytest

from sim.design.contour import Arc, contour, flattened
from sim.documents.faults import BadInput
from sim.report.section import dxf, picture
from sim.scenario import load_scenario

FLAT = (
    "machine.hollow={profile: flat_bottom, mouth_radius: 29 mm, depth: 20 mm, lip_radius: 3 mm, "
    "fillet_radius: 4 mm}"
)
STRAIGHT = "machine.hollow={profile: points, points: [[0 mm, -9 mm], [10 mm, -9 mm], [29 mm, 0 mm]]}"


def through(tmp_path: Path, *overrides: str):
    """A machine, and the same after its hollow was drawn and read."""
    before = load_scenario("macau-boule", overrides)
    (tmp_path / "pocket.dxf").write_text(dxf(before))
    return before, load_scenario(
        "macau-boule", [f"machine.hollow={{profile: {{dxf: {tmp_path}/pocket.dxf}}}}"]
    )


@pytest.mark.parametrize(
    "override", ["machine.hollow.depth=14 mm", FLAT, STRAIGHT], ids=["cap", "flat", "points"]
)
def test_a_drawing_comes_back_to_a_nanometre(tmp_path, override):
    before, after = through(tmp_path, override)
    assert after.machine.hollow.profile == before.machine.hollow.profile
    first, second = contour(before.machine.hollow), contour(after.machine.hollow)
    assert [type(each) for each in first] == [type(each) for each in second]
    for one, other in zip(first, second, strict=True):
        assert one.start == pytest.approx(other.start, abs=1e-9)
        assert one.end == pytest.approx(other.end, abs=1e-9)
        if isinstance(one, Arc):
            assert one.centre == pytest.approx(other.centre, abs=1e-9)
            assert one.radius == pytest.approx(other.radius, abs=1e-9)
    again = ezdxf.read(io.StringIO(dxf(after)))
    assert len(list(again.modelspace())) == len(first)


def test_where_a_drawn_hollow_comes_from_is_told(tmp_path):
    _, after = through(tmp_path, FLAT)
    assert after.provenance["machine.hollow.depth"].startswith("cited: drawing pocket.dxf, sha256 ")
    assert after.document.mark(("machine", "hollow", "depth")).file.startswith("--set ")


def test_any_other_contour_becomes_points_within_a_micrometre(tmp_path):
    """A floor, and an arc whose centre lies off the axis."""
    drawing = ezdxf.new(units=4)
    drawing.modelspace().add_lwpolyline([(0, -14, 0), (4, -14, 0.2521), (30, 0, 0)], format="xyb")
    drawing.saveas(tmp_path / "ogive.dxf")
    made = load_scenario("macau-boule", [f"machine.hollow={{profile: {{dxf: {tmp_path}/ogive.dxf}}}}"])
    hollow = made.machine.hollow
    assert hollow.profile == "points"
    assert 20 < len(hollow.points) < 200
    _, arc = drawing.modelspace().query("LWPOLYLINE").first.virtual_entities()
    centre, radius = arc.dxf.center, arc.dxf.radius
    for rho, z in hollow.points[1:]:
        assert abs(((1e3 * rho - centre.x) ** 2 + (1e3 * z - centre.y) ** 2) ** 0.5 - radius) < 1e-6
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(hollow.points[1:])]
    for rho, z in middles:
        assert abs(((1e3 * rho - centre.x) ** 2 + (1e3 * z - centre.y) ** 2) ** 0.5 - radius) < 1.1e-3


def test_a_round_bottom_given_as_points_lets_the_ball_down(tmp_path):
    """The first chords do not hold the ball off the bottom of a cap."""
    cap = contour(load_scenario("macau-boule").machine.hollow)
    points = flattened(cap, 1e-6)
    listed = ", ".join(f"[{rho!r} m, {z!r} m]" for rho, z in points)
    made = load_scenario("macau-boule", [f"machine.hollow={{profile: points, points: [{listed}]}}"])
    assert made.machine.hollow.clearance(made.machine.hollow.bottom + 0.025) == pytest.approx(0.025, abs=1e-9)


def line(*points):
    return lambda space: [space.add_line(a, b) for a, b in pairwise(points)]


BAD = {
    "open": (
        lambda s: (s.add_line((0, -9), (10, -9)), s.add_line((10.5, -9), (30, 0))),
        "is open at (10, -9) mm",
    ),
    "crossing": (line((0, -9), (20, -2), (20, -9), (10, -1), (30, 0)), "crosses itself"),
    "closed": (lambda s: s.add_lwpolyline([(0, -9), (30, 0), (0, 0)], close=True), "closed polyline"),
    "left": (line((-30, 0), (0, -9), (30, 0)), "left of the axis"),
    "off the axis": (line((5, -9), (30, 0)), "no stroke begins on the axis"),
    "off the band": (line((0, -9), (30, -2)), "must end on the band"),
    "parting": (lambda s: (line((0, -9), (10, -9), (30, 0))(s), s.add_line((10, -9), (30, -3))), "parts at"),
    "spline": (lambda s: s.add_spline([(0, -9, 0), (10, -5, 0), (30, 0, 0)]), "holds a SPLINE"),
    "nothing": (lambda s: s.add_text("hollow"), "no line and no arc"),
    "undercut": (line((0, -9), (20, -9), (15, -3), (30, 0)), "must go outward"),
    "too narrow": (line((0, -20), (15, -20), (15, 0)), "the ball cannot enter"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_drawing_that_shows_no_hollow_has_its_line(tmp_path, name):
    draw, words = BAD[name]
    drawing = ezdxf.new(units=4)
    draw(drawing.modelspace())
    drawing.saveas(tmp_path / "bad.dxf")
    file = tmp_path / "bad.yaml"
    file.write_text("extends: macau-boule\nname: bad\nmachine:\n  hollow:\n    profile: {dxf: bad.dxf}\n")
    with pytest.raises(BadInput) as caught:
        load_scenario(file)
    (fault,) = caught.value.faults
    assert words in str(fault)
    assert fault.mark.line == 5
    assert "\n" not in str(fault)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "no such file"),
        (b"hello", "cannot be read as a DXF"),
        (b"\x00\xff" * 99, "cannot be read as a DXF"),
    ],
)
def test_a_file_that_is_no_drawing(tmp_path, content, words):
    if content is not None:
        (tmp_path / "bad.dxf").write_bytes(content)
    with pytest.raises(BadInput, match=words):
        load_scenario("macau-boule", [f"machine.hollow={{profile: {{dxf: {tmp_path}/bad.dxf}}}}"])


def test_a_drawing_without_a_unit(tmp_path):
    drawing = ezdxf.new(units=0)
    line((0, -9), (30, 0))(drawing.modelspace())
    drawing.saveas(tmp_path / "bad.dxf")
    with pytest.raises(BadInput, match="does not say its unit"):
        load_scenario("macau-boule", [f"machine.hollow={{profile: {{dxf: {tmp_path}/bad.dxf}}}}"])


def test_chords_lie_as_near_as_asked():
    pieces = contour(load_scenario("macau-boule").machine.hollow)
    assert len(flattened(pieces, 1e-6)) > 2 * len(flattened(pieces, 1e-5))


@pytest.mark.parametrize("name", ["macau-boule", "roda-da-sorte"])
def test_pictures_are_drawn_and_repeat(name):
    scenario = load_scenario(name)
    svg = picture(scenario, ".svg")
    assert svg == picture(scenario, ".svg")
    assert svg.startswith(b"<?xml")
    assert len(svg) > 20_000
    assert picture(scenario, ".png").startswith(b"\x89PNG")
