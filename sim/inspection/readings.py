"""A file of spirit-level readings: a row a place, and perhaps a row a foot."""

from dataclasses import dataclass
from math import atan, pi, radians, tan
from pathlib import Path

from sim.documents.document import shown
from sim.documents.resources import label_of
from sim.documents.sheet import Sheet, read_sheet
from sim.inspection.levelling import Reading
from sim.inspection.tilt import Foot

UNITS = ("mm_m", "deg", "arcsec", "div")
_ARCSEC = pi / (180.0 * 3600.0)
_STEEPEST = radians(30.0)
_COLUMNS = (
    "kind",
    "azimuth_deg",
    "towards_deg",
    *(f"{what}_{unit}" for what in ("reading", "reversed") for unit in UNITS),
    "radius_mm",
    "pitch_mm",
    "remark",
)


@dataclass(frozen=True, slots=True)
class Measured:
    """What the file holds: readings, and feet where it gives them."""

    readings: tuple[Reading, ...]
    feet: tuple[Foot, ...]


def read(path: Path, laid: str, sensitivity: float | None) -> Measured:
    """Read the file.

    Columns: azimuth_deg of the place, and reading_UNIT, UNIT one of mm_m, deg, arcsec or div; and as wanted
    reversed_UNIT (instrument turned end for end, noted as the rise towards the same side), towards_deg (the side
    towards which a positive reading rises), remark. Rows whose kind is ``foot`` give azimuth_deg, radius_mm and
    perhaps pitch_mm of a foot.
    laid: ``radial`` (a positive reading rises outward) or ``tangent`` (it rises counter-clockwise), where
    towards_deg is not given. sensitivity: of a division (tangent). Raises BadInput with every fault.
    """
    sheet = read_sheet(path, label_of(path), _COLUMNS)
    unit = _unit(sheet, sensitivity)
    sheet.check()
    readings: list[Reading] = []
    feet: list[Foot] = []
    for line, cells in sheet.rows:
        kind = cells.get("kind", "") or "reading"
        azimuth = _needed(sheet, line, cells, "azimuth_deg", -720.0, 720.0)
        if kind == "foot":
            feet.append(_foot(sheet, line, cells, azimuth))
        elif kind == "reading":
            readings += _readings(sheet, line, cells, azimuth, unit, laid, sensitivity)
        else:
            sheet.fault(line, "kind", f"must be reading or foot; given {shown(kind)}")
    sheet.check()
    return Measured(tuple(readings), tuple(feet))


def _unit(sheet: Sheet, sensitivity: float | None) -> str:
    """The unit in which the file gives its readings."""
    line = 1
    if "azimuth_deg" not in sheet.names:
        sheet.fault(line, "header", "a column azimuth_deg is needed")
    units = {name.partition("_")[2] for name in sheet.names if name.startswith(("reading_", "reversed_"))}
    given = [unit for unit in UNITS if f"reading_{unit}" in sheet.names]
    if len(given) != 1 or len(units) != 1:
        wanted = ", ".join(f"reading_{unit}" for unit in UNITS)
        sheet.fault(line, "header", f"one column of {wanted} is needed, and reversed_ in the same unit")
        return UNITS[0]
    if given[0] == "div" and sensitivity is None:
        sheet.fault(line, "reading_div", "readings in divisions need --sensitivity, such as '0.02 mm/m'")
    return given[0]


def _readings(
    sheet: Sheet,
    line: int,
    cells: dict[str, str],
    azimuth: float,
    unit: str,
    laid: str,
    sensitivity: float | None,
) -> list[Reading]:
    towards = azimuth if laid == "radial" else azimuth + 90.0
    if cells.get("towards_deg"):
        towards = _needed(sheet, line, cells, "towards_deg", -720.0, 720.0)
    found = []
    for what in ("reading", "reversed"):
        name = f"{what}_{unit}"
        if what == "reversed" and not cells.get(name):
            continue
        value = _needed(sheet, line, cells, name, -1e6, 1e6)
        rise = _rise(value, unit, sensitivity)
        if abs(atan(rise)) > _STEEPEST:
            sheet.fault(line, name, f"must be less than 30 deg from level; given {value:g}")
        step = _rise(_last_digit(cells[name]), unit, sensitivity)
        found.append(Reading(radians(azimuth), radians(towards), rise, what == "reversed", line, step))
    return found


def _last_digit(text: str) -> float:
    """What one step of the last digit of a written number is worth: 0.01 of ``1.50``."""
    written = text.strip().lower().replace(",", ".").partition("e")
    return 10.0 ** min(int(written[2] or 0) - len(written[0].partition(".")[2]), 6)


def _rise(value: float, unit: str, sensitivity: float | None) -> float:
    """A reading as a tangent; 1 beyond what can be read."""
    if unit == "mm_m":
        return value / 1000.0
    if unit == "div":
        return value * (sensitivity or 0.0)
    angle = radians(value) if unit == "deg" else value * _ARCSEC
    return tan(angle) if abs(angle) < 0.25 * pi else 1.0


def _foot(sheet: Sheet, line: int, cells: dict[str, str], azimuth: float) -> Foot:
    radius = _needed(sheet, line, cells, "radius_mm", 1.0, 1e5)
    pitch = _needed(sheet, line, cells, "pitch_mm", 0.01, 100.0) if cells.get("pitch_mm") else None
    return Foot(radians(azimuth), radius / 1000.0, None if pitch is None else pitch / 1000.0)


def _needed(sheet: Sheet, line: int, cells: dict[str, str], column: str, least: float, most: float) -> float:
    before = len(sheet.faults)
    value = sheet.number(line, cells, column)
    if value is None:
        if len(sheet.faults) == before:
            sheet.fault(line, column, "missing; a number is needed")
        return 0.0
    if not least <= value <= most:
        sheet.fault(line, column, f"must be from {least:g} to {most:g}; given {value:g}")
        return 0.0
    return value
