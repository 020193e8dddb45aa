"""The benchmarks' bounds, and the wheel in MuJoCo that the batch engine is measured against."""

from math import pi
from pathlib import Path

import pytest

from benchmarks import Measure, page
from benchmarks.__main__ import main
from benchmarks.page import row
from sim.machines import build_wheel
from sim.scenario import load_scenario


def test_a_measure_is_held_from_both_sides() -> None:
    assert Measure("a", 2.0, "s", 3.0).holds
    assert not Measure("a", 4.0, "s", 3.0).holds
    assert not Measure("a", 4.0, "s", least=5.0).holds
    assert Measure("a", 4.0, "s").holds
    assert row(Measure("a", 4.0, "x", least=5.0, note="n")) == "| a | 4 x | ≥ 5 x | DOES NOT HOLD; n |"
    assert row(Measure("a", 4.0, "", 5.0, least=3.0)) == "| a | 4 | ≤ 5, ≥ 3 |  |"


def test_a_benchmark_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert "must be among batch_engine, command_line" in capsys.readouterr().err


def test_a_section_takes_the_place_of_its_last_one_and_the_readme_quotes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "PAGE", tmp_path / "benchmarks.md")
    monkeypatch.setattr(page, "README", tmp_path / "README.md")
    page.README.write_text(f"before\n{page._BEGIN}old\n{page._END}after\n", encoding="utf-8")
    page.keep("one", [row(Measure(page.QUOTED[0], 1.0, "s")), row(Measure("unquoted", 7.0, "s"))])
    page.keep("two", [row(Measure(page.QUOTED[1], 3.0, "x"))])
    page.keep("one", [row(Measure(page.QUOTED[0], 2.0, "s"))])
    written = page.PAGE.read_text(encoding="utf-8")
    assert written.count("## one") == written.count("## two") == 1
    assert "| 2 s |" in written and "| 1 s |" not in written and "unquoted" not in written
    readme = page.README.read_text(encoding="utf-8")
    assert readme.startswith("before\n") and readme.endswith("after\n") and "old" not in readme
    assert [line.split(" | ")[1] for line in readme.splitlines() if line.startswith("| ")][1:] == [
        "2 s",
        "3 x",
    ]


@pytest.mark.slow
def test_w7_the_wheel_in_mujoco_makes_the_turns_of_the_reference_wheel() -> None:
    pytest.importorskip("mujoco")
    from benchmarks.mujoco_wheel import PUBLISHED, model_of, turns

    machine = build_wheel(load_scenario("roda-da-sorte"))
    model = model_of(machine)
    for speed, known in PUBLISHED.items():
        assert turns(model, machine, speed, pi / 2 - pi / 52) == pytest.approx(known, rel=0.05)
        assert turns(model, machine, -speed, pi / 2 - pi / 52) == pytest.approx(-known, rel=0.05)
