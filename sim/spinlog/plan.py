"""Which column of a log gives which field."""

from collections import defaultdict
from dataclasses import dataclass

from sim.documents.document import near, shown
from sim.documents.faults import BadInput, Fault, Mark
from sim.spinlog.form import IGNORED, Form
from sim.spinlog.names import RESULTS, factor_of, field_of, is_schema_name, plain
from sim.spinlog.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Source:
    """Where a field comes from: a column's position and name, and what its values are multiplied by."""

    at: int
    name: str
    factor: float = 1.0


def field_in(form: Form, name: str) -> str | None:
    """The field that a column's name means: what the form says, else what the name says by itself."""
    told = {plain(column): wanted for column, wanted in form.columns.items()}
    return form.columns.get(name.strip()) or told.get(plain(name) or name) or field_of(name)


def plan(sheet: Sheet, form: Form) -> dict[str, Source]:
    """Return the source of every field that the sheet gives; what is not read becomes a remark of the sheet.

    Raises BadInput for two columns that give one field, a column that the form names and the sheet lacks, a unit
    that is none of the field's, and a sheet that does not give the result.
    """
    names = sheet.header or tuple(map(str, range(1, sheet.width + 1)))
    faults: list[Fault] = []
    told: dict[int, str] = {}
    for column, wanted in form.columns.items():
        places = _places(column, names)
        told |= dict.fromkeys(places, wanted)
        if not places:
            mark = form.mark(column)
            message = (
                f"the log has no column {shown(column)}; its columns: {_listed(names)}{near(column, names)}"
            )
            faults.append(Fault(mark, "columns" if mark.line else "--map", message))
    given: defaultdict[str, list[int]] = defaultdict(list)
    unused = []
    for at, name in enumerate(names):
        wanted = told.get(at) or (field_of(name) if sheet.header else None) or IGNORED
        if wanted == IGNORED:
            unused.append(name)
        else:
            given[wanted].append(at)
    sources = {}
    for wanted, places in given.items():
        best = _best(places, names, told)
        if len(best) > 1:
            both = ", ".join(shown(names[at]) for at in best)
            message = (
                f"given by {len(best)} columns: {both}; say which (--map COLUMN={wanted}, --map OTHER=-)"
            )
            faults.append(Fault(_place(sheet, best[1]), wanted, message))
            continue
        unused += [names[at] for at in places if at not in best]
        try:
            sources[wanted] = Source(best[0], names[best[0]], factor_of(names[best[0]], wanted))
        except ValueError as error:
            faults.append(Fault(_place(sheet, best[0]), wanted, str(error)))
    if "rest_index" in sources and "rest_index_from_1" in sources:
        message = "given twice, counted from 0 and from 1; say which is meant"
        faults.append(Fault(_place(sheet, sources["rest_index"].at), "rest_index", message))
    if not RESULTS & set(given):
        message = f"no column gives the result; name it (--map COLUMN=symbol, or rest_index); columns: {_listed(names)}"
        faults.append(Fault(_place(sheet, 0), "header", message))
    if faults:
        raise BadInput(faults)
    if unused:
        sheet.remarks.append(f"columns that are not read: {_listed(unused)} (--map COLUMN=FIELD reads one)")
    return sources


def _places(column: str, names: tuple[str, ...]) -> list[int]:
    """Where the column stands that a user names: by its name, else by its number from 1."""
    same = [at for at, name in enumerate(names) if name.strip() == column]
    alike = same or [at for at, name in enumerate(names) if plain(name) and plain(name) == plain(column)]
    if not alike and column.isascii() and column.isdecimal() and 1 <= int(column[:9]) <= len(names):
        return [int(column[:9]) - 1]
    return alike


def _best(places: list[int], names: tuple[str, ...], told: dict[int, str]) -> list[int]:
    """Of columns that give one field, those that the user named, else those with the schema's own name."""
    for better in ([at for at in places if at in told], [at for at in places if is_schema_name(names[at])]):
        if better:
            return better
    return places


def _place(sheet: Sheet, at: int) -> Mark:
    return Mark(sheet.label, sheet.line, at + 1) if sheet.line else Mark(sheet.label)


def _listed(names: list[str] | tuple[str, ...]) -> str:
    return shown(", ".join(name[:40] for name in names), 200)
