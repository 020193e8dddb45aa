"""The table of validated values: what the tests of the physics compare, read off their assertions as they pass."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from docs.examples import ROOT

FILES = ("test_contact.py", "test_rim.py", "test_wheel.py")
_NUMBER = r"(?:np\.float64\()?(-?\d+(?:\.\d*)?(?:e[-+]?\d+)?)\)?"
_CLOSE = re.compile(rf"{_NUMBER} == {_NUMBER} ± (\d+(?:\.\d*)?(?:e[-+]?\d+)?)")
_TEST = re.compile(r"::test_([tw]\d+)_(\w+)")
_HEAD = """# Validated values

What the quick tests of `tests/physics` compare with a closed form or a published number, as they measured it: for each
comparison the worst of its cases, by the share of the tolerance that it uses up. T1-T17 and W1-W7 are the checks of the
design's physics page. T6, T7, T12, T14-T17, W2-W4 and W6 hold bounds, distributions and equal bits too, which no row
can show; a test that fails writes no table. Made by `make docs`.

| | test | what is compared | cases | measured | exact | tolerance | used up |
|---|---|---|---:|---:|---:|---:|---:|
"""


@dataclass(frozen=True, order=True)
class Comparison:
    """One passed assertion ``measured == exact ± tolerance``."""

    used: float
    measured: float
    exact: float
    tolerance: float


def pytest_assertion_pass(item: pytest.Item, orig: str, expl: str) -> None:
    """Write down a comparison; called by the pytest of `table`, of which this module is a plugin."""
    if found := _CLOSE.fullmatch(expl.partition("\n")[0].strip()):
        left = orig.partition(" == pytest.approx(")[0].replace("|", "\\|")
        with Path(os.environ["COMPARISONS"]).open("a", encoding="utf-8") as stream:
            print(item.nodeid, left, *found.groups(), sep="\t", file=stream)


def table() -> str:
    """Run the tests and return the table. Raises CalledProcessError when one of them fails."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "comparisons")
        own = {"COMPARISONS": str(file), "PYTHONPYCACHEPREFIX": folder, "PYTHONPATH": str(ROOT)}
        tests = [f"tests/physics/{name}" for name in FILES]
        options = [
            "-vvvv",
            "-m",
            "not slow",
            "-p",
            "docs.validation",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
        ]
        command = [sys.executable, "-m", "pytest", *options, "-o", "enable_assertion_pass_hook=true", *tests]
        subprocess.run(command, cwd=ROOT, env=os.environ | own, check=True, stdout=subprocess.DEVNULL)
        lines = file.read_text(encoding="utf-8").splitlines()
    return _HEAD + "".join(_rows(lines))


def _rows(lines: list[str]) -> Iterator[str]:
    groups: dict[tuple[str, str, str], list[Comparison]] = {}
    for line in lines:
        node, left, *numbers = line.split("\t")
        if test := _TEST.search(node):
            measured, exact, tolerance = map(float, numbers)
            used = abs(measured - exact) / tolerance
            key = (test[1].upper(), test[2].replace("_", " "), left)
            groups.setdefault(key, []).append(Comparison(used, measured, exact, tolerance))
    for (check, name, left), found in sorted(groups.items(), key=lambda group: _order(group[0][0])):
        worst = max(found)
        yield (
            f"| {check} | {name} | `{left}` | {len(found)} | {worst.measured:.6g} | {worst.exact:.6g} | "
            f"{worst.tolerance:.2g} | {worst.used:.0%} |\n"
        )


def _order(check: str) -> tuple[str, int]:
    return check[0], int(check[1:])
