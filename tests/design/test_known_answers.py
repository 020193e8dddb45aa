"""Studies of functions whose answers are known, through everything but the physics."""

import numpy as np
import pytest

from sim.design.factors import Axis
from tests.design.synthetic import Synthetic, analysed, mean_of, study

PI = float(np.pi)


def axis(path: str, low: float, high: float, count: int = 0) -> Axis:
    numbers = tuple(np.linspace(low, high, count).tolist()) if count else ()
    return Axis(path, path, "mm", tuple(f"{x:.12g} mm" for x in numbers), numbers, low, high)


def ishigami(x: dict[str, float]) -> float:
    """Ishigami and Homma 1990, a = 7, b = 0.1."""
    a, b, c = (x.get(name, 0.0) for name in ("a", "b", "c"))
    return float(np.sin(a) + 7.0 * np.sin(b) ** 2 + 0.1 * c**4 * np.sin(a))


def test_sobol_indices_of_the_ishigami_function():
    """S1 0.3139, 0.4424, 0; ST 0.5576, 0.4424, 0.2437 (Saltelli et al. 2008, Global Sensitivity Analysis, 4.6)."""
    y = mean_of("y")
    made = study(
        [axis(name, -PI, PI) for name in "abc"],
        [y],
        sensitivity={"method": "sobol", "count": 512, "seed": 1, "tornado": False},
    )
    found = analysed(made, Synthetic({"y": ishigami})).told["sensitivity"]["metrics"]["y"]
    assert (found["blocks"], found["dropped"]) == (512, 0)
    for each, s1, st in zip(found["factors"], (0.3139, 0.4424, 0.0), (0.5576, 0.4424, 0.2437), strict=True):
        assert abs(each["s1"] - s1) < 1.5 * each["s1_half"] + 0.01, each
        assert abs(each["st"] - st) < 1.5 * each["st_half"] + 0.01, each
    assert found["noise"] == pytest.approx(0.0, abs=1e-12)


def test_morris_effects_of_a_straight_line():
    """y = 3 a - b over [0, 2] and [0, 1]: the effect over the whole range is 6 and -1, with no spread."""
    y = mean_of("y")
    made = study(
        [axis("a", 0.0, 2.0), axis("b", 0.0, 1.0)],
        [y],
        sensitivity={"method": "morris", "count": 8, "tornado": True},
    )
    source = Synthetic({"y": lambda x: 3.0 * x.get("a", 0.5) - x.get("b", 0.5)})
    told = analysed(made, source).told
    a, b = told["sensitivity"]["metrics"]["y"]["factors"]
    assert (a["mu_star"], b["mu"]) == (pytest.approx(6.0), pytest.approx(-1.0))
    assert a["sigma"] == pytest.approx(0.0, abs=1e-9)
    first, second = told["tornado"]["y"]
    assert [first["path"], second["path"]] == ["a", "b"]
    assert (first["low"]["value"], first["high"]["value"]) == (pytest.approx(-1.5), pytest.approx(4.5))


def test_an_impossible_design_takes_its_block_only():
    y = mean_of("y")
    made = study(
        [axis("a", 0.0, 1.0), axis("b", 0.0, 1.0)], [y], sensitivity={"method": "sobol", "count": 64}
    )
    source = Synthetic({"y": lambda x: x.get("a", 0.0)}, limit=lambda x: x.get("a", 0.0) < 0.98)
    found = analysed(made, source).told
    told = found["sensitivity"]["metrics"]["y"]
    assert 0 < told["dropped"] < 10
    assert told["blocks"] + told["dropped"] == 64
    assert told["factors"][0]["s1"] == pytest.approx(1.0, abs=0.2)
    assert any(each.get("impossible") == ["design: beyond the limit"] for each in found["designs"])
    assert found["tornado"]["y"][0]["high"]["impossible"] == ["design: beyond the limit"]


def bowl(x: dict[str, float]) -> float:
    return (x.get("a", 0.0) - 1.3) ** 2 + (x.get("b", 0.0) + 0.4) ** 2


def optimise(**changes):
    given = {
        "objectives": [{"metric": "y", "goal": "minimise"}],
        "trials": 80,
        "batch": 8,
        "seed": 3,
        "final_spins": 200,
        "final_seed": 9,
    }
    return {**given, **changes}


def test_a_known_optimum_is_found_and_a_search_repeats_exactly():
    y = mean_of("y")
    axes = [axis("a", -3.0, 3.0), axis("b", -3.0, 3.0)]
    made = study(axes, [y], optimise=optimise())
    once, again = (analysed(made, Synthetic({"y": bowl})).told for _ in range(2))
    assert once == again
    (best,) = once["front"]
    assert best["metrics"]["y"]["value"] < 0.1
    assert abs(float(best["factors"]["a"].removesuffix(" mm")) - 1.3) < 0.35


def test_a_constraint_is_kept_and_the_front_of_two_goals_is_no_dominated_point():
    """y = a^2 and z = (a - 2)^2: the front is a in [0, 2]; a >= 1 is asked for as well."""
    metrics = [mean_of(name) for name in ("y", "z", "w")]
    wanted = optimise(
        objectives=[{"metric": "y", "goal": "minimise"}, {"metric": "z", "goal": "minimise"}],
        constraints=[{"metric": "w", "at_least": 1.0}],
    )
    source = Synthetic(
        {
            "y": lambda x: x.get("a", 0.0) ** 2,
            "z": lambda x: (x.get("a", 0.0) - 2.0) ** 2,
            "w": lambda x: x.get("a", 0.0),
        }
    )
    front = analysed(study([axis("a", -3.0, 3.0)], metrics, optimise=wanted), source).told["front"]
    values = [float(each["factors"]["a"].removesuffix(" mm")) for each in front]
    assert len(values) > 3
    assert all(1.0 <= a <= 2.05 for a in values)
    assert all(each["keeps_constraints"] for each in front)


def test_no_winners_curse_in_the_reported_numbers():
    """All designs are alike; the best of the search only had luck, and fresh starts say so."""

    class Lucky(Synthetic):
        """Starts of its own for every design, so that luck differs."""

        def play(self, overrides, first, last):
            seed = int(self.key(overrides)[:8], 16)
            noise = np.random.default_rng([self.seed, seed]).standard_normal(10**4)[first:last]
            return type(super().play(overrides, first, last))({"y": noise})

    made = study([axis("a", 0.0, 1.0)], [mean_of("y")], optimise=optimise(trials=60, final_spins=5000))
    told = analysed(made, Lucky({"y": lambda x: 0.0}), Lucky({"y": lambda x: 0.0}, seed=7)).told
    (best,) = told["front"]
    y = best["metrics"]["y"]
    assert y["in_search"] < -0.12
    assert abs(y["value"]) < 0.06
    assert y["low"] - 0.03 < 0.0 < y["high"] + 0.03


def test_a_grid_its_neighbours_and_common_starts():
    """Noise that is common to all designs leaves differences exact, however large it is."""
    y = mean_of("y")
    made = study([axis("a", 0.0, 1.0, 5)], [y], spins=400)
    told = analysed(made, Synthetic({"y": lambda x: x.get("a", 0.0)}, noise=10.0)).told
    for each, a in zip(told["designs"], (0.0, 0.25, 0.5, 0.75, 1.0), strict=True):
        apart = each["metrics"]["y"]["to_base"]
        assert apart["value"] == pytest.approx(a)
        assert apart["high"] - apart["low"] < 1e-9
        assert each["metrics"]["y"]["high"] - each["metrics"]["y"]["low"] > 1.0


def test_until_a_precision_plays_on_and_no_further():
    y = mean_of("y")
    made = study(
        [axis("a", 0.0, 1.0, 2)], [y], spins=100, until={"metric": "y", "half_width": 0.1, "most": 6400}
    )
    source = Synthetic({"y": lambda x: x.get("a", 0.0)}, noise=2.0)
    told = analysed(made, source).told
    for each in told["designs"]:
        assert each["spins"] in (1600, 3200)
        assert (each["metrics"]["y"]["high"] - each["metrics"]["y"]["low"]) / 2 <= 0.1
    assert source.played == sum(each["spins"] for each in [told["base_design"], *told["designs"]])
    assert told["precision"]["not_reached"] == []


def test_values_are_called_by_their_labels():
    y = mean_of("y")
    labelled = Axis("a", "a", "", ("{b: 1}", "{b: 2}"), (0.0, 1.0), labels=("soft", "hard"))
    told = analysed(study([labelled], [y]), Synthetic({"y": lambda x: 1.0})).told
    assert [each["called"] for each in told["designs"]] == [["soft"], ["hard"]]
    assert [each["factors"] for each in told["designs"]] == [{"a": "{b: 1}"}, {"a": "{b: 2}"}]


def test_a_precision_that_is_not_reached_is_told():
    y = mean_of("y")
    until = {"metric": "y", "half_width": 1e-3, "most": 400}
    told = analysed(
        study([axis("a", 0.0, 1.0, 2)], [y], spins=100, until=until),
        Synthetic({"y": lambda x: x.get("a", 0.0)}, noise=2.0),
    ).told
    assert told["precision"] == {"asked": "y to 0.001", "most": 400, "not_reached": [0, 1, 2]}
