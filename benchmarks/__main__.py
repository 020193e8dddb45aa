"""Run every benchmark, or those named: ``python -m benchmarks [NAME]...``; exit code 1 if any fails.

One whose module says WHEN_NAMED takes long and runs only when it is named.
"""

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
    print("| figure | measured | bound | |\n|---|---:|---:|---|")
    measures: list[Measure] = []
    for name in names or known:
        module = importlib.import_module(f"benchmarks.{name}")
        if not names and getattr(module, "WHEN_NAMED", False):
            continue
        for measure in module.measure():
            print(_row(measure), flush=True)
            measures.append(measure)
    return 0 if all(measure.holds for measure in measures) else 1


def _row(measure: Measure) -> str:
    unit = f" {measure.unit}" if measure.unit else ""
    bounds = [
        f"{sign} {bound:.3g}{unit}"
        for sign, bound in (("≤", measure.limit), ("≥", measure.least))
        if bound is not None
    ]
    remarks = [measure.note] if measure.note else []
    if not measure.holds:
        remarks.insert(0, "DOES NOT HOLD")
    return f"| {measure.name} | {measure.value:.3g}{unit} | {', '.join(bounds)} | {'; '.join(remarks)} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
