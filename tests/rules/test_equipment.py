import pytest

from sim.documents.faults import Mark
from sim.rules.equipment import check_dimensions, check_ring
from sim.rules.library import load
from tests.rules.spins import MACAU_RING, RODA_RING, SPANISH_RING, macau, roda, spanish

HERE = Mark("machine.yaml", 34, 3)


def messages(rulebook, ring):
    faults = check_ring(rulebook, ring, HERE)
    assert {fault.mark for fault in faults} <= {HERE}
    return [fault.message for fault in faults]


@pytest.mark.article("MB-04", "MB-05", "MB-06", "SB-03", "RS-02", "RS-03")
def test_sound_rings():
    assert messages(macau(), MACAU_RING) == []
    assert messages(macau(), MACAU_RING[7:] + MACAU_RING[:7]) == []
    assert messages(spanish(), SPANISH_RING) == []
    assert messages(roda(), RODA_RING) == []
    assert messages(load("cells:25"), MACAU_RING) == []


@pytest.mark.article("SB-03")
def test_nine_eighteen_or_36_holes():
    assert messages(spanish(), SPANISH_RING[:9]) == []
    assert messages(spanish(), SPANISH_RING * 2) == []
    assert messages(spanish(), SPANISH_RING[:9] * 3) == [
        "es-boule-1979 wants 18 or 9 or 36 cells (SB-03); given 27"
    ]


@pytest.mark.article("MB-04")
def test_exactly_25_hollows():
    assert messages(macau(), MACAU_RING[:-1]) == ["macau-boule-1979 wants 25 cells (MB-04); given 24"]
    assert "given 24" in messages(load("cells:25"), MACAU_RING[:-1])[0]


@pytest.mark.article("MB-05")
def test_each_number_once_and_a_star():
    twice = messages(macau(), ("star", "2", *MACAU_RING[2:]))
    assert twice == [
        "symbol 1 must stand once (MB-06); given 0 times",
        "symbol 2 must stand once (MB-06); given 2 times",
    ]
    unknown = messages(macau(), ("moon", *MACAU_RING[1:]))
    assert "given moon" in unknown[0]
    assert unknown[1] == "symbol star must stand once (MB-05); given 0 times"


@pytest.mark.article("MB-06")
def test_red_and_black_take_turns_also_across_the_star():
    ring = ["star", "2", "1", *MACAU_RING[3:]]
    assert messages(macau(), ring) == [
        "red and black must alternate (MB-06); 1 and 3 stand next to each other, both red",
        "red and black must alternate (MB-06); 24 and 2 stand next to each other, both black",
    ]


@pytest.mark.article("RS-03")
def test_sections_of_every_class():
    assert messages(roda(), ("A",) * 25 + RODA_RING[25:])


@pytest.mark.article("SB-02", "RS-01")
def test_lengths():
    plate = {"plate diameter": 1.5, "frame side": 1.85, "plate thickness": 0.1}
    assert check_dimensions(spanish(), plate, HERE) == []
    (fault,) = check_dimensions(spanish(), plate | {"frame side": 1.88}, HERE)
    assert (fault.field, fault.message) == ("frame side", "must be 1.85 m (SB-02); given 1.88 m")
    assert check_dimensions(roda(), {"wheel diameter": 1.8}, HERE) == []
    (fault,) = check_dimensions(roda(), {"wheel diameter": 1.49}, HERE)
    assert fault.message == "must be at least 1.5 m (RS-01); given 1.49 m"
