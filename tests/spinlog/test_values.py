"""Numbers, days, times, names and symbols as people write them."""

import datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.documents.faults import BadInput
from sim.spinlog import dates
from sim.spinlog.cells import Cells, SymbolReader
from sim.spinlog.form import form
from sim.spinlog.moments import moments
from sim.spinlog.names import factor_of, field_of
from sim.spinlog.numbers import number, numbers, whole
from tests.spinlog.games import MACAU, MACAU_RING, RODA, SPANISH, WHEEL, read


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1), ("1.5", 1.5), ("1,5", 1.5), ("1.234,5", 1234.5), ("1,234.5", 1234.5), ("1'234.5", 1234.5),
        ("1.234.567", 1234567), ("1 234,5", 1234.5), ("-2", -2), ("+3", 3), ("1e3", 1000), ("\u22124", -4), (".5", 0.5),
        ("", None), ("n/a", None), ("NaN", None), ("-", None), ("1\u202f234", 1234), ("12°", 12),
    ],
)  # fmt: skip
def test_numbers_are_read(text: str, value: float | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    "text", ["inf", "abc", "1.2.3", "1,2,3", "1.234.567.8", "0x10", "1e999", "1 2", "٣", "1_000", "=1"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be a number"):
        number(text)


@pytest.mark.parametrize("text", ["1.5", "1,000", "1.000", "x", "99999999999999999"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"whole number|thousand or one"):
        whole(text)


@settings(deadline=None)
@given(
    st.lists(
        st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.sampled_from(["", "x", "1,5", "NA"])
    )
)
def test_a_column_is_read_as_its_cells_are(texts: list[str]) -> None:
    values, failures = numbers(pa.array(texts, pa.string()), integral=False)
    for row, text in enumerate(texts):
        try:
            assert values[row].as_py() == number(text)
            assert row not in failures
        except ValueError as error:
            assert failures[row] == str(error)


@settings(deadline=None)
@given(st.lists(st.integers(-(10**17), 10**17).map(str) | st.sampled_from(["17.0", "17,5", "", "x"])))
def test_a_column_of_whole_numbers_is_read_as_its_cells_are(texts: list[str]) -> None:
    values, failures = numbers(pa.array(texts, pa.string()), integral=True)
    for row, text in enumerate(texts):
        try:
            assert values[row].as_py() == whole(text)
        except ValueError as error:
            assert failures[row] == str(error)


@settings(deadline=None)
@given(
    st.datetimes(min_value=datetime.datetime(1000, 1, 1)),
    st.sampled_from(["%Y-%m-%dT%H:%M:%S", "%Y%m%d %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%d %B %Y, %I:%M:%S %p"]),
)
def test_moments_in_every_style_are_the_same_moment(moment: datetime.datetime, style: str) -> None:
    moment = moment.replace(microsecond=0)
    found = moments(pa.array([moment.strftime(style)]), None, None, None, np.ones(1, np.bool_))
    assert found.failures == {}
    assert found.text.to_pylist() == [moment.isoformat()]
    assert found.times is not None
    assert found.times[0] == np.datetime64(moment, "us").astype(np.int64)


@pytest.mark.parametrize(
    ("days", "order"),
    [
        (["13/1/24"], "dmy"), (["1/13/24"], "mdy"), (["1/2/24", "3-4-2024"], "either"),
        (["1.2.2024", "2024-01-02", "x"], None), ([], None), (["13/1/24", "1/13/24"], "none"),
    ],
)  # fmt: skip
def test_the_order_of_day_and_month(days: list[str], order: str | None) -> None:
    assert dates.order_of(days) == order


@pytest.mark.parametrize(
    "text", ["2024-02-30", "32.1.2024", "0000-01-01", "1/2", "Foo 3, 2024", "2024-13-01", "1.2.345"]
)
def test_days_that_do_not_exist(text: str) -> None:
    with pytest.raises(ValueError, match="a day that exists"):
        dates.day(text, "dmy")


@pytest.mark.parametrize("text", ["25:00", "12:60", "12", "12:00 xm", "-1:00"])
def test_times_that_do_not_exist(text: str) -> None:
    with pytest.raises(ValueError, match="a time of day"):
        dates.time(text)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("Winning Number", "symbol"), ("Ergebnis", "symbol"), ("número", "symbol"), ("NUMÉRO", "symbol"),
        ("Zahl", "symbol"), ("spin_no", "spin_no"), ("Spin No.", "spin_no"), ("#", "spin_no"), ("N°", "spin_no"),
        ("Rotor (rpm)", "plate_rpm"), ("plate_rpm [1/min]", "plate_rpm"), ("Drop angle (deg)", "drop_angle_deg"),
        ("Winning Index", "rest_index"), ("Fecha y hora", "utc_time"), ("Uhrzeit", "time"),
        ("lançador", "thrower_id"), ("", None), ("x" * 999, None),
    ],
)  # fmt: skip
def test_names_of_columns(name: str, field: str | None) -> None:
    assert field_of(name) == field


def test_units_in_names() -> None:
    assert factor_of("drop angle (rad)", "drop_angle_deg") == pytest.approx(57.29577951308232)
    assert factor_of("rpm [rad/s]", "plate_rpm") == pytest.approx(9.549296585513721)
    assert factor_of("drop angle", "drop_angle_deg") == 1.0
    assert factor_of("Number (red)", "symbol") == 1.0
    with pytest.raises(ValueError, match="one of deg"):
        factor_of("drop angle (mm)", "drop_angle_deg")
    turned = read("Number,drop angle (rad)\n17,3.14159265358979\n")
    assert turned.floats("drop_angle_deg")[0] == pytest.approx(180.0)


def test_symbols_of_a_single_hole_give_the_hole_and_shared_ones_do_not() -> None:
    assert read("symbol\n17\nstar\n", MACAU_RING).integers("rest_index").tolist() == [17, 0]
    assert read("symbol\n17\nstar\n", MACAU).integers("rest_index").tolist() == [-1, -1]
    assert read("symbol\n5\n", SPANISH).integers("rest_index").tolist() == [-1]
    log = read("rest_index\n4\n13\n", SPANISH)
    assert log.table.column("symbol").to_pylist() == ["5", "5"]
    log = read("symbol,turns\nA,5\nc,4\n", RODA)
    assert log.integers("rest_index").tolist() == [-1, 4]


def test_free_labels_count_from_nought_when_there_is_one() -> None:
    log = read("0\n36\n", WHEEL)
    assert list(log.cells.symbols) == [str(number) for number in range(37)]
    assert log.codes("symbol")[0].tolist() == [0, 36]
    log = read("1\n37\n", WHEEL)
    assert log.codes("symbol")[0].tolist() == [0, 36]
    american = Cells("cells:38", dict.fromkeys(map(str, range(1, 39)), 1), free=True)
    assert list(read("00\n0\n36\n", american).cells.symbols)[:3] == ["0", "00", "1"]


def test_a_ring_must_carry_the_symbols() -> None:
    with pytest.raises(ValueError, match="the ring does not carry"):
        Cells("game", {"A": 1, "B": 1}, ring=("A", "A"))


def test_a_null_is_no_zero() -> None:
    with pytest.raises(ValueError, match="must be a symbol"):
        SymbolReader(MACAU)("null")


# What the reader is told.


def test_a_mapping_file_and_flags(tmp_path: Path) -> None:
    path = tmp_path / "mapping.yaml"
    path.write_text("columns: {Was: symbol, Nr: '-'}\nvalues: {symbol: {King: star, 99: 5}}\ndates: dmy\n")
    told = form(["Wer=thrower_id"], path, dates="mdy")
    log = read("Nr;Was;Wer;Datum\nx;King;Ana;1/2/2024\ny;99;Rui;3/4/2024\n", MACAU, told)
    assert log.table.column("symbol").to_pylist() == ["star", "5"]
    assert log.table.column("thrower_id").to_pylist() == ["Ana", "Rui"]
    assert log.table.column("utc_time").to_pylist() == ["2024-01-02", "2024-03-04"]


def test_every_fault_of_a_mapping_at_once(tmp_path: Path) -> None:
    path = tmp_path / "mapping.yaml"
    path.write_text(
        "colums: {}\ncolumns: {A: simbol}\nvalues: {nope: {a: b}, symbol: {a: [1]}}\ndates: xyz\ndelimiter: ab\n"
    )
    with pytest.raises(BadInput) as caught:
        form(["=symbol", "A=symbl", "B=symbol", "B=turns"], path, dates="no", delimiter="")
    shown = "\n".join(str(fault).replace(f"{path}:", "") for fault in caught.value.faults)
    for words in (
        "1:1: colums: unknown field", "did you mean 'columns'", "2:14: columns: no such field: 'simbol'",
        "3:10: values.nope: no such field", "values.symbol.a: must be text", "4:8: dates: must be one of dmy, mdy, ymd",
        "5:12: delimiter: must be one character", "--map: must be COLUMN=FIELD; given '=symbol'",
        "--map: no such field: 'symbl'", "names the column 'B' twice", "--dates: must be one of",
        "--delimiter: must be",
    ):  # fmt: skip
        assert words in shown, (words, shown)


# The log.


def test_columns_as_arrays() -> None:
    log = read(
        "spin_no,thrower_id,turns,symbol,valid\n1,Ana,8.5,17,1\n2,Rui,,,0\n3,Ana,7,star,1\n", MACAU_RING
    )
    assert len(log) == 3
    assert log.valid.tolist() == [True, False, True]
    assert log.excluded == {"OTHER": 1}
    assert log.lines.tolist() == [2, 3, 4]
    assert np.array_equal(log.floats("turns"), [8.5, np.nan, 7.0], equal_nan=True)
    assert np.isnan(log.floats("plate_rpm")).all()
    assert log.integers("rest_index").tolist() == [17, -1, 0]
    codes, words = log.codes("thrower_id")
    assert [words[code] for code in codes] == ["Ana", "Rui", "Ana"]
    codes, words = log.codes("symbol")
    assert words == tuple(MACAU.symbols)
    assert codes.tolist() == [17, -1, 0]
    assert log.codes("ball_id") == (pytest.approx([-1, -1, -1]), ())
    assert log.has("turns")
    assert not log.has("void_code") or log.excluded
    assert not log.has("ball_id")
    assert not log.is_simulated
