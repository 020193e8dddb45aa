"""Spins that play in the report of an inspection: chosen with a reason, played from their draws, offline."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser

from sim.cli import main
from sim.cli.log import Game, open_log
from sim.engines.play import draw
from sim.report.archived import open_run, start_in
from sim.report.chosen import telling
from tests.e2e.browser import PHONE, opened

QUICK = "push.croupiers=[{name: A, speed: {uniform: {min: 2.0 rad/s, max: 2.6 rad/s}}}]"


def batch(folder: Path, scenario: str, *words: str) -> Path:
    assert main(["batch", scenario, "--spins", "60", "--seed", "4", "--out", str(folder), *words]) == 0
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return batch(tmp_path_factory.mktemp("played") / "run", "roda-da-sorte", "--set", QUICK)


@pytest.fixture(scope="module")
def page(run: Path) -> Path:
    out = run.parent / "report.html"
    words = ["inspect", str(run), "--rules", "macau-roda-2003", "--report", str(out)]
    assert main([*words, "--pdf", str(out.with_suffix(".pdf"))]) in {0, 1, 3}
    return out


def test_they_play_without_a_request_or_a_complaint(browser: Browser, page: Path) -> None:
    assert page.stat().st_size < 3_000_000
    for size in ((1280, 800), PHONE):
        with opened(browser, page, size, dark=True) as watched:
            shown = watched.page
            assert shown.evaluate("document.documentElement.scrollWidth") <= size[0]
            replay = shown.locator(".fw-replay")
            assert replay.count() == 1
            why = replay.locator(".fw-chip small").all_text_contents()
            assert why[0].startswith("void: ")
            assert any(each.startswith("longest") for each in why)
            assert "fewest turns" in why
            table = shown.locator("section:has(> .fw-replay) table").inner_text()
            assert all(each in table for each in why)
            before = replay.locator(".fw-clock").inner_text()
            replay.locator(".fw-play").click()
            shown.wait_for_timeout(400)
            assert replay.locator(".fw-clock").inner_text() != before


def test_on_paper_there_are_their_ends_only(browser: Browser, page: Path) -> None:
    with opened(browser, page) as watched:
        watched.page.emulate_media(media="print")
        assert not watched.page.locator(".fw-replay").is_visible()
        assert watched.page.locator("section:has(> .fw-replay) table").is_visible()
    assert b"%PDF" in page.with_suffix(".pdf").read_bytes()[:8]


def test_the_same_run_gives_the_same_bytes_and_none_is_played_unasked(run: Path, page: Path) -> None:
    again, still = run.parent / "again.html", run.parent / "still.html"
    words = ["inspect", str(run), "--rules", "macau-roda-2003"]
    main([*words, "--report", str(again)])
    assert again.read_bytes() == page.read_bytes()
    main([*words, "--report", str(still), "--replays", "0"])
    assert '<section class="fw-replay' not in still.read_text(encoding="utf-8")
    assert "<script" not in still.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("scenario", "words"),
    [("roda-da-sorte", ["--set", QUICK]), ("spanish-boule", []), ("macau-boule", [])],
)
def test_a_row_tells_the_start_of_its_spin(tmp_path: Path, scenario: str, words: list[str]) -> None:
    opened_run = open_run(batch(tmp_path / "run", scenario, *words))
    rows = pq.read_table(opened_run.parts[0].path).to_pylist()
    for row in rows[:20]:
        told = start_in(row, opened_run.scenario)
        drawn = draw(opened_run.scenario, 4, row["spin_no"])
        assert told is not None
        for name in drawn.__slots__:
            if name != "seed":
                assert getattr(told, name) == pytest.approx(getattr(drawn, name), rel=1e-12, abs=1e-12), name


def test_what_is_chosen_is_what_its_reason_says(run: Path) -> None:
    told = open_run(run)
    log = open_log(str(run), Game(told.manifest.rulebook, told.scenario.machine.ring))
    picks = {pick.why: [log.table.slice(row, 1).to_pylist()[0] for row in pick.rows] for pick in
             telling(log, (5, "section 5"), 3)}  # fmt: skip
    valid = [row for row in log.table.to_pylist() if row["valid"]]
    codes = {row["void_code"] for row in log.table.to_pylist()} - {None}
    assert codes
    for code in codes:
        rows = picks.pop(f"void: {code}")
        assert {row["void_code"] for row in rows} == {code}
    assert all(row["rest_index"] == 5 for row in picks.pop("into section 5, which came most often"))
    longest = [row["duration_s"] for row in picks.pop("longest from the launch to rest")]
    assert longest == sorted((row["duration_s"] for row in valid), reverse=True)[:3]
    (fewest,) = picks.pop("fewest turns")
    assert fewest["turns"] == min(row["turns"] for row in log.table.to_pylist())
    ((why, typical),) = picks.items()
    assert why.startswith("typical")
    middle = sorted(row["duration_s"] for row in valid)
    for row in typical:
        assert middle[len(middle) // 4] < row["duration_s"] < middle[3 * len(middle) // 4]


def test_a_file_of_a_run_with_its_scenario_plays_too(tmp_path: Path) -> None:
    run = batch(tmp_path / "run", "spanish-boule", "--format", "csv")
    log, out = run / "part-000000000000-000000000060.csv", tmp_path / "report.html"
    words = ["inspect", str(log), "--report", str(out), "--replays", "1"]
    main([*words, "--rules", "es-boule-1979"])
    assert '<section class="fw-replay' not in out.read_text(encoding="utf-8")
    main([*words, "--scenario", "spanish-boule"])
    assert out.read_text(encoding="utf-8").count('<section class="fw-replay') == 1


STUDY = """name: small
title: A small study
base: roda-da-sorte
set: ["push.croupiers=[{name: A, speed: 1 rad/s}]"]
factors: [{path: machine.clapper.overlap, values: [10 mm, 12 mm, 99 mm]}]
metrics: [turns_median]
spins: 100
seed: 9
"""


@pytest.mark.slow
def test_two_machines_of_a_study_are_thrown_alike(browser: Browser, tmp_path: Path) -> None:
    file, out = tmp_path / "small.yaml", tmp_path / "out"
    file.write_text(STUDY)
    assert main(["study", str(file), "--out", str(out)]) == 0
    first = (out / "report.html").read_bytes()
    with opened(browser, out / "report.html") as watched:
        replays = watched.page.locator(".fw-replay[data-ready]")
        assert replays.count() == 2
        pushes = watched.page.locator(".fw-facts").all_inner_texts()
        assert len({text.split("turns forward")[0] for text in pushes}) == 1
        assert len(set(pushes)) == 2
        watched.page.locator(".both").click()
        watched.page.wait_for_timeout(400)
        clocks = [float(each.split()[0]) for each in watched.page.locator(".fw-clock").all_inner_texts()]
        assert all(clock > 0 for clock in clocks)
    assert main(["study", str(file), "--out", str(out), "--resume"]) == 0
    assert (out / "report.html").read_bytes() == first
