"""Ctrl-C at any instant: the terminal interrupts every process of the group, and one silent exit code comes of it."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSTANTS = 10


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent by a signal")
@pytest.mark.parametrize(
    "words",
    [
        ("demo", "--loop", "--size", "640x400"),
        ("batch", "macau-boule", "--spins", "10000000", "--workers", "2"),
        ("record", "macau-boule", "--out", "film.mp4"),
    ],
    ids=lambda words: words[0],
)
def test_interrupted_at_any_instant_nothing_is_printed_and_nothing_left(words, tmp_path):
    chance = random.Random(2026)
    surroundings = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    for _ in range(INSTANTS):
        started = subprocess.Popen(
            [sys.executable, str(ROOT / "run_sim.py"), *words], cwd=tmp_path, env=surroundings, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        after = chance.uniform(0.4, 7.0)
        time.sleep(after)
        assert started.poll() is None
        os.killpg(started.pid, signal.SIGINT)
        out, complaints = started.communicate(timeout=60)
        left = [line for line in complaints.splitlines() if not line.startswith("Compiling")]
        assert (started.returncode, out, left) == (130, "", []), f"after {after:.2f} s"
        assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent by a signal")
@pytest.mark.parametrize("words", [("spin", "macau-boule"), ("predict", "macau-boule")])
def test_interrupted_while_the_laws_are_compiled(words, tmp_path):
    chance = random.Random(2026)
    for number in range(5):
        surroundings = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / str(number))}
        started = subprocess.Popen(
            [sys.executable, str(ROOT / "run_sim.py"), *words], cwd=tmp_path, env=surroundings, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        notice = started.stderr.readline()
        assert notice.startswith("Compiling")
        after = chance.uniform(0.0, 8.0)
        time.sleep(after)
        assert started.poll() is None, "compiled within the time that the test gives it"
        begun = time.monotonic()
        os.killpg(started.pid, signal.SIGINT)
        _, complaints = started.communicate(timeout=60)
        assert (started.returncode, complaints) == (130, ""), f"after {after:.2f} s"
        assert time.monotonic() - begun < 10
