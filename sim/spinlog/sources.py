"""What a log is read from: opened once, told apart by its first bytes, hashed while it is read."""

import gzip
import hashlib
import os
import stat
import zlib
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Literal, cast

from sim.documents.faults import BadInput, Fault, Mark
from sim.spinlog.lines import MOST_BYTES, Readable
from sim.spinlog.log import Input

Kind = Literal["text", "gzip", "parquet", "zip"]
_CHUNK = 1 << 20
_KINDS: dict[bytes, Kind] = {
    b"PAR1": "parquet",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"\x1f\x8b": "gzip",
}
_REFUSED = {
    b"\xd0\xcf\x11\xe0": "an Excel file of the old kind (.xls); save it as .xlsx or .csv",
    b"%PDF": "a PDF; export the table as .csv",
    b"\x89PNG": "a picture; a table of spins is needed",
    b"SQLite format 3": "a database; export the table as .csv",
    b"{": "JSON; export the table as .csv",
    b"[{": "JSON; export the table as .csv",
    b"<": "HTML or XML; export the table as .csv",
    b"BZh": "packed with bzip2; unpack it first",
    b"\xfd7zXZ": "packed with xz; unpack it first",
}


class Source:
    """Bytes of one log, read once from the front. Use as a context."""

    def __init__(self, path: Path | None, label: str, stream: BinaryIO) -> None:
        self.path = path
        self.label = label
        self._stream = stream
        self._hash = hashlib.sha256()
        self._size = 0
        self._head = self._take(16)

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *_: object) -> None:
        if self.path is not None:
            self._stream.close()

    @property
    def kind(self) -> Kind:
        """What the first bytes say. Raises BadInput for what holds no table that can be read."""
        for start, words in _REFUSED.items():
            if self._head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(start):
                raise BadInput([Fault(Mark(self.label), "log", words)])
        return next((kind for start, kind in _KINDS.items() if self._head.startswith(start)), "text")

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes, none at the end. Raises BadInput when they cannot be read."""
        head, self._head = self._head[:size], self._head[size:]
        part = head if self._head else head + self._take(size - len(head))
        self._hash.update(part)
        self._size += len(part)
        return part

    def _take(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except (OSError, EOFError, zlib.error) as error:
            raise _unreadable(self.label, error) from None

    def unpacked(self) -> Readable:
        """The text that is packed with gzip. Raises BadInput when it is no text."""
        stream = gzip.GzipFile(fileobj=cast(BinaryIO, _Reading(self)))
        inner = Source(None, self.label, cast(BinaryIO, stream))
        if inner.kind != "text":
            message = "packed twice; unpack it first (only text is read packed)"
            raise BadInput([Fault(Mark(self.label), "log", message)])
        return inner

    def seekable(self) -> Path | BytesIO:
        """The file itself where it is one, else all its bytes. Raises BadInput for too many."""
        if self.path is not None and self.path.is_file():
            return self.path
        content = bytearray()
        while part := self.read(_CHUNK):
            content += part
            if len(content) > MOST_BYTES:
                raise BadInput(
                    [Fault(Mark(self.label), "log", f"too large; at most {MOST_BYTES} bytes are read")]
                )
        return BytesIO(bytes(content))

    def drain(self) -> None:
        """Read what is left, so that the hash is that of all bytes."""
        while self.read(_CHUNK):
            pass

    @property
    def input(self) -> Input:
        """Name, hash and size of what has been read."""
        return Input(self.label, self._hash.hexdigest(), self._size)


class _Reading:
    """What `gzip` needs of a stream."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def read(self, size: int = -1) -> bytes:
        return self._source.read(size if size >= 0 else _CHUNK)

    def seekable(self) -> bool:
        return False


def open_source(name: str, stdin: BinaryIO) -> Source:
    """Open a file, a pipe, or ``-`` for standard input. Raises BadInput when it cannot be read."""
    if name == "-":
        return Source(None, "standard input", stdin)
    try:
        if not name:
            raise FileNotFoundError
        path = Path(name)
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            message = "a device or socket; a file, the folder of a batch run, or - is needed"
            raise BadInput([Fault(Mark(name), "log", message)])
        return Source(path, name, os.fdopen(os.open(path, os.O_RDONLY), "rb"))
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from None


def _unreadable(label: str, error: Exception) -> BadInput:
    if isinstance(error, FileNotFoundError):
        message = "no such file"
    elif isinstance(error, PermissionError):
        message = "cannot be read: permission denied"
    else:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        message = f"cannot be read to its end: {reason[:1].lower()}{reason[1:]}"
    return BadInput([Fault(Mark(label or "''"), "log", message)])
