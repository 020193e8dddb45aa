"""The folder of a run: parts named by their spins, each written beside and renamed, and run.json."""

import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.untrusted import for_cell
from sim.documents.writing import write_atomically
from sim.spinlog.schema import METADATA_KEY

Form = Literal["parquet", "csv"]
RUN = "run.json"
_PART = re.compile(r"part-([0-9]{12,20})-([0-9]{12,20})\.(parquet|csv)")
_LEFT_OVER = re.compile(r"\.(part-|run\.json).*\.tmp")


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


@dataclass(frozen=True, slots=True)
class Folder:
    """A run's folder. manifest: all that decides the spins of a part but which ones they are."""

    path: Path
    form: Form
    manifest: dict[str, Any]
    schema: pa.Schema

    def open(self, resume: bool) -> None:
        """Make the folder, or take up the run in it; what a killed run left unfinished is removed.

        Raises BadInput where it holds anything else: another run, or this one when it is not to be resumed.
        """
        try:
            self.path.mkdir(exist_ok=True)
            names = sorted(each.name for each in self.path.iterdir())
        except OSError as error:
            raise OutputRefused(f"{self.path}: --out: cannot be used: {error.strerror}") from None
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
        try:
            for name in left_over:
                (self.path / name).unlink(missing_ok=True)
        except OSError as error:
            raise OutputRefused(f"{self.path / name}: --out: cannot be removed: {error.strerror}") from None

    def _compare(self) -> None:
        """Raise BadInput when run.json tells of another run."""
        try:
            told = json.loads((self.path / RUN).read_text(encoding="utf-8"))
            theirs = told["manifest"] | {"format": told["format"]}
        except (OSError, ValueError, KeyError, TypeError):
            raise self._refused(f"holds a {RUN} that cannot be read; name another folder") from None
        ours = self.manifest | {"format": self.form}
        unlike = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
        if unlike:
            raise self._refused(
                f"holds another run, which differs in {', '.join(unlike)}; name another folder"
            )

    def check_plan(self, planned: list[range]) -> None:
        """Raise BadInput when the folder holds a part that is none of these."""
        names = {self.name(each) for each in planned}
        for each in sorted(self.path.iterdir()):
            if _PART.fullmatch(each.name) and each.name not in names:
                raise self._refused(
                    f"holds {each.name}, which is no part of these spins; give its --spins, or name another folder"
                )

    def name(self, indices: range) -> str:
        """File name of the part that holds these spins."""
        return f"part-{indices.start:012d}-{indices.stop:012d}.{self.form}"

    def kept(self, indices: range) -> pa.Table | None:
        """A part that is there already, whole and of this run; else None."""
        path = self.path / self.name(indices)
        try:
            if self.form == "parquet":
                table = pa.parquet.read_table(path)
                told = json.loads(table.schema.metadata[METADATA_KEY])
                if told != self.manifest | {"first": indices.start, "last": indices.stop}:
                    return None
            else:
                types = pa.csv.ConvertOptions(
                    column_types=self.schema, strings_can_be_null=True, quoted_strings_can_be_null=False
                )
                table = pa.csv.read_csv(path, convert_options=types)
        except (OSError, ValueError, KeyError, TypeError, pa.ArrowException):
            return None
        numbers = table["spin_no"] if "spin_no" in table.column_names else pa.array([], pa.int64())
        if not table.schema.equals(self.schema) or numbers.to_pylist() != list(indices):
            return None
        return table

    def write(self, indices: range, content: bytes) -> None:
        """Write a part. Raises OutputRefused."""
        self._write(self.name(indices), content)

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
