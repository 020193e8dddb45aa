"""``batch`` as a user runs it: what it prints and writes, killed, on a full disk, on a cluster that loses a worker."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sim.cli import main
from sim.engines.parts import alone
from tests.e2e.killed import content

ROOT = Path(__file__).parents[2]
RODA = ("batch", "roda-da-sorte", "--seed", "7")


def batch(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*RODA, *words]) == 0
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    return printed.out


def program(*words: str, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    """The program on its own; limit: bytes that a file may have."""
    cap = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); " if limit else ""
    code = f"{cap}import sys; from sim.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_summary_as_one_document(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    told = json.loads(batch(capsys, "--spins", "60", "--chunk", "25", "--out", str(out), "--json"))
    assert told["scenario"]["name"] == "roda-da-sorte"
    assert (told["seed"], told["spins"], told["played"]) == (7, 60, 60)
    assert told["valid"] + sum(told["void"].values()) == 60
    assert list(told["counts"]) == [str(section) for section in range(52)]
    assert sum(told["counts"].values()) == sum(told["symbols"].values()) == told["valid"]
    assert list(told["symbols"]) == ["F", "A", "B", "C", "D", "E", "G"]
    assert told["rate_spins_per_s"] > 0
    assert 50 < told["peak_memory_mb"] < 5000
    for each in (*told["hollow_shares"], *told["symbol_shares"], *told["void_shares"]):
        assert each["low"] <= each["share"] <= each["high"]
    assert told["half_width"] == max((each["high"] - each["low"]) / 2 for each in told["hollow_shares"])
    for bet in told["bets"]:
        won = told["symbols"][bet["symbols"][0]]
        assert bet["edge"] == pytest.approx(1 - won / told["valid"] * (1 + bet["pays"]))
        assert bet["edge_low"] <= bet["edge"] <= bet["edge_high"]
    quantiles = told["quantiles"]["turns"]
    assert list(quantiles.values()) == sorted(quantiles.values())
    kept = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert kept["finished"]
    assert kept["summary"]["counts"] == told["counts"]
    assert sorted(content(out)) == [
        "part-000000000000-000000000025.parquet",
        "part-000000000025-000000000050.parquet",
        "part-000000000050-000000000060.parquet",
        "parts.sha256",
    ]
    again = json.loads(
        batch(capsys, "--spins", "60", "--chunk", "25", "--out", str(out), "--json", "--resume")
    )
    assert (again["played"], again["counts"]) == (0, told["counts"])


def test_a_ball_s_choices_are_told_where_they_came_most_and_least_often(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["batch", "spanish-boule", "--spins", "30", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    number = [bet for bet in told["bets"] if bet["bet"] == "number"]
    assert [bet["on"] for bet in number] == ["most often", "least often"]
    assert number[0]["won"] == max(told["symbols"].values())
    assert number[1]["won"] == min(told["symbols"].values())
    assert number[0]["edge_low"] is None
    assert {"settling_s", "hops", "turns", "duration_s"} == set(told["quantiles"])
    assert sum(told["counts"].values()) == told["valid"]


def test_without_a_folder_nothing_is_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = batch(capsys, "--spins", "20")
    assert "20 spins: " in printed
    assert "Shares of the valid spins, with Wilson's intervals of 95 %" in printed
    assert "fair " not in printed
    assert list(tmp_path.iterdir()) == []


def test_a_run_until_its_shares_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--spins", "4000", "--chunk", "16", "--until-halfwidth", "0.08", "--json")
    first, second = (json.loads(batch(capsys, *words, "--workers", workers)) for workers in ("1", "2"))
    assert first["half_width"] < 0.08
    assert first["spins"] in (16, 32, 64, 128, 256)
    same = ("spins", "counts", "void", "quantiles")
    assert [first[name] for name in same] == [second[name] for name in same]


def test_a_folder_of_another_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    batch(capsys, "--spins", "6", "--out", str(out))
    before = content(out)
    for words in (
        ["--spins", "6", "--seed", "8", "--resume"],
        ["--spins", "6", "--set", "machine.clapper.wear=1 mm", "--resume"],
        ["--spins", "5", "--resume"],
        ["--spins", "6"],
    ):
        assert main([*RODA, *words, "--out", str(out)]) == 2
        printed = capsys.readouterr()
        assert len(printed.err.splitlines()) == 1
        assert f"{out}: --out: holds " in printed.err
        assert content(out) == before


def test_a_folder_that_another_run_is_writing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    with alone(out):
        for words in ([], ["--resume"]):
            assert main([*RODA, "--spins", "6", *words, "--out", str(out)]) == 2
            printed = capsys.readouterr()
            assert printed.err.count("\n") == 1
            assert f"{out}: --out: is being written by another run" in printed.err
            assert not list(out.iterdir())
    batch(capsys, "--spins", "6", "--out", str(out))


def test_a_folder_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    for out in (tmp_path, tmp_path / "run", tmp_path / "runs" / "run"):
        assert main([*RODA, "--spins", "6", "--out", str(out)]) == 2
        assert "that can be written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["x" * 300, "loop", "file", "file/run", "loop/run", "d/" * 2100])
def test_a_folder_that_cannot_be_made(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").touch()
    assert main([*RODA, "--spins", "6", "--out", name]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "--out: " in line
    assert "--resume" not in line
    assert sorted(each.name for each in tmp_path.iterdir() if each.name != "d") == ["file", "loop"]


def test_the_folders_above_that_of_a_run_are_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "runs" / "of today" / "sound"
    batch(capsys, "--spins", "6", "--out", str(out))
    assert (out / "part-000000000000-000000000006.parquet").is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are Unix's")
def test_a_disk_that_is_full_loses_nothing(tmp_path: Path) -> None:
    """No file above 40 kB: run.json and the small parts fit, a larger part does not."""
    quick = "push.croupiers=[{name: A, speed: {uniform: {min: 0.3 rad/s, max: 0.5 rad/s}}}]"
    run = [*RODA, "--spins", "450", "--set", quick, "--out", str(tmp_path / "run")]
    small = program(*run, "--chunk", "400", limit=40_000)
    assert small.returncode == 1
    assert small.stdout == ""
    (line,) = [each for each in small.stderr.splitlines() if not each.startswith("Compiling")]
    assert "part-000000000000-000000000400.parquet: --out: cannot be written: File too large" in line
    assert "--resume continues" in line
    assert sorted(each.name for each in (tmp_path / "run").iterdir()) == ["run.json"]
    assert program(*run, "--chunk", "400", "--resume").returncode == 0
    assert program(*run[:-1], str(tmp_path / "whole"), "--chunk", "400").returncode == 0
    assert content(tmp_path / "run") == content(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_killed_at_a_hundred_random_instants_and_resumed_a_run_is_what_it_would_have_been(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-m", "tests.e2e.killed", str(tmp_path), "100"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    kills, runs = map(int, made.stdout.splitlines()[-1].split())
    assert kills >= 100
    assert runs >= 25


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two worker processes on the loopback, as README starts them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    dask = [sys.executable, "-m", "dask"]
    scheduler = [*dask, "scheduler", "--host", address, "--no-dashboard"]
    worker = [*dask, "worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    started: list[subprocess.Popen[bytes]] = []
    try:
        for number, command in enumerate((scheduler, worker, worker)):
            away = ["--local-directory", str(folder / f"worker-{number}")] if number else []
            with (folder / f"log-{number}").open("wb") as log:
                started.append(subprocess.Popen([*command, *away], cwd=ROOT, stdout=log, stderr=log))
        _wait(lambda: all(b"tcp://" in (folder / f"log-{number}").read_bytes() for number in range(3)), 60)
        yield address, started[1:]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def _wait(done: object, seconds: float) -> None:
    begun = time.monotonic()
    while not done():  # type: ignore[operator]
        assert time.monotonic() - begun < seconds, "took too long"
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a worker is killed by a signal")
def test_a_cluster_that_loses_a_worker_gives_the_bytes_of_one_machine(tmp_path: Path) -> None:
    run = [*RODA, "--spins", "400", "--chunk", "10"]
    away, here = tmp_path / "cluster", tmp_path / "here"
    assert program(*run, "--out", str(here)).returncode == 0
    with cluster(tmp_path) as (address, workers):
        command = [sys.executable, "run_sim.py", *run, "--out", str(away), "--cluster", address]
        running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        _wait(lambda: len(list(away.glob("part-*"))) >= 4, 120)
        workers[0].send_signal(signal.SIGKILL)
        at_the_kill = len(list(away.glob("part-*")))
        _, complaints = running.communicate(timeout=300)
        assert running.returncode == 0, complaints
        assert 4 <= at_the_kill < 40
        assert content(away) == content(here)
        workers[1].send_signal(signal.SIGKILL)
        lost = program(*run, "--cluster", address)
        assert lost.returncode == 1
        assert lost.stderr.splitlines()[-1] == f"--cluster: the scheduler at {address} has no workers"
    gone = program(*run, "--cluster", address)
    assert (gone.returncode, gone.stdout) == (1, "")
    assert f"--cluster: no scheduler answers at {address}" in gone.stderr
