"""Quantities on a command line: NUMBER UNIT, read as a scenario reads them."""

from typing import TYPE_CHECKING, Any

from sim.documents.document import shown

if TYPE_CHECKING:
    from sim.cli.flags import Flags


def quantity(flags: "Flags", flag: str, given: str, kind: Any, least: float, most: float) -> float:
    """Return a quantity in SI units, within [least, most]; the least, with a fault, where it is none.

    kind: a type of `sim.documents.units`.
    """
    from pydantic import TypeAdapter, ValidationError

    try:
        value = float(TypeAdapter(kind).validate_python(given))
    except ValidationError as error:
        flags.fault(flag, str(error.errors()[0]["msg"]).removeprefix("Value error, "))
        return least
    if not least <= value <= most:
        flags.fault(flag, f"must be from {least:g} to {most:g} in SI units; given {shown(given)}")
        return least
    return value
