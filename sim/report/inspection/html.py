"""A report as one HTML file that asks for nothing."""

import re
from io import BytesIO
from typing import Any

from markupsafe import Markup

from sim import __version__
from sim.documents.untrusted import clean
from sim.report.inspection.blocks import Picture, Replay, Report
from sim.report.inspection.lettering import lettered, unbroken
from sim.report.replay import asset, templates

_PROLOGUE = re.compile(
    r"^.*?(?=<svg)|<metadata>.*?</metadata>|<!--.*?-->|\s*<style[^>]*>.*?</style>", re.DOTALL
)
_NAMESPACES = re.compile(r'\s(?:xmlns(?::xlink)?|version)="[^"]*"')
_IDS = re.compile(r'(?<=\sid=")|(?<=href="#)|(?<=url\(#)')
_UNUSED = re.compile(
    r'\sid="(?:figure|axes|patch|text|line2d|xtick|ytick|PolyCollection|FillBetween\w*|matplotlib\.\w+|legend|LineCollection)[\w.]*_\d+"'
)


def html(report: Report) -> str:
    """Return the report as HTML; the same report gives the same bytes."""
    environment = templates().overlay(finalize=_shown)
    return environment.get_template("inspection.html.jinja").render(
        report=report,
        style=asset("inspection.css"),
        running=Markup(_running(report)),
        plays=any(isinstance(block, Replay) for chapter in report.chapters for block in chapter.blocks),
        kind=lambda block: type(block).__name__,
        svg=svg,
        shares=_shares,
        version=__version__,
    )


def _shown(value: Any) -> Any:
    """What a template puts into the page: text is cleaned of what does not print, and then escaped."""
    return value if isinstance(value, Markup) else unbroken(str(value))


def _running(report: Report) -> str:
    """The rule that prints the report's id at the head of every page; what could end a string is left out."""
    words = re.sub(r"[^\w .,:/()–-]", " ", clean(f"{report.title} {report.identity}"))[:80]
    return f'@page {{ @top-right {{ content: "{words}"; }} }}'


def _shares(columns: Any) -> list[str]:
    whole = sum(column.share for column in columns)
    return [f"{100 * column.share / whole:.1f}" for column in columns]


def svg(picture: Picture) -> Markup:
    """Return a picture as SVG to stand in a page: no id of one is that of another, no address is named."""
    content = BytesIO()
    with lettered():
        figure = picture.draw()
        figure.savefig(content, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = _NAMESPACES.sub("", _PROLOGUE.sub("", content.getvalue().decode()))
    text = _IDS.sub(f"{picture.name}-", _UNUSED.sub("", text))
    text = re.sub(r'(<svg[^>]*?)\sheight="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?)\swidth="[^"]*"', r"\1", text, count=1)
    label = Markup.escape(f"{picture.title}. {clean(picture.caption)}")
    return Markup(text.replace("<svg", f'<svg role="img" aria-label="{label}"', 1))
