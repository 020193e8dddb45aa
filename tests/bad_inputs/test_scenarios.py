"""One wrong scenario a file: exactly one fault, on the line and with the words of its first comment."""

from pathlib import Path

import pytest

from sim.documents.faults import BadInput
from sim.scenario import load_scenario

FILES = sorted((Path(__file__).parent / "scenarios").glob("*.yaml"))


def expected(file: Path) -> tuple[int, list[str]]:
    first = file.read_bytes().split(b"\n", 1)[0].decode()
    _, line, words = first.split(": ", 2)
    return int(line), words.split(" | ")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_one_fault_with_its_line_and_words(file: Path) -> None:
    line, words = expected(file)
    with pytest.raises(BadInput) as caught:
        load_scenario(file)
    shown = [str(fault) for fault in caught.value.faults]
    assert len(shown) == 1, shown
    assert caught.value.faults[0].mark.line == line, shown
    assert caught.value.faults[0].mark.file == str(file)
    assert all(word in shown[0] for word in words), shown
    assert "\n" not in shown[0]


def test_the_corpus_is_not_lost() -> None:
    assert len(FILES) >= 60
