"""Output is written beside its target and renamed, so that a target is either whole or untouched."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from sim.documents.faults import BadInput, Fault, Mark


def write_atomically(path: Path, content: bytes | str, field: str = "output") -> None:
    """Write a file whole or not at all; text is written as UTF-8 with its line ends kept.

    A device or a pipe is written straight. The result has the permissions that a new file gets.
    field: what the fault names, for example ``--trace``. Raises BadInput when the file cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise IsADirectoryError
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _write_beside(target, data)
    except (OSError, ValueError) as error:
        raise BadInput([Fault(Mark(str(path)), field, _why_unwritable(error))]) from None


def refusal(path: Path) -> str | None:
    """Why a file cannot be written, tried with an empty one beside it that is gone at once; None where it can."""
    try:
        target = Path(os.path.realpath(path))
        if not target.exists() or target.is_file():
            beside = _beside(target)
            beside.open("xb").close()
            beside.unlink()
    except (OSError, ValueError) as error:
        return _why_unwritable(error)
    return None


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")


def _write_beside(target: Path, data: bytes) -> None:
    beside = _beside(target)
    try:
        with beside.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _why_unwritable(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "cannot be written: its directory does not exist"
    if isinstance(error, IsADirectoryError):
        return "cannot be written: it is a directory; a file is needed"
    if isinstance(error, NotADirectoryError):
        return "cannot be written: a part of its path is a file"
    if isinstance(error, PermissionError):
        return "cannot be written: permission denied"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot be written: {reason}"
