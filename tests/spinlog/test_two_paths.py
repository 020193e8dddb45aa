"""Rows parted by Arrow and rows parted by Python's csv come out alike."""

from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from sim.documents.faults import BadInput
from sim.spinlog import delimited, lines
from sim.spinlog.log import SpinLog
from tests.spinlog.games import read

PLAIN = [
    "17",
    "5",
    "star",
    " 3 ",
    "",
    "x",
    "#",
    "#4",
    "1e3",
    "12,5",
    "1.000",
    "NA",
    "é",
    "\t",
    "\u00a0",
    "0",
    "a b",
    "-2",
]
QUOTED = ['"7"', '""', '"#1"', '"a;b"', '"a""b"', 'a"b', '"two\nlines"', '"', '"void"', '"x" ']
CELL = st.sampled_from(PLAIN) | st.sampled_from(QUOTED) | st.just("x" * 70_000)
HEADER = "spin_no;symbol;turns\n"


def logs(cell: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    rows = st.lists(st.lists(cell, min_size=1, max_size=4).map(";".join), max_size=12)
    return rows.map(lambda lines: HEADER + "\n".join(lines))


def outcome(text: str) -> object:
    try:
        log = read(text)
    except BadInput as error:
        return [str(fault) for fault in error.faults]
    return told(log)


def told(log: SpinLog) -> object:
    return log.table.to_pylist(), log.lines.tolist(), log.rejected, log.remarks, log.excluded


def by_rows(text: str) -> object:
    """The same text with nothing left to Arrow."""
    with mock.patch.object(delimited, "_unquoted", lambda *_: None), mock.patch.object(delimited, "FAST", ""):
        return outcome(text)


@settings(max_examples=100, deadline=None)
@given(logs(CELL))
def test_both_ways_of_parting_rows_agree(text: str) -> None:
    assert outcome(text) == by_rows(text)


@settings(max_examples=60, deadline=None)
@given(logs(st.sampled_from(PLAIN + QUOTED)), st.integers(1, 200))
def test_the_size_of_blocks_does_not_show(text: str, size: int) -> None:
    whole = outcome(text)
    with mock.patch.object(lines, "BLOCK", 64 + size):
        assert outcome(text) == whole


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["17", " 5", "star", "x", "", "3 4", "7,8;9", "void", "#", "\r"]), max_size=20)
)
def test_small_blocks_of_a_bare_list(words: list[str]) -> None:
    text = "1\n2\n3\n" * 20 + "\n".join(words)
    whole = outcome(text)
    with mock.patch.object(lines, "BLOCK", 130):
        assert outcome(text) == whole


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    for head in (b"", b"symbol;turns\n", b"PAR1", b"PK\x03\x04", b"\x1f\x8b", b"\xff\xfe"):
        try:
            log = read(head + content)
        except BadInput as error:
            assert error.faults
            assert all(str(fault).isprintable() for fault in error.faults)
        else:
            assert len(log) > 0
            assert all(each.reason.isprintable() for each in log.rejected)
