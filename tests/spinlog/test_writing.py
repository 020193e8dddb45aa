"""A log written in the schema reads back as it was."""

import csv
import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.documents.faults import BadInput
from sim.spinlog.log import SpinLog
from sim.spinlog.reading import read_log
from sim.spinlog.schema import BY_NAME, COLUMNS, METADATA_KEY, arrow_schema
from sim.spinlog.writing import csv_bytes, parquet_bytes, write_log
from tests.spinlog.games import MACAU_RING, read

TEXT = """spin_no;utc_time;thrower_id;Richtung;turns;symbol;void;bell;remark
1;01.05.2024 12:00;Ana;cw;8,25;17;;12,5;"a, ""b"
2;01.05.2024 12:01;=cmd();ccw;7;*;;13;"two
lines"
3;01.05.2024 12:02;'+x;;;;OBJECT;;
4;01.05.2024 12:03;Rui;cw;9;0;;11;Zürich ★
"""


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_round_trip(tmp_path: Path, suffix: str) -> None:
    log = read(TEXT, MACAU_RING)
    assert log.table.column("thrower_id").to_pylist() == ["Ana", "=cmd()", "+x", "Rui"]
    path = tmp_path / f"log{suffix}"
    write_log(path, log)
    again = read_log(str(path), MACAU_RING)
    assert again.table.to_pylist() == log.table.to_pylist()
    assert again.table.schema.names == log.table.schema.names
    assert again.rejected == ()
    assert again.times is not None
    assert log.times is not None
    assert again.times.tolist() == log.times.tolist()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1, max_size=8), min_size=1
    )
)
def test_any_text_survives_csv(words: list[str]) -> None:
    words = [word for word in words if word.strip() and not is_missing(word)]
    table = pa.table(
        {"symbol": pa.array(["17"] * len(words)), "valid": [True] * len(words)}
        | {"remark": pa.array(words, pa.string())}
    )
    content = csv_bytes(table)
    for row in list(csv.reader(io.StringIO(content.decode(), newline="")))[1:]:
        assert not row[2].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    if words:
        assert read(content).table.column("remark").to_pylist() == [kept(word) for word in words]


def is_missing(word: str) -> bool:
    from sim.spinlog.numbers import MISSING

    return word.strip().casefold() in MISSING


def kept(word: str) -> str:
    """What the reader keeps of a text: without the blanks around it."""
    return pa.compute.utf8_trim_whitespace(word).as_py()


def test_same_log_same_bytes(tmp_path: Path) -> None:
    log = read(TEXT, MACAU_RING)
    assert parquet_bytes(log.table) == parquet_bytes(read(TEXT, MACAU_RING).table)
    assert csv_bytes(log.table) == csv_bytes(read(TEXT, MACAU_RING).table)
    assert csv_bytes(log.table).startswith(
        b"spin_no,utc_time,thrower_id,ball_dir,turns,rest_index,symbol,valid,void_code"
    )


def test_the_manifest_travels(tmp_path: Path) -> None:
    log = read(parquet_bytes(read(TEXT, MACAU_RING).table, {"seed": 7}), MACAU_RING)
    assert log.manifest == {"seed": 7}
    path = tmp_path / "log.parquet"
    write_log(path, log)
    assert pq.read_schema(path).metadata[METADATA_KEY] == b'{"seed": 7}'


def test_a_target_is_whole_or_untouched(tmp_path: Path) -> None:
    log: SpinLog = read(TEXT, MACAU_RING)
    with pytest.raises(BadInput, match="--out: cannot be written: its directory does not exist"):
        write_log(tmp_path / "no" / "log.csv", log)
    with pytest.raises(ValueError, match=r"\.csv or \.parquet"):
        write_log(tmp_path / "log.txt", log)
    assert list(tmp_path.iterdir()) == []


# The schema itself.


def test_the_schema_is_that_of_the_specification() -> None:
    names = [column.name for column in COLUMNS]
    assert len(set(names)) == len(names)
    assert " ".join(names[:20]) == (
        "spin_no utc_time table_id wheel_serial game_profile thrower_id ball_id ball_dir plate_dir turns plate_rpm "
        "drop_angle_deg plate_phase_deg rest_index symbol valid void_code close_time bell_time remark"
    )
    assert set(BY_NAME["void_code"].words) >= {
        "OBJECT",
        "BALL_OUT",
        "OFF_POCKET",
        "SAME_DIR",
        "MIN_TURNS",
        "ON_PEG",
    }


def test_moments_are_seconds_only_where_a_machine_wrote_them() -> None:
    assert arrow_schema(["bell_time", "symbol"], simulated=True).field("bell_time").type == pa.float64()
    assert arrow_schema(["bell_time", "symbol"], simulated=False).field("bell_time").type == pa.string()
    assert arrow_schema(["bell_time", "symbol"], simulated=True).names == ["symbol", "bell_time"]
    with pytest.raises(KeyError):
        arrow_schema(["bell"], simulated=True)
