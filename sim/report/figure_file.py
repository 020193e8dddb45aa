"""A figure as the bytes of a file, the same every time."""

from io import BytesIO
from typing import TYPE_CHECKING

from sim.report.inspection.lettering import lettered

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")


def encoded(draw: "Callable[[], Figure]", suffix: str) -> bytes:
    """Draw a figure and return it as a file of this suffix, one of `SUFFIXES`."""
    kind, content = suffix.lower().removeprefix("."), BytesIO()
    stamp = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    with lettered():
        draw().savefig(content, format=kind, dpi=150, metadata=stamp)
    return content.getvalue()
