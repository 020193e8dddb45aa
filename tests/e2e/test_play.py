"""Rounds as a user plays them: physical spins, the ledger on disk, text that nobody vouches for."""

import csv
import json
from pathlib import Path

import pytest

from sim.cli import main
from sim.documents.resources import rounds_names

ROUNDS = """
title: live
scenario: {scenario}
seed: 1979
players: {{Ana: 1000, Rui: 50}}
spins:
  - bets: [{{at: -2 s, player: Ana, bet: "{bet}=100"}}, {{at: 90 s, player: Rui, bet: "{bet}=10"}}]
  - bets: [{{at: -3 s, player: Rui, bet: "{bet}=50"}}]
"""
RECORDED = """
title: "[bold]table[/bold] =1+1"
rulebook: cells:3
landings: landings.yaml
players: {"=HYPERLINK(1)": 9, "@Rui": 9}
spins: [{bets: [{at: 1 s, player: "@Rui", bet: "win=2"}, {at: 1 s, player: "=HYPERLINK(1)", bet: "win=3"}]}]
"""
RULEBOOK = """
id: coin
title: Two cells
jurisdiction: nowhere
source: "[red]written[/red] for a test"
language: en
articles: {A-1: {at: art. 1, kind: rule, rule: two cells}}
layout: {cells: 2, article: A-1}
symbols: [{symbols: [win], cells: 1, colour: red, article: A-1}, {symbols: [lose], cells: 1, colour: red, article: A-1}]
bets: [{bet: win, pick: fixed, of: [win], article: A-1}, {bet: lose, pick: fixed, of: [lose], article: A-1}]
prizes: [{bets: [win, lose], pays: 1, article: A-1}]
decision: {article: A-1}
"""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def untrusted(folder: Path) -> str:
    (folder / "coin.yaml").write_text(RULEBOOK, encoding="utf-8")
    spins = 'source: "\\x1b[2J here"\nring: [win, lose]\nspins: [{pocket: 0, duration: 5 s}]\n'
    (folder / "landings.yaml").write_text(spins.replace("\\x1b", "\\e"), encoding="utf-8")
    (folder / "rounds.yaml").write_text(RECORDED.replace("cells:3", "coin.yaml"), encoding="utf-8")
    return str(folder / "rounds.yaml")


def rows_of(sheet: Path) -> list[dict]:
    with sheet.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def total(ledger: list[dict], column: str) -> int:
    return sum(int(row[column]) for row in ledger)


@pytest.mark.parametrize("name", rounds_names())
def test_the_ledger_on_disk_balances_and_tells_what_the_document_tells(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, data = tmp_path / "ledger.csv", tmp_path / "ledger.json"
    made = json.loads(run(capsys, "play", name, "--json", "--ledger", str(sheet), "--ledger", str(data)))
    assert json.loads(data.read_text(encoding="utf-8")) == made["ledger"]
    rows = rows_of(sheet)
    assert len(rows) == len(made["ledger"]["entries"])
    totals = made["ledger"]["totals"]
    for column in ("chips_in", "out", "held", "house"):
        assert total(rows, column) == totals[column]
    assert totals["chips_in"] == totals["out"] + totals["held"] + totals["house"]
    assert made["ledger"]["balances"] is True
    brought = sum(player["brought"] for player in made["ledger"]["players"].values())
    last = made["spins"][-1]
    assert brought == sum(last["chips"].values()) + last["held"] + last["house"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ledger.csv", "ledger.json"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "bet"), [("macau-boule", "red"), ("spanish-boule", "rojo"), ("roda-da-sorte", "symbol:A")]
)
def test_live_rounds_are_the_same_bytes_for_the_same_seed(
    scenario: str, bet: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "live.yaml"
    file.write_text(ROUNDS.format(scenario=scenario, bet=bet), encoding="utf-8")
    words = ("play", str(file), "--json")
    first = run(capsys, *words)
    assert run(capsys, *words, "--seed", "1979") == first
    assert run(capsys, *words, "--seed", "1980") != first
    made = json.loads(first)
    assert made["scenario"]["name"] == scenario
    assert made["spins"][0]["steps"][-1]["player"] == "Rui"
    assert made["spins"][0]["closing_s"] is not None
    assert made["ledger"]["balances"] is True


def test_live_spins_are_those_of_spin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "live.yaml"
    file.write_text(ROUNDS.format(scenario="macau-boule", bet="red"), encoding="utf-8")
    played = json.loads(run(capsys, "play", str(file), "--json"))["spins"]
    spun = json.loads(run(capsys, "spin", "macau-boule", "--seed", "1979", "--spins", "2", "--json"))["spins"]
    for one, other in zip(played, spun, strict=True):
        assert one["symbol"] == other["symbol"]
        assert one["void"] == other["void"]
        assert one["closing_s"] == other["outcome"]["closing_s"]


def test_text_of_others_neither_commands_the_terminal_nor_a_spreadsheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, sheet = untrusted(tmp_path), tmp_path / "ledger.csv"
    shown = run(capsys, "play", file, "--ledger", str(sheet))
    assert "[bold]table[/bold] =1+1" in shown
    assert "[red]written[/red] for a test" in shown
    assert "\x1b" not in shown
    assert "\\x1b[2J here" in shown
    rows = rows_of(sheet)
    assert {row["player"] for row in rows} == {"'=HYPERLINK(1)", "'@Rui"}
    assert not any(cell[:1] in "=@+" for row in rows for cell in row.values() if cell)
    assert all(row["house"].lstrip("-").isdigit() for row in rows)


def test_a_ledger_that_cannot_be_written_and_a_seed_that_decides_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, message in [
        (("--ledger", str(tmp_path / "ledger.txt")), "--ledger: must end in .csv or .json"),
        (("--ledger", str(tmp_path / "no" / "ledger.csv")), "--ledger: must lie in a folder that exists"),
        (("--seed", "7"), "--seed: belongs to physical spins"),
    ]:
        assert main(["play", "macau-boule", *words]) == 2
        captured = capsys.readouterr()
        assert message in captured.err
        assert captured.out == ""
    assert main(["play", "macau-bule"]) == 2
    assert "did you mean 'macau-boule'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
