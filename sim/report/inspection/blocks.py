"""What a section is made of; each block knows neither HTML nor PDF."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph. kind: ``plain``, ``note`` (small), or ``warning`` (framed)."""

    words: str
    kind: Literal["plain", "note", "warning"] = "plain"


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and values in two columns; what nobody stated stands as a line to write on."""

    rows: tuple[tuple[str, str | None], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. share: of the width, relative to the others'. code: set in a fixed pitch."""

    head: str
    share: float = 1.0
    align: Align = "left"
    code: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table; rows of as many cells as there are columns. strong: rows in bold. folded: on a screen only, and there
    under these words until it is asked for."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    note: str = ""
    strong: frozenset[int] = frozenset()
    folded: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure, drawn anew for every medium. name: unique in a report. square: whether two fit side by side."""

    name: str
    title: str
    caption: str
    draw: "Callable[[], Figure]"
    square: bool = False


@dataclass(frozen=True, slots=True)
class Pictures:
    """One picture, or two side by side."""

    row: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict, large. reasons: tests that speak against the wheel. lines: what it rests on, small."""

    word: str
    headline: str
    reasons: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signatures:
    """Places to sign: role, name and licence where stated."""

    rows: tuple[tuple[str, str | None, str | None], ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """Spins that play on a screen, HTML with its own style and script; on paper there is nothing of it."""

    fragment: Markup


Block = Text | Facts | Table | Pictures | Verdict | Signatures | Replay


@dataclass(frozen=True, slots=True)
class Chapter:
    """A section as it is shown."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """All that is shown. body: who issues it. identity: its number. subject: what was inspected."""

    title: str
    body: str
    identity: str
    issued: str
    subject: str
    chapters: tuple[Chapter, ...]
