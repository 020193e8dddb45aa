"""The benchmarks' bounds, and the wheel in MuJoCo that the batch engine is measured against."""

from math import pi

import pytest

from benchmarks import Measure
from benchmarks.__main__ import _row, main
from sim.machines import build_wheel
from sim.scenario import load_scenario


def test_a_measure_is_held_from_both_sides() -> None:
    assert Measure("a", 2.0, "s", 3.0).holds
    assert not Measure("a", 4.0, "s", 3.0).holds
    assert not Measure("a", 4.0, "s", least=5.0).holds
    assert Measure("a", 4.0, "s").holds
    assert _row(Measure("a", 4.0, "x", least=5.0, note="n")) == "| a | 4 x | ≥ 5 x | DOES NOT HOLD; n |"
    assert _row(Measure("a", 4.0, "", 5.0, least=3.0)) == "| a | 4 | ≤ 5, ≥ 3 |  |"


def test_a_benchmark_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert "must be among batch_engine, command_line" in capsys.readouterr().err


@pytest.mark.slow
def test_w7_the_wheel_in_mujoco_makes_the_turns_of_the_reference_wheel() -> None:
    pytest.importorskip("mujoco")
    from benchmarks.mujoco_wheel import PUBLISHED, model_of, turns

    machine = build_wheel(load_scenario("roda-da-sorte"))
    model = model_of(machine)
    for speed, known in PUBLISHED.items():
        assert turns(model, machine, speed, pi / 2 - pi / 52) == pytest.approx(known, rel=0.05)
        assert turns(model, machine, -speed, pi / 2 - pi / 52) == pytest.approx(-known, rel=0.05)
