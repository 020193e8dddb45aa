"""The trace file: what is written is read back, and every broken line is named."""

import hashlib
import warnings
from pathlib import Path

import numpy as np
import pytest

from sim.documents.faults import BadInput
from sim.landing import COLUMNS
from sim.report.trace import Hollow, Moment, Plan, TraceHeader, format_trace, parse_trace, read_trace
from sim.report.trajectory import draw, to_plate_frame

PLAN = Plan(
    circles=[0.425, 0.31, 0.25],
    ball_radius=0.025,
    hollows=[
        Hollow(x=0.28, y=0.0, radius=0.03, symbol="star", colour="white"),
        Hollow(x=0.0, y=0.28, radius=0.03, symbol="1", colour="red"),
        Hollow(x=-0.28, y=0.0, radius=0.03, symbol="2", colour="black"),
    ],
)
HEADER = TraceHeader(
    scenario="macau-boule",
    sha256="ab" * 32,
    seed=1979,
    index=0,
    plan=PLAN,
    events=[
        Moment(time_s=1.0, kind="rim_exit"),
        Moment(time_s=1.5, kind="band"),
        Moment(time_s=2.0, kind="rest"),
    ],
)


def rows() -> np.ndarray:
    time = np.linspace(0, 2, 101)
    moments = np.zeros((101, 11))
    moments[:, 0] = time
    moments[:, 1], moments[:, 2] = 0.4 * np.cos(-5 * time), 0.4 * np.sin(-5 * time)
    moments[:, 3] = 0.05
    moments[:, 4] = 2.5 * time
    return moments


def faults_of(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(BadInput) as caught:
        parse_trace(text, "t.csv")
    return [(fault.mark.line, fault.mark.column, fault.field) for fault in caught.value.faults]


def test_what_is_written_is_read_back() -> None:
    header, moments = parse_trace(format_trace(HEADER, rows()), "t.csv")
    assert header == HEADER
    np.testing.assert_allclose(moments, rows(), rtol=1e-8, atol=1e-12)


def test_other_readers_of_csv_see_the_columns() -> None:
    lines = format_trace(HEADER, rows()).splitlines()
    assert lines[0].startswith("# ")
    assert lines[1] == "time_s,x_m,y_m,z_m,plate_rad,vx,vy,vz,wx,wy,wz"


def test_every_broken_line_is_named_with_its_place() -> None:
    lines = format_trace(HEADER, rows()).splitlines()
    lines[4] = lines[4].replace(",", ",x,", 1)
    lines[6] = "nan" + lines[6][lines[6].index(",") :]
    lines[8] = lines[3]
    cells = lines[10].split(",")
    cells[2] = "oops"
    lines[10] = ",".join(cells)
    column = len(cells[0]) + len(cells[1]) + 3
    assert faults_of("\n".join(lines)) == [
        (5, 1, "row"),
        (7, 1, "time_s"),
        (9, 1, "time_s"),
        (11, column, "y_m"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(1, 1, "header"), (2, 1, "columns")]),
        ("time_s\n1\n", [(1, 1, "header"), (2, 1, "columns")]),
        (f"# {{}}\n{','.join(COLUMNS)}\n", [(1, 1, field) for field in ("events", "index", "plan")]),
        ("# {\n" + ",".join(COLUMNS), [(1, 1, "header")]),
    ],
)
def test_a_broken_header_is_named(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert set(expected) <= set(faults_of(text))


def test_too_few_moments_are_refused() -> None:
    assert faults_of(format_trace(HEADER, rows()[:1])) == [(3, 1, "rows")]


@pytest.mark.parametrize("wrong", [{"circles": [0.4, -0.3]}, {"ball_radius": "2 mm"}, {"circles": []}])
def test_a_plan_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    header = HEADER.model_copy(update={"plan": PLAN.model_copy(update=wrong)})
    with warnings.catch_warnings(action="ignore"):
        text = format_trace(header, rows())
    assert [field.split(".")[:2] for _, _, field in faults_of(text)] == [["plan", *wrong]]


def test_a_trace_that_was_cut_short_is_refused() -> None:
    lines = format_trace(HEADER, rows()).splitlines(keepends=True)
    assert faults_of("".join(lines[:60])) == [(60, 1, "rows")]


@pytest.mark.parametrize("value", ["nan", "-inf", "1e308", "1e400", "-2e9", "", "0x1", "a\0"])
def test_a_number_that_cannot_be_is_named_at_its_cell(value: str) -> None:
    lines = format_trace(HEADER, rows()).splitlines()
    cells = lines[7].split(",")
    cells[3] = value
    lines[7] = ",".join(cells)
    assert faults_of("\n".join(lines)) == [(8, len(",".join(cells[:3])) + 2, "z_m")]


def test_a_trace_without_duration_is_refused() -> None:
    still = np.tile(rows()[-1], (5, 1))
    assert faults_of(format_trace(HEADER, still)) == [(7, 1, "rows")]


def test_windows_editors_leave_a_trace_readable(tmp_path: Path) -> None:
    header = HEADER.model_copy(update={"scenario": "a\u2028b\x85"})
    text = format_trace(header, rows())
    (tmp_path / "t.csv").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    read, moments = read_trace(tmp_path / "t.csv")
    assert read == header
    assert len(moments) == 101


@pytest.mark.parametrize("content", [b"", b"\0" * 99, b"\xff\xfe#\0", b"\n" * 99, b"# " + b"[" * 99_999])
def test_what_is_no_trace_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(BadInput):
        read_trace(tmp_path / "t.csv")


@pytest.mark.filterwarnings("error")
def test_words_without_glyphs_and_a_hollow_on_the_axis_are_drawn_quietly() -> None:
    hollow = PLAN.hollows[0].model_copy(update={"symbol": "星", "x": 0.0, "y": 0.0})
    plan = PLAN.model_copy(update={"hollows": [hollow]})
    header = HEADER.model_copy(update={"scenario": "球\x07\n", "plan": plan})
    assert draw(header, rows(), ".png").startswith(b"\x89PNG")


def test_a_huge_broken_file_is_given_up_early() -> None:
    text = format_trace(HEADER, rows()).replace("0.05", "low")
    assert len(faults_of(text)) == 20


def test_plate_frame_holds_a_ball_that_rides_the_plate_still() -> None:
    moments = rows()
    moments[:, 1], moments[:, 2] = 0.28 * np.cos(moments[:, 4] + 1), 0.28 * np.sin(moments[:, 4] + 1)
    expected = np.tile(0.28 * np.array([np.cos(1), np.sin(1)]), (101, 1))
    np.testing.assert_allclose(to_plate_frame(moments), expected, atol=1e-12)


@pytest.mark.parametrize(("suffix", "magic"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_the_same_trace_gives_the_same_picture_and_another_gives_another(suffix: str, magic: bytes) -> None:
    first, again = draw(HEADER, rows(), suffix), draw(HEADER, rows(), suffix)
    moved = rows()
    moved[:, 1] *= 0.9
    assert first.startswith(magic)
    assert hashlib.sha256(first).digest() == hashlib.sha256(again).digest()
    assert draw(HEADER, moved, suffix) != first


def test_words_of_a_trace_are_text_not_formulas() -> None:
    hollow = PLAN.hollows[0].model_copy(update={"symbol": "$_"})
    plan = PLAN.model_copy(update={"hollows": [hollow]})
    header = HEADER.model_copy(update={"scenario": "$\\frac{", "plan": plan})
    assert draw(header, rows(), ".png").startswith(b"\x89PNG")
