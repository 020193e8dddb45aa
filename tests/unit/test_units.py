"""Quantities become SI floats, or a fault that says what would be right."""

import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from sim.documents import units


def si(of: Any, text: object) -> float:
    value = TypeAdapter(of).validate_python(text)
    assert isinstance(value, float)
    return value


@pytest.mark.parametrize(
    ("of", "text", "value"),
    [
        (units.Length, "61.5 mm", 0.0615),
        (units.Length, "6.15cm", 0.0615),
        (units.Length, "615e-4 m", 0.0615),
        (units.Length, "2 in", 0.0508),
        (units.Length, "5 µm", 5e-6),
        (units.Angle, "0.2 deg", math.radians(0.2)),
        (units.Angle, "14°", math.radians(14)),
        (units.Angle, "1 turn", 2 * math.pi),
        (units.Angle, "3 mm/m", math.atan(0.003)),
        (units.Slope, "3 mm/m", 0.003),
        (units.Slope, "-0.3 %", -0.003),
        (units.Slope, "45 deg", math.tan(math.pi / 4)),
        (units.AngularSpeed, "80 rpm", 80 * 2 * math.pi / 60),
        (units.AngularSpeed, "5 1/s", 5.0),
        (units.AngularSpeed, "1 turn/s", 2 * math.pi),
        (units.AngularAcceleration, "0.15 rad/s^2", 0.15),
        (units.AngularAcceleration, "180 deg/s²", math.pi),
        (units.AngularAcceleration, "180 deg/s**2", math.pi),
        (units.Speed, "3.6 km/h", 1.0),
        (units.Mass, "12 g", 0.012),
        (units.Density, "1.2 kg/m^3", 1.2),
        (units.Density, "1.2 g/cm^3", 1200.0),
        (units.Duration, "0.5 ms", 0.0005),
        (units.PerTime, "0.6 1/min", 0.01),
        (units.PerAngle, "0.012 1/rad", 0.012),
        (units.PerAngle, "1 1/turn", 1 / (2 * math.pi)),
        (units.Inertia, "11 kg m^2", 11.0),
        (units.Inertia, "110000 kg·cm²", 11.0),
        (units.Stiffness, "0.6 N m/rad", 0.6),
        (units.Stiffness, "600 N*mm/rad", 0.6),
        (units.Damping, "0.002 N m s/rad", 0.002),
        (units.Ratio, 0.5, 0.5),
        (units.Ratio, 1, 1.0),
    ],
)
def test_si_value(of: Any, text: object, value: float) -> None:
    assert si(of, text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("of", "text", "words"),
    [
        (units.Length, 5, "a unit is missing"),
        (units.Length, "5", "such as 61.5 mm"),
        (units.Length, True, "must be a length"),
        (units.Length, None, "given nothing"),
        (units.Length, "mm", "must be a length"),
        (units.Length, "5 kg", "measures a mass, not a length"),
        (units.Length, "5 m^2", "an area"),
        (units.Length, "5 degC", "a temperature"),
        (units.Length, "5 dB", "measures nothing here"),
        (units.Length, "61,5 mm", "decimal comma"),
        (units.Length, "nan m", "finite"),
        (units.Length, "-inf m", "finite"),
        (units.Length, "1e308 km", "too large"),
        (units.Length, "9**9**9 m", "is no unit"),
        (units.Length, "1 m*(2)", "is no unit"),
        (units.Length, "1 __import__('os')", "is no unit"),
        (units.Length, "٣ mm", "must be a length"),
        (units.Length, "1 " + "m*" * 60 + "m", "must be a length"),
        (units.Angle, "5 1/s", "a rate per time, not an angle"),
        (units.Angle, "1 1/rad", "a rate per angle, not an angle"),
        (units.PerAngle, "5 deg", "an angle, not a rate per angle"),
        (units.PerTime, "1 rad/s", "an angular speed, not a rate per time"),
        (units.AngularSpeed, "2 Hz", "ambiguous"),
        (units.Speed, "3 rad/s", "an angular speed, not a speed"),
        (units.Slope, "90 deg", "less than 90 deg"),
        (units.Ratio, "0.5 m", "bare number"),
        (units.Ratio, "0,5", "decimal comma"),
        (units.Ratio, "0.5", "without a unit or quotes"),
        (units.Ratio, True, "bare number"),
    ],
)
def test_refusal(of: Any, text: object, words: str) -> None:
    with pytest.raises(ValidationError, match=words.replace("*", r"\*")):
        si(of, text)


@given(st.decimals(min_value=-10_000, max_value=10_000, places=4))
def test_the_spelling_of_a_length_does_not_change_its_float(metres: Any) -> None:
    spelled = (f"{metres} m", f"{metres * 1000} mm", f"{metres * 100} cm", f"{metres}e0m")
    assert {si(units.Length, text) for text in spelled} == {float(metres)}


@given(st.text(max_size=30))
def test_any_text_is_a_length_or_refused(text: str) -> None:
    try:
        assert math.isfinite(si(units.Length, text))
    except ValidationError as error:
        assert error.errors()[0]["type"] == "value_error"


@example("0 AA/AA")
@given(st.from_regex(r"[0-9]{1,3} [A-Za-z%]{1,8}([*/][A-Za-z]{1,5})?(\^-?[0-9])?", fullmatch=True))
def test_any_unit_is_known_or_refused(text: str) -> None:
    for of in (units.Length, units.Angle, units.AngularSpeed):
        try:
            assert math.isfinite(si(of, text))
        except ValidationError as error:
            assert error.errors()[0]["type"] == "value_error"
