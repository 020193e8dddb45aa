"""The files of a study's folder."""

import json
import logging
import os
from pathlib import Path

from sim.design.analyses import Analysed
from sim.documents.writing import write_atomically
from sim.report.study.replays import Thrown
from sim.report.study.tables import as_csv, as_parquet, rows


def write(folder: Path, analysed: Analysed, thrown: Thrown) -> None:
    """Write report.html, results.json, .csv and .parquet, and figures/. Raises BadInput when one cannot be written.

    thrown: machines of the study that play in the report.
    """
    os.environ["MPLBACKEND"] = "agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from sim.report.study.figures import pictures
    from sim.report.study.page import page

    made = rows(analysed.found, analysed.told)
    text = json.dumps(analysed.told, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    write_atomically(folder / "results.json", text, "--out")
    write_atomically(folder / "results.csv", as_csv(made), "--out")
    write_atomically(folder / "results.parquet", as_parquet(made), "--out")
    drawn = list(pictures(analysed.found, analysed.told))
    (folder / "figures").mkdir(exist_ok=True)
    for each in drawn:
        write_atomically(folder / "figures" / f"{each.name}.svg", each.svg, "--out")
        write_atomically(folder / "figures" / f"{each.name}.png", each.png, "--out")
    write_atomically(folder / "report.html", page(analysed, drawn, thrown), "--out")
