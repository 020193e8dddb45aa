"""record: films, contact sheets and paths, drawn without a screen."""

import re
from itertools import islice
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pygame
import pytest
from PIL import Image

from sim.cli import main
from sim.cli.record import motion_of
from sim.cli.runs import draws, play
from sim.cli.table import open_table
from sim.documents.faults import BadInput
from sim.machines import build
from sim.view.film import Cut, frames, write_film
from sim.view.motion import Motion
from sim.view.sheet import contact_sheet, moments
from sim.view.stage import Stage, View

SIZE = (240, 180)
SPIN = ["spanish-boule", "--seed", "1"]


@pytest.fixture(scope="module")
def staged() -> tuple[Stage, Motion]:
    scenario, rulebook = open_table("spanish-boule", [])
    machine = build(scenario)
    (shown,) = play(scenario, rulebook, machine, draws(scenario, 1, [0]))
    return Stage(scenario, machine, rulebook, SIZE), motion_of(scenario, shown)


def record(capsys: pytest.CaptureFixture[str], target: Path, *words: str) -> str:
    assert main(["record", *SPIN, "--out", str(target), *words]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


def read_frames(path: Path) -> list[np.ndarray]:
    reader = imageio_ffmpeg.read_frames(str(path))
    width, height = next(reader)["size"]
    return [np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in reader]


def test_a_film_has_its_frames_and_is_the_same_every_time(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, staged: tuple[Stage, Motion]
) -> None:
    words = ["--size", "240x180", "--fps", "10", "--from", "17", "--to", "18", "--slow", "2"]
    told = record(capsys, tmp_path / "a.mp4", *words)
    assert "spanish-boule, seed 1, spin 0, 21 frames of 240x180" in told
    filmed = read_frames(tmp_path / "a.mp4")
    assert len(filmed) == 21
    record(capsys, tmp_path / "b.mp4", *words)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mp4", "b.mp4"]
    stage, motion = staged
    view = View(trail=1.0, heights=False, timeline=False, caption=False)
    for number, time in ((0, 17.0), (10, 17.5), (20, 18.0)):
        (drawn,) = frames(stage, motion, [time], view)
        wanted = pygame.surfarray.array3d(drawn).swapaxes(0, 1).astype(float)
        assert np.abs(filmed[number] - wanted).mean() < 8, "a frame that is not the stage at its time"
        x, y = map(round, stage.pixel(*motion.at(time).ball.place[:2], motion.at(time), view))
        assert filmed[number][y, x].min() > 110, "no ball where it is"


def test_a_cut_is_even_in_time_and_ends_where_it_says() -> None:
    cut = Cut(1.0, 3.0, 25, 4)
    times = list(cut.times())
    assert len(times) == cut.frames == 201
    assert (times[0], times[-1]) == (1.0, 3.0)
    assert np.diff(times) == pytest.approx(0.01)
    assert list(islice(cut.samples(), 99))[-1] == 3.0


def test_a_gif_loops_and_keeps_its_pace(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record(capsys, tmp_path / "a.gif", "--size", "200x200", "--from", "17", "--to", "18.5", "--fps", "20")
    with Image.open(tmp_path / "a.gif") as image:
        assert image.size == (200, 200)
        assert image.info["loop"] == 0
        total = 0
        for number in range(image.n_frames):
            image.seek(number)
            total += image.info["duration"]
        # Frames that are alike are shown as one, for longer.
        assert total == 31 * 50
        assert image.n_frames > 15


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spanish-boule", "roda-da-sorte", "macau-chip-on-plate"])
def test_a_contact_sheet_shows_different_moments(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "sheet.png"
    assert main(["record", name, "--out", str(target), "--size", "640x360"]) == 0
    with Image.open(target) as image:
        pixels = np.asarray(image.convert("RGB")).astype(float)
    assert pixels.shape == (360, 640, 3)
    cells = [
        pixels[30 + 165 * row : 180 + 165 * row, 8 + 158 * c : 158 + 158 * c]
        for row in (0, 1)
        for c in range(4)
    ]
    for number, cell in enumerate(cells):
        assert cell.std() > 15, "a blank cell"
        for other in cells[number + 1 :]:
            assert np.abs(cell - other).mean() > 0.5


def test_the_moments_of_a_sheet_are_those_of_the_spin(staged: tuple[Stage, Motion]) -> None:
    _, motion = staged
    times = {words: time for time, words, _ in moments(motion)}
    assert times["launch"] == 0.0
    assert times["leaves the groove"] == motion.when("rim_exit")
    assert times["bell"] == motion.when("band")
    assert times["at rest"] == motion.duration
    assert [time for time, _, _ in moments(motion)] == sorted(time for time, _, _ in moments(motion))


@pytest.mark.slow
def test_one_instant_and_the_path(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record(capsys, tmp_path / "at.png", "--at", "17.5", "--size", "320x240")
    with Image.open(tmp_path / "at.png") as image:
        assert image.size == (320, 240)
        assert np.asarray(image.convert("RGB")).std() > 15
    record(capsys, tmp_path / "path.svg")
    assert (tmp_path / "path.svg").read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.slow
def test_times_beyond_the_spin_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for words, says in (
        (["x.png", "--at", "900"], "--at: must lie in the spin, which ends after "),
        (["x.mp4", "--from", "900"], "--from: must lie in the spin"),
        (
            ["x.mp4", "--from", "5", "--to", "5"],
            "--from: must be before the end of the film, 5.00 s, not 5.00",
        ),
        (["x.gif", "--from", "0", "--fps", "50"], "--to: a .gif takes at most 400 frames"),
    ):
        assert main(["record", *SPIN, "--out", str(tmp_path / words[0]), *words[1:]]) == 2
        error = capsys.readouterr().err
        assert says in error
        assert len(error.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def encoder(tmp_path: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a script in the place of ffmpeg."""
    path = tmp_path / "ffmpeg"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setattr("imageio_ffmpeg.get_ffmpeg_exe", lambda: str(path))


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("kill -9 $$", "ffmpeg stopped before the film was whole: it was killed by signal 9"),
        ("echo 'No space left on device' >&2; exit 1", "before the film was whole: No space left on device"),
        ("cat >/dev/null; exit 3", "before the film was whole: it ended with code 3"),
    ],
)
def test_an_encoder_that_fails_is_told_in_a_line(
    script: str, says: str, tmp_path: Path, staged: tuple[Stage, Motion], monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, motion = staged
    encoder(tmp_path, script, monkeypatch)
    target = tmp_path / "film.mp4"
    target.write_bytes(b"before")
    with pytest.raises(BadInput) as refused:
        write_film(target, frames(stage, motion, Cut(17.0, 18.0, 30).times(), View()), SIZE, 30)
    assert says in str(refused.value)
    assert len(refused.value.faults) == 1
    assert target.read_bytes() == b"before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ffmpeg", "film.mp4"]


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, staged: tuple[Stage, Motion]) -> None:
    stage, motion = staged

    def interrupted():
        yield from frames(stage, motion, [17.0, 17.1], View())
        raise KeyboardInterrupt

    for name in ("film.mp4", "film.gif"):
        with pytest.raises(KeyboardInterrupt):
            write_film(tmp_path / name, interrupted(), SIZE, 10, frames(stage, motion, [17.0], View()))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["film.mp4", "film.gif"])
def test_a_disk_that_fills_up_is_told_in_a_line(
    name: str, tmp_path: Path, staged: tuple[Stage, Motion]
) -> None:
    """A limit on the size of files stands for the disk."""
    resource = pytest.importorskip("resource")
    stage, motion = staged
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        with pytest.raises(BadInput) as refused:
            drawn = frames(stage, motion, Cut(17.0, 20.0, 10).times(), View())
            write_film(tmp_path / name, drawn, SIZE, 10, frames(stage, motion, [17.0], View()))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "--out: cannot be written: " in str(refused.value)
    assert re.search(r"File too large|killed by signal 25", str(refused.value))
    assert list(tmp_path.iterdir()) == []


def test_a_sheet_of_a_ball_that_never_left_its_groove(staged: tuple[Stage, Motion]) -> None:
    stage, motion = staged
    cut_short = Motion(motion.rows[:2000], [event for event in motion.events if event.kind == "launch"])
    sheet = contact_sheet(stage.scenario, stage.machine, stage.rulebook, cut_short, (640, 360))
    assert pygame.surfarray.array3d(sheet).std() > 15
