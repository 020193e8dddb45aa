"""A column of days and times, whole: parted, read once for each distinct text, put together in UTC."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sim.spinlog import dates
from sim.spinlog.form import DateOrder
from sim.spinlog.numbers import Failures

_PARTED = (
    r"^\s*(?P<day>.*?)[T ,_]*(?P<time>[0-9]{1,2}\s?[:h]\s?[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?"
    r"(?:\s*[Uu][Hh][Rr])?(?:\s*[AaPp]\.?[Mm]\.?)?\s*(?:[Zz]|UTC|GMT|[-+][0-9]{2}:?[0-9]{2})?)?\s*$"
)
_DAY = 86400 * dates.MICROSECONDS


@dataclass
class Moments:
    """What a column of moments came to.

    text: ISO 8601, ``Z`` at the end where a zone was named. times: microseconds since 1970-01-01, or None when the
    days are not known. failures: by row. remarks: what could not be decided.
    """

    text: pa.Array
    times: npt.NDArray[np.int64] | None
    failures: Failures = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def moments(
    whole: pa.Array | None,
    day: pa.Array | None,
    time: pa.Array | None,
    told: DateOrder | None,
    used: npt.NDArray[np.bool_],
) -> Moments:
    """Read moments, ``(n,)`` each, from one column of both or from columns of days and of times.

    told: the order of day and month that the user states. Without it and where all days fit two orders, days in
    figures are left out, and a remark says so. used: ``(n,)`` the rows whose moments matter, such as no line of totals.
    """
    given = [each for each in (whole, day, time) if each is not None]
    nothing = pa.nulls(len(given[0]), pa.string())
    if whole is not None:
        parts = pc.extract_regex(whole, _PARTED)
        day, time = (pc.fill_null(pc.struct_field(parts, name), "") for name in ("day", "time"))
        # What does not part is shown as it stands, as a day that cannot be read.
        day = pc.if_else(pc.and_(pc.is_null(parts), pc.is_valid(whole)), whole, day)
    days = (nothing if day is None else day).dictionary_encode()
    times = (nothing if time is None else time).dictionary_encode()
    remarks: list[str] = []
    order = told
    if told is None:
        found = dates.order_of(days.dictionary.to_pylist())
        if found in ("either", "none"):
            why = "both day/month and month/day fit" if found == "either" else "they contradict each other"
            example = next(each for each in days.dictionary.to_pylist() if dates.order_of([each]))
            remarks.append(
                f"days such as {example[:20]!r} are left out: {why}; say which (--dates dmy, mdy or ymd)"
            )
        elif found in ("dmy", "mdy"):
            order = found  # type: ignore[assignment]
    on, day_reasons = _read(days, lambda text: dates.day(text, order))
    at, time_reasons = _read(times, dates.time)
    return _together(on, at, used, {**time_reasons, **day_reasons}, remarks)


@dataclass
class _Column:
    """Days since 1970, microseconds of the day and of the zone, ``(n,)`` each; which of them were given."""

    day: npt.NDArray[np.int64]
    time: npt.NDArray[np.int64]
    offset: npt.NDArray[np.int64]
    has_day: npt.NDArray[np.bool_]
    has_time: npt.NDArray[np.bool_]
    has_zone: npt.NDArray[np.bool_]


def _read(cells: Any, read: Callable[[str], dates.Moment | None]) -> tuple[_Column, Failures]:
    """Each distinct text read once."""
    found: list[dates.Moment | None] = []
    reasons: dict[int, str] = {}
    for code, text in enumerate(cells.dictionary.to_pylist()):
        try:
            found.append(read(text))
        except ValueError as error:
            found.append(None)
            reasons[code] = str(error)
    found.append(None)
    codes = np.asarray(pc.fill_null(cells.indices, len(found) - 1).to_numpy(), np.int64)

    def column(name: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        values = [None if each is None else getattr(each, name) for each in found]
        filled = np.array([0 if each is None else each for each in values], np.int64)
        return filled[codes], np.array([each is not None for each in values])[codes]

    day, has_day = column("day")
    time, has_time = column("time")
    offset, has_zone = column("offset")
    failed = np.flatnonzero(np.isin(codes, list(reasons)))
    failures = {int(row): reasons[int(codes[row])] for row in failed}
    return _Column(day, time, offset, has_day, has_time, has_zone), failures


def _together(
    on: _Column, at: _Column, used: npt.NDArray[np.bool_], failures: Failures, remarks: list[str]
) -> Moments:
    has_time = at.has_time | on.has_time
    has_zone = at.has_zone | on.has_zone
    time = np.where(at.has_time, at.time, on.time)
    offset = np.where(at.has_zone, at.offset, on.offset)
    if not on.has_day.any():
        if has_time.any():
            remarks.append("times of day without days; their order is not checked")
        clock = pa.array(time, pa.time64("us"), mask=~has_time)
        return Moments(_shortened(clock.cast(pa.string())), None, failures, remarks)
    since = on.day * _DAY + time - offset
    if has_zone.any() and not has_zone[on.has_day].all():
        remarks.append("some times name a zone and some do not; those are taken as UTC")
    stamps = pa.array(since, pa.timestamp("us"), mask=~on.has_day)
    text = _shortened(pc.replace_substring(stamps.cast(pa.string()), " ", "T"))
    text = pc.if_else(pa.array(has_zone), pc.binary_join_element_wise(text, "Z", ""), text)
    only_day = pa.array(on.has_day & ~has_time)
    text = pc.if_else(only_day, pc.utf8_slice_codeunits(text, 0, 10), text)
    readable = used.copy()
    readable[list(failures)] = False
    complete = on.has_day[readable].all() and (has_time[readable].all() or not has_time.any())
    if on.has_day.any() and not complete and not remarks:
        remarks.append("some spins have no complete day and time; the order of times is not checked")
    return Moments(text, since if complete else None, failures, remarks)


def _shortened(text: pa.Array) -> pa.Array:
    """Times without a fraction of a second that is nought."""
    return pc.replace_substring_regex(text, r"\.?0+$", "") if _has_fraction(text) else _cut(text)


def _has_fraction(text: pa.Array) -> bool:
    return bool(pc.any(pc.match_substring_regex(text, r"\.[0-9]*[1-9]")).as_py())


def _cut(text: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(text, r"\.[0-9]+$", "")
