"""The form that an inspector fills in: who, what, when, with what, and what was found by hand."""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from math import degrees, pi, tan
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainValidator, model_validator

from sim.documents.document import Document, Path, near, shown
from sim.documents.faults import BadInput, Fault
from sim.documents.reading import load_document
from sim.documents.resources import shipped
from sim.documents.units import GRADIENT, METRE, RADIAN, Powers, parse_quantity
from sim.documents.validation import validate
from sim.rules.rulebook import Rulebook
from sim.scenario.model import Model as Strict
from sim.spinlog.log import Input

LONGEST = 600
STEEPEST = pi / 6
_CELSIUS = re.compile(r"(-?[0-9]{1,3}(?:\.[0-9]{1,3})?)\s*(?:°C|degC)")
_STIFFNESS: Powers = (("kilogram", 1), ("meter", 2), ("radian", -1), ("second", -2))


@dataclass(frozen=True, slots=True)
class Measured:
    """A quantity: its value in SI (of a slope its tangent), and as the inspector wrote it."""

    value: float
    text: str

    def __str__(self) -> str:
        return self.text


def _word(given: Any) -> Any:
    if isinstance(given, bool | int | float):
        raise ValueError(f"must be text in quotes, lest leading zeros are lost; given {shown(given)}")
    if isinstance(given, str) and len(given) > LONGEST:
        raise ValueError(f"must have at most {LONGEST} characters; given {len(given)}")
    return given


def _moment(given: Any) -> Any:
    given = _word(given)
    if not isinstance(given, str):
        return given
    try:
        datetime.fromisoformat(given)
    except ValueError:
        message = f"must be a day, with or without its time, such as 2026-11-28 09:30; given {shown(given)}"
        raise ValueError(message) from None
    return given


def _measured(name: str, example: str, *powers: Powers) -> Callable[[Any], Measured]:
    def convert(given: Any) -> Measured:
        return Measured(parse_quantity(given, name, powers, example)[0], given.strip())

    return convert


def _slope(given: Any) -> Measured:
    value, powers = parse_quantity(given, "a slope", (GRADIENT, RADIAN), "0.1 mm/m")
    if abs(value) > STEEPEST:
        raise ValueError(f"must be less than {degrees(STEEPEST):.0f} deg from level; given {shown(given)}")
    return Measured(tan(value) if powers == RADIAN else value, given.strip())


def _temperature(given: Any) -> Measured:
    match = _CELSIUS.fullmatch(given.strip()) if isinstance(given, str) else None
    if match is None:
        raise ValueError(f"must be a temperature in degrees Celsius, such as 22.5 degC; given {shown(given)}")
    return Measured(float(match[1]) + 273.15, f"{match[1]} °C")


Word = Annotated[str | None, BeforeValidator(_word)]
Moment = Annotated[str | None, BeforeValidator(_moment)]
Length = Annotated[Measured | None, PlainValidator(_measured("a length", "61.5 mm", METRE))]
Mass = Annotated[Measured | None, PlainValidator(_measured("a mass", "110 g", (("kilogram", 1),)))]
Angle = Annotated[Measured | None, PlainValidator(_measured("an angle", "0.05 deg", RADIAN))]
Slope = Annotated[Measured | None, PlainValidator(_slope)]
Humidity = Annotated[Measured | None, PlainValidator(_measured("a share", "45 %", GRADIENT))]
Stiffness = Annotated[
    Measured | None, PlainValidator(_measured("a torsional stiffness", "0.6 N m/rad", _STIFFNESS))
]
Sensitivity = Annotated[
    Measured | None,
    PlainValidator(
        _measured("a length, slope, angle or mass", "0.02 mm/m", GRADIENT, RADIAN, METRE, (("kilogram", 1),))
    ),
]
Temperature = Annotated[Measured | None, PlainValidator(_temperature)]
Done = Literal["pass", "fail", "not done"] | None
Judged = Literal["pass", "fail", "not assessable"]


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


class Model(Strict):
    """A part of the form; a field left empty is as one left out."""

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in given.items()
            if name not in cls.model_fields or not _is_empty(value)
        }


class Head(Model):
    """The report itself."""

    id: Word = None
    issued: Moment = None


class Body(Model):
    """Who issues the report."""

    name: Word = None
    address: Word = None
    accreditation: Word = None
    client: Word = None


class Item(Model):
    """What was inspected."""

    description: Word = None
    maker: Word = None
    model: Word = None
    serial: Word = None
    table: Word = None
    place: Word = None


class Occasion(Model):
    """When, why and how."""

    begun: Moment = None
    ended: Moment = None
    reason: Word = None
    procedure: Word = None
    omitted: Word = None
    subcontracted: Word = None
    temperature: Temperature = None
    humidity: Humidity = None


class Person(Model):
    """Somebody who signs."""

    name: Word = None
    role: Word = None
    licence: Word = None


class Instrument(Model):
    """What was measured with."""

    name: Word = None
    id: Word = None
    sensitivity: Sensitivity = None
    calibrated: Moment = None
    due: Moment = None
    certificate: Word = None

    @property
    def finest_slope(self) -> float | None:
        """Sensitivity of what measures slopes, a tangent; None of anything else."""
        with suppress(ValueError):
            return _slope(self.sensitivity.text).value if self.sensitivity else None
        return None


class Check(Model):
    """One check by hand."""

    result: Done = None
    remark: Word = None


class Checks(Model):
    """What statutes ask for before a table opens."""

    no_magnet: Check = Check()
    level: Check = Check()
    free_rotation: Check = Check()
    parts_secure: Check = Check()
    ball_not_magnetic: Check = Check()
    layout_matches: Check = Check()
    pegs: Check = Check()
    pointer: Check = Check()
    nothing_behind: Check = Check()
    no_reverse_rotation: Check = Check()


CHECKS = {
    "no_magnet": "No magnet or other contrivance",
    "level": "Level, by instrument",
    "free_rotation": "Rotates freely and evenly",
    "parts_secure": "All parts secure and free from movement",
    "ball_not_magnetic": "Ball passed over a magnet or compass",
    "layout_matches": "Layout matches the wheel or plate",
    "pegs": "Pegs without uneven wear",
    "pointer": "Pointer or clapper without uneven wear",
    "nothing_behind": "No foreign matter on the back of the wheel",
    "no_reverse_rotation": "No reverse rotation, by 45 to 90 deg at a time, both ways",
}


class Reading(Model):
    """A spirit level laid at an azimuth of the ball track; a reading is positive when the table rises.

    towards: the azimuth to which it then rises; outwards by default. reversed: with the instrument turned end for end,
    in the same sense: half the difference is the instrument's own error.
    """

    azimuth: Angle = None
    towards: Angle = None
    reading: Slope = None
    reversed: Slope = None
    instrument: Word = None


class LevelFound(Model):
    """How the table stands. low_side: lab azimuth of the downhill direction."""

    tilt: Slope = None
    low_side: Angle = None
    uncertainty: Slope = None
    readings: tuple[Reading, ...] = ()


class Peg(Model):
    """One peg, counted from 0 at the zero mark."""

    peg: Annotated[int, Field(ge=0)]
    angle_error: Angle = None
    wear: Length = None
    remark: Word = None


class Pointer(Model):
    """The pointer or clapper of a wheel."""

    wear: Length = None
    stiffness: Stiffness = None
    remark: Word = None


class Balance(Model):
    """One step of the static balance test: let go at an angle, it turned by itself."""

    direction: Literal["clockwise", "counter-clockwise"]
    at: Angle = None
    turned: Angle = None
    remark: Word = None


class BallFound(Model):
    """One ball."""

    id: Word = None
    diameter: Length = None
    out_of_round: Length = None
    mass: Mass = None
    remark: Word = None


class Size(Model):
    """A length that the rulebook fixes, by its name there."""

    of: Annotated[str, BeforeValidator(_word)]
    measured: Length = None
    uncertainty: Length = None


class Judgement(Model):
    """What the inspector finds of one rule."""

    result: Judged
    remark: Word = None


class Adjustment(Model):
    """A part adjusted or replaced."""

    time: Moment = None
    part: Word = None
    change: Word = None
    by: Word = None
    reinspected: bool | None = None


class Form(Model):
    """All that an inspector fills in; every field may be left empty, and the report then says so."""

    report: Head = Head()
    body: Body = Body()
    item: Item = Item()
    inspection: Occasion = Occasion()
    inspector: Person = Person()
    witness: Person = Person()
    approval: Person = Person()
    instruments: Annotated[tuple[Instrument, ...], Field(max_length=50)] = ()
    checks: Checks = Checks()
    level: LevelFound = LevelFound()
    pegs: Annotated[tuple[Peg, ...], Field(max_length=400)] = ()
    pointer: Pointer = Pointer()
    balance: Annotated[tuple[Balance, ...], Field(max_length=100)] = ()
    balls: Annotated[tuple[BallFound, ...], Field(max_length=50)] = ()
    dimensions: Annotated[tuple[Size, ...], Field(max_length=50)] = ()
    rules: dict[str, Judgement] = Field(default_factory=dict)
    adjustments: Annotated[tuple[Adjustment, ...], Field(max_length=100)] = ()
    conformity: Word = None
    remarks: Word = None


def load_form(path: FilePath, rulebook: Rulebook) -> tuple[Form, Input]:
    """Read a form, and what it was read from.

    Raises BadInput with every fault of form at once, or else with every contradiction: a rule or a length that the
    rulebook does not have, an end before its beginning.
    """
    document = load_document(path)
    form = validate(document, Form)
    faults = list(_contradictions(form, document, rulebook))
    if faults:
        raise BadInput(faults)
    content = document.text.encode()
    return form, Input(document.label, hashlib.sha256(content).hexdigest(), len(content))


def _contradictions(form: Form, document: Document, rulebook: Rulebook) -> Iterator[Fault]:
    for rule in form.rules:
        if rule not in rulebook.articles:
            known = tuple(rulebook.articles)
            allowed = f"allowed: {', '.join(known)}" if known else f"{rulebook.id} has none"
            yield document.fault(
                ("rules", rule), f"no rule of {rulebook.id}; {allowed}{near(rule, known)}", key=True
            )
    lengths = [each.of for each in rulebook.dimensions]
    for index, size in enumerate(form.dimensions):
        if size.of not in lengths:
            allowed = ", ".join(lengths) or "none"
            path: Path = ("dimensions", index, "of")
            yield document.fault(
                path, f"no length that {rulebook.id} fixes; allowed: {allowed}; given {shown(size.of)}"
            )
    for earlier, later in (
        (("inspection", "begun"), ("inspection", "ended")),
        (("inspection", "ended"), ("report", "issued")),
        (("inspection", "begun"), ("report", "issued")),
    ):
        one, two = document.get(earlier), document.get(later)
        if one and two and _is_before(two, one):
            message = f"must not come before {'.'.join(earlier)}, {shown(one)}; given {shown(two)}"
            yield document.fault(later, message)
    pegs = [each.peg for each in form.pegs]
    for index, peg in enumerate(pegs):
        if peg in pegs[:index]:
            yield document.fault(("pegs", index, "peg"), f"given twice; each peg once; given {peg}")


def _is_before(moment: str, other: str) -> bool:
    """Whether an ISO 8601 moment is earlier; by the day where one has no time."""
    size = 16 if min(len(moment), len(other)) >= 16 else 10
    return moment[:size].replace("T", " ") < other[:size].replace("T", " ")


def template(rulebook: Rulebook | None) -> str:
    """Return an empty form with its explanations, and the rules of a rulebook to be judged."""
    text = (shipped("assets/report") / "inspection-form.yaml").read_text(encoding="utf-8")
    if rulebook is None or not rulebook.articles:
        return text
    lines = ["", f"# The rules of {rulebook.id}. Take the # away where you judged one."]
    lines += ["# result: pass, fail or not assessable", "rules:"]
    for name, article in rulebook.articles.items():
        rule = " ".join(article.rule.split())
        lines += [f"  # {article.at}: {rule}", f'  # {name}: {{result: , remark: ""}}']
    return text + "\n".join(lines) + "\n"
