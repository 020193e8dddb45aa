"""replay: spins of a run, of a file and of a trace, played again; and the page of a run."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Browser

from sim.cli import main
from sim.report.archived import Ended, open_run, read_replay
from tests.e2e.browser import opened

SPINS = 40


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of three machines, the Macau one of a scenario with overrides and in two parts."""
    folder = tmp_path_factory.mktemp("runs")
    for words in (
        [
            "macau-boule",
            "--out",
            str(folder / "macau"),
            "--set",
            "machine.hollow.depth=12mm",
            "--chunk",
            "25",
        ],
        ["spanish-tilted", "--out", str(folder / "spanish"), "--format", "csv"],
        ["roda-da-sorte", "--out", str(folder / "roda")],
    ):
        assert main(["batch", *words, "--spins", str(SPINS), "--seed", "7", "--workers", "1"]) == 0
    return folder


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(list(words)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ["macau", "spanish", "roda"])
def test_a_spin_of_a_run_is_played_again(runs: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "replay", str(runs / name), "--index", "31")
    lines = told.splitlines()
    assert re.match(r"seed 7, scenario [0-9a-f]{12}, \d+ of \d+ values assumed; fairwheel ", lines[1])
    assert re.match(r" +31  ", lines[3])
    kinds = [line.split()[2] for line in lines[4:] if re.match(r" +[0-9.]+ s  ", line)]
    assert kinds[0] == "launch"
    assert kinds[-1] == "rest"
    there, here, verdict = lines[-3:]
    assert there.startswith("by the batch engine, in its run: ")
    assert here.startswith("by the rigid engine, here: ")
    same = there.partition(": ")[2].strip() == here.partition(": ")[2].strip()
    assert verdict.startswith("the two engines agree" if same else "the two engines part")


def test_a_spin_is_as_a_spin_of_the_scenario(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run's manifest holds the overrides; its spin is that of the scenario overridden alike."""
    told = run(capsys, "replay", str(runs / "macau"), "--index", "0")
    words = ["spin", "macau-boule", "--set", "machine.hollow.depth=12mm", "--seed", "7"]
    assert told.splitlines()[3] == run(capsys, *words).splitlines()[3]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["macau", "spanish", "roda"])
def test_an_exported_spin_needs_nothing_else(
    runs: Path, name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "spin.yaml"
    told = run(capsys, "replay", str(runs / name), "--index", "31", "--export", str(file))
    assert file.stat().st_size < 30_000
    monkeypatch.chdir(tmp_path)
    again = run(capsys, "replay", "spin.yaml", "--export", "again.yaml", "--page", "spin.html")
    *spin, verdict, there, here, engines = again.splitlines()
    assert verdict == "as exported: the spin ended in the same place at the same time"
    assert [*spin, there, here, engines] == told.splitlines()
    assert Path("again.yaml").read_bytes() == file.read_bytes()
    assert Path("spin.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def exported(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Path, dict]:
    file = tmp_path / "spin.yaml"
    run(capsys, "replay", str(runs / "macau"), "--index", "3", "--export", str(file))
    return file, yaml.safe_load(file.read_text(encoding="utf-8"))


def test_other_versions_are_warned_of_and_another_ending_is_told(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, data = exported(runs, tmp_path, capsys)
    data["versions"]["numpy"] = "1.0"
    data["expected"]["rest_index"] = 99
    file.write_text(yaml.safe_dump(data), encoding="utf-8")
    assert main(["replay", str(file)]) == 0
    printed = capsys.readouterr()
    assert "versions differ: numpy 1.0 there, " in printed.err
    assert "not as exported: there " in printed.out
    assert "pocket 99" in printed.out


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("scenario_sha256", "0" * 64, "scenario_sha256: must be "),
        ("scenario_text", "name: x\n", "(scenario_text):1:1: machine: missing"),
        ("scenario_text", "extends: macau-boule\n", "extends: a text that stands alone extends nothing"),
        ("seed", -1, "spin.yaml:"),
        ("index", 1.5, "index: must be a whole number"),
        ("expected", None, "expected: "),
        ("fairwheel_replay", 2, "fairwheel_replay: "),
        ("colour", "red", "colour: unknown field"),
        ("rulebook", {}, "rulebook.id: missing"),
    ],
)
def test_a_file_that_was_changed_is_refused(
    runs: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    field: str,
    value: object,
    says: str,
) -> None:
    file, data = exported(runs, tmp_path, capsys)
    file.write_text(yaml.safe_dump(data | {field: value}), encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    printed = capsys.readouterr()
    assert says in printed.err
    assert "Traceback" not in printed.err
    assert printed.out == ""


def test_runs_that_cannot_be_replayed(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(*words: str) -> str:
        capsys.readouterr()
        assert main(list(words)) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert len(printed.err.splitlines()) == 1
        return printed.err

    macau = str(runs / "macau")
    assert "--index: must be a spin of the run, 0 to 39, not 40" in refused("replay", macau, "--index", "40")
    assert "--index: missing; a run holds many spins" in refused("replay", macau)
    out = ["--out", str(tmp_path / "x.html")]
    assert "--index: must be a spin of the run, 0 to 39, not 40" in refused(
        "page", macau, *out, "--index", "38", "--spins", "4"
    )
    assert "--seed: the spins of a run are what they are" in refused("page", macau, *out, "--seed", "1")
    (tmp_path / "none").mkdir()
    for words in (["replay", str(tmp_path / "none"), "--index", "0"], ["page", str(tmp_path / "none"), *out]):
        assert "log: a folder without a batch run" in refused(*words)
    bare = tmp_path / "bare"
    shutil.copytree(runs / "spanish", bare)
    (bare / "run.json").unlink()
    assert "run: holds no run.json" in refused("replay", str(bare), "--index", "0")
    (bare / "run.json").write_text("[]", encoding="utf-8")
    assert "run: cannot be read" in refused("replay", str(bare), "--index", "0")
    told = json.loads((runs / "spanish" / "run.json").read_text(encoding="utf-8"))
    del told["manifest"]["seed"]
    (bare / "run.json").write_text(json.dumps(told), encoding="utf-8")
    assert "run.json: manifest.seed: field required" in refused("replay", str(bare), "--index", "0")


def test_a_run_whose_parts_are_missing_says_which_it_has(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some = tmp_path / "some"
    shutil.copytree(runs / "macau", some)
    (some / "part-000000000000-000000000025.parquet").unlink()
    (some / "run.json").unlink()  # the parts themselves say what they are of
    assert open_run(some).spans == "25 to 39"
    assert main(["replay", str(some), "--index", "3"]) == 2
    assert "--index: must be a spin of the run, 25 to 39, not 3" in capsys.readouterr().err
    run(capsys, "replay", str(some), "--index", "30")


@pytest.mark.slow
def test_the_page_of_a_run_has_its_pictures_and_a_picker(
    runs: Path, tmp_path: Path, browser: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, titles in (("macau", ["Landings", "Drop zones"]), ("roda", ["Landings", "Turns"])):
        out = tmp_path / f"{name}.html"
        run(capsys, "page", str(runs / name), "--out", str(out), "--spins", "3")
        assert out.stat().st_size < 1_500_000
        with opened(browser, out) as watched:
            page = watched.page
            assert page.locator("figcaption strong").all_text_contents() == titles
            assert page.locator(".fw-chip").count() == 3
            assert "40 spins of the batch engine, seed 7" in page.locator(".run .sub").text_content()
            page.locator("summary").first.click()
            cells = page.locator("table").first.locator("tbody tr td:last-child").all_text_contents()
            decided = int(re.search(r"(\d+) decided", page.locator(".run .sub").text_content())[1])
            assert sum(map(int, cells)) == decided
            page.locator(".fw-chip").nth(2).click()
            assert page.locator(".fw-chip").nth(2).get_attribute("aria-pressed") == "true"


@pytest.mark.slow
@pytest.mark.parametrize(("scenario", "seed"), [("macau-boule", "1979"), ("roda-da-sorte", "3")])
def test_a_trace_is_told_in_phases_and_played_again(
    scenario: str, seed: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    trace, page = tmp_path / "spin.csv", tmp_path / "spin.html"
    run(capsys, "spin", scenario, "--seed", seed, "--trace", str(trace))
    told = run(capsys, "replay", str(trace), "--page", str(page)).splitlines()
    assert told[0].startswith(f"{scenario}: seed {seed}, spin 0, ")
    assert " launch " in told[1]
    assert any(" rest " in line for line in told)
    assert told[-1].startswith("played again: the same path, to ")
    assert page.exists()
    rows = trace.read_text(encoding="utf-8").splitlines()
    cells = rows[3000].split(",")
    cells[1] = str(float(cells[1]) + 0.01)
    trace.write_text("\n".join([*rows[:3000], ",".join(cells), *rows[3001:]]) + "\n", encoding="utf-8")
    assert "leaves the path of the trace at " in run(capsys, "replay", str(trace))


def test_a_trace_of_an_unknown_scenario_is_told_but_not_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    trace = tmp_path / "spin.csv"
    run(capsys, "spin", "spanish-boule", "--set", "ball.diameter=55mm", "--trace", str(trace))
    told = run(capsys, "replay", str(trace))
    assert told.splitlines()[-1].startswith("not played again: no scenario of that name")
    assert main(["replay", str(trace), "--page", str(tmp_path / "x.html")]) == 2
    assert "--page: needs the scenario of the trace, 'spanish-boule'" in capsys.readouterr().err


def test_a_replay_file_is_read_as_it_was_written(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, _ = exported(runs, tmp_path, capsys)
    opened_run = open_run(runs / "macau")
    replay, scenario = read_replay(file)
    assert scenario.sha256 == opened_run.scenario.sha256 == replay.scenario_sha256
    assert replay.rulebook == opened_run.manifest.rulebook
    assert (replay.seed, replay.index, replay.overrides) == (7, 3, ("machine.hollow.depth=12mm",))
    assert isinstance(replay.batch, Ended)
