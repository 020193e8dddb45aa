"""The README's pictures: one spin of each machine, drawn from its trace."""

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from docs.examples import ROOT

SPINS = {"macau-boule": "1979", "roda-da-sorte": "3"}
"""Scenario and seed."""
COLOURS = 224


def draw_all(folder: Path) -> None:
    """Write a PNG of every machine, with few enough colours to be small."""
    with tempfile.TemporaryDirectory() as scratch:
        trace, picture = str(Path(scratch, "spin.csv")), str(Path(scratch, "spin.png"))
        for name, seed in SPINS.items():
            fairwheel("spin", name, "--seed", seed, "--trace", trace)
            fairwheel("picture", trace, "--out", picture)
            with Image.open(picture) as image:
                image.convert("RGB").quantize(COLOURS).save(folder / f"{name}.png", optimize=True)


def fairwheel(*words: str, allowed: tuple[int, ...] = (0,)) -> None:
    """Run the program. Raises CalledProcessError when it ends with another exit code than those allowed."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "run_sim.py"), *words], check=False, capture_output=True
    )
    if done.returncode not in allowed:
        done.check_returncode()
