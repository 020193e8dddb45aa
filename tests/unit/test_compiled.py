"""Compiled code that is kept: where, and what becomes of it when its folder is missing, full or damaged."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROGRAM = """
from sim.physics import compiled

@compiled.law
def twice(x):
    return 2.0 * x

@compiled.routine
def thrice(x):
    return x + twice(x)

print(thrice(2.0), sum(thrice.stats.cache_hits.values()))
"""


def run(folder: Path, *before: str, **changes: str) -> str:
    """Run the program, which prints its result and how often its code came from the cache."""
    program = folder / "program.py"
    if not program.exists():
        program.write_text(PROGRAM, encoding="utf-8")
    environment = {
        name: value for name, value in os.environ.items() if name not in ("XDG_CACHE_HOME", "HOME")
    }
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(folder), **changes}
    command = [*before, sys.executable, str(program)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_second_run_takes_the_code_from_the_cache(tmp_path: Path) -> None:
    assert run(tmp_path, XDG_CACHE_HOME=str(tmp_path)) == "6.0 0"
    assert run(tmp_path, XDG_CACHE_HOME=str(tmp_path)) == "6.0 1"


@pytest.mark.parametrize("damage", [b"", b"junk", None], ids=["emptied", "junk", "one bit"])
def test_damaged_code_is_compiled_anew(tmp_path: Path, damage: bytes | None) -> None:
    run(tmp_path, XDG_CACHE_HOME=str(tmp_path))
    files = list(tmp_path.rglob("*.nbc"))
    assert files
    for file in files:
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content if damage is None else damage)
    assert run(tmp_path, XDG_CACHE_HOME=str(tmp_path)) == "6.0 0"
    assert run(tmp_path, XDG_CACHE_HOME=str(tmp_path)) == "6.0 1"


def test_a_folder_that_cannot_be_made_is_replaced_by_the_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    run(tmp_path, XDG_CACHE_HOME=str(tmp_path / "file"))
    assert run(tmp_path, XDG_CACHE_HOME=str(tmp_path / "file")) == "6.0 1"
    assert list(tmp_path.glob("fairwheel-*/laws-*"))


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs to become another user")
def test_a_user_without_a_home_is_served(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(0o755)
    tmp_path.chmod(0o777)
    become = ("setpriv", "--reuid", "12345", "--clear-groups")
    run(tmp_path, *become)
    assert run(tmp_path, *become) == "6.0 1"
    assert list(tmp_path.glob("fairwheel-12345/laws-*"))


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs to give a folder away")
def test_code_that_somebody_else_left_in_the_temporary_folder_is_not_run(tmp_path: Path) -> None:
    theirs = tmp_path / "fairwheel-0"
    theirs.mkdir()
    os.chown(theirs, 12345, 12345)
    run(tmp_path, XDG_CACHE_HOME=os.devnull)
    assert run(tmp_path, XDG_CACHE_HOME=os.devnull) == "6.0 0"
    assert not list(theirs.iterdir())


def test_a_full_disk_leaves_the_code_out(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256))\n"
    ignore = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    script.write_text(limit + ignore + PROGRAM, encoding="utf-8")
    assert run(tmp_path, XDG_CACHE_HOME=str(tmp_path)) == "6.0 0"
    assert not list(tmp_path.rglob("*.nbc"))
    assert run(tmp_path, XDG_CACHE_HOME=str(tmp_path)) == "6.0 0"
