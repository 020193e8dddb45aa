"""One inspection as a whole: the family, the verdict, the bets, the profiles."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from sim.inspection.bets import check_bets
from sim.inspection.board import Spins, board, from_results
from sim.inspection.groups import Labels
from sim.inspection.inspection import Inspection, inspect, judge
from sim.inspection.power import simulated_powers
from sim.inspection.profiles import pairs_rate, profile
from sim.inspection.result import Result
from sim.rules.library import load

MACAU = load("macau-boule-1979")
RING = ("star", *map(str, range(1, 25)))
HOLES = board(MACAU, ring=RING, holes=25)


def _spins(cells: np.ndarray) -> Spins:
    return replace(from_results(cells), symbols=cells_to_symbols(cells))


def cells_to_symbols(cells: np.ndarray) -> np.ndarray:
    place = np.array([HOLES.symbols.index(symbol) for symbol in RING])
    return place[cells]


def _inspected(shares: np.ndarray, n: int, seed: int = 1) -> Inspection:
    cells = np.random.default_rng(seed).choice(len(shares), n, p=shares / shares.sum())
    return inspect(MACAU, HOLES, _spins(cells))


def test_the_rule_of_the_verdict() -> None:
    def word(*p: float | None) -> str:
        tests = [Result(f"t{i}", 9, p=one, p_holm=one, why_not="needs more") for i, one in enumerate(p)]
        return judge(tests, (), _inspected(np.ones(25), 500).pockets, 0.01).word

    assert word(0.0099, 0.5) == "biased"
    assert word(0.01, 0.5) == "investigate"
    assert word(0.0499) == "investigate"
    assert word(0.05) == "no evidence of bias"
    assert word(None, None) == "not assessable"


def test_a_bet_beyond_break_even_is_to_be_investigated() -> None:
    counts = dict.fromkeys(RING, 1000)
    counts["7"] = 1300
    bets = check_bets(MACAU, counts, 0.99)
    number = next(bet for bet in bets if bet.bet == "number")
    assert (number.symbols, number.break_even, number.standing) == (("7",), Fraction(1, 24), "exceeded")
    assert next(bet for bet in bets if bet.bet == "black").standing == "excluded"
    fine = [Result("t", 9, p=0.3, p_holm=0.6)]
    pockets = _inspected(np.ones(25), 500).pockets
    assert judge(fine, bets, pockets, 0.01).sentence.startswith("investigate: number beyond break-even")


def test_intervals_of_all_bets_hold_together() -> None:
    held = 0
    for counts in np.random.default_rng(4).multinomial(5_000, np.full(25, 0.04), size=100):
        bets = check_bets(MACAU, dict(zip(RING, map(int, counts), strict=True)), 0.9)
        held += all(bet.interval[0] <= 0 <= bet.interval[1] for bet in bets)
    assert held >= 90


def test_a_fair_wheel_and_a_wheel_with_a_sector() -> None:
    fair = _inspected(np.ones(25), 20_000)
    assert fair.verdict.word == "no evidence of bias"
    assert fair.verdict.exit_code == 0
    assert 0 < fair.verdict.bound < 0.25
    biased = _inspected(1 + 0.3 * np.cos(2 * np.pi * (np.arange(25) - 4) / 25), 3_000)
    assert biased.verdict.word == "biased"
    assert biased.verdict.exit_code == 1
    assert "F2.harmonic" in biased.verdict.sentence
    assert ", crest at 4" in biased.verdict.sentence
    assert sum(pocket.count for pocket in biased.pockets) == 3_000


def test_every_test_has_its_id_and_says_why_it_cannot_run() -> None:
    found = _inspected(np.ones(25), 10)
    assert found.verdict.exit_code == 3
    assert found.verdict.sentence == "not assessable: needs 20 spins"
    ids = [test.id for test in found.tests]
    assert len(ids) == len(set(ids))
    first = "F1.chi_square F1.g F1.largest F1.range F1.too_even F2.harmonic F2.harmonic_2 F2.kuiper F2.scan"
    assert ids[:9] == first.split()
    assert all(test.why_not and test.p is None for test in found.tests)
    nothing = inspect(MACAU, HOLES, _spins(np.empty(0, dtype=np.int64)))
    assert nothing.verdict.word == "not assessable"
    assert nothing.bets == ()


def test_detectable_is_at_the_level_of_the_family() -> None:
    """A sector of the size that F2.harmonic says it finds is found in nine of ten logs, by Holm's first step."""
    found = _inspected(np.ones(25), 4_000)
    ran = [test for test in found.tests if test.p is not None]
    harmonic = next(test for test in ran if test.id == "F2.harmonic")
    shares = 1 + harmonic.detectable * np.cos(2 * np.pi * np.arange(25) / 25)
    random = np.random.default_rng(2)
    counts = random.multinomial(4_000, shares / 25, size=4_000)
    from sim.inspection.sectors import harmonic_p

    power = np.mean(harmonic_p(counts) <= 0.01 / len(ran))
    assert power == pytest.approx(0.9, abs=0.02)


def test_numbers_are_counted_beside_holes() -> None:
    """Bias of opposite holes of one number cancels in the first harmonic, not in the numbers."""
    book = load("es-boule-1979")
    ring = tuple(map(str, range(1, 10))) * 2
    holes = board(book, ring=ring, holes=18)
    shares = np.ones(18)
    shares[[2, 11]] = 1.3
    cells = np.random.default_rng(5).choice(18, 8_000, p=shares / shares.sum())
    found = inspect(book, holes, replace(from_results(cells), symbols=cells % 9))
    tests = {test.id: test for test in found.tests}
    assert tests["F1.numbers"].p < 1e-6
    assert tests["F1.numbers"].df == 8
    assert tests["F2.harmonic"].p > 0.001
    assert tests["F2.harmonic_2"].p < 1e-4
    assert found.pockets[2].name == "3 in hole 2"


def test_symbols_of_unequal_shares_without_their_sections() -> None:
    book = load("macau-roda-2003")
    counted = board(book)
    sections = np.repeat(np.arange(7), (24, 12, 8, 4, 2, 1, 1))
    symbols = sections[np.random.default_rng(6).integers(0, 52, 5_000)]
    found = inspect(book, counted, replace(from_results(symbols), pegged=True))
    tests = {test.id: test for test in found.tests}
    assert tests["F1.chi_square"].df == 6
    assert tests["F1.classes"].df == 5
    assert "rest_index" in tests["F1.largest"].why_not
    assert "rest_index" in tests["F2.harmonic"].why_not
    assert found.verdict.exit_code == 0
    assert {bet.standing for bet in found.bets} <= {"excluded", "possible"}


def test_a_plate_that_stands_still_rests_where_it_lands() -> None:
    cells = np.random.default_rng(7).integers(0, 25, 500)
    angles = np.random.default_rng(8).uniform(0, 6, 500)
    spins = replace(_spins(cells), drop=angles, rest=angles)
    moving = {test.id: test for test in inspect(MACAU, HOLES, spins).tests}
    still = {test.id: test for test in inspect(MACAU, HOLES, replace(spins, still=True)).tests}
    assert moving["F4.rest"].p is not None
    assert still["F4.rest"].p is None
    assert still["F4.harmonic"].p == moving["F4.harmonic"].p


def test_groups_of_a_log() -> None:
    cells = np.random.default_rng(9).integers(0, 25, 2_000)
    group = Labels(np.arange(2_000) % 2, ("cw", "ccw"))
    spins = replace(_spins(cells), groups={"ball_dir": group})
    tests = {test.id: test for test in inspect(MACAU, HOLES, spins).tests}
    assert tests["F6.ball_dir"].df == 24
    assert tests["F6.ball_dir"].p > 0.001


def test_the_slovenian_profile_needs_a_thousand_spins_an_outcome() -> None:
    sequence = np.random.default_rng(10).integers(0, 9, 9_000)
    shares = np.full(9, 1 / 9)
    names = tuple(map(str, range(1, 10)))
    judged = profile("slovenia-2002", sequence, names, shares, {})
    assert [one.passed is not None for one in judged.criteria] == [True] * 5
    assert judged.criteria[0].false_alarm == pytest.approx(0.024, abs=0.0005)
    assert judged.criteria[1].what == "chi-square <= 17.535"
    short = profile("slovenia-2002", sequence[:-1], names, shares, {})
    assert [one.passed for one in short.criteria] == [None] * 5
    assert short.criteria[0].remark == "needs 9000 spins"


def test_rate_of_the_chi_square_of_overlapping_pairs() -> None:
    """Against fair sequences of 9 outcomes."""
    from scipy.stats import chi2

    from sim.inspection.independence import lag_table
    from sim.inspection.statistics import chi_square

    critical = float(chi2.isf(0.025, 80))
    sequences = np.random.default_rng(11).integers(0, 9, (4_000, 2_000))
    found = chi_square(lag_table(sequences, 9).reshape(4_000, 81), np.full(81, 1 / 81))
    assert np.mean(found > critical) == pytest.approx(pairs_rate(9, critical), abs=0.008)
    assert pairs_rate(9, critical) > 0.026


def test_ontario_takes_the_three_tests_at_99_percent() -> None:
    tests = {
        "F1.chi_square": Result("F1.chi_square", 9, p=0.009),
        "F3.runs": Result("F3.runs", 9, why_not="needs colours"),
        "F3.lag1": Result("F3.lag1", 9, p=0.011),
    }
    judged = profile("ontario-99", np.empty(0, dtype=np.int64), (), np.empty(0), tests)
    assert [one.passed for one in judged.criteria] == [False, None, True]
    assert judged.false_alarm == pytest.approx(0.0297, abs=5e-5)


def test_power_from_simulated_spins_takes_chance_off() -> None:
    shares = (1 + 0.4 * np.cos(2 * np.pi * np.arange(25) / 25)) / 25
    random = np.random.default_rng(12)
    found = {one.test: one for one in simulated_powers(random.multinomial(4_000, shares), {})}
    assert found["F1.chi_square"].spins == pytest.approx(7_215 / 16, rel=0.2)
    assert found["F2.harmonic"].spins == pytest.approx(3_486 / 16, rel=0.2)
    fair = random.multinomial(4_000, np.full(25, 0.04))
    drops = random.vonmises(1, 0.5, 1_000)
    quiet = {one.test: one for one in simulated_powers(fair, {"F4.harmonic": drops}, spins=500)}
    assert quiet["F1.chi_square"].spins is None
    assert "no bias seen in 4000" in quiet["F1.chi_square"].remark
    assert quiet["F4.harmonic"].spins < 500
    assert quiet["F4.harmonic"].power > 0.9
