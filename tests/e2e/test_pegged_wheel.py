"""A pegged wheel from its scenario to settled bets, its trace and picture, and its balance, as a user runs them."""

import json
from pathlib import Path

import pytest

from sim.cli import main
from sim.landing import WHEEL_COLUMNS
from sim.report.trace import WheelTraceHeader, format_trace, read_trace

BETS = ["--bet", "symbol:A=5", "--bet", "símbolo:F=2"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_a_spin_says_its_turns_its_section_and_what_the_bets_made(capsys: pytest.CaptureFixture[str]) -> None:
    made = json.loads(run(capsys, "spin", "roda-da-sorte", "--spins", "3", "--seed", "7", *BETS, "--json"))
    assert [spin["start"]["croupier"] for spin in made["spins"]] == ["A", "B", "C"]
    for spin in made["spins"]:
        landing, start = spin["landing"], spin["start"]
        assert 2 <= abs(start["speed_rad_s"]) <= 8
        assert landing["plate_direction"] == (1 if start["speed_rad_s"] > 0 else -1)
        assert spin["events"][0]["speed_m_s"] == pytest.approx(0.72 * abs(start["speed_rad_s"]))
        assert landing["turns_forward"] >= landing["turns_net"] > 3
        assert landing["section"] in range(52)
        assert (spin["pocket"] is None) == landing["on_peg"] == (not spin["valid"])
        kinds = [event["kind"] for event in spin["events"]]
        assert (kinds[0], kinds[-1]) == ("launch", "rest")
        assert set(kinds[1:-1]) == {"contact"}
        assert len(kinds) <= 54
        pegs = [event["pocket"] for event in spin["events"][1:-1]]
        assert all(peg in range(52) for peg in pegs)
        times = [event["time_s"] for event in spin["events"]]
        assert times == sorted(times)
        if spin["valid"]:
            returned = {"A": 10, "F": 92}.get(spin["symbol"], 0)
            assert spin["settlement"]["returned"] == returned
            assert spin["outcome"]["closing_s"] == -1
    assert {spin["landing"]["section"] for spin in made["spins"]} != {made["spins"][0]["landing"]["section"]}


def test_a_push_too_weak_is_announced_and_void(capsys: pytest.CaptureFixture[str]) -> None:
    weak = "push.croupiers=[{name: A, speed: 1.2 rad/s}]"
    made = json.loads(run(capsys, "spin", "roda-da-sorte", "--set", weak, *BETS, "--json"))
    (spin,) = made["spins"]
    assert 0.5 < spin["landing"]["turns_forward"] < 3
    assert spin["void"]["code"] == "MIN_TURNS"
    assert spin["void"]["article"] == "RS-10"
    assert spin["settlement"]["net"] == 0
    lines = run(capsys, "spin", "roda-da-sorte", "--set", weak).splitlines()
    assert lines[2].split()[:5] == ["spin", "turns", "net", "rest", "section"]
    assert "void MIN_TURNS (RS-10)" in lines[3]


def test_a_trace_is_read_back_and_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    trace, picture = tmp_path / "spin.csv", tmp_path / "spin.png"
    quick = "push.croupiers=[{name: A, speed: 1.5 rad/s}]"
    run(capsys, "spin", "roda-missing-peg", "--set", quick, "--trace", str(trace))
    header, rows = read_trace(trace)
    assert isinstance(header, WheelTraceHeader)
    assert rows.shape[1] == len(WHEEL_COLUMNS)
    assert (len(header.wheel.pegs), len(header.wheel.symbols)) == (51, 52)
    assert rows[0, 2] == 1.5
    assert (
        format_trace(header, rows).splitlines()[1] == "time_s,wheel_rad,wheel_rad_s,clapper_rad,clapper_rad_s"
    )
    run(capsys, "picture", str(trace), "--out", str(picture))
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 50_000


def test_a_trace_with_the_other_machine_s_columns_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    trace = tmp_path / "spin.csv"
    quick = "push.croupiers=[{name: A, speed: 0.5 rad/s}]"
    run(capsys, "spin", "roda-da-sorte", "--set", quick, "--trace", str(trace))
    text = trace.read_text(encoding="utf-8").replace("clapper_rad,", "x_m,", 1)
    trace.write_text(text, encoding="utf-8")
    assert main(["picture", str(trace), "--out", str(tmp_path / "spin.png")]) == 2
    assert ":2:1: columns: must be time_s,wheel_rad" in capsys.readouterr().err


def test_balance_step_by_step(capsys: pytest.CaptureFixture[str]) -> None:
    level = run(capsys, "balance", "roda-da-sorte")
    assert level.count("stayed") == 17
    assert "one below M g e = 0.22 N m" in level
    assert "cannot show" in level
    heavy = run(capsys, "balance", "roda-imbalance")
    assert "in reverse" in heavy
    assert "Heavy side: " in heavy
    made = json.loads(run(capsys, "balance", "roda-imbalance", "--step", "90", "--json"))
    assert made["step_deg"] == 90
    assert len(made["steps"]) == 8
    assert made["threshold_n_m"] == pytest.approx(0.22)
    assert abs((made["heavy_side_deg"] - 3 + 180) % 360 - 180) < 10
    assert made["moves"] == sum(step["moved_deg"] != 0 for step in made["steps"])


def test_the_balance_test_says_what_it_can_hide(capsys: pytest.CaptureFixture[str]) -> None:
    """35 g on the circle of the pegs: more than the bearing holds, less than shows half a step off the level."""

    def verdict(degrees: float) -> str:
        mass = f"machine.wheel.imbalance={{mass: 35 g, radius: 720 mm, angle: {degrees} deg}}"
        return run(capsys, "balance", "roda-da-sorte", "--step", "90", "--set", mass).splitlines()[-1]

    hidden, shown = verdict(45), verdict(0)
    assert "stayed at all 8" in hidden
    assert "one below 44.1 g can lie between steps of 90 deg" in hidden
    assert "out of balance by more than" in shown
    assert "Heavy side: 0 deg" in shown
