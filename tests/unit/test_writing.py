"""A written file is whole or untouched, and nothing is left beside it."""

import os
import stat
from pathlib import Path

import pytest

from sim.documents.faults import BadInput
from sim.documents.writing import write_atomically


def test_writes_text_and_bytes_and_leaves_nothing_beside(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a.txt", "é\r\n")
    write_atomically(tmp_path / "a.txt", b"\x00\n")
    assert (tmp_path / "a.txt").read_bytes() == b"\x00\n"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


def test_permissions_are_those_of_a_new_file(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a.txt", "a")
    (tmp_path / "b.txt").write_text("b")
    modes = {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
    assert len(modes) == 1


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_atomically(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_a_device_is_written_not_replaced() -> None:
    before = Path("/dev/null").stat().st_ino
    write_atomically(Path("/dev/null"), "a")
    assert Path("/dev/null").stat().st_ino == before


def test_a_failed_write_leaves_the_target_and_nothing_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "a.txt").write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match="No space left"):
        write_atomically(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing/a.txt", "its directory does not exist"),
        (".", "it is a directory"),
        ("file/a.txt", "a part of its path is a file"),
        ("n" * 300, "cannot be written"),
        ("a\0b", "cannot be written"),
    ],
)
def test_an_impossible_target(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match=words) as caught:
        write_atomically(tmp_path / name, "a", "--trace")
    assert caught.value.faults[0].field == "--trace"
