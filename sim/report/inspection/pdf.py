"""A report as a PDF on A4, with the same sections as the HTML."""

from collections.abc import Iterator
from contextlib import suppress
from functools import singledispatch
from io import BytesIO
from itertools import pairwise
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    TableStyle,
)
from reportlab.platypus import Table as Grid

from sim import __version__
from sim.documents.untrusted import clean
from sim.report.inspection.blocks import (
    Block,
    Column,
    Facts,
    Picture,
    Pictures,
    Report,
    Signatures,
    Table,
    Text,
    Verdict,
)
from sim.report.inspection.lettering import font_file, letters, unbroken
from sim.report.inspection.paper import Drawn

INK, SOFT, LINE, HAIR, BLUE, TINT = map(
    HexColor, ("#1b1b1b", "#555555", "#b5b5b5", "#dcdcdc", "#1f3d66", "#f3f4f6")
)
LEFT, TOP, BOTTOM = 17 * mm, 21 * mm, 19 * mm
WIDTH = A4[0] - 2 * LEFT
GAP = 7 * mm
TALL = 0.55 * A4[1]
LONGEST_CELL = 1500
_FAMILY = {
    "Report": "STIXGeneral",
    "Report-Bold": "STIXGeneralBol",
    "Report-Italic": "STIXGeneralItalic",
    "Letters": "DejaVuSans",
    "Letters-Bold": "DejaVuSans-Bold",
    "Code": "DejaVuSansMono",
}
_EASTERN = {
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
LABEL = _style("label", 7.6, 10)
LABEL.textColor = SOFT


def pdf(report: Report) -> bytes:
    """Return the report as a PDF; the same report gives the same bytes."""
    _register()
    content = BytesIO()
    document = BaseDocTemplate(
        content,
        pagesize=A4,
        title=clean(f"{report.title} {report.identity}"),
        author=clean(report.body),
        subject=clean(report.subject),
        creator=f"fairwheel {__version__}",
        invariant=1,
        lang="en",
    )
    frame = Frame(
        LEFT,
        BOTTOM,
        WIDTH,
        A4[1] - TOP - BOTTOM,
        leftPadding=0,
        rightPadding=0,
        topPadding=0,
        bottomPadding=0,
    )
    document.addPageTemplates(PageTemplate("page", [frame]))
    document.build(list(_story(report)), canvasmaker=lambda *a, **k: _Paged(report, *a, **k))
    return content.getvalue()


def _register() -> None:
    known = set(pdfmetrics.getRegisteredFontNames())
    for name, file in _FAMILY.items():
        if name not in known:
            pdfmetrics.registerFont(TTFont(name, str(font_file(file))))
    for name, charts in _EASTERN.values():
        if name not in known:
            font = UnicodeCIDFont(name)
            font.encodingName = charts
            pdfmetrics.registerFont(font)


class _Paged(Canvas):  # type: ignore[misc]
    """A canvas that knows, when it writes a page's head and foot, how many pages there are."""

    def __init__(self, report: Report, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._report = report
        self._pages: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802
        """Keep the page until all are there."""
        self._pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        """Write head and foot of every page, and the document."""
        for number, page in enumerate(self._pages, start=1):
            self.__dict__.update(page)
            self._edges(number, len(self._pages))
            super().showPage()
        super().save()

    def _edges(self, number: int, pages: int) -> None:
        top, bottom = A4[1] - 13 * mm, 11 * mm
        report = self._report
        self.setStrokeColor(LINE)
        self.setLineWidth(0.5)
        if number > 1:
            self.line(LEFT, top - 3, A4[0] - LEFT, top - 3)
            _write(self, f"{report.title} {report.identity}", LEFT, top, WIDTH / 2 - 6)
            _write(self, report.subject, A4[0] - LEFT, top, WIDTH / 2 - 6, right=True)
        self.line(LEFT, bottom + 9, A4[0] - LEFT, bottom + 9)
        _write(self, report.body or "issuing body not stated", LEFT, bottom, WIDTH * 0.7)
        _write(self, f"page {number} of {pages}", A4[0] - LEFT, bottom, WIDTH * 0.25, right=True)


def _write(canvas: Canvas, text: str, x: float, y: float, width: float, *, right: bool = False) -> None:
    """Write one small line, cut to a width, from x, or up to it where `right`."""
    style = ParagraphStyle("edge", LABEL, alignment=TA_RIGHT if right else TA_LEFT)
    for most in (120, 80, 50, 30):
        line = Paragraph(rich(_cut(text, most)), style)
        _, height = line.wrap(width, A4[1])
        if height <= LABEL.leading:
            break
    line.drawOn(canvas, x - width if right else x, y - height + LABEL.leading - 1)


def _cut(text: str, most: int) -> str:
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
        if ord(character) in letters(_FAMILY[name]):
            return name, character
    for encoding, (font, _) in _EASTERN.items():
        with suppress(UnicodeEncodeError):
            character.encode(encoding)
            return font, character
    return plain, f"U+{ord(character):04X}"


def _paragraph(text: str, style: ParagraphStyle, *, bold: bool = False) -> Paragraph:
    font = style.fontName if style.fontName == "Code" else None
    return Paragraph(rich(_cut(text, LONGEST_CELL), bold=bold, font=font), style)


# --- sections -------------------------------------------------------------------------------------------------------


def _story(report: Report) -> Iterator[Flowable]:
    yield from _masthead(report)
    for number, chapter in enumerate(report.chapters):
        blocks = [list(flowables(block)) for block in chapter.blocks]
        if number:
            if chapter.fresh:
                yield PageBreak()
            blocks[0] = [Spacer(1, 9), _heading(number, chapter.title), *blocks[0]]
        for block in blocks:
            yield from _kept(block)


def _kept(block: list[Flowable]) -> Iterator[Flowable]:
    """Keep a block on one page, unless it is too tall for that; then at least its beginning."""
    height = sum(flowable.wrap(WIDTH, 10 * A4[1])[1] for flowable in block)
    if height < TALL:
        yield KeepTogether(block)
    else:
        yield CondPageBreak(45 * mm)
        yield from block


def _masthead(report: Report) -> Iterator[Flowable]:
    body = ParagraphStyle("body", PLAIN, fontSize=10.5, leading=13, textColor=BLUE)
    title = ParagraphStyle("name", PLAIN, fontSize=23, leading=27, spaceBefore=0)
    subject = ParagraphStyle("subject", PLAIN, fontSize=11.5, leading=14)
    facts = [
        [_paragraph(name, LABEL), _paragraph(value, RIGHT, bold=True)]
        for name, value in (("Report", report.identity), ("Issued", report.issued))
    ]
    whole = (0, 0), (-1, -1)
    side = Grid(
        facts,
        colWidths=[14 * mm, 42 * mm],
        style=[
            ("VALIGN", *whole, "TOP"),
            ("RIGHTPADDING", *whole, 0),
            ("TOPPADDING", *whole, 1),
            ("BOTTOMPADDING", *whole, 1),
        ],
    )
    words = [
        _paragraph(report.body or "issuing body not stated", body, bold=True),
        _paragraph(report.title, title, bold=True),
        _paragraph(report.subject, subject),
    ]
    yield Grid(
        [[words, side]],
        colWidths=[WIDTH - 58 * mm, 58 * mm],
        style=[
            ("VALIGN", (0, 0), (-1, -1), "BOTTOM"),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("RIGHTPADDING", (0, 0), (-1, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 0),
            ("LINEBELOW", (0, 0), (-1, -1), 1.8, INK),
        ],
    )
    yield Spacer(1, 10)


def _heading(number: int, title: str) -> Flowable:
    markup = (
        f'<font color="#1f3d66">{rich(str(number), bold=True)}</font>&nbsp;&nbsp;{rich(title, bold=True)}'
    )
    return Grid(
        [[Paragraph(markup, HEAD)]],
        colWidths=[WIDTH],
        style=[
            ("LINEBELOW", (0, 0), (-1, -1), 0.8, INK),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 0),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
        ],
        spaceAfter=5,
    )


@singledispatch
def flowables(block: Block) -> Iterator[Flowable]:
    """Yield a block as reportlab takes it."""
    raise TypeError(type(block))


@flowables.register
def _(block: Text) -> Iterator[Flowable]:
    if block.kind == "warning":
        yield Spacer(1, 4)
        yield Grid(
            [[_paragraph(block.words, CELL)]],
            colWidths=[WIDTH],
            style=[
                ("BOX", (0, 0), (-1, -1), 0.6, INK),
                ("LINEBEFORE", (0, 0), (0, -1), 4, INK),
                ("LEFTPADDING", (0, 0), (-1, -1), 9),
            ],
        )
        yield Spacer(1, 3)
    else:
        yield _paragraph(block.words, PLAIN if block.kind == "plain" else NOTE)


@flowables.register
def _(block: Verdict) -> Iterator[Flowable]:
    rows = [
        [Paragraph(rich("VERDICT"), LABEL)],
        [_paragraph(block.sentence, LARGE, bold=True)],
        *([_paragraph(line, CELL)] for line in block.lines),
    ]
    edge = 9 if block.word in ("biased", "investigate") else 1.5
    yield Grid(
        rows,
        colWidths=[WIDTH],
        style=[
            ("BACKGROUND", (0, 0), (-1, -1), TINT),
            ("BOX", (0, 0), (-1, -1), 1.5, INK),
            ("LINEBEFORE", (0, 0), (0, -1), edge, INK),
            ("LEFTPADDING", (0, 0), (-1, -1), 12 if edge < 5 else 16),
            ("RIGHTPADDING", (0, 0), (-1, -1), 12),
            ("TOPPADDING", (0, 0), (-1, 0), 9),
            ("TOPPADDING", (0, 1), (-1, -1), 0),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, -1), (-1, -1), 9),
        ],
    )
    yield Spacer(1, 6)


@flowables.register
def _(block: Facts) -> Iterator[Flowable]:
    label = ParagraphStyle("fact", CELL, textColor=SOFT)
    empty = ParagraphStyle("open", CELL, textColor=SOFT)
    rows = [
        [
            _paragraph(name, label),
            _paragraph("not stated", empty) if value is None else _paragraph(value, CELL),
        ]
        for name, value in block.rows
    ]
    grid = Grid(
        rows,
        colWidths=[0.27 * WIDTH, 0.73 * WIDTH],
        style=[
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LINEABOVE", (0, 0), (-1, 0), 0.5, HAIR),
            ("LINEBELOW", (0, 0), (-1, -1), 0.5, HAIR),
            *_tight(),
        ],
    )
    if block.title:
        yield _paragraph(block.title, TITLE, bold=True)
    yield grid


def _tight() -> list[tuple[Any, ...]]:
    whole = (0, 0), (-1, -1)
    return [
        ("LEFTPADDING", *whole, 0),
        ("RIGHTPADDING", *whole, 5),
        ("TOPPADDING", *whole, 1.6),
        ("BOTTOMPADDING", *whole, 2.2),
    ]


@flowables.register
def _(block: Table) -> Iterator[Flowable]:
    if block.title:
        yield _paragraph(block.title, TITLE, bold=True)
    if block.rows:
        whole = sum(column.share for column in block.columns)
        rows = [
            [_paragraph(column.head, _cell_style(column, head=True), bold=True) for column in block.columns]
        ]
        rows += [
            [
                _paragraph(cell, _cell_style(column), bold=index in block.strong)
                for cell, column in zip(row, block.columns, strict=True)
            ]
            for index, row in enumerate(block.rows)
        ]
        yield Grid(
            rows,
            colWidths=[WIDTH * column.share / whole for column in block.columns],
            repeatRows=1,
            style=TableStyle(
                [
                    ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
                    ("VALIGN", (0, 1), (-1, -1), "TOP"),
                    ("LINEABOVE", (0, 0), (-1, 0), 0.9, INK),
                    ("LINEBELOW", (0, 0), (-1, 0), 0.9, INK),
                    ("LINEBELOW", (0, 1), (-1, -1), 0.4, HAIR),
                    ("LINEBELOW", (0, -1), (-1, -1), 0.9, INK),
                    *_tight(),
                    *_apart(block.columns),
                ]
            ),
        )
    if block.note:
        yield _paragraph(block.note, NOTE)


def _apart(columns: tuple[Column, ...]) -> Iterator[tuple[Any, ...]]:
    """Room between a column of numbers and the words that follow it."""
    for index, (one, two) in enumerate(pairwise(columns), start=1):
        if one.align == "right" and two.align == "left":
            yield ("LEFTPADDING", (index, 0), (index, -1), 11)


def _cell_style(column: Column, *, head: bool = False) -> ParagraphStyle:
    if column.align == "right":
        return RIGHT
    return CODE if column.code and not head else CELL


@flowables.register
def _(block: Pictures) -> Iterator[Flowable]:
    if len(block.row) == 1 and not block.row[0].square:
        yield Spacer(1, 6)
        yield from _picture(block.row[0], WIDTH)
        return
    width = (WIDTH - GAP) / 2
    cells = [_picture(picture, width - 4) for picture in block.row]
    if len(cells) == 1:
        title, drawn, caption = cells[0]
        cells = [[drawn], [Spacer(1, 24), title, caption]]
    yield Spacer(1, 6)
    yield Grid(
        [[cells[0], "", cells[1]]],
        colWidths=[width, GAP, width],
        style=[("VALIGN", (0, 0), (-1, -1), "TOP"), *_tight()],
    )


def _picture(picture: Picture, width: float) -> list[Flowable]:
    return [
        _paragraph(picture.title, CELL, bold=True),
        Drawn(picture, width),
        _paragraph(picture.caption, NOTE),
    ]


@flowables.register
def _(block: Signatures) -> Iterator[Flowable]:
    soft = ParagraphStyle("soft", CELL, textColor=SOFT)
    gap = 6 * mm
    width = (WIDTH - gap * (len(block.rows) - 1)) / len(block.rows)
    columns: list[list[Any]] = []
    for role, name, licence in block.rows:
        columns.append(
            [
                _paragraph(role, CELL, bold=True),
                Spacer(1, 34),
                _paragraph(name or "name", CELL if name else soft),
                _paragraph(f"licence {licence}" if licence else "licence", soft),
                Spacer(1, 20),
                _paragraph("date", soft),
            ]
        )
    places = [
        index for column in range(len(columns)) for index in ([column] if column == 0 else [None, column])
    ]
    rows = [["" if place is None else columns[place][row] for place in places] for row in range(6)]
    lines = [
        ("LINEBELOW", (2 * column, row), (2 * column, row), 0.7, INK)
        for column in range(len(columns))
        for row in (1, 4)
    ]
    widths = [gap if place is None else width for place in places]
    yield Spacer(1, 4)
    yield Grid(rows, colWidths=widths, style=[("VALIGN", (0, 0), (-1, -1), "TOP"), *lines, *_tight()])
