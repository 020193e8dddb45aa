"""The folder of a run: parts named by their spins, each written beside and renamed, their sums, and run.json."""

import hashlib
import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.untrusted import for_cell
from sim.documents.writing import write_atomically
from sim.spinlog.run_folder import RUN, SUMS, sums_of
from sim.spinlog.schema import METADATA_KEY

Form = Literal["parquet", "csv"]
_PART = re.compile(r"part-([0-9]{12,20})-([0-9]{12,20})\.(parquet|csv)")
_LEFT_OVER = re.compile(r"\.(part-|parts\.sha256|run\.json).*\.tmp")


class OutputRefused(Exception):  # noqa: N818  (what the exit code says)
    """A file of the run that could not be written; the message is one line."""


def encode(table: pa.Table, form: Form, manifest: dict[str, Any]) -> bytes:
    """The bytes of a part: the same for the same table and manifest, wherever it was made.

    A Parquet part carries the manifest in its metadata. Of CSV no cell begins as a formula does.
    """
    sink = io.BytesIO()
    if form == "parquet":
        text = json.dumps(manifest, sort_keys=True, ensure_ascii=False).encode()
        table = table.replace_schema_metadata({METADATA_KEY: text})
        pa.parquet.write_table(table, sink, version="2.6", compression="zstd", compression_level=3)
    else:
        for number, column in enumerate(table.schema):
            if column.type == pa.string():
                cells = [each and for_cell(each) for each in table[number].to_pylist()]
                table = table.set_column(number, column, pa.array(cells, column.type))
        pa.csv.write_csv(table, sink)
    return sink.getvalue()


def _sum_line(name: str, digest: str) -> bytes:
    """A line as ``sha256sum`` writes and checks it."""
    return f"{digest}  {name}\n".encode()


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep others out of a run's folder, which is made if need be, until this run ends, however it ends.

    Where the system has no such lock nobody is kept out. Raises BadInput where another run has the folder.
    """
    try:
        import fcntl

        path.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDONLY)
    except (ImportError, OSError):  # what ails a folder is told where it is opened
        yield
        return
    try:
        with suppress(OSError):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                fault = "is being written by another run; wait for it, or name another folder"
                raise BadInput([Fault(Mark(str(path)), "--out", fault)]) from None
        yield
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Folder:
    """A run's folder.

    manifest: all that decides the spins of a part but which ones they are. sums: SHA-256 of every part as it was
    written, by its name, so that a part that was damaged or put there by another is seen and played anew.
    """

    path: Path
    form: Form
    manifest: dict[str, Any]
    schema: pa.Schema
    sums: dict[str, str] = field(default_factory=dict)

    def open(self, resume: bool) -> None:
        """Make the folder and those it lies in, or take up the run in it; what a killed run left unfinished is removed.

        Raises BadInput where it cannot be made, or holds anything else: another run, or this one when it is not to be
        resumed.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            names = sorted(each.name for each in self.path.iterdir())
        except OSError as error:
            raise self._refused(f"cannot be used: {error.strerror}") from None
        left_over = [name for name in names if _LEFT_OVER.fullmatch(name)]
        names = [name for name in names if name not in left_over]
        if names and RUN not in names:
            raise self._refused(
                f"must be an empty folder or that of a run; it holds {names[0]!r} and no {RUN}"
            )
        if names and not resume:
            raise self._refused("holds a run already; --resume continues it, or name another folder")
        if names:
            self._compare()
        self._remove(left_over)
        self.sums.update(sums_of(self.path))

    def _remove(self, names: list[str]) -> None:
        for name in names:
            try:
                (self.path / name).unlink(missing_ok=True)
            except OSError as error:
                raise self._refused(f"{name} cannot be removed: {error.strerror}") from None

    def _compare(self) -> None:
        """Raise BadInput when run.json tells of another run."""
        try:
            told = json.loads((self.path / RUN).read_text(encoding="utf-8"))
            theirs = told["manifest"] | {"format": told["format"]}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise self._refused(f"holds a {RUN} that cannot be read; name another folder") from None
        ours = self.manifest | {"format": self.form}
        unlike = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
        if unlike:
            raise self._refused(
                f"holds another run, which differs in {', '.join(unlike)}; name another folder"
            )

    def check_plan(self, spins: int, chunk: int) -> None:
        """Raise BadInput when the folder holds a part that is none of the spins 0 to ``spins``, cut into chunks.

        A shorter part, with which a run of fewer spins ended, is removed: its spins are played within their chunk.
        """
        shorter = []
        for first, last, name in self._parts():
            end = min(first + chunk, spins)
            if first % chunk or not first < last <= end:
                raise self._refused(
                    f"holds {name}, which is no part of these spins; ask for more --spins, or name another folder"
                )
            if last < end:
                shorter.append(name)
        self._remove(shorter)

    def parts(self, first: int, last: int) -> list[range]:
        """The spins of the parts that are there, in order, as far as they lie within [first, last)."""
        return [range(begin, end) for begin, end, _ in self._parts() if first <= begin and end <= last]

    def _parts(self) -> list[tuple[int, int, str]]:
        found = (_PART.fullmatch(each.name) for each in self.path.iterdir())
        return sorted((int(each[1]), int(each[2]), each[0]) for each in found if each)

    def name(self, indices: range) -> str:
        """File name of the part that holds these spins."""
        return f"part-{indices.start:012d}-{indices.stop:012d}.{self.form}"

    def kept(self, indices: range) -> pa.Table | None:
        """A part that is there already, as this run wrote it; else None."""
        name = self.name(indices)
        try:
            content = (self.path / name).read_bytes()
            if hashlib.sha256(content).hexdigest() != self.sums.get(name):
                return None
            if self.form == "parquet":
                table = pa.parquet.read_table(pa.BufferReader(content))
                told = json.loads(table.schema.metadata[METADATA_KEY])
                if told != self.manifest | {"first": indices.start, "last": indices.stop}:
                    return None
            else:
                types = pa.csv.ConvertOptions(
                    column_types=self.schema, strings_can_be_null=True, quoted_strings_can_be_null=False
                )
                table = pa.csv.read_csv(pa.BufferReader(content), convert_options=types)
        except (OSError, ValueError, KeyError, TypeError, pa.ArrowException):
            return None
        numbers = table["spin_no"] if "spin_no" in table.column_names else pa.array([], pa.int64())
        if not table.schema.equals(self.schema) or numbers.to_pylist() != list(indices):
            return None
        return table

    def write(self, indices: range, content: bytes) -> None:
        """Write a part, then its sum. Raises OutputRefused."""
        name = self.name(indices)
        self._write(name, content)
        self.sums[name] = hashlib.sha256(content).hexdigest()
        try:
            with (self.path / SUMS).open("ab") as stream:
                stream.write(_sum_line(name, self.sums[name]))
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise OutputRefused(f"{self.path / SUMS}: --out: cannot be written: {error.strerror}") from None

    def seal(self) -> None:
        """Write the sums of all parts in order, once they are all there. Raises OutputRefused."""
        names = [name for _, _, name in self._parts() if name in self.sums]
        self._write(SUMS, b"".join(_sum_line(name, self.sums[name]) for name in names))

    def tell(self, told: dict[str, Any]) -> None:
        """Write run.json: the manifest, and what differs between machines. Raises OutputRefused."""
        content = {"manifest": self.manifest, "format": self.form, **told}
        self._write(RUN, json.dumps(content, indent=2, ensure_ascii=False) + "\n")

    def _write(self, name: str, content: bytes | str) -> None:
        try:
            write_atomically(self.path / name, content, "--out")
        except BadInput as error:
            raise OutputRefused(str(error.faults[0])) from None

    def _refused(self, message: str) -> BadInput:
        return BadInput([Fault(Mark(str(self.path)), "--out", message)])
