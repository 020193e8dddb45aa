"""Odd and broken logs: each is read, or refused, exactly as the table says; nothing is dropped unsaid."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from sim.cli.log import Game, cells_of
from sim.documents.faults import BadInput
from sim.rules.library import load
from sim.spinlog.form import form
from sim.spinlog.log import SpinLog
from sim.spinlog.reading import read_log

LOGS = Path(__file__).parent / "logs"
CASES = yaml.safe_load((LOGS / "outcomes.yaml").read_text(encoding="utf-8"))


def read(case: dict[str, Any], folder: Path) -> SpinLog:
    mapping = None
    if "mapping" in case:
        mapping = folder / "mapping.yaml"
        mapping.write_text(yaml.safe_dump(case["mapping"]), encoding="utf-8")
    told = form(case.get("map", ()), mapping, case.get("dates"), case.get("delimiter"))
    cells = cells_of(Game(load(case["rulebook"]), tuple(case["ring"].split()) if "ring" in case else None))
    return read_log(str(LOGS / case["file"]), cells, told)


@pytest.mark.parametrize("case", CASES, ids=[case["file"] for case in CASES])
def test_a_log_comes_out_as_the_table_says(case: dict[str, Any], tmp_path: Path) -> None:
    if "fault" in case:
        with pytest.raises(BadInput) as caught:
            read(case, tmp_path)
        shown = "\n".join(map(str, caught.value.faults))
        assert all(words in shown for words in case["fault"]), shown
        assert all(len(str(fault)) < 1000 and str(fault).isprintable() for fault in caught.value.faults)
        return
    log = read(case, tmp_path)
    assert len(log) == case["n"], (log.rejected, log.table.to_pylist())
    wanted = case.get("rejected", {})
    assert [each.line for each in log.rejected] == list(wanted)
    assert all(wanted[each.line] in each.reason for each in log.rejected), log.rejected
    assert all(each.reason.isprintable() and len(each.reason) < 300 for each in log.rejected)
    remarks = "\n".join(log.remarks)
    assert all(words in remarks for words in case.get("remarks", [])), remarks
    assert "remarks" in case or all("not read" in each for each in log.remarks), remarks
    assert log.excluded == case.get("excluded", {})
    for name, column in (("symbols", "symbol"), ("times", "utc_time")):
        if name in case:
            assert log.table.column(column).to_pylist() == case[name]


def test_every_log_is_in_the_table_and_none_is_lost() -> None:
    names = {path.name for path in LOGS.iterdir()} - {"outcomes.yaml", ".gitattributes"}
    assert names == {case["file"] for case in CASES}
    assert len(names) >= 100
