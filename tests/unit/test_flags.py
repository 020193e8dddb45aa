"""Command lines that are wrong: one line each on stderr, exit code 2, before anything is simulated."""

from pathlib import Path

import pytest
import yaml

from sim.cli import main

CASES = yaml.safe_load((Path(__file__).parents[1] / "bad_inputs" / "flags.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[" ".join(case["line"])[:60] or "-" for case in CASES])
def test_a_wrong_command_line_is_told_in_a_line(
    case: dict[str, list[str]],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code = main(case["line"])
    printed = capsys.readouterr()
    assert code == 2
    assert printed.out == ""
    assert len(printed.err.splitlines()) == case.get("faults", 1), printed.err
    assert "Traceback" not in printed.err
    for words in case["says"]:
        assert words in printed.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", [["spin", "macau-boule", "--trace"], ["picture", "none.csv", "--out"]])
def test_a_target_that_cannot_be_written_is_told_before_the_work(
    verb: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suffix = ".csv" if verb[0] == "spin" else ".png"
    assert main([*verb, str(tmp_path / ("é" * 126 + suffix))]) == 2
    assert f"{verb[-1]}: must have a name of at most 255 bytes" in capsys.readouterr().err
    monkeypatch.setattr("os.access", lambda *_: False)
    assert main([*verb, str(tmp_path / f"x{suffix}")]) == 2
    assert "must lie in a folder that can be written" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="a folder in which nobody can make a file")
@pytest.mark.parametrize(
    "line",
    [
        ["record", "roda-da-sorte", "--out", "/proc/a.mp4"],
        ["page", "roda-da-sorte", "--out", "/proc/a.html"],
        ["spin", "macau-boule", "--trace", "/proc/a.csv"],
    ],
)
def test_a_folder_that_takes_no_file_is_told_before_the_work(
    line: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.engines.play.spin", lambda *_: pytest.fail("worked first"))
    assert main(line) == 2
    assert f"{line[2]}: {line[3]!r} cannot be written: " in capsys.readouterr().err


def test_the_table_is_long_enough() -> None:
    assert len(CASES) >= 12
