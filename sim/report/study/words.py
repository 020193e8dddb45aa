"""Numbers of a study as they are read: a value and half of its interval, a difference and its interval."""

from math import floor, log10
from typing import Any

Plain = dict[str, Any]
_LOPSIDED = 0.1


def figure(estimate: Plain | None) -> str:
    """A value and half of its interval, ``12.30 ± 0.42``, or both ends where it is lopsided, ``0.10 [0.02, 0.56]``."""
    if not estimate or estimate.get("value") is None:
        return "none"
    value, low, high = (estimate[end] for end in ("value", "low", "high"))
    if low is None:
        return f"{value:.4g}"
    half = (high - low) / 2
    digits = _decimals(half, value)
    if abs(low + half - value) > _LOPSIDED * half:
        return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"
    return f"{value:.{digits}f} ± {half:.{digits}f}"


def shift(estimate: Plain | None) -> str:
    """A difference, ``+0.30 [+0.10, +0.50]``, with a star where its interval leaves 0 out; ``0`` of equals."""
    if not estimate or estimate.get("value") is None:
        return "none"
    value, low, high = (estimate[end] for end in ("value", "low", "high"))
    if low is None:
        return f"{value:+.3g}"
    if value == low == high == 0.0:
        return "0"
    digits = _decimals((high - low) / 2, value)
    star = "*" if low > 0.0 or high < 0.0 else ""
    return f"{value:+.{digits}f} [{low:+.{digits}f}, {high:+.{digits}f}]{star}"


def _decimals(half: float, value: float) -> int:
    """Decimals that show two digits of half an interval, or four of a value without one; never over six of a value."""
    least = 1e-4 * abs(value)
    size, digits = (max(half, least), 1) if half > 0.0 else (abs(value), 3)
    return max(0, digits - floor(log10(size))) if size > 0.0 else 0


def enlarged(times: dict[str, float]) -> str:
    """How much larger the strays of a check are, ``depth 10 times, lip radius 2.5 times``."""
    return ", ".join(f"{name.replace('_', ' ')} {each:.3g} times" for name, each in times.items())


def brief(text: str) -> str:
    """A factor's value with four digits, where it is one number and its unit."""
    number, _, unit = text.partition(" ")
    try:
        return f"{float(number):.4g} {unit}".rstrip()
    except ValueError:
        return text
