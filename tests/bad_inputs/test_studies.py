"""One wrong study a file: exactly one fault, on the line and with the words of its first comment."""

from pathlib import Path

import pytest

from sim.cli import main
from sim.design.study_file import load_study
from sim.documents.faults import BadInput

FILES = sorted((Path(__file__).parent / "studies").glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_one_fault_with_its_line_and_words(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line, words = file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# expect: ").split(": ", 1)
    with pytest.raises(BadInput) as caught:
        load_study(file)
    shown = [str(fault) for fault in caught.value.faults]
    assert len(shown) == 1, shown
    assert caught.value.faults[0].mark.line == int(line), shown
    assert all(word in shown[0] for word in words.split(" | ")), shown
    assert "\n" not in shown[0]
    assert main(["study", str(file)]) == 2
    assert capsys.readouterr().err == shown[0] + "\n"


def test_the_corpus_is_not_lost() -> None:
    assert len(FILES) >= 60
