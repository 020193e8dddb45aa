"""The page on studies names every metric, its files are there, and the shipped studies load."""

import re

import pytest

from docs.examples import ROOT
from sim.design.analyses import size
from sim.design.metrics import METRICS
from sim.design.study_file import load_study
from sim.documents.resources import find_study

PAGE = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_stands_on_the_page_as_in_its_docstring(name):
    metric = METRICS[name]
    kind = "both" if len(metric.kinds) == 2 else metric.kinds[0]
    assert f"| `{name}` | {kind} | {metric.unit} | {metric.about} |" in PAGE


def test_what_the_page_links_is_there():
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (ROOT / "docs" / target).exists(), target


@pytest.mark.parametrize(
    ("name", "designs"), [("macau-hollow", 82), ("spanish-hole-and-ball", 21), ("roda-clapper", 31)]
)
def test_shipped_studies_load(name, designs):
    study = load_study(find_study(name))
    assert size(study) == designs
    assert study.file.spins >= 1000
