"""Where a curve crosses a bound, and what it says of hiding."""

from math import inf

import pytest

from sim.design.tilt_curve import Point, Size, crossing, hides
from sim.scenario import load_scenario


def point(
    tilt: float, holes: float, drops: float, bits: float, *, p: tuple[float, float] = (0.5, 0.5)
) -> Point:
    sized = [Size(value, value - 0.1, value + 0.1) for value in (holes, drops, bits)]
    counted, dropped = (
        Size(each.value, each.low, each.high, chance) for each, chance in zip(sized, p, strict=False)
    )
    return Point(tilt, 1000, counted, None, dropped, sized[2])


CURVE = [point(0.0, 0.0, 0.0, 0.9), point(1.0, 0.0, 0.4, 0.5), point(2.0, 0.0, 0.8, 0.1, p=(0.5, 1e-9))]


def test_a_rise_and_a_fall_are_crossed_where_they_are() -> None:
    rise, fall = crossing(CURVE, "F4", 0.6), crossing(CURVE, "F5", 0.3)
    assert (rise.falls, fall.falls) == (False, True)
    assert (rise.earliest, rise.tilt, rise.latest) == pytest.approx((1.25, 1.5, 1.75))
    assert (fall.earliest, fall.tilt, fall.latest) == pytest.approx((1.25, 1.5, 1.75))


def test_what_is_never_crossed_is_none() -> None:
    found = crossing(CURVE, "F1", 0.05)
    assert found.tilt is None
    assert found.latest is None
    assert found.earliest == 0.0
    assert crossing(CURVE, "F4", inf).earliest is None


def test_hiding_is_read_off_the_curve() -> None:
    turning, fixed = load_scenario("macau-boule"), load_scenario("spanish-boule")
    assert "hides tilt" in hides(CURVE, turning)[0]
    assert "the plate turns" in " ".join(hides(CURVE, turning))
    assert "forgets" in " ".join(hides(CURVE, fixed))
    counted = [*CURVE[:2], point(2.0, 0.5, 0.8, 0.1, p=(1e-9, 1e-9))]
    assert "shows tilt" in hides(counted, turning)[0]
    assert "neither" in hides(CURVE[:2], turning)[0]
