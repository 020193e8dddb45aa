"""The numbers of a study, a row for each design, with the intervals in columns of their own."""

import csv
import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from sim.design.studying import Found
from sim.documents.untrusted import for_cell

Row = dict[str, Any]
ENDS = ("value", "low", "high")


def rows(found: Found, told: dict[str, Any]) -> list[Row]:
    """A row for each design, the base first.

    Columns: ``design`` (0 is the base), the factors by their paths as written and, where they are quantities of one
    unit, their numbers as ``PATH [UNIT]``; ``spins``; ``impossible``; and of each metric its value, the ends of its
    interval and those of its difference to the base.
    """
    made = []
    outcomes = [found.base, *found.outcomes]
    for each, outcome in zip([told["base_design"], *told["designs"]], outcomes, strict=True):
        row: Row = {"design": each["design"]}
        for i, axis in enumerate(found.axes):
            row[axis.path] = each["factors"].get(axis.path)
            if axis.is_measured:
                numbers = outcome.design.numbers
                row[f"{axis.path} [{axis.unit}]"] = numbers[i] if numbers else None
        row["spins"] = each["spins"]
        row["impossible"] = "; ".join(each.get("impossible", ())) or None
        for metric in found.metrics:
            known = each.get("metrics", {}).get(metric.name) or {}
            apart = known.get("to_base") or {}
            row |= {f"{metric.name}.{end}": known.get(end) for end in ENDS}
            row |= {f"{metric.name}.to_base.{end}": apart.get(end) for end in ENDS}
        made.append(row)
    return made


def as_csv(made: list[Row]) -> str:
    """As CSV; no cell begins as a formula does."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(made[0]), lineterminator="\n")
    writer.writeheader()
    for row in made:
        writer.writerow({k: for_cell(v) if isinstance(v, str) else v for k, v in row.items()})
    return text.getvalue()


def as_parquet(made: list[Row]) -> bytes:
    """As Parquet; numbers are float64, a column of nothing but nulls too."""
    texts = {name for row in made for name, value in row.items() if isinstance(value, str)} | {"impossible"}
    whole = {"design", "spins"}
    columns = {
        name: pa.array(
            [row[name] for row in made],
            pa.string() if name in texts else pa.int64() if name in whole else pa.float64(),
        )
        for name in made[0]
    }
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(columns), sink, compression="zstd")
    return sink.getvalue()
