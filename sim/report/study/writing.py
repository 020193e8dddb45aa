"""The files of a study's folder."""

import json
from pathlib import Path

from sim.design.analyses import Analysed
from sim.documents.writing import write_atomically
from sim.report.study.tables import as_csv, as_parquet, rows


def write(folder: Path, analysed: Analysed) -> None:
    """Write results.json, results.csv, results.parquet. Raises BadInput when one cannot be written."""
    made = rows(analysed.found, analysed.told)
    text = json.dumps(analysed.told, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    write_atomically(folder / "results.json", text, "--out")
    write_atomically(folder / "results.csv", as_csv(made), "--out")
    write_atomically(folder / "results.parquet", as_parquet(made), "--out")
