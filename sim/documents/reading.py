"""YAML read without its surprises.

The reader follows the core schema of YAML 1.2 (section 10.3), less what a document of ours never needs:
``1e-3`` is a number, ``no`` and ``12:30`` are text, ``010`` is ten. Keys are text as written. Refused, each
with its place: a key given twice, tags, merge keys, tabs as indentation, NaN and infinities, a second
document, too much of anything.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

import yaml

from sim.documents.document import Document, Path, dotted
from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.resources import label_of

MAX_BYTES = 1_000_000
MAX_DEPTH = 40
MAX_VALUES = 100_000

_INT = re.compile(r"[-+]?[0-9]{1,300}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS = {"": None, "~": None, "null": None, "Null": None, "NULL": None} | {
    word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")
}


def load_document(path: FilePath, label: str | None = None) -> Document:
    """Read a YAML file of at most a megabyte.

    Raises BadInput for a file that cannot be read or is not one mapping in UTF-8.
    """
    label = label_of(path) if label is None else label
    return parse_document(read_text(path, label, MAX_BYTES), label)


def read_text(path: FilePath, label: str, most_bytes: int) -> str:
    """Read a file in UTF-8, with or without a byte order mark. Raises BadInput when it cannot be read."""
    try:
        with path.open("rb") as stream:
            content = stream.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        raise BadInput([Fault(Mark(label), "file", _why_unreadable(error))]) from None
    if len(content) > most_bytes:
        message = f"too large; at most {most_bytes} bytes are read; the file has more"
        raise BadInput([Fault(Mark(label), "file", message)])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", "replace")
        message = f"not UTF-8 text; save the file as UTF-8; byte 0x{content[error.start]:02x} was found"
        raise BadInput([Fault(_mark_after(label, before), "file", message)]) from None


def parse_document(text: str, label: str) -> Document:
    """Read a YAML text that is one mapping. Raises BadInput with every fault found."""
    node = _compose(text, label)
    if node is None:
        raise BadInput([Fault(Mark(label), "document", "empty; a mapping of fields is needed")])
    if not isinstance(node, yaml.MappingNode):
        message = f"must be a mapping of fields (name: value); given {_kind(node)}"
        raise BadInput([Fault(_mark(label, node), "document", message)])
    reading = _Reading(label)
    data = reading.convert(node, ())
    if reading.faults:
        raise BadInput(reading.faults)
    return Document(label, data, reading.marks, reading.keys, text)


def parse_value(text: str, label: str) -> Document:
    """Read a YAML text of any one value, given on a command line; it is ``data["value"]`` of the result."""
    node = _compose(text, label)
    reading = _Reading(label)
    value = None if node is None else reading.convert(node, ("value",))
    if reading.faults:
        raise BadInput(reading.faults)
    return Document(label, {"value": value}, reading.marks, reading.keys, text)


class _Loader(yaml.SafeLoader):
    """Composes nodes only: no scalar is given a type, no tag is let through, nesting is bounded."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  (PyYAML's own)
    _depth = 0

    def get_event(self) -> Any:
        event = super().get_event()  # type: ignore[no-untyped-call]
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise yaml.MarkedYAMLError(
                problem=f"tags are not used here; write the bare value; given the tag {tag}",
                problem_mark=event.start_mark,
            )
        return event

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            problem = f"nested too deeply; at most {MAX_DEPTH} levels are read"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=self.peek_event().start_mark)  # type: ignore[no-untyped-call]
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _compose(text: str, label: str) -> yaml.Node | None:
    """Nodes of the text, or the one fault of its syntax."""
    try:
        loader = _Loader(text)
        return loader.get_single_node()
    except yaml.reader.ReaderError as error:
        mark = _mark_after(label, text[: error.position])
        message = f"holds a character that no text has; remove it; given code {error.character:#x}"
    except yaml.MarkedYAMLError as error:
        place = error.problem_mark or error.context_mark
        mark = Mark(label, place.line + 1, place.column + 1) if place else Mark(label)
        message = _syntax(error)
    raise BadInput([Fault(mark, "document", message)])


def _syntax(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or "cannot be read"
    if "\\t" in problem:
        return "a tab is used as indentation; only spaces are allowed; given a tab"
    if "another document" in problem or "single document" in (error.context or ""):
        return "a second document begins; only one is allowed; given '---'"
    if type(error) is yaml.MarkedYAMLError:
        return problem
    return f"not valid YAML: {problem}"


@dataclass
class _Reading:
    """Turns nodes into plain data; collects places and faults on the way."""

    label: str
    marks: dict[Path, Mark] = field(default_factory=dict)
    keys: dict[Path, Mark] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    values: int = 0

    def convert(self, node: yaml.Node, path: Path) -> Any:
        self.values += 1
        self.marks[path] = _mark(self.label, node)
        if self.values > MAX_VALUES:
            raise BadInput([self._fault(node, path, f"holds too much; at most {MAX_VALUES} values are read")])
        if len(path) > MAX_DEPTH:
            raise BadInput([self._fault(node, path[:1], "an alias holds itself, or is nested too deeply")])
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.convert(item, (*path, index)) for index, item in enumerate(node.value)]
        assert isinstance(node, yaml.ScalarNode)
        return self._scalar(node, path)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if not isinstance(key, str) or key == "":
                self.faults.append(
                    self._fault(key_node, path, f"a field's name must be text; given {_kind(key_node)}")
                )
                continue
            if self._is_half_a_character(key_node, path):
                continue
            here = (*path, key)
            if key == "<<" and key_node.style is None:
                message = "merge keys are not read; repeat the fields, or use an alias for the whole value"
                self.faults.append(self._fault(key_node, here, message))
            elif key in data:
                message = f"given twice; each field once; first given on line {self.keys[here].line}"
                self.faults.append(self._fault(key_node, here, message))
            else:
                self.keys[here] = _mark(self.label, key_node)
                data[key] = self.convert(value_node, here)
        return data

    def _scalar(self, node: yaml.ScalarNode, path: Path) -> Any:
        text = node.value
        if self._is_half_a_character(node, path):
            return ""
        if node.style is not None:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _INT.fullmatch(text):
            return int(text)
        if _FLOAT.fullmatch(text):
            number = float(text)
            if abs(number) != float("inf"):
                return number
            self.faults.append(self._fault(node, path, f"too large a number; given {text[:40]}"))
        elif _NOT_FINITE.fullmatch(text):
            self.faults.append(self._fault(node, path, f"must be a finite number; given {text}"))
        return text

    def _is_half_a_character(self, node: yaml.ScalarNode, path: Path) -> bool:
        """Whether a text holds a lone surrogate, which no encoding can write; a fault if so."""
        try:
            node.value.encode()
        except UnicodeEncodeError:
            message = "holds half of a character pair; write the character itself"
            self.faults.append(self._fault(node, path, message))
            return True
        return False

    def _fault(self, node: yaml.Node, path: Path, message: str) -> Fault:
        return Fault(_mark(self.label, node), dotted(path) or "document", message)


def _mark(label: str, node: yaml.Node) -> Mark:
    return Mark(label, node.start_mark.line + 1, node.start_mark.column + 1)


def _mark_after(label: str, before: str) -> Mark:
    """The place that follows a text."""
    lines = before.split("\n")
    return Mark(label, len(lines), len(lines[-1]) + 1)


def _kind(node: yaml.Node) -> str:
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    return repr(str(node.value)[:40]) if node.value else "nothing"


def _why_unreadable(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "a directory; a file is needed"
    if isinstance(error, PermissionError):
        return "cannot be read: permission denied"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot be read: {reason}"
