"""``python -m tests.fuzz [--scenarios N] [--seed S] [--from I]``: exit code 1 if anything broke."""

import argparse
import sys
import time

from tests.fuzz.checking import Tally, check


def _told(total: Tally) -> str:
    """What came of it so far."""
    endings = ", ".join(f"{count} {ending}" for ending, count in sorted(total.endings.items()))
    broken = f"{len(total.broken)} broken"
    return f"{total.played} scenarios played, {total.refused} refused at load, {broken}; spins: {endings}"


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.fuzz")
    words.add_argument("--scenarios", type=int, default=1000, help="valid ones to play")
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--from", type=int, default=0, dest="first")
    given = words.parse_args()
    total, index, began = Tally(), given.first, time.monotonic()
    while total.played < given.scenarios:
        found = check(given.seed, index)
        for what in found.broken:
            print(what, flush=True)
        total.add(found)
        index += 1
        if index % 1000 == 0:
            spent = time.monotonic() - began
            print(f"... {index}: {_told(total)}, {spent:.0f} s", file=sys.stderr, flush=True)
    print(f"seed {given.seed}, {given.first} to {index}: {_told(total)}")
    return 1 if total.broken else 0


if __name__ == "__main__":
    sys.exit(main())
