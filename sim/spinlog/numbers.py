"""Numbers as people write them: decimal points and commas, thousands, signs; whole columns at once."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sim.documents.document import shown

MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "none", "null", "nil", "-", "--", "—", "–", "?"})
"""What people write where there is nothing, in lower case."""
LARGEST_WHOLE = 1 << 53
_PLAIN = r"^-?[0-9]{1,15}(\.[0-9]{1,17})?([eE][-+]?[0-9]{1,2})?$"
_PLAIN_WHOLE = r"^-?[0-9]{1,15}$"
_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")
_GROUPED = re.compile(
    r"[-+]?[0-9]{1,3}(?P<mark>[.,' \u00a0\u202f])[0-9]{3}((?P=mark)[0-9]{3})*(?P<rest>[.,][0-9]*)?"
)

Failures = dict[int, str]
"""Why the cell of a row could not be read, by the row's number in its column."""


def number(text: str) -> float | None:
    """Return the number that a cell writes, None for what stands for nothing.

    One comma or point alone is the decimal one (``1,5``); with two kinds the last is (``1.234,5``). Raises
    ValueError for anything else.
    """
    text = text.strip().removesuffix("°").rstrip()
    if text.casefold() in MISSING:
        return None
    plain = text.replace("\u2212", "-")
    grouped = _GROUPED.fullmatch(plain) if len(plain) < 40 else None
    if grouped:
        mark, rest = grouped["mark"], grouped["rest"] or ""
        if rest[:1] != mark and (mark not in ".," or rest or plain.count(mark) > 1):
            plain = plain.replace(mark, "")
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    if len(plain) < 40 and _NUMBER.fullmatch(plain):
        value = float(plain)
        if abs(value) != float("inf"):
            return value
    raise ValueError(f"must be a number; given {shown(text)}")


def whole(text: str) -> float | None:
    """Return the whole number that a cell writes (``17``, ``17.0``), None for nothing; else raise ValueError."""
    try:
        value = number(text)
    except ValueError:
        value = 0.5
    if value is not None and _is_ambiguous(text) and text.strip().count(",") + text.count(".") == 1:
        raise ValueError(
            f"may mean a thousand or one; write it without a separator; given {shown(text.strip())}"
        )
    if value is None or (value.is_integer() and abs(value) < LARGEST_WHOLE):
        return value
    raise ValueError(f"must be a whole number; given {shown(text.strip())}")


def _is_ambiguous(text: str) -> bool:
    """Whether a cell such as ``1,000`` may be a thousand or one."""
    grouped = _GROUPED.fullmatch(text.strip()) if len(text) < 40 else None
    return bool(grouped and not grouped["rest"] and grouped["mark"] in ".,")


def numbers(cells: pa.Array, *, integral: bool) -> tuple[pa.Array, Failures]:
    """Return a column of text as float64 or int64 with nulls, and why which cells could not be read."""
    target = pa.int64() if integral else pa.float64()
    is_plain = pc.match_substring_regex(cells, _PLAIN_WHOLE if integral else _PLAIN)
    plain = np.asarray(pc.fill_null(is_plain, False))
    if plain.all():
        return cells.cast(target), {}
    values = pc.if_else(is_plain, cells, pa.scalar(None, pa.string())).cast(target)
    rows = np.flatnonzero(~plain)
    others = cells.take(pa.array(rows)).dictionary_encode()
    parse = whole if integral else number
    meant: list[float | None] = []
    reasons: dict[int, str] = {}
    for code, text in enumerate(others.dictionary.to_pylist()):
        try:
            meant.append(parse(text))
        except ValueError as error:
            meant.append(None)
            reasons[code] = str(error)
    codes = others.indices.fill_null(-1).to_numpy()
    odd = (
        pa.array(meant, pa.float64())
        .cast(target)
        .take(pa.array(np.where(codes < 0, None, codes), pa.int64()))
    )
    values = pc.replace_with_mask(values, pa.array(~plain), odd)
    failed = np.flatnonzero(np.isin(codes, list(reasons)))
    return values, {int(rows[i]): reasons[int(codes[i])] for i in failed}
