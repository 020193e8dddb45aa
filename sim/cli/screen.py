"""What reaches the terminal: plain when nobody watches, and never a character that could command it."""

import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO, TypeVar

from rich.console import Console
from rich.table import Table

from sim.documents import untrusted

T = TypeVar("T")

clean = untrusted.clean

MOST_COMPLAINTS = 50


def prepare() -> None:
    """Make both output streams print a character that their encoding lacks as an escape, not a crash.

    A stream that was closed before the start leads nowhere, so that no file is opened in its place.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def silence(stream: TextIO | None = None) -> None:
    """Send what is left in a stream, by default stdout, nowhere: its reader has gone or its disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())


def console() -> Console:
    """Return a console on stdout that takes text literally: no markup, no emoji codes, no guessed colours.

    Away from a terminal nothing is coloured and no line is folded.
    """
    watched = sys.stdout.isatty()
    return Console(markup=False, emoji=False, highlight=False, width=None if watched else 240)


def table(*columns: str, right: Iterable[str] = ()) -> Table:
    """Return an empty table with these columns; those named in ``right`` are flush right.

    Where the terminal is too narrow, the last column is folded.
    """
    rows = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns, start=1):
        rows.add_column(column, justify="right" if column in right else "left", no_wrap=number < len(columns))
    return rows


def show(console: Console, rows: Table) -> None:
    """Print a table without spaces at the ends of its lines, unless it is coloured."""
    if console.is_terminal:
        console.print(rows)
        return
    with console.capture() as capture:
        console.print(rows)
    for line in capture.get().splitlines():
        print(line.rstrip())


def progress(steps: Iterable[T], total: int, what: str = "spins") -> Iterator[T]:
    """Pass the steps on; a terminal on stderr sees how many are done."""
    from rich.progress import track

    watcher = Console(stderr=True)
    yield from track(
        steps, what, total, console=watcher, transient=True, disable=not watcher.is_terminal or total < 2
    )


def complain(lines: Sequence[str]) -> None:
    """Print the lines on stderr, as far as it takes them; of very many, the first ones and how many follow."""
    try:
        for line in lines[:MOST_COMPLAINTS]:
            print(clean(line), file=sys.stderr)
        if len(lines) > MOST_COMPLAINTS:
            print(f"... and {len(lines) - MOST_COMPLAINTS} more", file=sys.stderr)
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


def notice(text: str) -> None:
    """Print a line on stderr about what takes time."""
    print(clean(text), file=sys.stderr, flush=True)
