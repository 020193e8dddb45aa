"""Run every benchmark, or those named: ``python -m benchmarks [NAME]...``; exit code 1 if any fails."""

import importlib
import os
import platform
import sys
from pathlib import Path

from benchmarks import Measure
from sim.report.versions import versions


def main(names: list[str]) -> int:
    """Print a line per figure."""
    known = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"benchmark: must be among {', '.join(known)}, not {', '.join(unknown)}", file=sys.stderr)
        return 2
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, "
        + ", ".join(" ".join(pair) for pair in versions().items())
    )
    measures: list[Measure] = []
    for name in names or known:
        for measure in importlib.import_module(f"benchmarks.{name}").measure():
            print(_line(measure), flush=True)
            measures.append(measure)
    return 0 if all(measure.holds for measure in measures) else 1


def _line(measure: Measure) -> str:
    verdict = ""
    if measure.limit is not None:
        verdict = f"at most {measure.limit:g}: {'holds' if measure.holds else 'DOES NOT HOLD'}"
    line = f"{measure.name:44} {measure.value:10.4g} {measure.unit:4} {verdict:30} {measure.note}"
    return line.rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
