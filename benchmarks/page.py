"""The page of figures: docs/benchmarks.md, a section per benchmark, and the rows of it that the README quotes."""

import os
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import Measure
from sim.documents.writing import write_atomically
from sim.report.versions import versions

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
README = ROOT / "README.md"
TABLE = "| figure | measured | bound | |\n|---|---:|---:|---|\n"
_HEAD = """# Benchmarks

What `make bench` measured, all of a section in one run; `python -m benchmarks NAME` measures one section anew. Times
are CPU time of one core unless a row says that they are by the clock.
"""
_BEGIN, _END = "<!-- figures of docs/benchmarks.md, by make bench -->\n", "<!-- end of figures -->\n"
QUOTED = (
    "run_sim.py --help",
    "macau-boule: batch engine",
    "macau-boule: batch over rigid engine",
    "spanish-boule: batch engine",
    "roda-da-sorte: batch engine",
    "Roda: batch engine over MuJoCo",
    "second thread",
    "1 000 000 spins, 2 workers",
    "1 000 000 spins: peak memory",
    "macau-boule at 1920x1080: a frame, 99th percentile",
)
"""Figures that the README quotes, where they have been measured."""


def row(measure: Measure) -> str:
    """A figure as a row of a Markdown table."""
    unit = f" {measure.unit}" if measure.unit else ""
    bounds = [
        f"{sign} {bound:.3g}{unit}"
        for sign, bound in (("≤", measure.limit), ("≥", measure.least))
        if bound is not None
    ]
    remarks = [measure.note] if measure.note else []
    if not measure.holds:
        remarks.insert(0, "DOES NOT HOLD")
    return f"| {measure.name} | {measure.value:.3g}{unit} | {', '.join(bounds)} | {'; '.join(remarks)} |"


def made_on() -> str:
    """Date, machine and versions."""
    built = ", ".join(" ".join(pair) for pair in versions().items())
    return f"{datetime.now(UTC).date()}, {platform.machine()}, {os.cpu_count()} cores; {built}"


def keep(name: str, rows: Iterable[str]) -> None:
    """Write a benchmark's section into the page, in the place of its last one, and the README's rows."""
    sections = _sections(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    sections[name] = f"{made_on()}\n\n{TABLE}" + "".join(f"{each}\n" for each in rows)
    text = "".join(f"\n## {title}\n\n{sections[title]}" for title in sorted(sections))
    write_atomically(PAGE, (_HEAD + text).encode())
    _quote(sections)


def _sections(page: str) -> dict[str, str]:
    """Text of each section of a page, by its title."""
    parts = page.split("\n## ")[1:]
    return {title: body.strip("\n") + "\n" for title, _, body in (part.partition("\n") for part in parts)}


def _quote(sections: dict[str, str]) -> None:
    readme = README.read_text(encoding="utf-8")
    before, begun, rest = readme.partition(_BEGIN)
    _, ended, after = rest.partition(_END)
    if not (begun and ended):
        raise ValueError("README.md has lost the marks between which it quotes the benchmarks")
    dated = {
        line.split(" | ")[0].removeprefix("| "): f"{line} {body.split(',')[0]} |\n"
        for body in sections.values()
        for line in body.splitlines()
    }
    rows = "".join(dated[name] for name in QUOTED if name in dated)
    table = "| figure | measured | bound | | on |\n|---|---:|---:|---|---|\n"
    write_atomically(README, f"{before}{begun}\n{table}{rows}\n{ended}{after}".encode())
