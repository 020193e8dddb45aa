"""Days and times as people write them, and what cannot be told from figures alone."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from sim.documents.document import shown
from sim.spinlog.form import DateOrder
from sim.spinlog.numbers import MISSING

MICROSECONDS = 1_000_000
_MONTHS = {
    "jan": 1, "ene": 1, "janv": 1, "gen": 1, "feb": 2, "fev": 2, "févr": 2, "fév": 2, "mar": 3, "mär": 3, "mrz": 3,
    "mars": 3, "apr": 4, "abr": 4, "avr": 4, "may": 5, "mai": 5, "mayo": 5, "maio": 5, "mag": 5, "jun": 6, "juin": 6,
    "giu": 6, "jul": 7, "juil": 7, "lug": 7, "aug": 8, "ago": 8, "août": 8, "aou": 8, "sep": 9, "set": 9, "oct": 10,
    "okt": 10, "out": 10, "ott": 10, "nov": 11, "dec": 12, "dez": 12, "dic": 12, "déc": 12,
}  # fmt: skip
_ISO = re.compile(r"(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})")
_FIGURES = re.compile(r"(\d{1,4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,4})\.?")
_WORDY = re.compile(
    r"(?:[^\W\d_]{2,12}[.,]?\s)?(?:(?P<d1>\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s-]+(?:de\s|of\s)?(?P<m1>[^\W\d_]{3,12})\.?"
    r"|(?P<m2>[^\W\d_]{3,12})\.?\s(?P<d2>\d{1,2})(?:st|nd|rd|th)?),?[\s-]+(?:de\s)?(?P<y>\d{4}|\d{2})",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(\d{1,2})\s?[:h]\s?(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(?:uhr)?\s*([ap])?\.?(?:m\.?)?\s*"
    r"(z|utc|gmt|[-+]\d{2}:?\d{2})?",
    re.IGNORECASE,
)
_MIDNIGHT = re.compile(r"[T ]00:00(:00(\.0+)?)?$")
_SERIAL = re.compile(r"\d{5}(?:[.,]\d{1,12})?")
_EPOCH = re.compile(r"(1\d{9}|[2-9]\d{8})(\d{3}|\d{6})?(?:[.,](\d{1,9}))?")
_EXCEL_ZERO = date(1899, 12, 30)
_UNIX_ZERO = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, or a part of one. day: days since 1970-01-01. time: microseconds since midnight.

    offset: microseconds that the clock is ahead of UTC, None where the text names no zone.
    """

    day: int | None
    time: int | None
    offset: int | None = None


def order_of(days: Iterable[str]) -> DateOrder | str | None:
    """Return the order of day and month that all days written in figures with ``/`` or ``-`` agree on.

    Points (1.2.2024) always mean day, month, year. ``either`` when both orders fit, ``none`` when neither does, None
    when there is nothing to decide.
    """
    possible, open_ones = {"dmy", "mdy"}, False
    for text in days:
        found = _FIGURES.fullmatch(text.strip())
        if found is None or found[2] == "." or len(found[1]) > 2:
            continue
        open_ones = True
        if int(found[1]) > 12:
            possible.discard("mdy")
        if int(found[3]) > 12:
            possible.discard("dmy")
    if not open_ones:
        return None
    return {2: "either", 0: "none"}.get(len(possible)) or next(iter(possible))


def day(text: str, order: DateOrder | None) -> Moment | None:
    """Return the day that a text writes (its time too, for a serial or epoch number), None for nothing.

    order: of day and month in figures; None leaves such days out (None is returned). Raises ValueError for anything
    that is no day.
    """
    text = _MIDNIGHT.sub("", text.strip()).rstrip(",").strip()
    if text.casefold() in MISSING:
        return None
    if _SERIAL.fullmatch(text):
        return _since(_EXCEL_ZERO, float(text.replace(",", ".")) * 86400, None)
    if found := _EPOCH.fullmatch(text):
        scale = {0: 1, 3: 1_000, 6: 1_000_000}[len(found[2] or "")]
        return _since(_UNIX_ZERO, float(found[0].replace(",", ".")) / scale, 0)
    try:
        if found := _ISO.fullmatch(text):
            return _day(int(found[1]), int(found[2]), int(found[3]))
        if found := _FIGURES.fullmatch(text):
            return _in_figures(found, order)
        if found := _WORDY.fullmatch(text):
            return _in_words(found)
    except (ValueError, OverflowError):
        pass
    raise ValueError(f"must be a day that exists, such as 2024-05-31; given {shown(text)}")


def _since(zero: date, seconds: float, offset: int | None) -> Moment:
    total = round(seconds * MICROSECONDS)
    days, time = divmod(total, 86400 * MICROSECONDS)
    return Moment((zero - _UNIX_ZERO).days + days, time, offset)


def _day(year: int, month: int, number: int) -> Moment:
    return Moment((date(year, month, number) - _UNIX_ZERO).days, None)


def _year(text: str) -> int:
    if len(text) == 2:
        return int(text) + (2000 if int(text) < 70 else 1900)
    if len(text) != 4:
        raise ValueError("a year has two or four figures")
    return int(text)


def _in_figures(found: re.Match[str], order: DateOrder | None) -> Moment | None:
    first, mark, second, third = found.groups()
    if len(first) == 4 or order == "ymd":
        return _day(_year(first), int(second), int(third))
    if mark == ".":
        order = "dmy"
    if order is None:
        return None
    number, month = (first, second) if order == "dmy" else (second, first)
    return _day(_year(third), int(month), int(number))


def _in_words(found: re.Match[str]) -> Moment:
    name = (found["m1"] or found["m2"]).casefold()
    month = next((_MONTHS[name[:size]] for size in (5, 4, 3) if name[:size] in _MONTHS), 0)
    return _day(_year(found["y"]), month, int(found["d1"] or found["d2"]))


def time(text: str) -> Moment | None:
    """Return the time of day that a text writes, None for nothing. Raises ValueError for anything else."""
    text = text.strip()
    if text.casefold() in MISSING:
        return None
    found = _TIME.fullmatch(text)
    if found:
        hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
        if found[5] and 1 <= hour <= 12:
            hour = hour % 12 + (12 if found[5].casefold() == "p" else 0)
        fraction = int((found[4] or "0").ljust(6, "0")[:6])
        if hour < 24 and minute < 60 and second < 61:
            total = timedelta(hours=hour, minutes=minute, seconds=second, microseconds=fraction)
            return Moment(None, round(total / timedelta(microseconds=1)), _offset(found[6]))
    raise ValueError(f"must be a time of day, such as 21:05:30; given {shown(text)}")


def _offset(zone: str | None) -> int | None:
    if zone is None:
        return None
    if zone[0] not in "+-":
        return 0
    figures = zone[1:].replace(":", "")
    seconds = int(figures[:2]) * 3600 + int(figures[2:]) * 60
    return (seconds if zone[0] == "+" else -seconds) * MICROSECONDS
