"""Numbers of a study as they are read: a value and half of its interval, a difference and its interval."""

from typing import Any

Plain = dict[str, Any]


def figure(estimate: Plain | None) -> str:
    """A value and half of its interval, ``12.3 ± 0.4``."""
    if not estimate or estimate.get("value") is None:
        return "none"
    if estimate["low"] is None:
        return f"{estimate['value']:.4g}"
    return f"{estimate['value']:.4g} ± {(estimate['high'] - estimate['low']) / 2:.2g}"


def shift(estimate: Plain | None) -> str:
    """A difference, ``+0.3 [0.1, 0.5]``, with a star where its interval leaves 0 out."""
    if not estimate or estimate.get("value") is None:
        return "none"
    if estimate["low"] is None:
        return f"{estimate['value']:+.3g}"
    star = "*" if estimate["low"] > 0.0 or estimate["high"] < 0.0 else ""
    return f"{estimate['value']:+.3g} [{estimate['low']:+.3g}, {estimate['high']:+.3g}]{star}"


def brief(text: str) -> str:
    """A factor's value with four digits, where it is one number and its unit."""
    number, _, unit = text.partition(" ")
    try:
        return f"{float(number):.4g} {unit}".rstrip()
    except ValueError:
        return text
