"""Runs killed at random instants and resumed, as a program of its own: no test process is forked.

``python -m tests.e2e.killed FOLDER KILLS``: prints how many kills there were and how many runs they were resumed into.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from sim.cli import main

RUN = ["batch", "roda-da-sorte", "--seed", "5", "--set", "push.croupiers=[{name: A, speed: 0.5 rad/s}]"]
SIZE = ["--spins", "300", "--chunk", "10"]


def child(*words: str) -> int:
    """A process of the same program, imported already."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        code = 1
        try:
            code = main([*RUN, *SIZE, *words])
        finally:
            os._exit(code)
    return pid


def content(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.name != "run.json"}


def check(folder: Path, kills: int) -> None:
    import sim.engines.run  # so that no child has to  # noqa: F401

    main([*RUN, "--spins", "1"])
    whole = folder / "whole"
    begun = time.monotonic()
    assert os.waitpid(child("--out", str(whole)), 0)[1] == 0
    lasts = time.monotonic() - begun
    wanted = content(whole)
    assert len(wanted) == 31  # with their sums
    chance, done, runs = random.Random(2026), 0, 0
    while done < kills:
        runs += 1
        out = folder / f"killed-{runs}"
        for _ in range(chance.randint(1, 4)):
            pid = child("--out", str(out), "--resume")
            time.sleep(chance.uniform(0, 0.8 * lasts))
            os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
            done += os.WIFSIGNALED(status)
        assert os.waitpid(child("--out", str(out), "--resume"), 0)[1] == 0
        assert content(out) == wanted, out
    print(done, runs)


if __name__ == "__main__":
    check(Path(sys.argv[1]), int(sys.argv[2]))
