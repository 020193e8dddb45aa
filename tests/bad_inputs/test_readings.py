"""Wrong files of spirit-level readings: a fault with its line, nothing on stdout, exit code 2."""

from pathlib import Path

import pytest
import yaml

from sim.cli import main

CASES = yaml.safe_load((Path(__file__).parent / "readings" / "cases.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "case", CASES, ids=[case["text"][:40].replace("\n", "|") or "empty" for case in CASES]
)
def test_a_wrong_file_is_told_in_a_line(
    case: dict[str, object], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "level.csv"
    path.write_text(str(case["text"]), encoding="utf-8")
    assert main(["level", "--readings", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1, printed.err
    place = f"{path}:{case['line']}" if case["line"] else f"{path}: "
    assert printed.err.startswith(place), printed.err
    for words in case["says"]:  # type: ignore[attr-defined]
        assert words in printed.err


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"\xff\xfea\x00z\x00", "not UTF-8"), (b"azimuth_deg,reading_mm_m\n0,1\xe9\n", "not UTF-8")],
)
def test_other_encodings_are_told(
    content: bytes, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "level.csv"
    path.write_bytes(content)
    assert main(["level", "--readings", str(path)]) == 2
    assert words in capsys.readouterr().err
