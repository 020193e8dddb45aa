"""The reference of scenarios is what the models say today, and holds every field once."""

from docs.examples import ROOT
from docs.scenario_reference import reference


def test_the_page_is_up_to_date():
    assert (ROOT / "docs" / "scenario-reference.md").read_text(encoding="utf-8") == reference()


def test_every_field_once_with_a_kind_and_a_meaning():
    for part in reference().split("\n## ")[1:]:
        rows = [line.split(" | ") for line in part.splitlines() if line.startswith("| `")]
        fields = [row[0] for row in rows]
        assert len(fields) == len(set(fields)) > 40
        assert all(row[1].strip() and row[2].strip() for row in rows)
    assert "| `machine.hollow.depth` | length, such as 61.5 mm, > 0 |" in reference()
    assert (
        "| `push.croupiers[].speed` | angular speed, such as 80 rpm or 2.5 rad/s or distribution |"
        in reference()
    )
