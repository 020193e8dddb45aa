"""Quantities: text with a unit in a document, SI floats in the program.

Each type below is a float that a document writes as NUMBER UNIT (``61.5 mm``, ``0.2 deg``, ``80 rpm``).
Pint knows the units; it is asked for the factor of a unit only, never to evaluate a text. Decimal arithmetic
gives ``61.5 mm``, ``6.15 cm`` and ``0.0615 m`` the same float.
"""

import math
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator

from sim.documents.document import shown

if TYPE_CHECKING:
    from pint import UnitRegistry

Powers = tuple[tuple[str, float], ...]

_NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?"
_FACTOR = r"[A-Za-zµμ°%]{1,30}(?:(?:\^|\*\*)-?[1-9])?"
_NAME = re.compile(r"[A-Za-zµμ°%]+")
_UNIT = re.compile(rf"(?:1/)?{_FACTOR}(?:[*/]{_FACTOR}){{0,5}}")
_QUANTITY = re.compile(rf"({_NUMBER})\s*(.*)", re.DOTALL)
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+.*", re.DOTALL)
_NOT_FINITE = re.compile(r"[-+]?\.?(nan|inf|infinity)\b.*", re.IGNORECASE | re.DOTALL)
_MAX_LENGTH = 80


def parse_quantity(given: Any, name: str, powers: tuple[Powers, ...], example: str) -> tuple[float, Powers]:
    """SI value of NUMBER UNIT, and the base units that its unit is made of.

    name: what is measured. powers: the products of base units that are allowed. example: a right text.
    Raises ValueError in the words of a fault.
    """
    want = f"{name} with its unit, such as {example}"
    if isinstance(given, int | float) and not isinstance(given, bool):
        raise ValueError(f"a unit is missing; allowed: {want}; given {shown(given)}")
    if not isinstance(given, str):
        raise ValueError(f"must be {want}; given {shown(given)}")
    text = given.strip()
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(f"must be a finite number and its unit, such as {example}; given {shown(given)}")
    if _DECIMAL_COMMA.fullmatch(text):
        raise ValueError(f"a decimal comma; write a decimal point, such as {example}; given {shown(given)}")
    match = _QUANTITY.fullmatch(text)
    if match is None or len(text) > _MAX_LENGTH:
        raise ValueError(f"must be {want}; given {shown(given)}")
    number, unit = match[1], match[2]
    if not unit:
        raise ValueError(f"a unit is missing; allowed: {want}; given {shown(given)}")
    factor, found = _unit(unit, given, want)
    if found not in powers:
        raise ValueError(f"measures {_in_words(found)}, not {name}; allowed: {want}; given {shown(given)}")
    return _finite(number, factor, given), found


def _finite(number: str, factor: Decimal, given: str) -> float:
    try:
        value = float(Decimal(number) * factor)
    except (InvalidOperation, OverflowError):
        value = math.inf
    if not math.isfinite(value):
        raise ValueError(f"too large a number; given {shown(given)}")
    return value


def _unit(unit: str, given: str, want: str) -> tuple[Decimal, Powers]:
    """Factor to SI of a unit, and its powers of base units."""
    text = unit.replace("²", "^2").replace("³", "^3").replace("·", "*")
    text = re.sub(r"\s*([*/^])\s*", r"\1", text)
    text = re.sub(r"\s+", "*", text)
    if not _UNIT.fullmatch(text):
        raise ValueError(f"{unit!r} is no unit; allowed: {want}; given {shown(given)}")
    if text in ("Hz", "kHz"):
        raise ValueError(
            f"{unit} is ambiguous for what turns; write rpm, turn/s or rad/s; given {shown(given)}"
        )
    import pint

    registry = _registry()
    try:
        parsed = registry.parse_units(text)
        factor, base = registry.get_base_units(parsed)
        of_gradient = all(_is_of_gradient(registry, name) for name in _NAME.findall(text))
    except (pint.PintError, AttributeError, ValueError, ArithmeticError):
        raise ValueError(f"unknown unit {unit!r}; allowed: {want}; given {shown(given)}") from None
    powers = tuple(sorted((str(each), float(str(power))) for each, power in base._units.items()))
    if not powers and not of_gradient:
        raise ValueError(f"{unit!r} measures nothing here; allowed: {want}; given {shown(given)}")
    return Decimal(str(factor)), powers


def _is_of_gradient(registry: "UnitRegistry[Any]", name: str) -> bool:
    """Whether a unit is one of length, or a hundredth or thousandth part."""
    if name in ("%", "percent", "permille"):
        return True
    return dict(registry.get_base_units(registry.parse_units(name))[1]._units) == {"meter": 1}


@cache
def _registry() -> "UnitRegistry[Any]":
    from pint import UnitRegistry

    return UnitRegistry(non_int_type=Decimal, autoconvert_offset_to_baseunit=False)


METRE: Powers = (("meter", 1),)
RADIAN: Powers = (("radian", 1),)
GRADIENT: Powers = ()

_WORDS: dict[Powers, str] = {
    (): "a ratio or gradient",
    METRE: "a length",
    (("meter", 2),): "an area",
    (("meter", 3),): "a volume",
    RADIAN: "an angle",
    (("radian", -1),): "a rate per angle",
    (("second", 1),): "a duration",
    (("second", -1),): "a rate per time",
    (("radian", 1), ("second", -1)): "an angular speed",
    (("radian", 1), ("second", -2)): "an angular acceleration",
    (("meter", 1), ("second", -1)): "a speed",
    (("meter", 1), ("second", -2)): "an acceleration",
    (("kilogram", 1),): "a mass",
    (("kilogram", 1), ("meter", -3)): "a density",
    (("kelvin", 1),): "a temperature",
    (("kilogram", 1), ("meter", 2)): "a moment of inertia",
    (("kilogram", 1), ("meter", 2), ("second", -2)): "a torque",
    (("kilogram", 1), ("meter", 2), ("radian", -1), ("second", -2)): "a torsional stiffness",
    (("kilogram", 1), ("meter", 2), ("radian", -1), ("second", -1)): "a torsional damping",
}


def _in_words(powers: Powers) -> str:
    named = _WORDS.get(powers)
    return named or " ".join(f"{unit}^{power}" for unit, power in powers)


def quantity(name: str, example: str, *powers: Powers) -> Callable[[Any], float]:
    """A converter of texts to SI floats, for the annotation of a field; see `parse_quantity`."""

    def convert(given: Any) -> float:
        return parse_quantity(given, name, powers, example)[0]

    return convert


def _angle(given: Any) -> float:
    value, powers = parse_quantity(given, "an angle", (RADIAN, GRADIENT), "0.2 deg or 3 mm/m")
    return math.atan(value) if powers == GRADIENT else value


def _slope(given: Any) -> float:
    value, powers = parse_quantity(given, "a slope", (GRADIENT, RADIAN), "3 mm/m or 0.2 deg")
    if powers == GRADIENT:
        return value
    if abs(value) >= math.pi / 2:
        raise ValueError(f"a slope must be less than 90 deg; given {shown(given)}")
    return math.tan(value)


def _ratio(given: Any) -> float:
    if isinstance(given, str) and _DECIMAL_COMMA.fullmatch(given.strip()):
        raise ValueError(f"a decimal comma; write a decimal point, such as 0.5; given {shown(given)}")
    if isinstance(given, str) and _QUANTITY.fullmatch(given.strip()):
        raise ValueError(f"must be a bare number, without a unit or quotes; given {shown(given)}")
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise ValueError(f"must be a bare number, such as 0.5; given {shown(given)}")
    return float(given)


_PER_SECOND: Powers = (("second", -1),)

Length = Annotated[float, BeforeValidator(quantity("a length", "61.5 mm", METRE))]
"""m"""
Angle = Annotated[float, BeforeValidator(_angle)]
"""rad; a gradient such as ``3 mm/m`` is taken as the angle whose tangent it is"""
Slope = Annotated[float, BeforeValidator(_slope)]
"""tangent of an inclination, signed"""
AngularSpeed = Annotated[
    float,
    BeforeValidator(
        quantity("an angular speed", "80 rpm or 2.5 rad/s", (("radian", 1), ("second", -1)), _PER_SECOND)
    ),
]
"""rad/s"""
AngularAcceleration = Annotated[
    float,
    BeforeValidator(
        quantity(
            "an angular acceleration", "0.15 rad/s^2", (("radian", 1), ("second", -2)), (("second", -2),)
        )
    ),
]
"""rad/s^2"""
Speed = Annotated[float, BeforeValidator(quantity("a speed", "3.4 m/s", (("meter", 1), ("second", -1))))]
"""m/s"""
Mass = Annotated[float, BeforeValidator(quantity("a mass", "12 g", (("kilogram", 1),)))]
"""kg"""
Duration = Annotated[float, BeforeValidator(quantity("a duration", "0.5 ms", (("second", 1),)))]
"""s"""
Density = Annotated[
    float, BeforeValidator(quantity("a density", "1.2 kg/m^3", (("kilogram", 1), ("meter", -3))))
]
"""kg/m^3"""
Inertia = Annotated[
    float,
    BeforeValidator(quantity("a moment of inertia", "11 kg m^2", (("kilogram", 1), ("meter", 2)))),
]
"""kg m^2"""
Stiffness = Annotated[
    float,
    BeforeValidator(
        quantity(
            "a torsional stiffness",
            "0.6 N m/rad",
            (("kilogram", 1), ("meter", 2), ("radian", -1), ("second", -2)),
        )
    ),
]
"""N m/rad"""
Damping = Annotated[
    float,
    BeforeValidator(
        quantity(
            "a torsional damping",
            "0.002 N m s/rad",
            (("kilogram", 1), ("meter", 2), ("radian", -1), ("second", -1)),
        )
    ),
]
"""N m s/rad"""
PerTime = Annotated[float, BeforeValidator(quantity("a rate per time", "0.005 1/s", _PER_SECOND))]
"""1/s"""
PerAngle = Annotated[float, BeforeValidator(quantity("a rate per angle", "0.012 1/rad", (("radian", -1),)))]
"""1/rad"""
Ratio = Annotated[float, BeforeValidator(_ratio)]
"""a bare number"""
