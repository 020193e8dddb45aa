"""Blocks as reportlab takes them."""

from collections.abc import Iterator
from functools import singledispatch
from itertools import pairwise
from typing import Any

from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    Flowable,
    Paragraph,
    Spacer,
    TableStyle,
)
from reportlab.platypus import Table as Grid

from sim.report.inspection.blocks import (
    Block,
    Column,
    Facts,
    Picture,
    Pictures,
    Replay,
    Signatures,
    Table,
    Text,
    Verdict,
)
from sim.report.inspection.paper import Drawn
from sim.report.inspection.typesetting import (
    CELL,
    CODE,
    HAIR,
    INK,
    LABEL,
    LARGE,
    NOTE,
    PLAIN,
    REASON,
    RIGHT,
    SOFT,
    TINT,
    TITLE,
    WIDTH,
    paragraph,
    rich,
)

GAP = 7 * mm


@singledispatch
def flowables(block: Block) -> Iterator[Flowable]:
    """Yield a block as reportlab takes it."""
    raise TypeError(type(block))


@flowables.register
def _(block: Text) -> Iterator[Flowable]:
    if block.kind == "warning":
        yield Spacer(1, 4)
        yield Grid(
            [[paragraph(block.words, CELL)]],
            colWidths=[WIDTH],
            style=[
                ("BOX", (0, 0), (-1, -1), 0.6, INK),
                ("LINEBEFORE", (0, 0), (0, -1), 4, INK, "butt"),
                ("LEFTPADDING", (0, 0), (-1, -1), 9),
            ],
        )
        yield Spacer(1, 3)
    else:
        yield paragraph(block.words, PLAIN if block.kind == "plain" else NOTE)


@flowables.register
def _(block: Verdict) -> Iterator[Flowable]:
    rows = [
        [Paragraph(rich("VERDICT"), LABEL)],
        [paragraph(block.headline, LARGE, bold=True)],
        *([paragraph(reason, REASON)] for reason in block.reasons),
        *([paragraph(line, CELL)] for line in block.lines),
    ]
    edge = 9 if block.word in ("biased", "investigate") else 1.5
    yield Grid(
        rows,
        colWidths=[WIDTH],
        style=[
            ("BACKGROUND", (0, 0), (-1, -1), TINT),
            ("BOX", (0, 0), (-1, -1), 1.5, INK),
            ("LINEBEFORE", (0, 0), (0, -1), edge, INK, "butt"),
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
            paragraph(name, label),
            paragraph("not stated", empty) if value is None else paragraph(value, CELL),
        ]
        for name, value in block.rows
    ]
    grid = Grid(
        rows,
        colWidths=[0.27 * WIDTH, 0.73 * WIDTH],
        splitInRow=1,
        style=[
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LINEABOVE", (0, 0), (-1, 0), 0.5, HAIR),
            ("LINEBELOW", (0, 0), (-1, -1), 0.5, HAIR),
            *_tight(),
        ],
    )
    if block.title:
        yield paragraph(block.title, TITLE, bold=True)
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
    if block.folded:
        return
    if block.title:
        yield paragraph(block.title, TITLE, bold=True)
    if block.rows:
        whole = sum(column.share for column in block.columns)
        rows = [
            [paragraph(column.head, _cell_style(column, head=True), bold=True) for column in block.columns]
        ]
        rows += [
            [
                paragraph(cell, _cell_style(column), bold=index in block.strong)
                for cell, column in zip(row, block.columns, strict=True)
            ]
            for index, row in enumerate(block.rows)
        ]
        yield Grid(
            rows,
            colWidths=[WIDTH * column.share / whole for column in block.columns],
            repeatRows=1,
            splitInRow=1,
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
        yield paragraph(block.note, NOTE)


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
        paragraph(picture.title, CELL, bold=True),
        Drawn(picture, width),
        paragraph(picture.caption, NOTE),
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
                paragraph(role, CELL, bold=True),
                Spacer(1, 34),
                paragraph(name or "name", CELL if name else soft),
                paragraph(f"licence {licence}" if licence else "licence", soft),
                Spacer(1, 20),
                paragraph("date", soft),
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


@flowables.register
def _(block: Replay) -> Iterator[Flowable]:
    yield from ()
