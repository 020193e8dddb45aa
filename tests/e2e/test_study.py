"""Studies from the command line: resumed, killed, impossible in part; the report in a browser; machines compared."""

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser

from sim.cli import main
from tests.e2e.browser import DESKTOP, PHONE, opened

ROOT = Path(__file__).parent.parent.parent
STUDY = """name: small
title: A small study of <the> clapper & "its" spring
base: roda-da-sorte
set: ["push.croupiers=[{name: A, speed: 1 rad/s}]"]
factors:
  - {path: machine.clapper.spring, range: {from: 0.4 N m/rad, to: 1.2 N m/rad, count: 2}}
  - {path: machine.clapper.overlap, values: [10 mm, 12 mm, 99 mm]}
metrics: [turns_median, on_peg]
spins: 100
"""
pytestmark = pytest.mark.slow


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(STUDY)
    return path


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_study_its_folder_and_what_is_resumed(file, tmp_path, capsys, browser: Browser):
    out = tmp_path / "out"
    first = told(capsys, "study", str(file), "--out", str(out))
    assert [("impossible" in each) for each in first["designs"]] == [False, False, True] * 2
    assert all("overlap" in each["impossible"][0] for each in first["designs"][2::3])
    designs = {each: each.stat().st_mtime_ns for each in (out / "designs").iterdir()}
    assert len(designs) == 5
    assert main(["study", str(file), "--out", str(out)]) == 2
    assert "--out: holds a study already" in capsys.readouterr().err
    again = told(capsys, "study", str(file), "--out", str(out), "--resume")
    assert again == first == told(capsys, "study", str(file))
    assert designs == {each: each.stat().st_mtime_ns for each in (out / "designs").iterdir()}

    rows = list(csv.DictReader((out / "results.csv").open(encoding="utf-8")))
    assert len(rows) == 7
    assert float(rows[1]["machine.clapper.overlap [mm]"]) == 10.0
    assert float(rows[1]["turns_median.value"]) == first["designs"][0]["metrics"]["turns_median"]["value"]
    assert pq.read_table(out / "results.parquet").num_rows == 7
    assert (out / "figures" / "heat-turns_median.png").read_bytes().startswith(b"\x89PNG")
    for size in (DESKTOP, PHONE):
        with opened(browser, out / "report.html", size) as watched:
            page = watched.page
            assert page.inner_text("h1") == 'A small study of <the> clapper & "its" spring'
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.click("table.sortable th:nth-child(4) button")
            values = page.eval_on_selector_all(
                "table.sortable tbody td:nth-child(4)", "cells => cells.map(c => Number(c.dataset.by))"
            )
            assert values == sorted(values)
            assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 100)")
            assert not watched.complaints
            assert len(watched.requests) == 1


def test_more_spins_play_the_missing_ones_only(file, tmp_path, capsys):
    out = tmp_path / "out"
    told(capsys, "study", str(file), "--out", str(out))
    more = told(capsys, "study", str(file), "--out", str(out), "--resume", "--spins", "200")
    assert more["designs"][0]["spins"] == 200
    assert more["designs"] == told(capsys, "study", str(file), "--spins", "200")["designs"]


def test_a_killed_study_goes_on_where_it_was(file, tmp_path, capsys):
    wanted = told(capsys, "study", str(file))
    out = tmp_path / "out"
    command = [sys.executable, str(ROOT / "run_sim.py"), "study", str(file), "--out", str(out), "--resume"]
    kept = 0
    for _ in range(4):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while child.poll() is None and len(list((out / "designs").glob("*.parquet"))) <= kept:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.wait()
        kept = len(list((out / "designs").glob("*.parquet")))
        assert kept > 0
    assert told(capsys, "study", str(file), "--out", str(out), "--resume") == wanted
    whole = {each.name for each in (out / "designs").glob("*.parquet")}
    assert len(whole) == 5


def test_a_broken_design_file_is_played_again(file, tmp_path, capsys):
    out = tmp_path / "out"
    first = told(capsys, "study", str(file), "--out", str(out))
    broken = next((out / "designs").glob("*.parquet"))
    broken.write_bytes(broken.read_bytes()[:100])
    assert told(capsys, "study", str(file), "--out", str(out), "--resume") == first


def test_a_folder_of_something_else_is_refused(file, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    (out / "letter.txt").write_text("dear")
    assert main(["study", str(file), "--out", str(out)]) == 2
    assert "it holds 'letter.txt' and no study.json" in capsys.readouterr().err
    assert [each.name for each in out.iterdir()] == ["letter.txt"]


def test_compare_two_machines(capsys):
    words = ["compare", "roda-da-sorte", "roda-stiff-clapper", "--spins", "100", "--seed", "3"]
    found = told(capsys, *words)
    row = next(each for each in found["metrics"] if each["metric"] == "turns_median")
    assert row["machines"][1]["to_first"]["high"] < 0.0
    assert row["machines"][0]["to_first"] is None
    assert main([*words, "--metric", "on_peg"]) == 0
    text = capsys.readouterr().out
    assert "On a peg" in text
    assert "Turns" not in text


def test_compare_refuses_what_cannot_be_compared(capsys):
    assert main(["compare", "roda-da-sorte"]) == 2
    assert "two machines or more" in capsys.readouterr().err
    assert main(["compare", "roda-da-sorte", "macau-boule"]) == 2
    assert "no metrics to compare" in capsys.readouterr().err
    assert main(["compare", "roda-da-sorte", "roda-stiff-clapper", "--metric", "hops"]) == 2
    assert "--metric: must be one of" in capsys.readouterr().err


def test_compare_refuses_a_varied_value_in_its_own_words(capsys):
    assert main(["compare", "macau-boule", "--vary", "machine.hollow.depth=15"]) == 2
    line = capsys.readouterr().err
    assert line.startswith("--vary machine.hollow.depth=15:1:29: machine.hollow.depth: a unit is missing")
    assert main(["compare", "macau-boule", "--vary", "machine.hollow.depth=60 mm"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("base", "change"),
    [("macau-boule", "machine.hollow.depth=15 mm"), ("roda-da-sorte", "machine.clapper.overlap=11 mm")],
)
def test_compare_writes_a_report_that_is_read_in_a_browser(base, change, tmp_path, capsys, browser: Browser):
    target = tmp_path / "compared.html"
    words = ["compare", base, "--vary", change, "--spins", "200", "--seed", "5"]
    found = told(capsys, *words, "--report", str(target))
    first = target.read_bytes()
    assert [each["path"] for each in found["differing"]] == [change.partition("=")[0]]
    rows = list(csv.DictReader((tmp_path / "compared.csv").open(encoding="utf-8")))
    assert len(rows) == 2 * len(found["metrics"])
    assert float(rows[1]["to_first.low"]) == found["metrics"][0]["machines"][1]["to_first"]["low"]
    for size, dark in ((DESKTOP, True), (PHONE, False)):
        with opened(browser, target, size, dark=dark) as watched:
            page = watched.page
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.locator(".compared tbody tr").count() == len(found["metrics"])
            assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 100)")
            assert page.locator("figure.overlay").count() == (base == "macau-boule")
            assert not watched.complaints
            assert len(watched.requests) == 1
    told(capsys, *words, "--report", str(target))
    assert target.read_bytes() == first


def test_predictability_is_compared_where_it_is_asked_for(capsys):
    words = ["compare", "spanish-boule", "--vary", "machine.hollow.depth=21 mm", "--metric", "predictability"]
    found = told(capsys, *words, "--spins", "400")
    row = found["metrics"][0]["machines"]
    assert row[0]["low"] > 0.0
    assert row[1]["to_first"]["low"] < row[1]["to_first"]["value"] < row[1]["to_first"]["high"]
    assert "(assumed)" in found["observer"]
    assert main([*words, "--spins", "150"]) == 2
    assert "--spins: must be at least 200 for predictability" in capsys.readouterr().err
