"""Every fault of equipment that is shipped: it is valid, and it spins to a decision or a stated void."""

import json

import pytest

from sim.cli import main
from sim.documents.resources import shipped

DEFECTS = sorted(file.stem for file in (shipped("scenarios") / "defects").glob("*.yaml"))


def test_there_are_defects_of_every_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(DEFECTS) >= 20
    assert {name.split("-")[0] for name in DEFECTS} == {"macau", "spanish", "roda"}
    assert main(["validate", *DEFECTS]) == 0
    shown = capsys.readouterr().out
    assert all(f"{name}: " in shown for name in DEFECTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_spins(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spin", name, "--seed", "3", "--json"]) == 0
    (spin,) = json.loads(capsys.readouterr().out)["spins"]
    assert spin["valid"] == (spin["void"] is None) == (spin["symbol"] is not None)
    assert spin["landing"]["ending"] == "rest" or not spin["valid"]
    assert spin["events"][0]["kind"] == "launch"
