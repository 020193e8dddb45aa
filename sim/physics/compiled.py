"""Compile the laws, and keep the compiled code only as long as no law has changed."""

import hashlib
import os
import pickle
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.serialize import dumps

_F = TypeVar("_F", bound=Callable[..., Any])
_STALE_AFTER_S = 7 * 24 * 3600
_DECORATED = re.compile(rb"^@(law|routine)\b", re.MULTILINE)
_DIGEST_BYTES = hashlib.sha256().digest_size


def digest() -> str:
    """Digest of every source that holds compiled code: numba's own cache misses changes in *other* files."""
    found = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        content = path.read_bytes()
        if _DECORATED.search(content):
            found.update(path.name.encode() + b"\0" + content)
    return found.hexdigest()[:16]


def _cache_folder() -> Path | None:
    """Where this version's code is kept: in the user's cache, else in the temporary folder; None if neither will do."""
    try:
        user = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "fairwheel"
    except RuntimeError:  # no home
        user = None
    owner = os.getuid() if hasattr(os, "getuid") else None
    temporary = Path(tempfile.gettempdir()) / f"fairwheel-{'user' if owner is None else owner}"
    for base in (user, temporary):
        if base is None:
            continue
        folder = base / f"laws-{digest()}"
        try:
            base.mkdir(mode=0o700, parents=True, exist_ok=True)
            if owner is not None and base.stat().st_uid != owner:
                continue  # compiled code is run: take none from a folder that somebody else made
            folder.mkdir(exist_ok=True)
            (folder / ".in-use").touch()
        except OSError:
            continue
        _forget_stale(base, folder)
        return folder
    return None


def _forget_stale(base: Path, kept: Path) -> None:
    """Remove what other versions of the laws left and nobody has used for a week."""
    for other in base.glob("laws-*"):
        stamp = other / ".in-use"
        if other != kept and stamp.exists() and time.time() - stamp.stat().st_mtime > _STALE_AFTER_S:
            shutil.rmtree(other, ignore_errors=True)


CACHE_FOLDER = _cache_folder()
setattr(numba.config, "CACHE_DIR", str(CACHE_FOLDER or ""))  # noqa: B010  (numba declares it at run time)


class _Files:
    """What numba keeps its code of one function in: a file for every signature, behind its digest.

    A file that is damaged is as good as absent, so the code is compiled anew; one that cannot be written, as on a
    full disk, is left out.
    """

    def __init__(self, stem: Path, stamp: object) -> None:
        self.stem = stem
        self.stamp = stamp

    def save(self, key: object, code: object) -> None:
        """Keep the code of a signature."""
        content = dumps((self.stamp, key, code))
        path = self._path(key)
        beside = path.with_name(f"{secrets.token_hex(8)}.tmp")
        try:
            beside.write_bytes(_digest_of(content) + content)
            beside.replace(path)
        except OSError:
            with suppress(OSError):
                beside.unlink(missing_ok=True)

    def load(self, key: object) -> Any:
        """The code of a signature, or None."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        digest, content = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        if digest != _digest_of(content):
            return None
        stamp, kept, code = pickle.loads(content)
        return code if (stamp, kept) == (self.stamp, key) else None

    def _path(self, key: object) -> Path:
        return self.stem.with_name(f"{self.stem.name}.{_digest_of(str(key).encode()).hex()[:16]}.nbc")


def _digest_of(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _kept(dispatcher: Any) -> Any:
    """The compiled function with its code kept in the cache folder, where there is one."""
    if CACHE_FOLDER is not None:
        dispatcher.enable_caching()
        cache = dispatcher._cache
        stem = Path(cache.cache_path, cache._impl.filename_base)
        cache._cache_file = _Files(stem, cache._impl.locator.get_source_stamp())
    return dispatcher


_compiled: Any = numba.njit  # its types know nothing of reference counts


def law(function: _F) -> _F:
    """Compile a law: no fast maths, so the bits of a result depend on its inputs alone.

    A law makes no arrays. It is compiled without numba's reference counts, which would cost more than its arithmetic.
    """
    return cast(_F, _kept(_compiled(error_model="numpy", forceinline=True, _nrt=False)(function)))


def routine(function: _F) -> _F:
    """Compile what calls laws and may make arrays; it lets other threads run meanwhile."""
    return cast(_F, _kept(_compiled(error_model="numpy", nogil=True)(function)))


def is_warm() -> bool:
    """Whether compiled code of this version exists already; the first run takes some seconds longer."""
    return CACHE_FOLDER is not None and any(CACHE_FOLDER.rglob("*.nbc"))
