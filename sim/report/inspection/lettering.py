"""The typeface of a report, and letters that it lacks."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from sim.documents.untrusted import clean

HASH_SALT = "fairwheel"


def font_file(name: str) -> Path:
    """Return a font that matplotlib ships."""
    import matplotlib

    return Path(matplotlib.get_data_path(), "fonts", "ttf", f"{name}.ttf")


@contextmanager
def lettered() -> Iterator[None]:
    """Within it figures are set in the report's typeface and come out the same every time."""
    from matplotlib import rc_context

    with rc_context(
        {
            "font.family": ["STIXGeneral", "DejaVu Sans"],
            "font.size": 8.5,
            "svg.hashsalt": HASH_SALT,
            "svg.fonttype": "path",
            "axes.unicode_minus": True,
            "path.simplify": False,
            "text.parse_math": False,
        }
    ):
        yield


@cache
def letters(name: str) -> frozenset[int]:
    """Return the code points of a font that matplotlib ships."""
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(str(font_file(name))).get_charmap())


def unbroken(text: str) -> str:
    """Return text cleaned of what does not print, with no line to be broken before a percent sign."""
    return clean(text).replace(" %", "\u00a0%").replace(" +- ", " ± ")


def drawable(text: str) -> str:
    """Return text that figures can be lettered with: cleaned, with a code point for a letter that no font has."""
    return "".join(
        each
        if any(ord(each) in letters(name) for name in ("STIXGeneral", "DejaVuSans"))
        else f"U+{ord(each):04X}"
        for each in clean(text)
    )
