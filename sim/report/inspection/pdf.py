"""A report as a PDF on A4, with the same sections as the HTML."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    PageTemplate,
    Paragraph,
    Spacer,
)
from reportlab.platypus import Table as Grid

from sim import __version__
from sim.documents.untrusted import clean
from sim.report.inspection.blocks import (
    Report,
    Text,
)
from sim.report.inspection.flowing import flowables
from sim.report.inspection.typesetting import (
    BLUE,
    HEAD,
    INK,
    LABEL,
    LEFT,
    LINE,
    PLAIN,
    RIGHT,
    WIDTH,
    cut,
    paragraph,
    register,
    rich,
)

TOP, BOTTOM = 21 * mm, 19 * mm
TALL = 0.55 * A4[1]


def pdf(report: Report) -> bytes:
    """Return the report as a PDF; the same report gives the same bytes."""
    register()
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
        line = Paragraph(rich(cut(text, most)), style)
        _, height = line.wrap(width, A4[1])
        if height <= LABEL.leading:
            break
    line.drawOn(canvas, x - width if right else x, y - height + LABEL.leading - 1)


def _story(report: Report) -> Iterator[Flowable]:
    yield from _masthead(report)
    for number, chapter in enumerate(report.chapters):
        before: list[Flowable] = []
        if number:
            before = [Spacer(1, 9), _heading(number, chapter.title)]
        for index, block in enumerate(chapter.blocks, start=1):
            before += flowables(block)
            if not isinstance(block, Text) or index == len(chapter.blocks):
                yield from _kept(before)
                before = []


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
        [paragraph(name, LABEL), paragraph(value, RIGHT, bold=True)]
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
        paragraph(report.body or "issuing body not stated", body, bold=True),
        paragraph(report.title, title, bold=True),
        paragraph(report.subject, subject),
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
