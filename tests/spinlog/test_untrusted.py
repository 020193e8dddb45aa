"""Text of others: no command reaches a terminal, no formula a spreadsheet, and nothing is lost on the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.documents.untrusted import clean, for_cell, from_cell


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "+1", "-2", "@SUM(1)", "\tx", "\rx", "＝1", "'=1", "''@x"]
)
def test_a_formula_becomes_text(text: str) -> None:
    assert for_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["17", "", "star", "a=b", "'", "it's", "'quoted'"])
def test_other_text_stays(text: str) -> None:
    assert for_cell(text) == text


@given(st.text("'=+-@\tab1＝", max_size=8) | st.text())
def test_a_cell_gives_its_text_back(text: str) -> None:
    assert from_cell(for_cell(text)) == text
    assert not for_cell(text).startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


@given(st.text())
def test_what_reaches_a_terminal_prints(text: str) -> None:
    assert clean(text).isprintable()


def test_escapes_and_overrides_are_shown() -> None:
    assert clean("\x1b[31m\u202eabc\0\n") == "\\x1b[31m\\u202eabc\\x00 "
