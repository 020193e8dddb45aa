"""Run every benchmark, or those named: ``python -m benchmarks [NAME]...``; exit code 1 if any fails."""

import importlib
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import Measure
from sim.report.versions import versions


def main(names: list[str]) -> int:
    """Print a Markdown table, a row per figure."""
    known = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"benchmark: must be among {', '.join(known)}, not {', '.join(unknown)}", file=sys.stderr)
        return 2
    today = datetime.now(UTC).date()
    built = ", ".join(" ".join(pair) for pair in versions().items())
    print(f"{today}, {platform.machine()}, {os.cpu_count()} cores; {built}\n")
    print("| figure | measured | at most | |\n|---|---:|---:|---|")
    measures: list[Measure] = []
    for name in names or known:
        for measure in importlib.import_module(f"benchmarks.{name}").measure():
            print(_row(measure), flush=True)
            measures.append(measure)
    return 0 if all(measure.holds for measure in measures) else 1


def _row(measure: Measure) -> str:
    unit = f" {measure.unit}" if measure.unit else ""
    most = "" if measure.limit is None else f"{measure.limit:.3g}{unit}"
    remarks = [measure.note] if measure.note else []
    if not measure.holds:
        remarks.insert(0, "DOES NOT HOLD")
    return f"| {measure.name} | {measure.value:.3g}{unit} | {most} | {'; '.join(remarks)} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
