"""Where the shipped files lie: beside the package in a checkout, inside it when installed."""

import os
from collections.abc import Callable
from pathlib import Path

from sim.documents.document import near
from sim.documents.faults import BadInput, Fault, Mark

_PACKAGE = Path(__file__).resolve().parent.parent
_INSTALLED = _PACKAGE / "_data"
_ROOT = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent
_OTHER_DOCUMENTS = {"studies", "rounds"}


def shipped(folder: str) -> Path:
    """Directory of the shipped files of one kind: ``shipped("scenarios")``, ``shipped("assets/rules")``."""
    return _ROOT / folder


def label_of(path: Path) -> str:
    """A file's name for faults: as the user wrote it; that of a shipped one, ``scenarios/NAME.yaml``."""
    if any(path.is_relative_to(shipped(folder)) for folder in ("scenarios", "assets")):
        return path.relative_to(_ROOT).as_posix()
    return str(path)


def scenario_names() -> list[str]:
    """Names of the shipped scenarios, those of ``defects/`` included."""
    return sorted(_scenarios())


def rulebook_names() -> list[str]:
    """Names of the shipped rulebooks."""
    return sorted(_rulebooks())


def rounds_names() -> list[str]:
    """Names of the shipped rounds files."""
    return sorted(_rounds())


def study_names() -> list[str]:
    """Names of the shipped studies."""
    return sorted(_studies())


def find_scenario(name: str) -> Path:
    """The file of a scenario: a path, else the name of a shipped one, with or without ``.yaml``.

    Raises BadInput, with near names, when there is neither.
    """
    return _find(name, "scenario", _scenarios)


def find_rulebook(name: str) -> Path:
    """The file of a rulebook: a path, else the name of a shipped one, with or without ``.yaml``.

    Raises BadInput, with near names, when there is neither.
    """
    return _find(name, "rulebook", _rulebooks)


def find_rounds(name: str) -> Path:
    """The file of rounds to play: a path, else the name of a shipped one, with or without ``.yaml``.

    Raises BadInput, with near names, when there is neither.
    """
    return _find(name, "rounds file", _rounds)


def find_study(name: str) -> Path:
    """The file of a study: a path, else the name of a shipped one, with or without ``.yaml``.

    Raises BadInput, with near names, when there is neither.
    """
    return _find(name, "study", _studies)


def _scenarios() -> dict[str, Path]:
    root = shipped("scenarios")
    files = (
        file for file in root.rglob("*.yaml") if not _OTHER_DOCUMENTS & set(file.relative_to(root).parts)
    )
    return {file.stem: file for file in files}


def _rulebooks() -> dict[str, Path]:
    return {file.stem: file for file in shipped("assets/rules").glob("*.yaml")}


def _rounds() -> dict[str, Path]:
    return {file.stem: file for file in shipped("scenarios/rounds").glob("*.yaml")}


def _studies() -> dict[str, Path]:
    return {file.stem: file for file in shipped("scenarios/studies").glob("*.yaml")}


def _find(name: str, kind: str, known: Callable[[], dict[str, Path]]) -> Path:
    path = Path(name)
    if name and "\0" not in name and os.path.exists(path) and not path.is_dir():  # noqa: PTH110  (never raises)
        return path
    files = known()
    if name.removesuffix(".yaml") in files:
        return files[name.removesuffix(".yaml")]
    if name and os.path.isdir(path):  # noqa: PTH112
        message = (
            f"is a directory; a {kind} is a file, or the name of a shipped one (fairwheel list shows them)"
        )
    else:
        hint = near(path.name.removesuffix(".yaml"), files)
        message = f"no such file, nor a shipped {kind} (fairwheel list shows them){hint}"
    raise BadInput([Fault(Mark(name or "''"), kind, message)])
