"""From a scenario file to settled bets, as a user runs it."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from sim.cli import main
from sim.landing import COLUMNS
from sim.report.trace import read_trace

ROOT = Path(__file__).parents[2]
BETS = ["--bet", "star=5", "--bet", "number:7=10", "--bet", "red=10"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_a_document_has_the_promised_shape_and_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(ROOT / "scenarios" / "macau-boule.yaml")
    made = json.loads(run(capsys, "spin", path, "--spins", "3", "--seed", "1979", *BETS, "--json"))
    assert list(made) == ["scenario", "seed", "versions", "assumed", "spins", "totals"]
    assert set(made["scenario"]) == {"name", "sha256"}
    assert made["seed"] == 1979
    assert set(made["versions"]) == {"fairwheel", "python", "numpy", "numba", "pymunk"}
    assert "machine.hollow.depth" in made["assumed"]
    assert [spin["index"] for spin in made["spins"]] == [0, 1, 2]
    for spin in made["spins"]:
        _check_spin(spin)
    totals = made["totals"]
    assert totals["spins"] == totals["valid"] + totals["void"] == 3
    for sum_of in ("staked", "returned", "net"):
        assert totals[sum_of] == sum(spin["settlement"][sum_of] for spin in made["spins"])
        assert totals[sum_of] == sum(bet[sum_of] for bet in totals["bets"])
    assert totals["staked"] == 3 * 25


def _check_spin(spin: dict) -> None:
    kinds = [event["kind"] for event in spin["events"]]
    times = [event["time_s"] for event in spin["events"]]
    assert kinds[0] == "launch"
    assert set(kinds) <= {"launch", "rim_exit", "band", "hollow_in", "hollow_out", "hop", "contact", "rest"}
    assert times == sorted(times)
    assert all(0 <= event["azimuth_deg"] < 360 for event in spin["events"])
    start, landing = spin["start"], spin["landing"]
    assert spin["events"][0]["speed_m_s"] == start["ball_speed_m_s"]
    assert spin["events"][0]["azimuth_deg"] == pytest.approx(start["ball_azimuth_deg"])
    assert landing["ball_direction"] == start["ball_direction"]
    assert abs(landing["plate_speed_rad_s"]) < abs(start["plate_speed_rad_s"])
    assert 0 <= start["plate_phase_deg"] < 360
    assert spin["valid"] == (spin["void"] is None) == (spin["symbol"] is not None)
    settlement = spin["settlement"]
    assert settlement["net"] == settlement["returned"] - settlement["staked"]
    if not spin["valid"]:
        assert set(spin["void"]) == {"code", "article", "reason"}
        assert settlement["net"] == 0
        return
    assert "rest" in kinds
    symbols = ["star", *map(str, range(1, 25))]
    assert spin["symbol"] == symbols[spin["pocket"]]
    won = {"star": 5 * 24, "7": 10 * 24}.get(spin["symbol"], 0)
    red = spin["symbol"] != "star" and int(spin["symbol"]) % 2 == 1
    assert settlement["returned"] == won + (20 if red else 0)


def test_the_same_words_give_the_same_bytes_from_anywhere(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("spin", "macau-boule", "--spins", "2", "--seed", "7", "--bet", "star=5", "--json")
    first = run(capsys, *words)
    monkeypatch.chdir(tmp_path)
    assert run(capsys, *words) == first
    assert run(capsys, "spin", str(ROOT / "scenarios" / "macau-boule.yaml"), *words[2:]) == first
    assert json.loads(run(capsys, *words[:5], "8", *words[6:]))["spins"] != json.loads(first)["spins"]


def test_more_spins_and_other_bets_leave_the_first_spins_as_they_were(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = json.loads(run(capsys, "spin", "macau-boule", "--seed", "7", "--json"))["spins"]
    two = json.loads(
        run(capsys, "spin", "macau-boule", "--seed", "7", "--spins", "2", "--bet", "preta=1", "--json")
    )
    assert two["spins"][0] | {"settlement": None} == one[0] | {"settlement": None}


def test_a_line_per_spin_and_totals(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "spin", "macau-boule", "--spins", "2", "--seed", "1979", *BETS).splitlines()
    assert lines[0].startswith("macau-boule: ")
    assert "seed 1979" in lines[1]
    assert "values assumed" in lines[1]
    assert lines[2].split() == [
        "spin",
        "rim",
        "exit",
        "bell",
        "rest",
        "hops",
        "staked",
        "returned",
        "net",
        "outcome",
    ]
    assert [line.split()[0] for line in lines[3:5]] == ["0", "1"]
    assert lines[5].startswith("2 spins: ")
    assert lines[-1].startswith("  all bets: staked 50, ")


def test_an_override_changes_the_spin_and_its_digest(capsys: pytest.CaptureFixture[str]) -> None:
    plain = json.loads(run(capsys, "spin", "macau-boule", "--json"))
    changed = json.loads(run(capsys, "spin", "macau-boule", "--set", "machine.hollow.depth=10mm", "--json"))
    assert changed["scenario"]["sha256"] != plain["scenario"]["sha256"]
    assert changed["spins"] != plain["spins"]


def test_a_trace_is_recorded_and_drawn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plain = run(capsys, "spin", "macau-boule", "--seed", "1979", "--json")
    traced = run(capsys, "spin", "macau-boule", "--seed", "1979", "--json", "--trace", "one.csv")
    assert traced == plain
    header, rows = read_trace(Path("one.csv"))
    landing = json.loads(plain)["spins"][0]["landing"]
    assert rows.shape[1] == len(COLUMNS)
    assert rows[-1, 0] == pytest.approx(landing["duration_s"], abs=0.003)
    assert len(header.plan.hollows) == 25
    assert main(["picture", "one.csv", "--out", "one.png"]) == 0
    assert main(["picture", "one.csv", "--out", "two.png"]) == 0
    assert Path("one.png").read_bytes() == Path("two.png").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.csv", "one.png", "two.png"]


def test_odds_of_macau_boule_are_four_percent_throughout(capsys: pytest.CaptureFixture[str]) -> None:
    made = json.loads(run(capsys, "odds", "macau-boule-1979", "--json"))
    assert list(made) == ["rulebook", "bets"]
    keys = ["bet", "chance", "pays", "edge", "break_even_excess", "article", "inferred"]
    assert all(list(bet) == keys for bet in made["bets"])
    assert {bet["edge"] for bet in made["bets"]} == {"1/25"}
    simple = {bet["bet"] for bet in made["bets"] if Fraction(bet["chance"]) == Fraction(12, 25)}
    assert simple == {bet["bet"] for bet in made["bets"] if bet["inferred"]}
    assert {bet["pays"] for bet in made["bets"] if bet["bet"] in simple} == {1}


def test_what_is_shipped_is_listed_and_valid(capsys: pytest.CaptureFixture[str]) -> None:
    listed = run(capsys, "list")
    assert "macau-boule " in listed
    assert "macau-boule-1979 " in listed
    assert "macau-hollow           Macau Boule: depth of the hollow" in listed
    line = run(capsys, "validate", "macau-boule")
    assert line.count("\n") == 1
    assert "values assumed" in line
    assert "suspicious: " in line
