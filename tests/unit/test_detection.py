"""Whether a test's place is the right one, as the detection matrix counts it."""

import pytest

from docs.blocks import TRUTHS, Truth, _right
from docs.pools import MACHINES, scenarios
from sim.inspection.board import board
from sim.inspection.result import Result
from sim.rules.library import load

MACAU = load("macau-boule-1979")
BOARD = board(MACAU, ring=["star", *map(str, range(1, 25))], holes=25)


@pytest.mark.parametrize(
    ("test", "where", "right"),
    [
        ("F1.largest", "7", True),
        ("F1.largest", "8", False),
        ("F1.range", "3 and 7", True),
        ("F1.range", "3 and 8", False),
        ("F2.scan", "6 to 9", True),
        ("F2.scan", "24 to 7", True),
        ("F2.scan", "8 to 6", False),
        ("F2.harmonic", "crest at 5 +- 1.2 pockets", True),
        ("F2.harmonic", "crest at 15", False),
        ("F2.kuiper", None, None),
        ("F6.ball_dir", "ccw of 2 groups", None),
    ],
)
def test_of_hollow_seven(test: str, where: str | None, right: bool | None) -> None:
    assert _right(Result(test, 100, where=where), Truth((7,)), BOARD) is right


@pytest.mark.parametrize(("where", "right"), [("at 355 deg +- 9 deg", True), ("at 40 deg", False)])
def test_of_an_azimuth(where: str, right: bool) -> None:
    assert _right(Result("F4.harmonic", 100, where=where), Truth(azimuth=10.0), BOARD) is right
    assert _right(Result("F4.harmonic", 100, where=where), None, BOARD) is None


def test_every_truth_is_of_a_fault_file_and_every_fault_has_a_pool() -> None:
    assert set(TRUTHS) < set(scenarios())
    assert set(MACHINES) < set(scenarios())
    assert len(scenarios()) >= 26 + len(MACHINES)
