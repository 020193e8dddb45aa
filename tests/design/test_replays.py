"""Which designs of a study play in its report, from sources whose answers are known."""

import pytest

from sim.design.factors import Axis
from sim.report.study.replays import sides
from tests.design.synthetic import Synthetic, analysed, mean_of, study

DEPTH = "machine.hollow.depth"
AXES = (Axis(DEPTH, "depth", "mm", ("8 mm", "12 mm", "20 mm"), (8.0, 12.0, 20.0), 8.0, 20.0),)
DEEP = {"y": lambda x: x.get(DEPTH, 10.0), "z": lambda x: -x.get(DEPTH, 10.0)}


def test_the_base_and_the_design_that_differs_most_surely():
    found = analysed(study(AXES, [mean_of("y")], sampling={"method": "grid"}), Synthetic(DEEP, noise=0.5))
    base, other = sides(found)
    assert (base.title, base.overrides) == ("The base", ())
    assert other.title == "Design 3"
    assert other.overrides == found.found.outcomes[2].design.overrides
    assert "+10" in other.about


def test_where_no_design_can_be_built_the_base_alone():
    source = Synthetic(DEEP, limit=lambda x: DEPTH not in x)
    (base,) = sides(analysed(study(AXES, [mean_of("y")], sampling={"method": "grid"}), source))
    assert base.title == "The base"


@pytest.mark.parametrize(("goal", "deepest"), [("minimise", False), ("maximise", True)])
def test_of_a_search_the_best_of_its_front_by_the_first_objective(goal, deepest):
    optimise = {
        "objectives": [{"metric": "y", "goal": goal}, {"metric": "z", "goal": goal}],
        "trials": 12,
        "final_spins": 100,
        "final_seed": 5,
    }
    found = analysed(study(AXES, [mean_of("y"), mean_of("z")], optimise=optimise), Synthetic(DEEP))
    _, other = sides(found)
    front = {row["trial"]: row["metrics"]["y"]["value"] for row in found.told["front"]}
    assert front[int(other.title.removeprefix("Trial "))] == (max if deepest else min)(front.values())
