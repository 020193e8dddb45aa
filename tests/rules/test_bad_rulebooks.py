import re
from pathlib import Path

import pytest

from sim.documents.faults import BadInput
from sim.documents.resources import label_of
from sim.rules.library import load

FILES = sorted((Path(__file__).parents[1] / "bad_inputs" / "rulebooks").glob("*.yaml"))


def test_there_are_enough():
    assert len(FILES) >= 15


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_one_fault_at_the_right_line(file):
    expected = re.fullmatch(r"# expect: (\d+): (.+)", file.read_text(encoding="utf-8").splitlines()[0])
    assert expected is not None
    with pytest.raises(BadInput) as raised:
        load(str(file))
    (fault,) = raised.value.faults
    assert (fault.mark.file, fault.mark.line) == (label_of(file), int(expected[1]))
    assert fault.mark.column > 0
    for words in expected[2].split(" | "):
        assert words in fault.message
