"""The folder of a batch run: its parts in order, none of another run, nothing missing unsaid."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from sim.documents.faults import BadInput
from sim.spinlog.reading import read_log
from sim.spinlog.run_folder import SUMS
from sim.spinlog.schema import METADATA_KEY, arrow_schema
from tests.spinlog.games import MACAU_RING

RUN = {"scenario": "macau-boule", "seed": 7}


def part(folder: Path, first: int, last: int, run: dict[str, Any] = RUN, suffix: str = "parquet") -> Path:
    numbers = range(first, last)
    columns = {
        "spin_no": list(numbers),
        "rest_index": [number % 25 for number in numbers],
        "symbol": [MACAU_RING.ring[number % 25] for number in numbers] if MACAU_RING.ring else [],
        "valid": [True] * len(numbers),
        "bell_time": [10.5] * len(numbers),
        "settling_s": [2.5] * len(numbers),
    }
    schema = arrow_schema(columns, simulated=True)
    manifest = json.dumps(run | {"first": first, "last": last}).encode()
    table = pa.table([pa.array(columns[each.name], each.type) for each in schema], schema)
    path = folder / f"part-{first:012d}-{last:012d}.{suffix}"
    if suffix == "parquet":
        pq.write_table(table.replace_schema_metadata({METADATA_KEY: manifest}), path)
    else:
        pacsv.write_csv(table, path)
    return path


def tell(folder: Path, run: dict[str, Any] = RUN, **more: Any) -> None:
    (folder / "run.json").write_text(json.dumps({"manifest": run, "format": "parquet", **more}))


def faults(folder: Path) -> str:
    with pytest.raises(BadInput) as caught:
        read_log(str(folder), MACAU_RING)
    return "\n".join(map(str, caught.value.faults))


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_run_is_read_in_order(tmp_path: Path, suffix: str) -> None:
    parts = [part(tmp_path, first, first + 100, suffix=suffix) for first in (200, 0, 100)]
    tell(tmp_path, finished=True)
    log = read_log(str(tmp_path), MACAU_RING)
    assert log.integers("spin_no").tolist() == list(range(300))
    assert log.lines.tolist() == list(range(1, 301))
    assert log.manifest == RUN
    assert log.is_simulated
    assert log.remarks == ()
    assert log.floats("bell_time").tolist() == [10.5] * 300
    hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(parts)]
    assert [each.sha256 for each in log.inputs[1:]] == hashes
    listing = "".join(f"{each}  {path.name}\n" for each, path in zip(hashes, sorted(parts), strict=True))
    assert log.inputs[0].sha256 == hashlib.sha256(listing.encode()).hexdigest()


def test_missing_ranges_and_an_unfinished_run_are_told(tmp_path: Path) -> None:
    part(tmp_path, 100, 200)
    part(tmp_path, 300, 400)
    tell(tmp_path, finished=False)
    remarks = "\n".join(read_log(str(tmp_path), MACAU_RING).remarks)
    assert "spins 0 to 99 of the run are missing" in remarks
    assert "spins 200 to 299 of the run are missing" in remarks
    assert "the run was not finished" in remarks


def test_parts_of_another_run_are_refused(tmp_path: Path) -> None:
    part(tmp_path, 0, 100)
    other = part(tmp_path, 100, 200, RUN | {"seed": 8})
    third = part(tmp_path, 200, 300, RUN | {"seed": 9})
    shown = faults(tmp_path)
    assert shown.count("of another run") == 2
    assert str(other) in shown
    assert str(third) in shown


def test_run_json_decides_which_run_it_is(tmp_path: Path) -> None:
    path = part(tmp_path, 0, 100)
    tell(tmp_path, RUN | {"seed": 8})
    assert faults(tmp_path) == (
        f"{path}: part: of another run than the other parts or run.json tell; one folder holds one run"
    )
    (tmp_path / "run.json").write_text("{")
    assert "run.json: log: cannot be read" in faults(tmp_path)


def test_parts_that_overlap_or_lie(tmp_path: Path) -> None:
    part(tmp_path, 0, 100)
    part(tmp_path, 50, 150)
    assert "overlaps part-000000000000-000000000100.parquet" in faults(tmp_path)
    (tmp_path / "part-000000000050-000000000150.parquet").rename(
        tmp_path / "part-000000000100-000000000150.parquet"
    )
    assert "holds 100 spins where its name says 50" in faults(tmp_path)


def test_every_damaged_part_is_named(tmp_path: Path) -> None:
    part(tmp_path, 0, 100)
    for first in (100, 200):
        path = part(tmp_path, first, first + 100)
        path.write_bytes(path.read_bytes()[:-9])
    assert faults(tmp_path).count("not a whole Parquet file") == 2


def test_two_kinds_of_parts(tmp_path: Path) -> None:
    part(tmp_path, 0, 100)
    part(tmp_path, 0, 100, suffix="csv")
    assert "as .parquet and as .csv" in faults(tmp_path)


def test_a_csv_part_cut_short(tmp_path: Path) -> None:
    path = part(tmp_path, 0, 100, suffix="csv")
    path.write_bytes(path.read_bytes()[:-60])
    assert "where its name says 100" in faults(tmp_path)


def test_the_number_of_spins_is_that_of_the_name(tmp_path: Path) -> None:
    path = part(tmp_path, 0, 100)
    path.rename(tmp_path / "part-000000000100-000000000200.parquet")
    assert "numbered from '0', where its name says 100" in faults(tmp_path)


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_part_that_was_changed_after_it_was_written(tmp_path: Path, suffix: str) -> None:
    """Against the sums in the folder, where there are any; a line half written tells nothing."""
    paths = [part(tmp_path, first, first + 100, suffix=suffix) for first in (0, 100)]
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths]
    sums = tmp_path / SUMS
    sums.write_text(lines[0] + lines[1][:40], encoding="utf-8")
    assert read_log(str(tmp_path), MACAU_RING).table.num_rows == 200
    sums.write_text(lines[0] + lines[1].replace(lines[1][:8], "01234567"), encoding="utf-8")
    told = faults(tmp_path)
    assert f"{paths[1].name}: part: was changed after it was written" in told
    assert SUMS in told


def test_a_run_json_nested_too_deep(tmp_path: Path) -> None:
    part(tmp_path, 0, 100)
    (tmp_path / "run.json").write_text("[" * 100_000, encoding="utf-8")
    assert "run.json: log: cannot be read" in faults(tmp_path)
