"""One wrong form a file: exactly one fault, on the line and with the words of its first comment."""

from pathlib import Path

import pytest

from sim.documents.faults import BadInput
from sim.report.inspection.form import load_form
from sim.rules.library import load

FOLDER = Path(__file__).parent / "forms"
FILES = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_one_fault_with_its_line_and_words(file: Path) -> None:
    place, words = file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# expect: ").split(": ", 1)
    with pytest.raises(BadInput) as caught:
        load_form(file, load("macau-roda-2003"))
    shown = [str(fault) for fault in caught.value.faults]
    assert len(shown) == 1, shown
    assert caught.value.faults[0].mark.line == int(place), shown
    assert all(word in shown[0] for word in words.split(" | ")), shown
    assert "\n" not in shown[0]


def test_the_corpus_is_not_lost() -> None:
    assert len(FILES) >= 20


def test_all_faults_at_once(tmp_path: Path) -> None:
    form = tmp_path / "form.yaml"
    form.write_text(
        "item: {serial: 12}\nlevel: {tilt: 3}\nchecks: {level: {result: yes}}\n", encoding="utf-8"
    )
    with pytest.raises(BadInput) as caught:
        load_form(form, load("macau-roda-2003"))
    assert [fault.mark.line for fault in caught.value.faults] == [1, 2, 3]
