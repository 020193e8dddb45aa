"""The command line's manners: help, plain output, encodings, closed pipes, what it imports."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from sim import __version__
from sim.cli import main, screen
from sim.cli.app import app
from sim.documents.resources import shipped

ROOT = Path(__file__).parents[2]
HEAVY = {"numba", "scipy", "pint", "matplotlib", "pymunk", "pygame", "numpy", "pydantic"}


def run(*words: str, **changes: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, **changes}
    command = [sys.executable, str(ROOT / "run_sim.py"), *words]
    return subprocess.run(command, capture_output=True, env=environment, check=False)


def test_the_command_line_loads_nothing_heavy_before_a_verb_needs_it() -> None:
    code = "import sys, sim.cli; sim.cli.main(['--help']); print(*sys.modules)"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    loaded = {name.split(".")[0] for name in out.splitlines()[-1].split()}
    assert "typer" in loaded
    assert loaded & (HEAVY - {"pydantic"}) == set()


def test_help_lists_the_verbs_and_no_words_mean_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == shown
    for verb in ("spin", "play", "balance", "list", "odds", "validate", "picture"):
        assert verb in shown


@pytest.mark.parametrize("verb", [command.name for command in app.registered_commands])
def test_each_verb_teaches_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, "--help"]) == 0
    assert f"Example: fairwheel {verb}" in capsys.readouterr().out.replace("\n", " ")


def test_text_cannot_command_the_terminal() -> None:
    assert screen.clean("a\x1b[31mb\r\u202ec\nd\u00a0é\udcc3") == r"a\x1b[31mb \u202ec d é\udcc3"


def test_markup_in_text_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    screen.console().print("[bold]7[/bold] :smile:")
    assert capsys.readouterr().out == "[bold]7[/bold] :smile:\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_encoding_of_the_terminal_will_do(encoding: str) -> None:
    done = run("odds", "macau-boule-1979", PYTHONIOENCODING=encoding, LC_ALL="C")
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode(encoding)
    assert ("n.º 171/79/M" if encoding != "ascii" else r"n.\xba 171/79/M") in shown


def test_a_reader_that_leaves_is_no_error() -> None:
    command = [sys.executable, str(ROOT / "run_sim.py"), "odds", "macau-boule-1979", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_an_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sim.rules.library.load", interrupt)
    assert main(["odds", "macau-boule-1979"]) == 130
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_in_a_line() -> None:
    command = [sys.executable, str(ROOT / "run_sim.py"), "odds", "macau-boule-1979"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr == b"output: cannot be written: No space left on device\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("words", "code"), [("list", 0), ("--help", 0), ("odds nosuch", 2)])
def test_a_stream_that_was_closed_before_the_start_is_no_crash(closed: str, words: str, code: int) -> None:
    command = f"{sys.executable} {ROOT / 'run_sim.py'} {words} {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_fault_that_nobody_can_be_told_still_gives_its_exit_code(unbuffered: str) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, str(ROOT / "run_sim.py"), "odds", "nosuch"]
        environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
        assert subprocess.run(command, stderr=full, env=environment, check=False).returncode == 2


def test_version_and_short_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"fairwheel {__version__}\n"
    assert main(["spin", "-h"]) == 0
    assert "--seed" in capsys.readouterr().out


def test_help_teaches_with_an_example_of_each_verb(capsys: pytest.CaptureFixture[str]) -> None:
    main(["-h"])
    shown = capsys.readouterr().out
    assert all(f"Example: fairwheel {command.name}" in shown for command in app.registered_commands)


def test_a_narrow_terminal_folds_only_what_may_be_folded() -> None:
    table = screen.table("bet", "edge", "remark")
    table.add_row("number", "11.538 %", "rectification unverified")
    console = Console(width=24, file=io.StringIO())
    console.print(table)
    assert "11.538 %" in console.file.getvalue()


def test_rulebooks_are_validated_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["validate", "macau-boule-1979", "cells:37", "macau-boule"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("macau-boule-1979: ")
    assert "12 bets of which 5 inferred; suspicious: nothing" in lines[0]
    generous = (shipped("assets/rules") / "macau-boule-1979.yaml").read_text(encoding="utf-8")
    (tmp_path / "fav.yaml").write_text(generous.replace("pays: 23", "pays: 27"), encoding="utf-8")
    for verb in ("validate", "odds"):
        assert main([verb, str(tmp_path / "fav.yaml")]) == 0
        assert "suspicious: 'number' favours the player by 3/25" in capsys.readouterr().out


def test_a_file_of_the_other_kind_is_one_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", str(shipped("scenarios") / "macau-boule.yaml")]) == 2
    assert capsys.readouterr().err.endswith(
        "rulebook: is a scenario; a rulebook is needed (fairwheel list shows them)\n"
    )
    assert main(["spin", str(shipped("assets/rules") / "macau-boule-1979.yaml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_rulebook_lies_beside_the_scenario_that_names_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "room").mkdir()
    rules = (shipped("assets/rules") / "macau-boule-1979.yaml").read_bytes()
    (tmp_path / "room" / "own.yaml").write_bytes(rules)
    (tmp_path / "room" / "table.yaml").write_text(
        "extends: macau-boule\nrulebook: own.yaml\n", encoding="utf-8"
    )
    for folder in (tmp_path, tmp_path / "room"):
        monkeypatch.chdir(folder)
        assert main(["validate", str(tmp_path / "room" / "table.yaml")]) == 0, capsys.readouterr().err


def test_of_very_many_faults_the_first_are_told_and_the_rest_counted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    fields = "".join(f"strange_{number}: 1\n" for number in range(5000))
    (tmp_path / "many.yaml").write_text("extends: macau-boule\n" + fields, encoding="utf-8")
    assert main(["validate", str(tmp_path / "many.yaml")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == screen.MOST_COMPLAINTS + 1
    assert lines[0].startswith(f"{tmp_path / 'many.yaml'}:2:1: strange_0: unknown field")
    assert lines[-1] == f"... and {5000 - screen.MOST_COMPLAINTS} more"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder that seems to be writable and is not")
def test_a_trace_that_cannot_be_written_is_told_before_anything_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["spin", "macau-boule", "--trace", "/proc/x.csv"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines()[-1].startswith("--trace: ") and "cannot be written" in told.err


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("machine.hollow={", "--set machine.hollow={:1:23: machine.hollow: not valid YAML"),
        ("machine.hollow.depth=!x 1", "--set machine.hollow.depth=!x 1:1:28: machine.hollow.depth: tags"),
        (
            "machine.hollow={depth: .nan}",
            "--set machine.hollow={depth: .nan}:1:30: machine.hollow.depth: must",
        ),
        (
            "machine.hollow.depth=1e300 m",
            "--set machine.hollow.depth=1e300 m:1:15: machine.hollow: a spherical cap",
        ),
    ],
)
def test_a_fault_in_an_override_is_placed_in_its_value(
    override: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["spin", "macau-boule", "--set", override]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(told)
