"""Files of every kind, and what is no log at all."""

import datetime
import gzip
import hashlib
import io
import os
import socket
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim.documents.faults import BadInput
from sim.spinlog.form import form
from sim.spinlog.log import SpinLog
from sim.spinlog.reading import read_log
from tests.spinlog.games import MACAU, MACAU_RING, read


def fault(name: str, **told: Any) -> str:
    with pytest.raises(BadInput) as caught:
        read_log(name, MACAU, form(**told))
    return "\n".join(map(str, caught.value.faults))


def workbook(path: Path, *sheets: list[list[object]]) -> str:
    book = openpyxl.Workbook()
    for number, rows in enumerate(sheets):
        page = book.active if number == 0 else book.create_sheet()
        assert page is not None
        for row in rows:
            page.append(row)
    book.save(path)
    return str(path)


def symbols(log: SpinLog) -> list[str]:
    return log.table.column("symbol").to_pylist()


def test_a_file_is_named_hashed_and_measured(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(b"symbol\n17\n")
    log = read_log(str(path), MACAU)
    assert [(each.name, each.sha256, each.size) for each in log.inputs] == [
        (str(path), hashlib.sha256(b"symbol\n17\n").hexdigest(), 10)
    ]


def test_text_packed_with_gzip(tmp_path: Path) -> None:
    path = tmp_path / "log.csv.gz"
    path.write_bytes(gzip.compress(b"symbol\n17\n5\n", mtime=0))
    log = read_log(str(path), MACAU)
    assert symbols(log) == ["17", "5"]
    assert log.inputs[0].sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("cut", [3, 15, -4])
def test_gzip_cut_short(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "log.csv.gz"
    path.write_bytes(gzip.compress(b"symbol\n" + b"17\n5\n" * 999, mtime=0)[:cut])
    assert "cannot be read to its end" in fault(str(path))


def test_a_bomb_of_gzip_is_one_line_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "log.csv.gz"
    path.write_bytes(gzip.compress(b"symbol\n17\n" + b"5" * 100_000_000 + b"\n3\n", 9, mtime=0))
    log = read_log(str(path), MACAU)
    assert symbols(log) == ["17", "3"]
    assert [(each.line, each.reason) for each in log.rejected] == [(3, "a line longer than 65536 bytes")]


def test_gzip_of_gzip() -> None:
    with pytest.raises(BadInput, match="packed twice"):
        read(gzip.compress(gzip.compress(b"symbol\n17\n")))


def test_a_cell_of_megabytes_is_rejected_with_a_short_reason() -> None:
    log = read('symbol,remark\n17,ok\n"' + "A" * 3_000_000 + '",x\n5,' + "B" * 5000 + "\n3,x\n")
    assert symbols(log) == ["17", "5", "3"]
    assert [each.line for each in log.rejected] == [3]
    assert len(log.table.column("remark")[1].as_py()) == 1000
    assert any("remark: texts are kept to 1000 characters" in each for each in log.remarks)


def test_a_quoted_cell_of_megabytes_over_many_lines() -> None:
    log = read('symbol,remark\n17,"' + ("x" * 1000 + "\n") * 3000 + '"\n5,a\n')
    assert "5" in symbols(log)
    assert log.rejected[0].line == 2


# What is no log.


def test_devices_folders_and_loops(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "nothing")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(tmp_path / "socket"))
    listening.close()
    assert "a device or socket" in fault("/dev/zero")
    assert "a device or socket" in fault("/dev/null")
    assert "a device or socket" in fault(str(tmp_path / "socket"))
    assert "cannot be read" in fault(str(loop))
    assert "no such file" in fault(str(dangling))
    assert "no such file" in fault(str(tmp_path / "no"))
    assert "no such file" in fault("")
    assert "cannot be read" in fault("a\0b")
    assert "a folder without a batch run" in fault(str(tmp_path))


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("symbol\n17\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert "permission denied" in fault(str(path))


def test_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    if os.fork() == 0:
        path.write_bytes(b"symbol\n17\n5\n")
        os._exit(0)
    assert symbols(read_log(str(path), MACAU)) == ["17", "5"]
    os.wait()


# Workbooks.


def test_a_workbook(tmp_path: Path) -> None:
    name = workbook(
        tmp_path / "log.xlsx",
        [
            ["Tisch 3"],
            [],
            ["Nr", "Datum", "Uhrzeit", "Zahl", "Drehzahl", "gültig"],
            [1, datetime.datetime(2024, 5, 1), datetime.time(12, 0), 17, 20.5, True],
            [2, datetime.date(2024, 5, 1), datetime.time(12, 1, 30), "★", None, "ja"],
            [],
            [3, "01.05.2024", "12:03", "=HYPERLINK(1)", 3, 1],
            ["Summe", None, None, 99],
        ],
    )
    log = read_log(name, MACAU)
    assert symbols(log) == ["17", "star"]
    assert log.table.column("utc_time").to_pylist() == ["2024-05-01T12:00:00", "2024-05-01T12:01:30"]
    assert log.table.column("plate_rpm").to_pylist() == [20.5, None]
    assert [each.line for each in log.rejected] == [7, 8]
    assert "rows without any content: 1" in log.remarks


def test_the_worksheet_with_the_results_is_read(tmp_path: Path) -> None:
    name = workbook(
        tmp_path / "log.xlsx", [["About", "x"], ["a", 1]], [["Spin", "Number"], [1, 17.0]], [["Number"], [5]]
    )
    log = read_log(name, MACAU)
    assert symbols(log) == ["17"]
    assert "worksheets that are not read: 2; read: 'Sheet1'" in log.remarks


def test_a_workbook_of_one_bare_column(tmp_path: Path) -> None:
    assert symbols(read_log(workbook(tmp_path / "log.xlsx", [[17], ["star"], [None], [4]]), MACAU)) == [
        "17",
        "star",
        "4",
    ]


def test_a_workbook_without_header_by_number(tmp_path: Path) -> None:
    name = workbook(tmp_path / "log.xlsx", [[1, 17], [2, 5]])
    assert "no worksheet has a column" in fault(name)
    assert symbols(read_log(name, MACAU, form(["2=symbol"]))) == ["17", "5"]


def test_workbooks_that_are_none(tmp_path: Path) -> None:
    whole = Path(workbook(tmp_path / "log.xlsx", [["Number"], [17]])).read_bytes()
    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(whole[: len(whole) // 2])
    assert "not a whole .xlsx workbook" in fault(str(broken))
    assert "empty" in fault(workbook(tmp_path / "empty.xlsx", [[]]))
    plain = tmp_path / "plain.zip"
    with zipfile.ZipFile(plain, "w") as archive:
        archive.writestr("log.csv", "symbol\n17\n")
    assert "a ZIP archive that is no .xlsx workbook" in fault(str(plain))
    mangled = tmp_path / "mangled.xlsx"
    with zipfile.ZipFile(io.BytesIO(whole)) as source, zipfile.ZipFile(mangled, "w") as archive:
        for entry in source.namelist():
            content = source.read(entry)
            archive.writestr(entry, content[:100] if "sheet1" in entry else content)
    assert "not a whole .xlsx workbook" in fault(str(mangled))


def test_a_bomb_of_a_workbook(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/sharedStrings.xml", b" " * 60_000_000)
    assert "unpacks to 60000008 bytes" in fault(str(path))


def test_a_row_that_claims_to_be_the_billionth(tmp_path: Path) -> None:
    path = Path(workbook(tmp_path / "log.xlsx", [["Number"], [17], [5]]))
    far = tmp_path / "far.xlsx"
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(far, "w") as archive:
        for entry in source.namelist():
            content = source.read(entry)
            archive.writestr(
                entry,
                content.replace(b'<row r="3"', b'<row r="999999999999"').replace(b'"A3"', b'"A999999999999"'),
            )
    assert symbols(read_log(str(far), MACAU)) == ["17"]


# Parquet.


def parquet(path: Path, **columns: pa.Array) -> str:
    pq.write_table(pa.table(columns), path)
    return str(path)


def test_parquet_of_other_types(tmp_path: Path) -> None:
    moments = pa.array([0, 60_000_000, 120_000_000], pa.timestamp("us", "UTC"))
    name = parquet(
        tmp_path / "log.parquet",
        spin_no=pa.array([1, 2, 3], pa.int32()),
        Number=pa.array([17, 0, 99], pa.uint8()),
        utc_time=moments,
        turns=pa.array([1.5, float("nan"), float("inf")], pa.float32()),
        thrower_id=pa.array(["Ana", None, "Rui"]).dictionary_encode(),
        valid=pa.array([True, True, False]),
    )
    log = read_log(name, MACAU)
    assert log.table.to_pylist() == [
        {
            "spin_no": 1,
            "utc_time": "1970-01-01T00:00:00Z",
            "thrower_id": "Ana",
            "turns": 1.5,
            "rest_index": None,
        }
        | {"symbol": "17", "valid": True, "void_code": None},
        {
            "spin_no": 2,
            "utc_time": "1970-01-01T00:01:00Z",
            "thrower_id": None,
            "turns": None,
            "rest_index": None,
        }
        | {"symbol": "star", "valid": True, "void_code": None},
    ]
    assert [each.line for each in log.rejected] == [3]
    assert "inf" in log.rejected[0].reason
    assert "99" in log.rejected[0].reason


def test_parquet_from_standard_input(tmp_path: Path) -> None:
    name = parquet(tmp_path / "log.parquet", symbol=pa.array(["17"]))
    assert symbols(read(Path(name).read_bytes())) == ["17"]


def test_parquet_that_is_none(tmp_path: Path) -> None:
    whole = Path(parquet(tmp_path / "log.parquet", symbol=pa.array(["17"] * 1000))).read_bytes()
    path = tmp_path / "cut.parquet"
    for cut in (4, 50, len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert "not a whole Parquet file" in fault(str(path))
    damaged = bytearray(whole)
    damaged[4:40] = bytes(36)
    path.write_bytes(damaged)
    assert "a damaged Parquet file" in fault(str(path))


def test_parquet_with_nested_columns(tmp_path: Path) -> None:
    name = parquet(
        tmp_path / "log.parquet", symbol=pa.array([["17"], ["5"]]), other=pa.array([{"a": 1}, {"a": 2}])
    )
    assert "damaged Parquet file" in fault(name) or "no row can be used" in fault(name)


def test_whole_numbers_too_large(tmp_path: Path) -> None:
    name = parquet(
        tmp_path / "log.parquet", spin_no=pa.array([1, 2**63], pa.uint64()), symbol=pa.array(["17", "5"])
    )
    log = read_log(name, MACAU_RING)
    assert [each.line for each in log.rejected] == [2]
    assert log.integers("rest_index").tolist() == [17]
