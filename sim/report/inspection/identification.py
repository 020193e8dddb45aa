"""Sections that the form fills: who, what, when, with what; and what was found by hand."""

from collections.abc import Iterator
from math import atan, atan2, degrees, hypot, pi, tan

from sim.inspection.drop_zone import GATHERED, DropTilt
from sim.inspection.levelling import Levelling
from sim.inspection.tilt import DISAGREE
from sim.report.inspection.blocks import Block, Column, Facts, Table, Text
from sim.report.inspection.evidence import Evidence
from sim.report.inspection.form import CHECKS, Form, Model, Reading

PLATE_ONLY = ("ball_not_magnetic",)
WHEEL_ONLY = ("pegs", "pointer", "nothing_behind", "no_reverse_rotation")


def identification(evidence: Evidence) -> Iterator[Block]:
    """Who inspected what, when, where and with what."""
    form = evidence.form
    item, occasion, body = form.item, form.inspection, form.body
    begun, ended = evidence.days or (None, None)
    yield Facts(
        (
            ("Item", item.description or evidence.rulebook.title),
            ("Maker, model", _joined(item.maker, item.model)),
            ("Wheel or plate serial", item.serial or _logged(evidence, "wheel_serial")),
            ("Table", item.table or _logged(evidence, "table_id")),
            ("Place", item.place),
            ("Rulebook", f"{evidence.rulebook.id}: {evidence.rulebook.source}"),
        ),
        "Item inspected",
    )
    yield Facts(
        (
            ("Begun", occasion.begun),
            ("Ended", occasion.ended),
            ("Spins logged", f"{begun} to {ended}" if begun else None),
            ("Reason", occasion.reason),
            ("Procedure", occasion.procedure),
            ("Left out of it", occasion.omitted or "nothing stated"),
            ("Subcontracted", occasion.subcontracted or "nothing stated"),
            ("Temperature, humidity", _joined(occasion.temperature, occasion.humidity)),
        ),
        "Inspection",
    )
    yield Facts(
        (
            ("Issuing body", _joined(body.name, body.address)),
            ("Accreditation", body.accreditation or "none stated"),
            ("Client", body.client),
            ("Inspector", _joined(form.inspector.name, form.inspector.role)),
            ("Inspector's licence", form.inspector.licence),
            ("Witness", _joined(form.witness.name, form.witness.role, form.witness.licence)),
        ),
        "Persons and bodies",
    )
    yield Table(
        (
            Column("Instrument", 2),
            Column("Id", 1),
            Column("Sensitivity", 1.2),
            Column("Calibrated", 1.1),
            Column("Due", 1.1),
            Column("Certificate", 1.4),
        ),
        tuple(
            tuple(
                _cell(each)
                for each in (one.name, one.id, one.sensitivity, one.calibrated, one.due, one.certificate)
            )
            for one in form.instruments
        ),
        "Instruments",
        note="" if form.instruments else "No instrument is stated.",
    )
    for words in _disagreements(evidence):
        yield Text(words, "warning")


def by_hand(evidence: Evidence) -> Iterator[Block]:
    """Checks before opening, and measurements with their units."""
    form = evidence.form
    if form == Form():
        yield Text(
            "No form was given: nothing is stated of the checks before opening, nor of level, ball, pegs and pointer "
            "as measured.",
            "note",
        )
        yield from _drop_zone(evidence)
        return
    skipped = PLATE_ONLY if evidence.spins.pegged else WHEEL_ONLY
    rows = []
    for name, what in CHECKS.items():
        one = getattr(form.checks, name)
        if name not in skipped or one.result:
            rows.append((what, one.result or "not stated", one.remark or ""))
    columns = (Column("Check", 2.4), Column("Result", 0.8), Column("Remark", 2.2))
    failed = frozenset(index for index, row in enumerate(rows) if row[1] == "fail")
    yield Table(columns, tuple(rows), "Before opening", strong=failed)
    yield from _level(evidence)
    yield from _lists(form)


def _level(evidence: Evidence) -> Iterator[Block]:
    level = evidence.form.level
    if level.readings:
        columns = (
            Column("Azimuth", 0.9),
            Column("Rising towards", 1.1),
            Column("Reading", 1, "right"),
            Column("Reversed", 1, "right"),
            Column("Slope", 1, "right"),
            Column("Instrument's error", 1.2, "right"),
            Column("Instrument", 1.4),
        )
        note = (
            "Slope: half the sum of a reading and of that with the instrument turned end for end; half their "
            "difference is the instrument's own error."
        )
        if len(level.readings) < 3:
            note += " Three positions in the ball track or more are usual."
        yield Table(columns, tuple(map(_reading, level.readings)), "Level readings", note=note)
    facts: list[tuple[str, str | None]] = []
    if level.tilt is not None:
        spread = f" ± {level.uncertainty}" if level.uncertainty else ""
        facts.append(("Tilt, as stated", f"{level.tilt}{spread}"))
        facts.append(("Low side, azimuth", str(level.low_side) if level.low_side else None))
    found = evidence.levelling
    if found is not None:
        facts += _computed(found)
    if facts:
        yield Facts(tuple(facts), "Level found")
    yield from _drop_zone(evidence)


def _drop_zone(evidence: Evidence) -> Iterator[Block]:
    """The level by where balls left their groove; of simulated spins beside what they were simulated with."""
    if evidence.drops is None:
        return
    facts = list(_from_drops(evidence.drops.found, evidence.levelling))
    if (stands := evidence.simulated_tilt) is not None:
        facts.append(("Simulated with", str(stands)))
    yield Facts(tuple(facts), "Level by the drop zone")
    for remark in evidence.drops.remarks:
        yield Text(f"Noticed: {remark}.", "note")


def _from_drops(drops: DropTilt, readings: Levelling | None) -> Iterator[tuple[str, str | None]]:
    """Yield what the drops come to, by the rim law of the scenario."""
    gathered = ", ".join(f"{abs(each):.3f}" for each in drops.resultants)
    yield "Drops", f"{drops.n}, mean resultant {gathered}; of a level machine {drops.gathered:.3f}"
    most = "no upper bound" if drops.high is None else f"{degrees(drops.high):.4f} deg"
    slope = f"{1000 * tan(drops.tilt.angle):.3f} mm/m"
    interval = f"95 % interval {degrees(drops.low):.4f} deg to {most}"
    yield "Tilt that explains them", f"{degrees(drops.tilt.angle):.4f} deg, {slope}; {interval}"
    yield "Low side, azimuth", _side(drops.tilt.low_side, drops.tilt.half_width(0.95))
    yield "Were the table level", f"p = {drops.tilt.p_level():.2g} of drops that ask for so much tilt"
    if readings is not None and readings.tilt is not None:
        p = readings.tilt.disagreement(drops.tilt)
        word = "disagree" if p < DISAGREE else "agree"
        yield "With the level readings", f"they {word}: p = {p:.2g} of differing so much, were it one tilt"
    if drops.p_directions is not None and drops.p_directions < DISAGREE:
        yield "Both directions of travel", f"they ask for different tilts, p = {drops.p_directions:.2g}"
    if drops.gathered > GATHERED:
        yield "Limits", "the throw alone gathers the drops of this machine: they say little of its level"


def _side(azimuth: float, half: float) -> str:
    side = f"{degrees(azimuth) % 360:.0f} deg"
    return f"{side} ± {degrees(half):.0f} deg" if half < pi else f"{side}, or anywhere"


def _computed(found: Levelling) -> Iterator[tuple[str, str | None]]:
    """Yield what the readings come to, by least squares."""
    slope = f"{1000 * hypot(found.x, found.y):.3f} mm/m"
    angle = degrees(atan(hypot(found.x, found.y)))
    if found.tilt is None:
        yield "Tilt, from the readings", f"{angle:.4f} deg, {slope}; too few readings for its uncertainty"
    else:
        low, high = (degrees(each) for each in found.tilt.interval(0.95))
        yield (
            "Tilt, from the readings",
            f"{angle:.4f} deg, {slope}; 95 % interval {low:.4f} to {high:.4f} deg",
        )
        yield "Low side, azimuth", _side(atan2(found.y, found.x), found.tilt.half_width(0.95))
    if found.error is not None:
        error, spread = found.error
        yield (
            "Error of the instrument",
            f"{1000 * error:+.3f} ± {1000 * spread:.3f} mm/m (standard uncertainty)",
        )


def _reading(one: Reading) -> tuple[str, ...]:
    slope = error = ""
    if one.reading is not None and one.reversed is not None:
        slope = f"{500 * (one.reading.value + one.reversed.value):+.3f} mm/m"
        error = f"{500 * (one.reading.value - one.reversed.value):+.3f} mm/m"
    towards = "outwards" if one.towards is None else str(one.towards)
    return (
        _cell(one.azimuth),
        towards,
        _cell(one.reading),
        _cell(one.reversed),
        slope,
        error,
        _cell(one.instrument),
    )


def _lists(form: Form) -> Iterator[Block]:
    """What was measured of balls, pegs, pointer, balance and lengths, and what was adjusted."""
    lists = (
        ("Balls", form.balls),
        ("Pegs", form.pegs),
        ("Pointer or clapper", (form.pointer,) if form.pointer != type(form.pointer)() else ()),
        ("Static balance", form.balance),
        ("Lengths", form.dimensions),
        ("Adjustments and replacements", form.adjustments),
    )
    for title, rows in lists:
        if rows:
            yield _listed(title, rows)
    if form.pegs:
        errors = [abs(each.angle_error.value) for each in form.pegs if each.angle_error]
        if errors:
            yield Text(
                f"Largest angle error of {len(errors)} pegs: {degrees(max(errors)):.3g} deg. No law seen states a "
                "tolerance.",
                "note",
            )
    if form.remarks:
        yield Facts((("Remarks", form.remarks),))


def _listed(title: str, rows: tuple[Model, ...]) -> Table:
    """A table of whatever fields any of the rows has."""
    names = [
        name for name in type(rows[0]).model_fields if any(getattr(each, name) is not None for each in rows)
    ]
    columns = tuple(
        Column(name.replace("_", " ").capitalize(), 2 if name in ("remark", "change") else 1)
        for name in names
    )
    return Table(columns, tuple(tuple(_cell(getattr(each, name)) for name in names) for each in rows), title)


def _disagreements(evidence: Evidence) -> Iterator[str]:
    """Yield where the form and the log do not speak of the same wheel, table or day."""
    form = evidence.form
    for what, stated, column in (
        ("wheel serial", form.item.serial, "wheel_serial"),
        ("table", form.item.table, "table_id"),
    ):
        logged = [word for word, _ in evidence.words(column)]
        if stated and logged and logged != [stated]:
            yield f"The log's {what} is {', '.join(logged)}; the form states {stated}."
    played = [word for word, _ in evidence.words("game_profile") if word != evidence.rulebook.id]
    if played:
        yield f"The log names the game {', '.join(played)}; it was inspected by {evidence.rulebook.id}."
    last = form.inspection.ended or form.inspection.begun
    for one in form.instruments:
        if one.due and last and one.due[:10] < last[:10]:
            name = one.name or one.id or "an instrument"
            yield f"The calibration of {name} was due on {one.due}, before the inspection."


def _logged(evidence: Evidence, column: str) -> str | None:
    told = [word for word, _ in evidence.words(column)]
    return f"{', '.join(told)} (from the log)" if told else None


def _joined(*parts: object) -> str | None:
    return ", ".join(str(part) for part in parts if part is not None) or None


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)
