"""One wrong rounds file a file: exactly one fault, on the line and with the words of its first comment."""

from pathlib import Path

import pytest

from sim.cli.game import open_game
from sim.documents.faults import BadInput
from sim.documents.resources import label_of

FOLDER = Path(__file__).parent / "rounds"
FILES = sorted(FOLDER.glob("*.yaml"))


def expected(file: Path) -> tuple[Path, int, list[str]]:
    """Return the file and line at fault, and words of the message; the line is led by another file's name."""
    place, words = file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# expect: ").split(": ", 1)
    other, _, line = place.rpartition(":")
    return FOLDER / other if other else file, int(line), words.split(" | ")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_one_fault_with_its_line_and_words(file: Path) -> None:
    at, line, words = expected(file)
    with pytest.raises(BadInput) as caught:
        open_game(str(file))
    shown = [str(fault) for fault in caught.value.faults]
    assert len(shown) == 1, shown
    mark = caught.value.faults[0].mark
    assert (mark.file, mark.line) == (label_of(at), line), shown
    assert mark.column > 0, shown
    assert all(word in shown[0] for word in words), shown
    assert "\n" not in shown[0]


def test_the_corpus_is_not_lost() -> None:
    assert len(FILES) >= 50
