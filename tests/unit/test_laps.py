"""The rim law from lap times."""

import shutil
from math import pi
from pathlib import Path

import numpy as np
import pytest

from sim.documents.faults import BadInput
from sim.scenario import PlateScenario, load_scenario
from sim.scenario.scenario import Table

DATA = Path(__file__).parents[1] / "data"


def machine(folder: Path, file: str, extra: str = "") -> PlateScenario:
    path = folder / "machine.yaml"
    path.write_text(
        f"extends: macau-boule\nrim:\n  deceleration: {{laps: {file}{extra}}}\n", encoding="utf-8"
    )
    loaded = load_scenario(path)
    assert isinstance(loaded, PlateScenario)
    return loaded


def laps(spins: int, constant: float, quadratic: float) -> str:
    """Lap times of balls that slow by d = constant + quadratic w^2: tan-law, exact."""
    rows, root = ["spin,lap_s"], (constant * quadratic) ** 0.5
    for spin in range(spins):
        start = np.arctan((8.0 + 0.05 * spin) * (quadratic / constant) ** 0.5)
        # The angle turned after t is ln(cos(start - root t) / cos(start)) / quadratic.
        turns = 2 * pi * np.arange(1, 30)
        times = (start - np.arccos(np.minimum(np.exp(quadratic * turns) * np.cos(start), 1.0))) / root
        times = times[np.exp(quadratic * turns) * np.cos(start) < 0.9]
        rows += [f"{spin},{lap:.9f}" for lap in np.diff(times, prepend=0.0)]
    return "\n".join(rows) + "\n"


def test_laps_of_a_known_law_give_it_back(tmp_path: Path) -> None:
    (tmp_path / "laps.csv").write_text(laps(20, 0.15, 0.012), encoding="utf-8")
    law = machine(tmp_path, "laps.csv").rim.deceleration
    assert isinstance(law, Table)
    for speed, loss in law.table:
        assert loss == pytest.approx(0.15 + 0.012 * speed**2, rel=0.02)


def test_a_published_film_gives_its_law(tmp_path: Path) -> None:
    shutil.copy(DATA / "small_tse_fig4_ball_lap_pairs.csv", tmp_path)
    loaded = machine(tmp_path, "small_tse_fig4_ball_lap_pairs.csv")
    law = loaded.rim.deceleration
    assert law.at(3.5) == pytest.approx(0.202, abs=0.06)  # physics.md, section 6
    assert law.at(3.15) == pytest.approx(0.151, abs=0.05)
    assert "rim.deceleration.table" not in loaded.assumed
    assert loaded.provenance["rim.deceleration.table"].startswith("measured: lap times in small_tse")


def test_the_resolved_scenario_stands_alone(tmp_path: Path) -> None:
    from sim.engines.run import task_of
    from sim.rules.library import load
    from sim.scenario.loading import parse_scenario

    (tmp_path / "laps.csv").write_text(laps(20, 0.15, 0.012), encoding="utf-8")
    loaded = machine(tmp_path, "laps.csv")
    text = task_of(loaded, load("macau-boule-1979"), 0, "0").manifest["scenario_text"]
    assert parse_scenario(text, "archived").sha256 == loaded.sha256


def test_a_stated_source_is_kept_and_other_files_are_refused_in_a_text(tmp_path: Path) -> None:
    from sim.scenario.loading import parse_scenario

    (tmp_path / "laps.csv").write_text(laps(20, 0.15, 0.012), encoding="utf-8")
    loaded = machine(tmp_path, "laps.csv", ', source: "cited: a film"')
    assert loaded.provenance["rim.deceleration.table"] == "cited: a film"
    with pytest.raises(BadInput, match="names no other file"):
        parse_scenario("rim:\n  deceleration: {laps: laps.csv}\n", "text")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (None, "machine.yaml:3:24", "no such file"),
        ("", "machine.yaml:3:24", "has no rows"),
        ("lap\n1\n", "laps.csv:1", "no such column"),
        ("spin,earlier_s\n1,2\n", "laps.csv:1", "either lap_s, or earlier_s and later_s"),
        ("lap_s\n1\nx\n2\n", "laps.csv:3", "bare number"),
        ("lap_s;spin\n1,5;1\n", "laps.csv:2", "decimal comma"),
        ("lap_s\n1\n0.001\n", "laps.csv:3", "0.05 to 60 s"),
        ("lap_s,spin\n,1\n", "laps.csv:2", "missing"),
        ("lap_s\n1\n1.1\n1.2\n", "machine.yaml:3:24", "at least 6 pairs"),
        ("lap_s\n1,2\n", "laps.csv:2", "at most 1 cells"),
    ],
)
def test_wrong_files_are_told_in_a_line(tmp_path: Path, text: str | None, place: str, words: str) -> None:
    if text is not None:
        (tmp_path / "laps.csv").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        machine(tmp_path, "laps.csv")
    shown = [str(fault) for fault in caught.value.faults]
    assert len(shown) == 1, shown
    assert words in shown[0]
    assert place in shown[0]
