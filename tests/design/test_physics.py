"""What physics is expected to do to a design, by its intervals on common starts; and what must not happen at all."""

import numpy as np
import pytest

from sim import __version__
from sim.design.analyses import analyse
from sim.design.bench import Bench, Change, Shelf, Simulation, change
from sim.design.contour import contour, flattened
from sim.design.factors import Design
from sim.design.metrics import METRICS, of_kind
from sim.design.study_file import load_study
from sim.engines.run import pool
from sim.scenario import load_scenario

pytestmark = pytest.mark.slow


def changes(
    base: str, override: str, names: tuple[str, ...], spins: int, *, seed: int = 1, independent: bool = False
) -> dict[str, Change | None]:
    """What an override does to metrics of a scenario."""
    metrics = [METRICS[name] for name in names]
    with pool(2) as each_chunk:
        source = Simulation(base, (), seed, __version__, each_chunk, independent)
        bench = Bench(source, Shelf(), metrics, spins)
        one, other = bench.outcome(Design((override,))), bench.outcome(Design(()))
    return {metric.name: change(metric, one, other, not independent) for metric in metrics}


def test_a_stiffer_clapper_lets_the_wheel_turn_less_and_takes_more_at_each_peg():
    found = changes(
        "roda-da-sorte", "machine.clapper.spring=1.2 N m/rad", ("turns_median", "peg_energy"), 150
    )
    assert found["turns_median"].estimate.high < -2.0
    assert found["peg_energy"].estimate.low > 0.05
    assert found["peg_energy"].gain > 2.0


def test_a_deeper_hollow_lets_the_ball_hop_less():
    found = changes("macau-boule", "machine.hollow.depth=9 mm", ("hops", "first_hollow"), 300)
    assert found["hops"].estimate.low > 0.2


def test_more_rolling_resistance_shortens_settling():
    row = "{rolling_resistance: 0.03}"
    override = f"materials={{cone: {row}, plate: {row}, hollow: {row}}}"
    found = changes("macau-boule", override, ("settling_median", "duration_median"), 200)
    assert found["settling_median"].estimate.high < 0.0
    assert found["duration_median"].estimate.high < 0.0


def test_a_renamed_pocket_changes_nothing_at_all():
    ring = [1, "star", *range(2, 25)]
    names = tuple(n for n, metric in of_kind("plate").items() if metric.variant is None)
    found = changes("macau-boule", f"machine.number_ring={ring}".replace("'", ""), names, 200)
    for each in found.values():
        assert (each.estimate.value, each.estimate.low, each.estimate.high) == (0.0, 0.0, 0.0)


def test_with_independent_starts_intervals_cover_zero_at_their_rate():
    ring = list(load_scenario("roda-da-sorte").machine.ring)
    override = f"machine.number_ring=[{', '.join([*ring[1:], ring[0]])}]"
    names = ("turns_median", "peg_energy", "on_peg", "roll_back", "void")
    covered = [
        each.estimate.low <= 0.0 <= each.estimate.high
        for seed in range(12)
        for each in changes("roda-da-sorte", override, names, 100, seed=seed, independent=True).values()
    ]
    assert np.mean(covered) >= 0.85
    assert any(
        each.estimate.value != 0.0
        for each in changes("roda-da-sorte", override, names, 100, independent=True).values()
    )


def test_a_cap_and_the_same_as_points_agree_within_their_intervals():
    """Chords within a micrometre, as of a drawing: where balls end, how often they hop, how hard they hit, how long."""
    points = flattened(contour(load_scenario("macau-boule").machine.hollow), 1e-6)
    listed = ", ".join(f"[{rho!r} m, {z!r} m]" for rho, z in points)
    override = f"machine.hollow={{profile: points, points: [{listed}]}}"
    names = ("off_pocket", "hops", "first_hollow", "impact_energy", "settling_median")
    for name, each in changes("macau-boule", override, names, 400).items():
        wide = 1.4 * each.estimate.half_width  # five metrics at once
        assert abs(each.estimate.value) <= wide, name


def test_variants_are_played_beside_a_design_and_scaled():
    """A tilt of 0.3 deg moves the drops; a hollow's lip, which no ball has met before it drops, changes nothing it."""
    found = changes("macau-boule", "machine.hollow.lip_radius=4 mm", ("tilt_drop", "one_deeper"), 200)
    assert found["tilt_drop"].estimate.value == 0.0
    assert found["one_deeper"].estimate.half_width > 0.0
    with pool(2) as each_chunk:
        metrics = [METRICS["tilt_drop"]]
        bench = Bench(Simulation("macau-boule", (), 1, __version__, each_chunk), Shelf(), metrics, 200)
        drop = bench.outcome(Design(())).estimate(metrics[0])
    assert drop is not None
    assert drop.value > 0.02
    assert drop.low > 0.0


def test_a_value_that_does_not_go_with_the_others_is_an_impossible_design(tmp_path):
    """A rulebook that wants another ring, and a ring that the rulebook has not: told, and the rest goes on."""
    file = tmp_path / "rulebooks.yaml"
    file.write_text(
        "name: rulebooks\ntitle: rulebooks\nbase: macau-boule\nspins: 100\nmetrics: [hops]\n"
        "factors:\n  - {path: rulebook, values: [macau-boule-1979, es-boule-1979]}\n"
    )
    with pool(2) as each_chunk:
        found = analyse(
            load_study(file),
            lambda seed: Simulation("macau-boule", (), seed, __version__, each_chunk),
            Shelf(),
            lambda outcome: None,
        )
    good, bad = found.told["designs"]
    assert good["metrics"]["hops"]["to_base"]["value"] == 0.0
    assert bad["impossible"] == ["number_ring: es-boule-1979 wants 18 or 9 or 36 cells (SB-03); given 25"]
