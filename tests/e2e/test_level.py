"""level and predict from the command line."""

import json
from math import cos, radians, tan
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sim.cli import main

READINGS = """# three places, instrument reversed at each
azimuth_deg,reading_mm_m,reversed_mm_m
0,1.52,1.02
120,-1.05,-1.49
240,0.44,-0.06
"""
FEET = ["--foot", "90deg:600mm", "--foot", "210deg:600mm", "--foot", "330deg:600mm"]


@pytest.fixture
def readings(tmp_path: Path) -> str:
    path = tmp_path / "level.csv"
    path.write_text(READINGS, encoding="utf-8")
    return str(path)


def run(*line: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main([*line]) == 0
    return capsys.readouterr().out


def test_readings_give_the_tilt_and_how_to_turn_the_feet(
    readings: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["level", "--readings", readings, "--uncertainty", "0.02 mm/m", *FEET, "--pitch", "1.5mm"]
    told = json.loads(run(*line, "--json", capsys=capsys))
    assert told["readings"]["tilt_mm_m"] == pytest.approx(1.472, abs=1e-3)
    assert told["readings"]["low_side_deg"] == pytest.approx(145.1, abs=0.1)
    assert told["readings"]["instrument_error_mm_m"] == pytest.approx(0.24, abs=1e-9)
    assert [foot["turns"] for foot in told["feet"]] == pytest.approx([0.924, 0.836, 0.0], abs=2e-3)
    shown = run(*line, capsys=capsys)
    assert "0.0843 deg = 1.472 mm/m" in shown
    assert max(len(line.replace(readings, "level.csv")) for line in shown.splitlines()) <= 80


def test_readings_that_fit_a_plane_exactly_are_known_to_their_last_digit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "level.csv"
    path.write_text("azimuth_deg,reading_mm_m\n0,0.30\n90,0.00\n180,-0.30\n270,0.00\n", encoding="utf-8")
    told = json.loads(run("level", "--readings", str(path), "--json", capsys=capsys))["readings"]
    assert told["tilt_mm_m"] == pytest.approx(0.3)
    assert told["uncertainty_mm_m"] == pytest.approx(0.01 / 12**0.5)


def test_what_cannot_be_known_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "level.csv"
    path.write_text("azimuth_deg,reading_deg\n0,0.1\n120,0\n240,0\n", encoding="utf-8")
    shown = run("level", "--readings", str(path), *FEET, capsys=capsys)
    assert "of unknown uncertainty" in shown
    assert "--uncertainty" in shown
    assert "low side   at 180.0 deg" in shown
    told = json.loads(run("level", "--readings", str(path), *FEET, "--json", capsys=capsys))
    assert told["readings"]["interval_deg"] is None
    slope = 2.0 / 3.0 * tan(radians(0.1))
    lever = 600.0 * slope * cos(radians(30.0))
    assert [foot["raise_mm"] for foot in told["feet"]] == pytest.approx([lever, 2.0 * lever, 0.0], abs=1e-9)
    assert {foot["uncertainty_mm"] for foot in told["feet"]} == {None}


def test_a_warped_track_is_warned_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "level.csv"
    rows = [f"{azimuth},{1 if azimuth % 180 == 0 else -1}" for azimuth in range(0, 360, 45)]
    path.write_text("azimuth_deg;reading_arcsec\n" + "\n".join(rows).replace(",", ";"), encoding="utf-8")
    shown = run("level", "--readings", str(path), "--uncertainty", "0.1 arcsec", capsys=capsys)
    assert "the readings fit no plane" in shown


@pytest.mark.slow
def test_drops_agree_with_the_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level = "level={tilt: 0.2 deg, low_side: 145 deg}"
    log, file = str(tmp_path / "log"), tmp_path / "level.csv"
    run("batch", "macau-boule", "--spins", "1000", "--set", level, "--out", log, capsys=capsys)
    rows = ["0,2.859,2.859", "120,-3.164,-3.164", "240,0.304,0.304"]  # tan(0.2 deg), low side at 145 deg
    file.write_text("azimuth_deg,reading_mm_m,reversed_mm_m\n" + "\n".join(rows), encoding="utf-8")
    line = ["level", "--drops", log, "--scenario", "macau-boule", "--readings", str(file), "--json"]
    told = json.loads(run(*line, "--uncertainty", "0.05 mm/m", capsys=capsys))
    low, high = told["drops"]["interval_deg"]
    assert low < 0.2 < high
    assert told["readings"]["tilt_deg"] == pytest.approx(0.2, abs=0.003)
    assert told["p_agree"] > 0.001


@pytest.mark.slow
def test_a_curve_says_whether_a_machine_hides_its_tilt(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["level", "--curve", "macau-boule", "--to", "0.4deg", "--steps", "3", "--spins", "600"]
    shown = run(*line, "--bound", "F4=0.2", "--bound", "F1=0.9", capsys=capsys)
    assert "hides tilt from its counts" in shown
    assert "the plate turns" in shown
    assert "F4 exceeds 0.2 at 0.1" in shown or "F4 exceeds 0.2 at 0.2" in shown
    assert "F1 exceeds 0.9 nowhere" in shown
    line = ["level", "--curve", "spanish-boule", "--to", "0.2deg", "--steps", "3", "--spins", "400", "--json"]
    told = json.loads(run(*line, "--bound", "F1=0.3", capsys=capsys))
    assert "shows tilt in its counts" in told["hides"][0]
    assert told["crossings"][0]["tilt_deg"] < 0.15


@pytest.mark.slow
def test_predict_knows_nothing_something_and_all(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["predict", "macau-boule", "--spins", "2000", "--json"]
    line += [word for when in ("nothing", "rulebook", "rest") for word in ("--closing", when)]
    nothing, something, everything = json.loads(
        run(*line, "--timing", "0 s", "--physics", "0%", capsys=capsys)
    )["results"]
    assert nothing["interval"][0] <= -0.04 <= nothing["interval"][1]
    assert abs(nothing["bits"]) < 0.01
    assert something["bits_interval"][0] > 0.05
    assert something["interval"][0] > 0
    assert everything["bits"] == pytest.approx(4.644, abs=0.02)
    assert everything["expectation"] == pytest.approx(23 * everything["valid"] / everything["n"], abs=0.05)


@pytest.mark.slow
def test_nobody_can_foretell_the_roda_before_the_push(capsys: pytest.CaptureFixture[str]) -> None:
    line = [
        "predict",
        "roda-da-sorte",
        "--spins",
        "600",
        "--closing",
        "rulebook",
        "--closing",
        "rest",
        "--json",
    ]
    before, rest = json.loads(run(*line, capsys=capsys))["results"]
    assert before["bits_interval"][0] <= 0.02
    assert rest["bits"] > 5.4


def picture(file: Path) -> np.ndarray:
    drawn = np.asarray(Image.open(file).convert("L"))
    assert drawn.shape[1] > 900
    assert 0.005 < (drawn < 128).mean() < 0.5
    return drawn


def test_readings_and_feet_are_drawn(
    readings: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["level", "--readings", readings, "--uncertainty", "0.02 mm/m", *FEET]
    files = [tmp_path / name for name in ("level.png", "level.svg", "level.pdf", "again.svg")]
    for file in files:
        run(*line, "--plot", str(file), capsys=capsys)
    picture(files[0])
    assert files[1].read_bytes() == files[3].read_bytes()
    assert b"<svg" in files[1].read_bytes()
    assert files[2].read_bytes().startswith(b"%PDF")
    assert main([*line, "--plot", str(tmp_path / "level.txt")]) == 2
    assert "--plot" in capsys.readouterr().err


@pytest.mark.slow
def test_drops_and_the_response_to_tilt_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, drops, curve = tmp_path / "log", tmp_path / "drops.png", tmp_path / "curve.png"
    run("batch", "macau-tilted", "--spins", "100", "--out", str(log), capsys=capsys)
    run("level", "--drops", str(log), "--scenario", "macau-boule", "--plot", str(drops), capsys=capsys)
    picture(drops)
    line = ["level", "--curve", "macau-boule", "--steps", "3", "--spins", "200", "--bound", "F4=0.2"]
    run(*line, "--plot", str(curve), capsys=capsys)
    picture(curve)
