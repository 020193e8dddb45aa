"""The report, tables and figures of every kind of study, from sources whose answers are known."""

import csv
import hashlib
import io
import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from sim.cli.studied import MOST_ROWS, show
from sim.design.analyses import Analysed
from sim.design.factors import Axis
from sim.design.sample import Sample
from sim.report.study.figures import _scale, pictures
from sim.report.study.page import page
from sim.report.study.tables import as_csv, rows
from sim.report.study.words import figure
from sim.scenario import load_scenario
from tests.design.synthetic import Synthetic, analysed, mean_of, study

DEPTH, LIP = "machine.hollow.depth", "machine.hollow.lip_radius"
AXES = (
    Axis(DEPTH, "depth", "mm", ("8 mm", "12 mm"), (8.0, 12.0), 8.0, 12.0),
    Axis(LIP, "lip radius", "mm", ("1 mm", "2 mm", "3 mm"), (1.0, 2.0, 3.0), 1.0, 3.0),
)
Y, Z = mean_of("y"), mean_of("z")
SOURCE = {
    "y": lambda x: x.get(DEPTH, 10.0) + x.get(LIP, 2.0) ** 2,
    "z": lambda x: -x.get(DEPTH, 10.0),
}


class Hollows(Synthetic):
    """A hollow 1 mm deeper is 5 % more likely; lips do not matter."""

    def key(self, overrides):
        return hashlib.sha256(repr(overrides).encode()).hexdigest()

    def play(self, overrides, first, last):
        machine = load_scenario("macau-boule", overrides).machine
        shares = np.array([1.0 + 50.0 * (machine.hollow_at(i).depth - 0.014) for i in range(25)])
        random = np.random.default_rng([self.seed, int(self.key(overrides)[:6], 16)])
        rest = random.choice(25, last - first, p=shares / shares.sum()).astype(np.float64)
        return Sample({"rest_index": rest, "y": rest, "z": rest}, {"cells": 25.0})


KINDS = {
    "grid": {"sampling": {"method": "grid"}},
    "sobol": {"sampling": {"method": "sobol", "count": 8}},
    "indices": {"sensitivity": {"method": "sobol", "count": 8}},
    "effects": {"sensitivity": {"method": "morris", "count": 4}},
    "search": {
        "optimise": {
            "objectives": [{"metric": "y", "goal": "minimise"}, {"metric": "z", "goal": "minimise"}],
            "trials": 12,
            "final_spins": 100,
            "final_seed": 5,
        }
    },
}
TOLERANCES = {
    "dimensions": [
        {"of": "depth", "sd": "0.5 mm", "step": "2 mm"},
        {"of": "lip_radius", "sd": "0.5 mm", "step": "2 mm"},
    ],
    "machines": 2000,
    "check_spins": 50_000,
}


@pytest.fixture(scope="module", params=[*KINDS, "tolerances"])
def made(request) -> tuple[str, Analysed]:
    if request.param == "tolerances":
        given = study((), [Y], tolerances=TOLERANCES, spins=50_000)
        return request.param, analysed(given, Hollows({}))
    source = Synthetic(SOURCE, noise=0.5, limit=lambda x: x.get(DEPTH, 0.0) < 11.9 or x.get(LIP, 0.0) < 2.9)
    return request.param, analysed(study(AXES, [Y, Z], **KINDS[request.param]), source)


def test_figures_are_whole_and_the_page_needs_nothing_beside_itself(made):
    kind, found = made
    drawn = list(pictures(found.found, found.told))
    assert len(drawn) == {"indices": 4, "effects": 4}.get(kind, 2)
    assert len({each.name for each in drawn}) == len(drawn)
    for each in drawn:
        ElementTree.fromstring(each.svg)
        assert each.png.startswith(b"\x89PNG")
    text = page(found, drawn)
    assert text == page(found, drawn)
    assert text.count("<img ") == len(drawn)
    assert not re.search(r"(src|href)=\"(?!data:)", text)
    assert ("The front" in text) == (kind == "search")
    assert ("Tighten <strong>depth</strong> first" in text) == (kind == "tolerances")
    assert ("every second hollow: lip_radius + 2 mm" in text) == (kind == "tolerances")
    assert ("What common starts are worth" in text) == (kind == "grid")
    if kind == "grid":
        assert "Design 6 (12 mm, 3 mm) cannot be: design: beyond the limit" in text
    if kind == "search":
        assert text.count("data-point=") == len(found.told["front"])
        assert text.count('class="profile"') == 2 * len(found.told["front"])


def test_tables_say_what_the_document_says(made):
    kind, found = made
    json.dumps(found.told, allow_nan=False)
    table = list(csv.DictReader(io.StringIO(as_csv(rows(found.found, found.told)))))
    assert [int(each["design"]) for each in table] == list(range(len(found.told["designs"]) + 1))
    for row, each in zip(table[1:], found.told["designs"], strict=True):
        if "impossible" in each:
            assert row["impossible"] == "design: beyond the limit"
            assert row["y.value"] == ""
        else:
            assert float(row["y.value"]) == each["metrics"]["y"]["value"]
            assert float(row["y.to_base.low"]) == each["metrics"]["y"]["to_base"]["low"]
    if kind == "grid":
        assert table[1][f"{DEPTH} [mm]"] == "8.0"


def test_the_budget_of_the_tolerances_is_the_one_that_was_built_in(made):
    kind, found = made
    if kind != "tolerances":
        return
    told = found.told["tolerances"]
    depth, lip = told["responses"]
    assert depth["low"] < 0.05 < depth["high"]
    assert lip["low"] < 0.0 < lip["high"]
    assert told["check"]["slope_low"] < 1.1
    assert told["check"]["slope_high"] > 0.9
    assert told["check"]["p_all_alike"] < 0.01


def test_of_many_designs_a_terminal_sees_the_extremes(capsys):
    lips = tuple(float(i) for i in range(1, MOST_ROWS + 1))
    lip = Axis(LIP, "lip radius", "mm", tuple(f"{each:g} mm" for each in lips), lips, lips[0], lips[-1])
    for axes, shown in (((AXES[0], lip), True), ((lip,), False)):
        made = study(axes, (Y, Z))
        show(made, analysed(made, Synthetic(SOURCE)).told)
        text = capsys.readouterr().out
        assert ("60 designs" in text) is shown
        if shown:
            (row,) = [" ".join(line.split()) for line in text.splitlines() if line.startswith("y ")]
            assert row == "y 14.00 ± 0.00 9.000 ± 0.000 8 mm, 1 mm 912.0 ± 0.0 12 mm, 30 mm"
            assert len(text.splitlines()) < MOST_ROWS


def test_one_design_far_out_does_not_take_the_colours_of_the_others():
    near = np.linspace(0.001, 0.013, 77)
    assert _scale(near) == (0.001, 0.013, "neither")
    assert _scale(np.append(near, 0.2)) == (0.001, 0.013, "max")
    assert _scale(np.append(near, -0.2)) == (0.001, 0.013, "min")
    assert _scale(np.array([0.0] * 9 + [1.0])) == (0.0, 1.0, "neither")
    assert _scale(np.empty(0)) == (0.0, 1.0, "neither")


def test_an_interval_of_nothing_shows_no_digits_that_mean_nothing():
    assert (
        figure({"value": 7.23225000011139, "low": 7.23225000010639, "high": 7.23225000011639})
        == "7.23225 ± 0.00000"
    )
    assert figure({"value": 12.3, "low": 11.88, "high": 12.72}) == "12.30 ± 0.42"
