"""Shipped files are found by name, the user's by path."""

from pathlib import Path

import pytest

from sim.documents import resources
from sim.documents.faults import BadInput


@pytest.mark.parametrize("name", ["macau-boule", "macau-boule.yaml"])
def test_a_shipped_scenario_by_name_from_anywhere(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "macau-boule").mkdir()
    path = resources.find_scenario(name)
    assert path.is_file()
    assert resources.label_of(path) == "scenarios/macau-boule.yaml"


def test_a_path_goes_before_a_name_and_keeps_its_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "macau-boule.yaml").write_text("a: 1")
    assert resources.find_scenario("macau-boule.yaml") == Path("macau-boule.yaml")
    assert resources.label_of(Path("../x/macau-boule.yaml")) == "../x/macau-boule.yaml"


def test_defects_are_scenarios_and_studies_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "scenarios/a.yaml",
        "scenarios/defects/b.yaml",
        "scenarios/studies/c.yaml",
        "scenarios/rounds/d.yaml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    monkeypatch.setattr(resources, "_ROOT", tmp_path)
    assert resources.scenario_names() == ["a", "b"]
    assert resources.find_scenario("b") == tmp_path / "scenarios/defects/b.yaml"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("macau-bowl", "did you mean 'macau-boule'"),
        ("nowhere/macau-boul.yaml", "did you mean 'macau-boule'"),
        ("/", "is a directory"),
        ("", "no such file"),
        ("a\0b", "no such file"),
        ("x" * 5000, "no such file"),
    ],
)
def test_not_found(name: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        resources.find_scenario(name)
    assert "fairwheel list" in str(caught.value)
