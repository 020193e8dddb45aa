"""What `play` prints for each shipped rounds file."""

import io
from contextlib import redirect_stdout
from pathlib import Path

from sim.cli import main


def transcript(name: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["play", name]) == 0
    return out.getvalue()


def file_of(name: str) -> Path:
    return Path(__file__).parent / f"{name}.txt"
