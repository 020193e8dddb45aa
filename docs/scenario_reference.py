"""The reference of every field of a scenario, from the models that read it and the shipped scenarios."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator
from pydantic.fields import FieldInfo

from docs.examples import ROOT
from sim.documents.document import dotted, shown
from sim.scenario import PlateScenario, WheelScenario, load_scenario
from sim.scenario.distributions import Constant, Normal, Uniform

EXAMPLES = {"plate": ("macau-boule", PlateScenario), "pegged": ("roda-da-sorte", WheelScenario)}
TITLES = {
    "plate": "Plate machines (`machine.kind: plate`)",
    "pegged": "Pegged wheels (`machine.kind: pegged`)",
}
_BY_FUNCTION = {"_angle": "angle, such as 0.2 deg or 3 mm/m", "_slope": "slope", "_ratio": "bare number"}
_BOUNDS = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤", "min_length": "length ≥", "max_length": "length ≤"}
_HEAD = """# Every field of a scenario

Made by `make docs` from the models in `sim/scenario`. A quantity is written with its unit and is SI afterwards. A value
may be a distribution only where *or distribution* stands: `{normal: {mean, sd, min, max}}` or `{uniform: {min, max}}`.
Shipped value and source are those of the scenario named in the heading; a field that must be given has no default.
A hollow may also be a drawing: `profile: {dxf: FILE}`, see [design](design.md).
A groove may be lap times: `rim.deceleration: {laps: FILE}`.
Every value may say where it comes from: `{value: 8 mm, source: "measured: ..."}`.

"""


@dataclass(frozen=True)
class Row:
    """One field."""

    path: str
    kind: str
    meaning: str
    default: str
    value: str
    source: str


def reference() -> str:
    """The whole page."""
    parts = [_HEAD]
    for kind, (name, model) in EXAMPLES.items():
        parts.append(f"## {TITLES[kind]}, as in `{name}`\n\n")
        parts.append(
            "| field | what is written | meaning | default | shipped value | source |\n|---|---|---|---|---|---|\n"
        )
        parts += [
            f"| `{row.path}` | {row.kind} | {row.meaning} | {row.default} | {row.value} | {row.source} |\n"
            for row in _merged(_rows(name, model))
        ]
        parts.append("\n")
    return "".join(parts).rstrip() + "\n"


def _rows(name: str, model: type[BaseModel]) -> Iterator[Row]:
    scenario = load_scenario(name)
    comments = _comments(name)
    for path, info, owner in _fields(model, ()):
        place = tuple(step for step in path if not step.startswith("["))
        value = scenario.document.get(place) if len(place) == len(path) else None
        sources = {
            s
            for p, s in scenario.provenance.items()
            if p == dotted(place) or p.startswith(dotted(place) + ".")
        }
        meaning = _docstrings(owner).get(path[-1]) or comments.get(place) or path[-1].replace("_", " ")
        default = "" if info.is_required() else _cell(info.default)
        written = "" if value is None else _cell(value)
        told = "; ".join(sorted(sources)) if written and len(sources) < 3 else ""
        yield Row(_shown(path), _cell(_kind(info)), _cell(meaning), default, written, _cell(told))


def _merged(rows: Iterator[Row]) -> list[Row]:
    """One row for each path: of a field that several forms have, what any of them is written as."""
    found: dict[str, Row] = {}
    for row in rows:
        known = found.setdefault(row.path, row)
        if known is not row and row.kind not in known.kind:
            found[row.path] = replace(known, kind=f"{known.kind} or {row.kind}")
    return list(found.values())


def _shown(path: tuple[str, ...]) -> str:
    return ".".join(path).replace(".[]", "[]")


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else shown(value, 70)
    return " ".join(text.split()).replace("|", "\\|")


def _fields(
    model: type[BaseModel], above: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], FieldInfo, type[BaseModel]]]:
    """Every field that holds no fields of its own, with the model that it belongs to."""
    for name, info in model.model_fields.items():
        path = (*above, info.alias or name)
        below = [] if _is_distribution(info.annotation) else list(_models(info.annotation))
        inner = (*path, "[]") if below and _is_list(info.annotation) else path
        if not below:
            yield path, info, model
        for each in below:
            yield from _fields(each, inner)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        return
    for part in get_args(annotation):
        yield from _models(part)


def _is_list(annotation: Any) -> bool:
    return get_origin(annotation) is tuple or any(get_origin(part) is tuple for part in get_args(annotation))


def _is_distribution(annotation: Any) -> bool:
    return any(issubclass(each, Constant | Normal | Uniform) for each in _models(annotation))


def _kind(info: FieldInfo) -> str:
    """What is written, in words, with its bounds."""
    annotation = info.annotation
    if _is_distribution(annotation):
        constant = next(each for each in _models(annotation) if issubclass(each, Constant))
        return f"{_quantity(constant.model_fields['value'])} or distribution"
    bounds = [
        f"{sign} {getattr(each, name)!s}"
        for each in info.metadata
        for name, sign in _BOUNDS.items()
        if getattr(each, name, None) is not None
    ]
    return ", ".join([_quantity(info), *bounds])


def _quantity(info: FieldInfo) -> str:
    for each in info.metadata:
        if isinstance(each, BeforeValidator):
            return _of_validator(each)
    return _of_annotation(info.annotation)


def _of_validator(validator: BeforeValidator) -> str:
    function: Any = validator.func
    if function.__name__ in _BY_FUNCTION:
        return _BY_FUNCTION[function.__name__]
    told = inspect.getclosurevars(function).nonlocals
    return f"{told['name'].split(' ', 1)[1]}, such as {told['example']}" if "name" in told else "text"


def _of_annotation(annotation: Any) -> str:
    if get_origin(annotation) is Annotated:
        first = next((x for x in get_args(annotation)[1:] if isinstance(x, BeforeValidator)), None)
        return _of_validator(first) if first else _of_annotation(get_args(annotation)[0])
    if get_origin(annotation) is Literal:
        return " or ".join(f"`{word}`" for word in get_args(annotation))
    if get_origin(annotation) in (Union, UnionType):
        return " or ".join(_of_annotation(part) for part in get_args(annotation) if part is not type(None))
    if get_origin(annotation) is tuple:
        inner = [part for part in get_args(annotation) if part is not ...]
        return "list of " + " and ".join(dict.fromkeys(_of_annotation(part) for part in inner))
    return {int: "whole number", float: "number", str: "text", bool: "true or false"}.get(
        annotation, "mapping"
    )


@cache
def _docstrings(model: type[BaseModel]) -> dict[str, str]:
    """The text that stands below each field, those of the classes above it included."""
    found: dict[str, str] = {}
    for each in reversed(model.__mro__):
        module = sys.modules.get(each.__module__)
        if module is None or not each.__module__.startswith("sim."):
            continue
        tree = ast.parse(inspect.getsource(module))
        body = next(
            (n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == each.__name__), []
        )
        for field, text in pairwise(body):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
            ):
                found[field.target.id] = str(text.value.value)
    return found


def _comments(name: str) -> dict[tuple[str, ...], str]:
    """Comments at the ends of a shipped scenario's lines, by the path of the field before them."""
    found: dict[tuple[str, ...], str] = {}
    above: list[tuple[int, str]] = []
    for line in (ROOT / "scenarios" / f"{name}.yaml").read_text(encoding="utf-8").splitlines():
        match = re.match(r"( *)(\w+):(.*?)(?:\s#\s*(.*))?$", line)
        if match is None:
            continue
        above = [(indent, key) for indent, key in above if indent < len(match[1])] + [
            (len(match[1]), match[2])
        ]
        if match[4]:
            found[tuple(key for _, key in above)] = match[4]
    return found
