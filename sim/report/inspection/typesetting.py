"""Text on paper: typefaces, styles, and letters that no markup can hide in."""

from contextlib import suppress
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph

from sim.report.inspection.lettering import font_file, letters, unbroken

INK, SOFT, LINE, HAIR, BLUE, TINT = map(
    HexColor, ("#1b1b1b", "#555555", "#b5b5b5", "#dcdcdc", "#1f3d66", "#f3f4f6")
)
LEFT = 17 * mm
WIDTH = A4[0] - 2 * LEFT
LONGEST_CELL = 1500
FAMILY = {
    "Report": "STIXGeneral",
    "Report-Bold": "STIXGeneralBol",
    "Report-Italic": "STIXGeneralItalic",
    "Letters": "DejaVuSans",
    "Letters-Bold": "DejaVuSans-Bold",
    "Code": "DejaVuSansMono",
}
EASTERN = {
    "big5": ("MSung-Light", "UniCNS-UCS2-H"),
    "gb2312": ("STSong-Light", "UniGB-UCS2-H"),
    "shift_jis": ("HeiseiMin-W3", "UniJIS-UCS2-H"),
    "euc_kr": ("HYSMyeongJo-Medium", "UniKS-UCS2-H"),
}
"""Character set -> font that readers of PDF bring along, and its map; they are not embedded."""


def _style(name: str, size: float, leading: float, **more: Any) -> ParagraphStyle:
    return ParagraphStyle(
        name, fontName="Report", fontSize=size, leading=leading, textColor=INK, splitLongWords=1, **more
    )


PLAIN = _style("plain", 9.6, 12.2, spaceBefore=3, spaceAfter=4)
NOTE = _style("note", 8.4, 10.4, spaceBefore=2, spaceAfter=3)
NOTE.textColor = SOFT
CELL = _style("cell", 8.4, 10.2)
RIGHT = _style("right", 8.4, 10.2, alignment=TA_RIGHT)
CODE = _style("code", 6.4, 9.6)
CODE.fontName = "Code"
HEAD = _style("head", 13.5, 16.5, spaceBefore=2)
TITLE = _style("title", 10.4, 13, spaceBefore=7, spaceAfter=2)
LARGE = _style("large", 18, 21.5, spaceAfter=4)
REASON = _style("reason", 9.6, 12.6)
LABEL = _style("label", 7.6, 10)
LABEL.textColor = SOFT


def register() -> None:
    """Make the typefaces known to reportlab, once."""
    known = set(pdfmetrics.getRegisteredFontNames())
    for name, file in FAMILY.items():
        if name not in known:
            pdfmetrics.registerFont(TTFont(name, str(font_file(file))))
    for name, charts in EASTERN.values():
        if name not in known:
            font = UnicodeCIDFont(name)
            font.encodingName = charts
            pdfmetrics.registerFont(font)


def cut(text: str, most: int) -> str:
    """Return a text of so many letters at most."""
    return text if len(text) <= most else text[: most - 1] + "…"


# --- text -----------------------------------------------------------------------------------------------------------


def rich(text: str, *, bold: bool = False, font: str | None = None) -> str:
    """Return text as reportlab's markup: nothing in it is markup, and letters that the typeface lacks are others'.

    What none of the fonts has is shown as its code point.
    """
    plain = font or ("Report-Bold" if bold else "Report")
    spare = "Letters-Bold" if bold else "Letters"
    runs: list[tuple[str, str]] = []
    for character in unbroken(text):
        name, shown = _set(character, plain, spare)
        if runs and runs[-1][0] == name:
            runs[-1] = (name, runs[-1][1] + shown)
        else:
            runs.append((name, shown))
    return "".join(f'<font name="{name}">{escape(words)}</font>' for name, words in runs)


def _set(character: str, plain: str, spare: str) -> tuple[str, str]:
    for name in (plain, spare):
        if ord(character) in letters(FAMILY[name]):
            return name, character
    for encoding, (font, _) in EASTERN.items():
        with suppress(UnicodeEncodeError):
            character.encode(encoding)
            return font, character
    return plain, f"U+{ord(character):04X}"


def paragraph(text: str, style: ParagraphStyle, *, bold: bool = False) -> Paragraph:
    """Return text in a style; nothing in it is markup."""
    font = style.fontName if style.fontName == "Code" else None
    return Paragraph(rich(cut(text, LONGEST_CELL), bold=bold, font=font), style)
