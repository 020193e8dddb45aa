"""The hardened YAML reader, and faults with their places."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from sim.documents.document import dotted
from sim.documents.faults import BadInput, Mark
from sim.documents.reading import MAX_BYTES, load_document, parse_document
from sim.documents.units import Length
from sim.documents.validation import validate


def data(text: str) -> dict[str, object]:
    return parse_document(text, "f").data


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        ("1E3", 1000.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("no", "no"),
        ("on", "on"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("12:30", "12:30"),
        ("010", 10),
        ("0x1F", "0x1F"),
        ("0o17", "0o17"),
        ("1_000", "1_000"),
        ("2001-01-01", "2001-01-01"),
        ("~", None),
        ("", None),
        ("'7'", "7"),
        ("-12", -12),
        ("=", "="),
    ],
)
def test_a_scalar_means_what_it_looks_like(text: str, value: object) -> None:
    found = data(f"a: {text}")["a"]
    assert found == value
    assert type(found) is type(value)


def test_keys_are_text_as_written() -> None:
    assert data("1: a\nno: b\n2.50: c") == {"1": "a", "no": "b", "2.50": "c"}


_TEXT = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=8)
_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXT,
    lambda items: st.lists(items, max_size=4) | st.dictionaries(_TEXT.filter(bool), items, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(_TEXT.filter(bool), _JSON, min_size=1, max_size=4))
def test_json_is_read_as_json(value: dict[str, object]) -> None:
    assert data(json.dumps(value, ensure_ascii=False)) == value


@given(st.text(max_size=60))
def test_any_text_is_data_or_a_fault_with_a_place(text: str) -> None:
    try:
        assert isinstance(data(text), dict)
    except BadInput as error:
        assert error.faults
        assert all(fault.mark.file == "f" for fault in error.faults)


def test_marks_of_values_and_keys() -> None:
    document = parse_document("a:\n  b: [1, {c: 2}]\n", "f.yaml")
    assert document.marks[("a", "b", 1, "c")] == Mark("f.yaml", 2, 14)
    assert document.keys[("a", "b", 1, "c")] == Mark("f.yaml", 2, 11)
    assert document.mark(("a", "b", 1, "d")) == Mark("f.yaml", 2, 10)
    assert document.mark(("a", "z")) == Mark("f.yaml", 1, 1)
    assert dotted(("a", "b", 1, "c")) == "a.b[1].c"


def test_an_alias_bomb_is_refused_quickly() -> None:
    rows = [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    with pytest.raises(BadInput, match="at most 100000 values"):
        data("a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "\n".join(rows))


def test_a_deep_document_is_refused_without_recursion() -> None:
    with pytest.raises(BadInput, match="nested too deeply"):
        data("a: " + "[" * 100_000)


def test_faults_of_one_reading_come_together() -> None:
    with pytest.raises(BadInput) as caught:
        data("a: 1\na: 2\nb: .nan\nc: 1e999\n")
    assert [fault.mark.line for fault in caught.value.faults] == [2, 3, 4]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "no such file"),
        (lambda path: path.mkdir(), "a directory"),
        (lambda path: path.write_bytes(b"a: " + b"x" * MAX_BYTES), "too large"),
        (lambda path: path.write_bytes("a: é".encode("utf-16")), "not UTF-8"),
        (lambda path: path.write_bytes(b""), "empty"),
        (lambda path: path.write_bytes(b"# nothing\n"), "empty"),
    ],
)
def test_a_file_that_cannot_be_read(make: object, words: str, tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    make(path)  # type: ignore[operator]
    with pytest.raises(BadInput, match=words) as caught:
        load_document(path)
    assert len(caught.value.faults) == 1


def test_a_byte_order_mark_is_no_content(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_bytes(b"\xef\xbb\xbfa: 1\n")
    assert load_document(tmp_path / "f.yaml").data == {"a": 1}


class Inner(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    depth: Length
    count: int = 1


class Outer(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    rows: tuple[Inner, ...]
    flag: bool


def test_every_fault_of_a_model_at_once_in_order() -> None:
    text = "rows:\n  - {depth: 3 mm, cuont: 2}\n  - {count: 1.5}\n  - 7\nflag: yes\n"
    with pytest.raises(BadInput) as caught:
        validate(parse_document(text, "f"), Outer)
    assert [str(fault) for fault in caught.value.faults] == [
        "f:2:19: rows[0].cuont: unknown field; allowed: depth, count; did you mean 'count'?",
        "f:3:5: rows[1].depth: missing; it must be given",
        "f:3:13: rows[1].count: must be a whole number; given 1.5",
        "f:4:5: rows[2]: must be a mapping; given 7",
        "f:5:7: flag: must be true or false; given 'yes'",
    ]
