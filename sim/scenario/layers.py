"""Layers of a scenario: a file, the file it extends, the overrides of a command line, one over the other."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sim.documents.document import Document, Path, shown
from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.reading import parse_value

_SOURCE = re.compile(r"assumed|measured(: *\S.*)?|cited: *\S.*", re.DOTALL)
_NOT_PHYSICAL = {"name", "title", "rulebook", "extends", "solver"}
_CHOICES = {"kind", "profile"}

# Forms that exclude each other, by the path of the mapping that holds them; "*" is any name.
_FORMS: dict[Path, tuple[frozenset[str], ...]] = {
    ("level",): (frozenset({"tilt", "low_side"}), frozenset({"slope"}), frozenset({"feet"})),
    ("launch", "*"): (frozenset({"normal"}), frozenset({"uniform"})),
    ("push", "phase"): (frozenset({"normal"}), frozenset({"uniform"})),
    ("machine", "wheel", "inertia"): (frozenset({"moment"}), frozenset({"mass", "form"})),
    ("rim", "deceleration"): (
        frozenset({"constant", "linear", "quadratic"}),
        frozenset({"table"}),
        frozenset({"laps"}),
    ),
}


@dataclass(frozen=True, slots=True)
class Layer:
    """A document whose values are bare, and what it says about where each physical value comes from."""

    document: Document
    sources: Mapping[Path, str]
    faults: tuple[Fault, ...] = ()


def layer(document: Document) -> Layer:
    """Separate the values of a document from their provenance.

    ``{value: X, source: S}`` becomes X; a ``source`` beside named fields holds for all of them that have none
    of their own.
    """
    separating = _Separating(document)
    data = separating.value(document.data, (), (), "unstated")
    bare = replace(document, data=data, marks=separating.marks, keys=separating.keys)
    return Layer(bare, separating.sources, tuple(separating.faults))


class _Separating:
    """Walks a document; ``at`` is the path in it, ``path`` the path once the provenance is gone."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.marks: dict[Path, Mark] = {}
        self.keys: dict[Path, Mark] = {}
        self.sources: dict[Path, str] = {}
        self.faults: list[Fault] = []

    def value(self, value: Any, at: Path, path: Path, source: str) -> Any:
        self.marks[path] = self.document.mark(at)
        if isinstance(value, dict):
            source = self._source(value, at, source)
            if "value" in value:
                self._check_only_value(value, at)
                return self.value(value["value"], (*at, "value"), path, source)
            names = [name for name in value if name != "source" or not path]
            for name in names:
                self.keys[(*path, name)] = self.document.mark((*at, name), key=True)
            return {name: self.value(value[name], (*at, name), (*path, name), source) for name in names}
        if isinstance(value, list):
            if any(isinstance(item, dict) for item in value):
                return [self.value(item, (*at, i), (*path, i), source) for i, item in enumerate(value)]
            self.marks |= {(*path, *rest): mark for rest, mark in _below(self.document.marks, at).items()}
        if path and path[0] not in _NOT_PHYSICAL and path[-1] not in _CHOICES:
            self.sources[path] = source
        return value

    def _source(self, value: dict[str, Any], at: Path, inherited: str) -> str:
        if "source" not in value or not at:
            return inherited
        source = value["source"]
        if isinstance(source, str) and _SOURCE.fullmatch(source):
            return source
        allowed = "assumed, measured, 'measured: ...' or 'cited: ...'"
        message = f"must say where the value comes from: {allowed}; given {shown(source)}"
        self.faults.append(self.document.fault((*at, "source"), message))
        return inherited

    def _check_only_value(self, value: dict[str, Any], at: Path) -> None:
        for name in value.keys() - {"value", "source"}:
            message = "unknown field; allowed beside value: source"
            self.faults.append(self.document.fault((*at, name), message, key=True))


def _below(marks: Mapping[Path, Mark], path: Path) -> dict[Path, Mark]:
    """The marks below a path, by the rest of their paths."""
    return {
        each[len(path) :]: mark for each, mark in marks.items() if each[: len(path)] == path and each != path
    }


def over(base: Layer, child: Layer) -> Layer:
    """The child laid over its base.

    Mappings merge; lists and single values are replaced with all that was said about them; so is a mapping
    that the child gives in another form or of another kind.
    """
    gone: list[Path] = []
    data = _merge(base.document.data, child.document.data, (), gone)
    below, above = base.document, child.document

    def kept(entries: Mapping[Path, Any], new: Mapping[Path, Any]) -> dict[Path, Any]:
        left = {path: entry for path, entry in entries.items() if not any(path[: len(g)] == g for g in gone)}
        return left | dict(new)

    document = Document(
        above.label, data, kept(below.marks, above.marks), kept(below.keys, above.keys), above.text
    )
    return Layer(document, kept(base.sources, child.sources), base.faults + child.faults)


def _merge(base: Any, child: Any, path: Path, gone: list[Path]) -> Any:
    """Merged data; paths of which nothing is left of the base are added to ``gone``."""
    if not (isinstance(base, dict) and isinstance(child, dict)) or _contradict(base, child, path):
        gone.append(path)
        return child
    merged = dict(base)
    for name, value in child.items():
        merged[name] = _merge(base[name], value, (*path, name), gone) if name in base else value
    return merged


def _contradict(base: dict[str, Any], child: dict[str, Any], path: Path) -> bool:
    """Whether the child gives a mapping in another form than the base, or of another kind."""
    if any(name in base and name in child and base[name] != child[name] for name in _CHOICES):
        return True
    for pattern, forms in _FORMS.items():
        if len(pattern) == len(path) and all(a in ("*", b) for a, b in zip(pattern, path, strict=True)):
            used = [[form for form in forms if form & mapping.keys()] for mapping in (base, child)]
            return bool(used[0] and used[1]) and used[0] != used[1]
    return False


def override(text: str) -> Layer:
    """The layer of one ``PATH=VALUE`` of a command line; VALUE is read as YAML.

    Its marks name the input ``--set PATH=VALUE``. Raises BadInput when it is not of that form.
    """
    label = f"--set {text}"
    dotted_path, equals, value = text.partition("=")
    path = tuple(dotted_path.strip().split("."))
    if not equals or not all(re.fullmatch(r"\w+", name) for name in path):
        message = f"must be PATH=VALUE, such as machine.hollow.depth=8mm; given {shown(text)}"
        raise BadInput([Fault(Mark(label), "--set", message)])
    if path[0] == "extends":
        raise BadInput(
            [Fault(Mark(label), "extends", "can only be given in a file; name that file as scenario")]
        )
    before = len("--set ") + len(dotted_path) + 1
    try:
        read = _moved(parse_value(value, label), before)
    except BadInput as error:
        raise BadInput([_of_value(fault, ".".join(path), before) for fault in error.faults]) from None
    data: Any = read.data["value"]
    marks = {(*path, *at[1:]): mark for at, mark in read.marks.items()}
    keys = {(*path, *at[1:]): mark for at, mark in read.keys.items()}
    column = len("--set ") + 1
    for depth, name in enumerate(path):
        keys[path[: depth + 1]] = Mark(label, 1, column)
        column += len(name) + 1
    for name in reversed(path):
        data = {name: data}
    return layer(Document(label, data, marks, keys, text))


def _moved(document: Document, columns: int) -> Document:
    """A document whose first line begins some columns further right."""
    marks = {path: _right(mark, columns) for path, mark in document.marks.items()}
    keys = {path: _right(mark, columns) for path, mark in document.keys.items()}
    return replace(document, marks=marks, keys=keys)


def _of_value(fault: Fault, field: str, columns: int) -> Fault:
    """The fault of a value read alone, as that of the field it is given to."""
    below = fault.field.removeprefix("value") if fault.field.startswith("value") else ""
    return Fault(_right(fault.mark, columns), field + below, fault.message)


def _right(mark: Mark, columns: int) -> Mark:
    return replace(mark, column=mark.column + columns) if mark.line == 1 else mark
