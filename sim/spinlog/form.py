"""How a log is written, as far as its reader has to be told: which column is which, what its words mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from sim.documents.document import Document, near, shown
from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.reading import load_document
from sim.spinlog.names import FIELDS

DateOrder = Literal["dmy", "mdy", "ymd"]
IGNORED = "-"
"""Said of a column that is not to be read."""
_MEMBERS = ("columns", "values", "dates", "delimiter")


@dataclass(frozen=True)
class Form:
    """What a reader is told about a log; everything else it finds out.

    columns: the field (of `sim.spinlog.names.FIELDS`, or ``-``: do not read) of a column by its name, or by its
    number from 1 in a log without a header. values: for a field, what a word of the log means. dates: order of
    day, month and year where figures leave it open. delimiter: one character. marks: where each column was named.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    dates: DateOrder | None = None
    delimiter: str | None = None
    marks: Mapping[str, Mark] = field(default_factory=dict)

    @property
    def is_numbered(self) -> bool:
        """Whether columns are named by their numbers."""
        return bool(self.columns) and all(column.isascii() and column.isdecimal() for column in self.columns)

    def mark(self, column: str) -> Mark:
        """Where a column was named."""
        return self.marks.get(column, Mark("--map"))


def form(
    maps: Sequence[str] = (),
    file: Path | None = None,
    dates: str | None = None,
    delimiter: str | None = None,
) -> Form:
    """Return the form that flags and a saved mapping file describe; a flag goes before the file.

    maps: ``COLUMN=FIELD`` each. file: YAML with ``columns: {COLUMN: FIELD}``, ``values: {FIELD: {WORD: MEANING}}``,
    ``dates: dmy | mdy | ymd``, ``delimiter: ";"``, all optional. dates: ``dmy``, ``mdy`` or ``ymd``. delimiter: one
    character, or ``tab``. Raises BadInput with every fault.
    """
    faults: list[Fault] = []
    saved = Form() if file is None else _saved(load_document(file), faults)
    columns: dict[str, str] = {}
    for given in maps:
        column, _, wanted = given.rpartition("=")
        if not column.strip():
            message = f"must be COLUMN=FIELD; given {shown(given)}"
            faults.append(Fault(Mark("--map"), "--map", message))
        elif column.strip() in columns:
            message = f"names the column {shown(column)} twice; each once; given {shown(given)}"
            faults.append(Fault(Mark("--map"), "--map", message))
        else:
            columns[column.strip()] = wanted.strip()
            faults += _wrong_field(Mark("--map"), wanted.strip())
    if dates is not None:
        faults += _wrong_dates(Mark("--dates"), dates)
    if delimiter is not None:
        faults += _wrong_delimiter(Mark("--delimiter"), delimiter)
    if faults:
        raise BadInput(faults)
    return Form(
        columns={**saved.columns, **columns},
        values=saved.values,
        dates=saved.dates if dates is None else dates,  # type: ignore[arg-type]
        delimiter=saved.delimiter if delimiter is None else _character(delimiter),
        marks={name: mark for name, mark in saved.marks.items() if name not in columns},
    )


def _saved(document: Document, faults: list[Fault]) -> Form:
    """The form that a mapping file gives; what is wrong in it goes to the faults."""
    for name in document.data:
        if name not in _MEMBERS:
            message = f"unknown field; allowed: {', '.join(_MEMBERS)}{near(name, _MEMBERS)}"
            faults.append(document.fault((name,), message, key=True))
    columns = _words(document, ("columns",), faults)
    for column, wanted in columns.items():
        faults += _wrong_field(document.mark(("columns", column)), wanted)
    values = {}
    for name in _mapping(document, ("values",), faults):
        if name not in FIELDS:
            message = f"no such field; fields: {', '.join(FIELDS)}{near(name, FIELDS)}"
            faults.append(document.fault(("values", name), message, key=True))
        values[name] = _words(document, ("values", name), faults)
    dates, delimiter = document.data.get("dates"), document.data.get("delimiter")
    if dates is not None:
        faults += _wrong_dates(document.mark(("dates",)), dates)
    if delimiter is not None:
        faults += _wrong_delimiter(document.mark(("delimiter",)), delimiter)
    marks = {column: document.mark(("columns", column), key=True) for column in columns}
    return Form(columns, values, dates, _character(str(delimiter)) if delimiter else None, marks)


def _mapping(document: Document, path: tuple[str | int, ...], faults: list[Fault]) -> dict[str, Any]:
    given = document.get(path)
    if given is None or isinstance(given, dict):
        return given or {}
    faults.append(document.fault(path, f"must be a mapping; given {shown(given)}"))
    return {}


def _words(document: Document, path: tuple[str | int, ...], faults: list[Fault]) -> dict[str, str]:
    """A mapping of texts or whole numbers, as text."""
    words = {}
    for name, value in _mapping(document, path, faults).items():
        if type(value) in (str, int):
            words[name] = str(value)
        else:
            message = f"must be text or a whole number; given {shown(value)}"
            faults.append(document.fault((*path, name), message))
    return words


def _wrong_field(mark: Mark, wanted: str) -> list[Fault]:
    if wanted in FIELDS or wanted == IGNORED:
        return []
    message = f"no such field: {shown(wanted)}; fields: {', '.join(FIELDS)}, or - not to read the column"
    return [Fault(mark, "columns" if mark.line else "--map", message + near(wanted, FIELDS))]


def _wrong_dates(mark: Mark, given: Any) -> list[Fault]:
    if given in get_args(DateOrder):
        return []
    name = "dates" if mark.line else "--dates"
    return [Fault(mark, name, f"must be one of {', '.join(get_args(DateOrder))}; given {shown(given)}")]


def _wrong_delimiter(mark: Mark, given: Any) -> list[Fault]:
    if isinstance(given, str) and len(_character(given)) == 1 and given not in '"\r\n\0':
        return []
    name = "delimiter" if mark.line else "--delimiter"
    return [Fault(mark, name, f"must be one character or the word tab; given {shown(given)}")]


def _character(given: str) -> str:
    return {"tab": "\t", "\\t": "\t"}.get(given, given)
