"""The built wheel, installed away from the checkout, does what the checkout does."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPIN = (
    "spin",
    "macau-boule",
    "--spins",
    "5",
    "--seed",
    "1979",
    "--bet",
    "star=5",
    "--bet",
    "number:7=10",
    "--json",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.glob("fairwheel-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The console script in a new environment that holds the wheel and borrows the libraries of this one."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
    ]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    (packages,) = home.glob("lib/python*/site-packages")
    # A line of a .pth file adds the folder but not that folder's own .pth files, so not the checkout.
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home / "bin" / "fairwheel"


def run(command: list[str], where: Path) -> bytes:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(command, cwd=where, env=environment, check=True, stdout=subprocess.PIPE).stdout


@pytest.mark.slow
def test_the_wheel_carries_what_is_shipped(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("assets", "scenarios"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file():
                assert f"sim/_data/{path.relative_to(ROOT).as_posix()}" in names


@pytest.mark.slow
def test_the_installed_script_runs_the_installed_package(installed: Path, tmp_path: Path) -> None:
    python = str(installed.with_name("python"))
    where = run([python, "-c", "import sim; print(sim.__file__)"], tmp_path).decode()
    assert where.startswith(str(installed.parents[1]))


@pytest.mark.slow
@pytest.mark.parametrize("words", [("list",), SPIN], ids=["list", "spin"])
def test_the_installed_wheel_prints_the_bytes_of_the_checkout(
    words: tuple[str, ...], installed: Path, tmp_path: Path
) -> None:
    ours = run([sys.executable, str(ROOT / "run_sim.py"), *words], tmp_path)
    assert ours
    assert run([str(installed), *words], tmp_path) == ours
