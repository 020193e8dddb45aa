"""A document: plain data and the place in the text of everything in it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sim.documents.faults import Fault, Mark

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The data of one input and where each part of it was written.

    label: the input's name as the user wrote it, for faults.
    data: mapping of text to plain data: None, bool, int, float (finite), str, list and dict.
    marks: path to the place of the value at that path; the empty path is the whole document.
    keys: path to the place of the key that leads to it, for members of mappings.
    text: the document as it was read.
    """

    label: str
    data: dict[str, Any]
    marks: Mapping[Path, Mark]
    keys: Mapping[Path, Mark]
    text: str = ""

    def mark(self, path: Path, *, key: bool = False) -> Mark:
        """Place of the value (or of its key) at a path, else that of its nearest parent that was written.

        A missing member is best shown at its parent's key, so a parent is looked up by key first.
        """
        if not key and path in self.marks:
            return self.marks[path]
        while path:
            if path in self.keys:
                return self.keys[path]
            if path in self.marks:
                return self.marks[path]
            path = path[:-1]
        return self.marks.get((), Mark(self.label))

    def fault(self, path: Path, message: str, *, key: bool = False) -> Fault:
        """A fault of the value (or of the key) at a path."""
        return Fault(self.mark(path, key=key), dotted(path) or "document", message)

    def get(self, path: Path) -> Any:
        """The value at a path, or None where there is none."""
        value: Any = self.data
        for step in path:
            if isinstance(value, dict):
                value = value.get(str(step))
            elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
                value = value[step]
            else:
                return None
        return value


def dotted(path: Path) -> str:
    """A path as it is shown: ``machine.hollow.points[2]``."""
    shown = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return shown.removeprefix(".")


def shown(value: Any, limit: int = 60) -> str:
    """A value on one short line, as a fault quotes it."""
    if isinstance(value, dict):
        text = "{" + ", ".join(f"{key}: {shown(item)}" for key, item in value.items()) + "}"
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(shown(item) for item in value) + "]"
    elif value is None:
        text = "nothing"
    elif isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, str):
        text = repr(value)
    else:
        text = f"{value}"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def near(word: str, known: Iterable[str]) -> str:
    """``; did you mean 'depth'?`` when a known name is close, else nothing."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
