"""The live table on one core, drawn in software: how long a frame takes, and how long until the first one."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import Measure

ROOT = Path(__file__).parents[1]
FRAME_MS = 1000 / 60
MEASURED = """
import json, os, sys, time
os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
import numpy as np
from concurrent.futures import Executor, Future
from sim.cli.table import open_table
from sim.view.deeds import see
from sim.view.session import Options, Session
class Here(Executor):
    def submit(self, function, *arguments):
        done = Future()
        done.set_result(function(*arguments))
        return done
size = tuple(map(int, sys.argv[2].split("x")))
begin = time.perf_counter()
session = Session(Options([(sys.argv[1],)], seed=7, size=size, muted=True), open_table, Here())
session.draw()
opened = time.perf_counter() - begin
for name in ("arrows", "heights"):
    see(session, name)
session.draw()
session.ask_launch()
session.advance(1 / 60)
times = []
while not session.over and len(times) < 1500:
    begin = time.process_time()
    session.advance(1 / 60)
    session.draw()
    times.append(1000 * (time.process_time() - begin))
middle, late = np.percentile(times[30:], (50, 99))
print(json.dumps({"opened": opened, "median": middle, "late": late}))
"""


def measure() -> Iterator[Measure]:
    for scenario, size, most in (
        ("macau-boule", "1920x1080", FRAME_MS),
        ("spanish-boule", "1920x1080", FRAME_MS),
        ("roda-da-sorte", "1920x1080", FRAME_MS),
        ("macau-boule", "3840x2160", None),
        ("roda-da-sorte", "3840x2160", None),
    ):
        command = [sys.executable, "-c", MEASURED, scenario, size]
        made = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        found = json.loads(made.stdout)
        title = f"{scenario} at {size}"
        note = "whole window, path, arrows and strip shown"
        yield Measure(f"{title}: a frame, median", found["median"], "ms", most, note)
        yield Measure(f"{title}: a frame, 99th percentile", found["late"], "ms", most, note)
        yield Measure(f"{title}: until the first frame", found["opened"], "s", None, "warm")
