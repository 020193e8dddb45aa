"""Every critical value and sample size that the specification tabulates."""

import numpy as np
import pytest
from scipy.stats import chi2, norm

from sim.inspection.exact import largest_critical, range_cdf
from sim.inspection.monitor import log_e
from sim.inspection.noncentral import noncentrality
from sim.inspection.power import one_pocket, powers, sector
from sim.inspection.profiles import outside_rate

CRITICAL = {
    7: (12.592, 14.449, 16.812, 22.458),
    9: (15.507, 17.535, 20.090, 26.124),
    18: (27.587, 30.191, 33.409, 40.790),
    36: (49.802, 53.203, 57.342, 66.619),
    25: (36.415, 39.364, 42.980, 51.179),
    52: (68.669, 72.616, 77.386, 87.968),
    37: (50.998, 54.437, 58.619, 67.985),
}


@pytest.mark.parametrize("cells", CRITICAL)
def test_critical_values_of_chi_square(cells: int) -> None:
    found = chi2.isf([0.05, 0.025, 0.01, 0.001], cells - 1)
    assert found == pytest.approx(CRITICAL[cells], abs=5.1e-4)


@pytest.mark.parametrize(
    ("cells", "largest", "bonferroni", "spread"),
    [
        (25, (2.96, 3.46), (2.88, 3.35), (5.27, 5.92)),
        (36, (3.08, 3.59), (2.99, 3.45), (5.52, 6.10)),
        (37, (3.08, 3.58), (3.00, 3.46), (5.52, 6.17)),
        (52, (3.21, 3.64), (3.10, 3.55), (5.71, 6.28)),
    ],
)
def test_quantiles_of_largest_count_and_range(
    cells: int, largest: tuple[float, ...], bonferroni: tuple[float, ...], spread: tuple[float, ...]
) -> None:
    """The table's quantiles are simulated: a step of one count is 0.07 of a standard deviation."""
    n = 200 * cells
    sigma = np.sqrt(200 * (1 - 1 / cells))
    for level, z, normal, width in zip((0.05, 0.01), largest, bonferroni, spread, strict=True):
        quantile = largest_critical(n, cells, level) - 1
        assert (quantile - 200) / sigma == pytest.approx(z, abs=1.01 / sigma + 0.005)
        widest = next(w for w in range(30, 200) if range_cdf(n, cells, w) >= 1 - level)
        assert widest / sigma == pytest.approx(width, abs=1.01 / sigma + 0.005)
        assert norm.isf(level / cells) == pytest.approx(normal, abs=0.006)


SPINS = {
    ("pocket", 0.10): ((72_240, 99_170), (121_470, 165_030), (126_300, 171_480), (205_200, 276_130)),
    ("pocket", 0.25): ((11_560, 15_870), (19_430, 26_410), (20_210, 27_440), (32_830, 44_180)),
    ("pocket", 0.50): ((2_890, 3_970), (4_860, 6_600), (5_050, 6_860), (8_210, 11_050)),
    ("sector", 0.05): ((24_080, 33_060), (27_760, 37_720), (28_070, 38_110), (32_190, 43_310)),
    ("sector", 0.10): ((6_020, 8_260), (6_940, 9_430), (7_020, 9_530), (8_050, 10_830)),
    ("sector", 0.20): ((1_510, 2_070), (1_740, 2_360), (1_750, 2_380), (2_010, 2_710)),
}


@pytest.mark.parametrize(("kind", "size"), SPINS)
def test_spins_that_chi_square_needs(kind: str, size: float) -> None:
    for cells, wanted in zip((25, 36, 37, 52), SPINS[kind, size], strict=True):
        shares = one_pocket(cells, size) if kind == "pocket" else sector(cells, size)
        for power, spins in zip((0.80, 0.95), wanted, strict=True):
            found = _spins("F1.chi_square", shares, power)
            assert found == pytest.approx(spins, rel=0.001, abs=6)


@pytest.mark.parametrize(
    ("size", "wanted"),
    [(0.05, (11_100, 16_520)), (0.1, (2_780, 4_130)), (0.2, (690, 1_030)), (0.4, (170, 260))],
)
@pytest.mark.parametrize("cells", [25, 37, 52])
def test_spins_that_the_harmonic_test_needs(cells: int, size: float, wanted: tuple[int, int]) -> None:
    for power, spins in zip((0.80, 0.95), wanted, strict=True):
        found = _spins("F2.harmonic", sector(cells, size), power)
        assert found == pytest.approx(spins, rel=0.005, abs=5)


@pytest.mark.parametrize(
    ("cells", "excess", "spins"),
    [
        (25, 1 / 24, 498_680),
        (25, 0.10, 86_577),
        (25, 0.20, 21_645),
        (9, 0.125, 12_908),
        (18, 0.125, 34_850),
        (18, 0.25, 8_713),
        (52, 0.13043478, 142_914),
        (52, 0.25, 38_903),
        (52, 0.50, 9_726),
    ],
)
def test_spins_of_the_games(cells: int, excess: float, spins: int) -> None:
    assert _spins("F1.chi_square", one_pocket(cells, excess), 0.9) == pytest.approx(spins, abs=1)


def test_spins_of_a_sector_at_90_percent() -> None:
    for amplitude, omnibus, harmonic in ((0.1, 7_215, 3_486), (0.2, 1_804, 872)):
        assert _spins("F1.chi_square", sector(25, amplitude), 0.9) == pytest.approx(omnibus, abs=1)
        assert _spins("F2.harmonic", sector(25, amplitude), 0.9) == pytest.approx(harmonic, abs=1)


def _spins(test: str, shares: np.ndarray, power: float) -> float:
    fair = np.full(len(shares), 1 / len(shares))
    (found,) = powers(shares, fair, power=power, tests=[test])
    return found.spins


@pytest.mark.parametrize(
    ("cells", "singles", "pairs"),
    [(9, 2.4, 20), (18, 4.6, 65), (25, 6.9, 90), (37, 9.6, 98.7), (52, 13.7, 99.98)],
)
def test_three_standard_deviations_of_every_outcome(cells: int, singles: float, pairs: float) -> None:
    n = 1000 * cells
    assert 100 * outside_rate(n, np.full(cells, 1 / cells)) == pytest.approx(singles, abs=0.051)
    found = 100 * outside_rate(n - 1, np.full(cells**2, 1 / cells**2))
    assert found == pytest.approx(pairs, abs=0.51 if pairs < 98 else 0.051)
    z = {9: 2.77, 18: 2.99, 25: 3.09, 37: 3.20, 52: 3.30}[cells]
    assert norm.isf(0.025 / cells) == pytest.approx(z, abs=0.0051)


def test_chi_square_of_37_outcomes_has_36_degrees_of_freedom() -> None:
    assert chi2.ppf([0.0125, 0.9875], 36) == pytest.approx([19.707, 57.632], abs=5e-4)


def test_noncentrality_gives_the_power_asked_for() -> None:
    """Against counts drawn from the alternative itself."""
    shares = sector(25, 0.1)
    n = round(_spins("F1.chi_square", shares, 0.9))
    counts = np.random.default_rng(1).multinomial(n, shares, size=20_000)
    statistic = ((counts - n / 25) ** 2).sum(axis=1) / (n / 25)
    assert np.mean(statistic > chi2.isf(0.01, 24)) == pytest.approx(0.9, abs=0.01)
    assert noncentrality(24, 0.01, 0.9) == pytest.approx(n * 0.005, rel=1e-3)


@pytest.mark.slow
def test_spins_to_the_alarm_of_an_e_process_at_one_scale() -> None:
    """Lindon and Malek's e-process, alpha 0.01, 37 pockets: medians of 2 000 runs, each checked at every spin."""
    wanted = {
        0.1: {100 / 37: 37_400, 50.0: 9_040, 200.0: 5_840},
        0.2: {100 / 37: 6_090, 50.0: 1_470, 200.0: 2_200},
        0.4: {100 / 37: 640, 50.0: 550, 200.0: 1_005},
    }
    for amplitude, medians in wanted.items():
        for scale, median in medians.items():
            found = _alarms(sector(37, amplitude), scale, int(2.2 * median), 500)
            # A median of 500 runs and one of 2 000 differ by chance by a tenth of a spread of half the median.
            assert np.median(found) == pytest.approx(median, rel=0.08), (amplitude, scale)


def _alarms(shares: np.ndarray, scale: float, most: int, runs: int) -> np.ndarray:
    """Return the spin of the first E >= 100 of every run, `most` where there is none."""
    random = np.random.default_rng(7)
    cells = len(shares)
    counts = np.zeros((runs, cells))
    value = np.full(runs, float(log_e(np.zeros(cells, dtype=np.int64), np.full(cells, 1 / cells), scale)))
    alarm = np.full(runs, most)
    each = np.arange(runs)
    for spin in range(most):
        drawn = np.searchsorted(np.cumsum(shares), random.random(runs), side="right").clip(max=cells - 1)
        value += np.log((scale + counts[each, drawn]) / (scale * cells + spin) * cells)
        counts[each, drawn] += 1
        alarm = np.where((value >= np.log(100)) & (alarm == most), spin + 1, alarm)
    return alarm
