"""From the bytes of a text file to blocks of whole lines in UTF-8 that end in ``\\n``, whatever it was written in."""

import codecs
from collections.abc import Iterator
from typing import Protocol

from sim.documents.faults import BadInput, Fault, Mark

BLOCK = 1 << 23
LONGEST_LINE = 1 << 16
MOST_BYTES = 1 << 32
_MARKED = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Readable(Protocol):
    """What bytes can be read from."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes, none at the end."""


class Lines:
    """Blocks of lines of one stream.

    Bytes that are not UTF-8 are read as Windows-1252 (a superset of Latin-1), line by line; UTF-16 and UTF-32 are
    known by their mark or by their NULs. Of a line longer than a block only its beginning is kept.
    """

    def __init__(self, stream: Readable, label: str) -> None:
        self._stream = stream
        self._label = label
        self.not_utf8 = 0
        self.encoding = "utf-8"
        self.unended = False

    def blocks(self) -> Iterator[bytes]:
        """Yield the blocks in order. Raises BadInput when the stream cannot be read or does not end."""
        rest = b""
        for part in self._decoded():
            rest += part
            held = b"\r" if rest.endswith(b"\r") else b""
            rest = rest.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            end = rest.rfind(b"\n") + 1
            if end:
                yield self._utf8(rest[:end])
            rest = rest[end:][: BLOCK - 1] + held
        if rest:
            self.unended = not rest.endswith(b"\r")
            yield self._utf8(rest.removesuffix(b"\r") + b"\n")

    def _decoded(self) -> Iterator[bytes]:
        """The bytes as they are, or turned into UTF-8 when they are UTF-16 or UTF-32."""
        first = self._stream.read(BLOCK)
        mark, self.encoding = next(
            ((mark, name) for mark, name in _MARKED if first.startswith(mark)), (b"", _guessed(first))
        )
        decoder = None
        if self.encoding != "utf-8":
            decoder = codecs.getincrementaldecoder(self.encoding)(errors="replace")
        part = first[len(mark) :]
        total = len(first)
        while part:
            yield decoder.decode(part).encode("utf-8", "replace") if decoder else part
            part = self._stream.read(BLOCK)
            total += len(part)
            if total > MOST_BYTES:
                message = f"too large; at most {MOST_BYTES} bytes of text are read; the log has more"
                raise BadInput([Fault(Mark(self._label), "log", message)])
        if decoder and (last := decoder.decode(b"", final=True)):
            yield last.encode("utf-8", "replace")

    def _utf8(self, block: bytes) -> bytes:
        try:
            block.decode()
        except UnicodeDecodeError:
            return b"\n".join(map(self._line, block.split(b"\n")))
        return block

    def _line(self, line: bytes) -> bytes:
        try:
            line.decode()
        except UnicodeDecodeError:
            self.not_utf8 += 1
            return "".join(map(_windows, line)).encode()
        return line


def _windows(byte: int) -> str:
    """The character of a byte in Windows-1252, or in Latin-1 where that has none."""
    try:
        return bytes((byte,)).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


def _guessed(first: bytes) -> str:
    """UTF-16 without a mark has NULs in half of its places when it is digits and Latin letters."""
    sample = first[:4000]
    half = len(sample) // 2
    if half and sample[1::2].count(0) > 0.4 * half and sample[::2].count(0) < 0.1 * half:
        return "utf-16-le"
    if half and sample[::2].count(0) > 0.4 * half and sample[1::2].count(0) < 0.1 * half:
        return "utf-16-be"
    return "utf-8"
