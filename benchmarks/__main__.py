"""Run every benchmark, or those named: ``python -m benchmarks [NAME]...``; exit code 1 if any fails.

Prints the figures, and writes them into docs/benchmarks.md and the README. One whose module says WHEN_NAMED takes long
and runs only when it is named.
"""

import importlib
import sys
from pathlib import Path

from benchmarks import page

ROOMS = {"__init__", "__main__", "page"}


def main(names: list[str]) -> int:
    """Print a Markdown table, a row per figure."""
    known = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in ROOMS)
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"benchmark: must be among {', '.join(known)}, not {', '.join(unknown)}", file=sys.stderr)
        return 2
    print(f"{page.made_on()}\n\n{page.TABLE}", end="")
    holds = True
    for name in names or known:
        module = importlib.import_module(f"benchmarks.{name}")
        if not names and getattr(module, "WHEN_NAMED", False):
            continue
        rows = []
        for measure in module.measure():
            rows.append(page.row(measure))
            print(rows[-1], flush=True)
            holds = holds and measure.holds
        page.keep(name, rows)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
