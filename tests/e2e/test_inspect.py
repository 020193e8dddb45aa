"""inspect, power and monitor from the command line."""

import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from sim.cli import main

COUNTS = Path(__file__).parents[1] / "data" / "small_tse_fig5_counts.csv"
PROGRAM = [sys.executable, str(Path(__file__).parents[2] / "run_sim.py")]


def _log(path: Path, cells: np.ndarray) -> str:
    names = np.array(["star", *map(str, range(1, 25))])
    path.write_text("".join(f"{name}\n" for name in names[cells]), encoding="utf-8")
    return str(path)


@pytest.fixture
def fair(tmp_path: Path) -> str:
    return _log(tmp_path / "fair.txt", np.random.default_rng(1).integers(0, 25, 3_000))


@pytest.fixture
def biased(tmp_path: Path) -> str:
    shares = 1 + 0.3 * np.cos(2 * np.pi * (np.arange(25) - 7) / 25)
    return _log(tmp_path / "biased.txt", np.random.default_rng(2).choice(25, 3_000, p=shares / shares.sum()))


def test_small_and_tse_as_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = np.loadtxt(COUNTS, delimiter=",", skiprows=3, dtype=np.int64)[:, 1]
    order = np.random.default_rng(5).permutation(np.repeat(np.arange(37), counts))
    log = tmp_path / "spins.txt"
    log.write_text("".join(f"{one}\n" for one in order), encoding="utf-8")
    assert main(["inspect", str(log), "--rules", "cells:37", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    tests = {test["id"]: test for test in told["tests"]}
    assert told["n"] == 700
    assert tests["F1.chi_square"]["statistic"] == pytest.approx(46.98, abs=0.005)
    assert tests["F1.chi_square"]["p"] == pytest.approx(0.104, abs=0.0005)
    assert tests["F2.harmonic"]["p"] == pytest.approx(0.98, abs=0.005)
    assert tests["F2.harmonic_2"]["p"] == pytest.approx(0.021, abs=0.0005)
    assert told["verdict"] == "no evidence of bias"


def test_json_has_the_fields_of_the_contract(fair: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", fair, "--rules", "macau-boule-1979", "--json"]) == 0
    first = capsys.readouterr().out
    told = json.loads(first)
    assert {"n", "excluded", "rejected", "tests", "verdict"} <= told.keys()
    for test in told["tests"]:
        fields = {"id", "n", "statistic", "df", "p", "p_holm", "effect", "interval", "detectable", "why_not"}
        assert fields <= test.keys()
        assert test["p"] is not None or test["why_not"]
    assert main(["inspect", fair, "--rules", "macau-boule-1979", "--json"]) == 0
    assert capsys.readouterr().out == first


def test_a_biased_log_in_80_columns(biased: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["inspect", biased, "--scenario", "macau-boule", "--profile", "ontario-99"]
    assert main(arguments) == 1
    shown = capsys.readouterr().out
    table = shown[shown.index("test ") : shown.index("effect, its interval")].splitlines()
    assert len(table) > 10
    assert max(map(len, table)) <= 80
    last = shown.strip().splitlines()[-1]
    assert last.startswith("biased: F2.harmonic (Holm p ")
    assert "crest at 7" in last or "crest at 8" in last
    assert "frequency at 99 %" in shown
    assert "% of even wheels fail" in shown
    assert " fair" not in shown


def test_void_and_rejected_rows_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.csv"
    rows = [f"{i},{i % 24 + 1},1," for i in range(60)]
    rows[3], rows[5], rows[7] = "3,,0,OBJECT", "5,99,1,", "7,,0,BALL_OUT"
    log.write_text("spin_no,symbol,valid,void_code\n" + "\n".join(rows) + "\n", encoding="utf-8")
    assert main(["inspect", str(log), "--rules", "macau-boule-1979", "--json"]) in {0, 1}
    told = json.loads(capsys.readouterr().out)
    assert told["n"] == 57
    assert told["excluded"] == {"BALL_OUT": 1, "OBJECT": 1}
    assert [row["line"] for row in told["rejected"]] == [7]


def test_too_few_spins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = _log(tmp_path / "few.txt", np.array([1, 2, 0]))
    assert main(["inspect", log, "--rules", "macau-boule-1979"]) == 3
    assert capsys.readouterr().out.endswith("not assessable: needs 20 spins\n")


@pytest.mark.parametrize(
    ("flags", "line"),
    [
        (["--alpha", "2"], "--alpha: must be a number from 1e-06 to 0.2, not '2'"),
        (["--alpha", "nan"], "--alpha: must be a number from 1e-06 to 0.2, not 'nan'"),
        (["--profile", "x"], "--profile: must be one of slovenia-2002, ontario-99, not 'x'"),
        (["--group-by", "symbol"], "--group-by: must be one of day"),
        (["--rules", "no-such"], "no-such: rulebook: no such file"),
        (["--scenario", "spanish-boule"], "macau-boule-1979 wants 25 cells"),
        (["--map", "a=b"], "--map: no such field: 'b'"),
    ],
)
def test_bad_flags_are_one_line_each(
    fair: str, flags: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = [] if "--rules" in flags else ["--rules", "macau-boule-1979"]
    assert main(["inspect", fair, *rules, *flags]) == 2
    complaint = capsys.readouterr().err
    assert line in complaint
    assert complaint.count("\n") == 1


def test_neither_rulebook_nor_scenario(fair: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", fair]) == 2
    assert capsys.readouterr().err.startswith("--rules: missing;")


def test_power_of_a_pocket(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot = tmp_path / "power.png"
    flags = ["--pocket", "+10%", "--spins", "50000", "--plot", str(plot), "--json"]
    assert main(["power", "macau-boule-1979", *flags]) == 0
    (told,) = json.loads(capsys.readouterr().out)["alternatives"]
    tests = {test["test"]: test for test in told["tests"]}
    assert tests["F1.chi_square"]["spins"] == pytest.approx(86_577, abs=1)
    assert tests["F1.chi_square"]["detectable"] == pytest.approx((86_577 / 50_000) ** 0.5, rel=1e-4)
    assert plot.read_bytes()[:4] == b"\x89PNG"
    assert main(["power", "cells:37"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"F2\.harmonic +348[67] ", shown)
    assert "blind to it" in shown


@pytest.mark.parametrize(
    ("flags", "line"),
    [
        (["--pocket", "10"], "--pocket: must be a percentage"),
        (["--sector", "101%"], "--sector: must be a percentage above 0 and at most 100%"),
        (["--tilt", "1deg"], "--tilt: needs --scenario"),
        (["--spins", "5"], "--spins: must be a whole number from 20"),
        (["--power", "1"], "--power: must be a number from 0.5 to 0.999"),
    ],
)
def test_bad_flags_of_power(flags: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", "macau-boule-1979", *flags]) == 2
    assert line in capsys.readouterr().err


@pytest.mark.slow
def test_power_against_a_tilt(capsys: pytest.CaptureFixture[str]) -> None:
    """A turning plate hides a tilt from every pocket test; where the ball drops, a few hundred spins show it."""
    flags = ["--tilt", "0.3deg", "--scenario", "macau-boule", "--simulate", "1500", "--json"]
    assert main(["power", "macau-boule-1979", *flags]) == 0
    (told,) = json.loads(capsys.readouterr().out)["alternatives"]
    tests = {test["test"]: test["spins"] for test in told["tests"]}
    assert tests.pop("F4.harmonic") < 400
    assert all(spins is None or spins > 400 for spins in tests.values())


def test_monitor_goes_on_and_notices(tmp_path: Path, biased: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = Path(biased).read_text(encoding="utf-8").splitlines(keepends=True)
    log, state = tmp_path / "log.txt", tmp_path / "state.json"
    command = ["monitor", str(log), "--rules", "macau-boule-1979", "--state", str(state), "--json"]
    found = []
    for n in (100, 400, 3_000):
        log.write_text("".join(lines[:n]), encoding="utf-8")
        code = main(command)
        found.append((code, json.loads(capsys.readouterr().out)))
        assert found[-1][1]["n"] == n
    assert [code for code, _ in found] == [0, 0, 1]
    assert main([*command[:4], "--json"]) == 1
    at_once = json.loads(capsys.readouterr().out)
    assert at_once["alarm_at"] == found[-1][1]["alarm_at"]
    lines[50], lines[51] = "24\n", "23\n"
    log.write_text("".join(lines), encoding="utf-8")
    kept = state.read_bytes()
    assert main(command) == 2
    assert "no longer begins with the 3000 results seen before" in capsys.readouterr().err
    assert state.read_bytes() == kept
    for text in ("{}", "[1", '{"game": 1}', "\0", ""):
        state.write_text(text, encoding="utf-8")
        assert main(command) == 2
        assert "not a state" in capsys.readouterr().err


def test_monitor_of_another_game_or_level(
    tmp_path: Path, fair: str, capsys: pytest.CaptureFixture[str]
) -> None:
    state = str(tmp_path / "state.json")
    assert main(["monitor", fair, "--rules", "macau-boule-1979", "--state", state]) == 0
    assert "no alarm" in capsys.readouterr().out
    assert main(["monitor", fair, "--rules", "macau-boule-1979", "--state", state, "--alpha", "0.01"]) == 2
    assert "the level cannot change" in capsys.readouterr().err
    assert main(["monitor", fair, "--rules", "cells:25", "--state", state]) == 2
    assert "is of macau-boule-1979, not of cells:25" in capsys.readouterr().err


def test_monitor_of_a_wheel_whose_labels_turn_out_to_start_at_zero(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.txt"
    command = ["monitor", str(log), "--rules", "cells:37", "--state", str(tmp_path / "s.json"), "--json"]
    numbers = [str(1 + number) for number in np.random.default_rng(3).integers(0, 36, 200)]
    log.write_text("\n".join(numbers) + "\n", encoding="utf-8")
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    log.write_text("\n".join([*numbers, "0"]) + "\n", encoding="utf-8")
    assert main(command) == 0
    second = json.loads(capsys.readouterr().out)
    assert (first["n"], second["n"]) == (200, 201)
    assert second["counts"]["0"] == 1
    assert second["counts"]["12"] == first["counts"]["12"]


def test_monitor_tells_an_alarm_before_its_input_ends(biased: str) -> None:
    command = [*PROGRAM, "monitor", "-", "--rules", "macau-boule-1979"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(Path(biased).read_bytes())
        process.stdin.flush()
        told = process.stdout.readline()
        assert told.startswith(b"alarm: E reached")
        assert process.poll() is None
        process.stdin.close()
        assert process.stdout.readline().startswith(b"alarm: E reached")
        assert process.wait(60) == 1


@pytest.mark.slow
def test_a_million_rows(tmp_path: Path) -> None:
    """Within 20 s of processor time and 1.5 GB."""
    import resource

    import pyarrow as pa
    import pyarrow.csv

    n, random = 1_000_000, np.random.default_rng(1)
    cells = random.integers(0, 25, n)
    moments = np.datetime64("2020-01-01T00:00:00") + np.arange(n) * np.timedelta64(180, "s")
    table = pa.table(
        {
            "spin_no": np.arange(n),
            "utc_time": np.datetime_as_string(moments, unit="s"),
            "thrower_id": np.array(["anna", "bo", "chi", "dee"])[np.arange(n) // 160 % 4],
            "ball_dir": np.where(random.random(n) < 0.5, "cw", "ccw"),
            "drop_angle_deg": np.round(random.uniform(0, 360, n), 2),
            "rest_index": cells,
            "symbol": np.array(["star", *map(str, range(1, 25))])[cells],
        }
    )
    pyarrow.csv.write_csv(table, tmp_path / "big.csv")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    command = [*PROGRAM, "inspect", str(tmp_path / "big.csv"), "--rules", "macau-boule-1979", "--json"]
    done = subprocess.run(command, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    assert json.load(io.BytesIO(done.stdout))["n"] == n
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 20
    assert after.ru_maxrss < 1.5e6
    assert time.monotonic() - begun < 200


def test_rows_rejected_for_one_reason_are_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.csv"
    rows = [f"{i},{'' if 20 <= i < 50 or i == 60 else i % 24 + 1}" for i in range(100)]
    log.write_text("spin_no,symbol\n" + "\n".join(rows) + "\n", encoding="utf-8")
    assert main(["inspect", str(log), "--rules", "macau-boule-1979"]) in {0, 1}
    shown = capsys.readouterr().out
    assert f"rejected: {log}: 31 rows, lines 22 to 51, 62: no result, and not said to be void" in shown
    assert shown.count("no result") == 1
    main(["inspect", str(log), "--rules", "macau-boule-1979", "--json"])
    told = json.loads(capsys.readouterr().out)["rejected"]
    assert [row["line"] for row in told] == [*range(22, 52), 62]


def test_a_number_on_two_holes_is_not_called_a_matter_of_the_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.txt"
    log.write_text("\n".join(str(i * i % 9 + 1) for i in range(90)) + "\n", encoding="utf-8")
    main(["inspect", str(log), "--scenario", "spanish-boule", "--json"])
    tests = {test["id"]: test for test in json.loads(capsys.readouterr().out)["tests"]}
    assert tests["F2.harmonic"]["why_not"] == (
        "needs the hole (rest_index) in the log: several holes carry the same symbol"
    )


def test_a_run_of_void_spins_alone_is_not_assessable(capsys, tmp_path):
    run, weak = (
        tmp_path / "run",
        "push.croupiers=[{name: A, speed: {uniform: {min: 1.0 rad/s, max: 1.6 rad/s}}}]",
    )
    assert main(["batch", "roda-da-sorte", "--spins", "60", "--set", weak, "--out", str(run)]) == 0
    pages = ["--report", str(tmp_path / "report.html"), "--pdf", str(tmp_path / "report.pdf")]
    capsys.readouterr()
    assert main(["inspect", str(run), "--json", *pages]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["rulebook"] == "macau-roda-2003"
    assert (told["verdict"], told["bound"], told["n"]) == ("not assessable", None, 0)
    assert told["excluded"] == {"MIN_TURNS": 60}
