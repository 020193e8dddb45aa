"""Compile the laws, and keep the compiled code only as long as no law has changed."""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

_F = TypeVar("_F", bound=Callable[..., Any])
_STALE_AFTER_S = 7 * 24 * 3600


def _digest() -> str:
    """Digest of every source that holds compiled code: numba's own cache misses changes in *other* files."""
    sim = Path(__file__).parents[1]
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted([*(sim / "physics").glob("*.py"), *(sim / "engines").glob("*.py")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """The folder of this version's compiled code, in the user's cache, else in the temporary folder."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "fairwheel"
    folder = base / f"laws-{_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".in-use").touch()
    except OSError:
        return (
            Path(tempfile.gettempdir())
            / f"fairwheel-{os.getuid() if hasattr(os, 'getuid') else ''}"
            / folder.name
        )
    for other in base.glob("laws-*"):
        stamp = other / ".in-use"
        if other != folder and stamp.exists() and time.time() - stamp.stat().st_mtime > _STALE_AFTER_S:
            shutil.rmtree(other, ignore_errors=True)
    return folder


CACHE_FOLDER = _cache_folder()
setattr(numba.config, "CACHE_DIR", str(CACHE_FOLDER))  # noqa: B010  (numba declares it at run time)


def law(function: _F) -> _F:
    """Compile a law: no fast maths, so the bits of a result depend on its inputs alone.

    A law makes no arrays. It is compiled without numba's reference counts, which would cost more than its arithmetic.
    """
    return cast(_F, numba.njit(cache=True, error_model="numpy", forceinline=True, _nrt=False)(function))


def routine(function: _F) -> _F:
    """Compile what calls laws and may make arrays; it lets other threads run meanwhile."""
    return cast(_F, numba.njit(cache=True, error_model="numpy", nogil=True)(function))


def is_warm() -> bool:
    """Whether compiled code of this version exists already; the first run takes some seconds longer."""
    return any(CACHE_FOLDER.rglob("*.nbc"))
