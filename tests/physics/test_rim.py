"""The rim law against closed forms and published numbers: T4-T7 of the physics page."""

from math import cos, pi, radians, sin, sqrt, tan

import numpy as np
import pytest

from sim.physics import rim
from sim.physics.rim import Rim, circulate, exit_speed, inertia, uneven_exit

G = 9.80665


def groove(
    preset="point_mass", radius=0.36, slope=14.5, d=(0.10, 0.0, 0.0), tilt=0.0, low_side=0.0, table=()
) -> Rim:
    chi, lam = inertia(preset, radians(slope))
    rows = np.array(table, dtype=float).reshape(-1, 2)
    return Rim(
        radius,
        radians(slope),
        chi,
        lam,
        *rim.rolling(preset, radians(slope)),
        *d,
        rows,
        G,
        radians(tilt),
        low_side,
        np.zeros((0, 4)),
    )


def exits(law: Rim, n: int, seed: int = 7) -> np.ndarray:
    """Exit azimuths of n launches at all azimuths, fast enough that each has made several turns."""
    rng = np.random.default_rng(seed)
    starts, speeds = rng.uniform(0, 2 * pi, n), rng.uniform(4.5, 5.5, n)
    return np.array([circulate(a, s, 1, law, 5e-3, 200.0)[0] for a, s in zip(starts, speeds, strict=True)])


@pytest.mark.parametrize("preset", ["point_mass", "rolling", "two_contact"])
def test_t4_level_exit_speed(preset):
    """w_exit^2 = (g/R) tan(alpha)/(1 + lambda), the same every spin; the exit azimuth is uniform."""
    law = groove(preset)
    _, lam = inertia(preset, law.slope)
    for start in (3.0, 5.0, 9.0):
        _, speed, _, left = circulate(0.3, start, -1, law, 5e-3, 200.0)
        assert left
        assert speed**2 == pytest.approx(G / law.radius * tan(law.slope) / (1 + lam), rel=1e-9)
    found = exits(law, 4000)
    assert abs(np.exp(1j * found).mean()) < 3 * sqrt(pi / 4 / 4000) + 0.01


@pytest.mark.parametrize(("start", "d"), [(5.0, 0.10), (9.0, 0.35)])
def test_t5_rim_time_at_constant_deceleration(start, d):
    """t = (w0 - sqrt((g/R) tan alpha))/d, and the way is (w0^2 - w_exit^2)/2d."""
    law = groove(d=(d, 0.0, 0.0))
    azimuth, speed, time, _ = circulate(0.0, start, 1, law, 5e-3, 200.0)
    expected = sqrt(G / law.radius * tan(law.slope))
    assert time == pytest.approx((start - expected) / d, rel=1e-10)
    assert azimuth == pytest.approx((start**2 - speed**2) / (2 * d), rel=1e-10)


def test_deceleration_polynomial_against_its_closed_form():
    """With d = c2 w^2: w = w0/(1 + c2 w0 t) and theta = ln(1 + c2 w0 t)/c2."""
    law = groove(d=(0.0, 0.0, 0.05))
    azimuth, speed, time, _ = circulate(0.0, 8.0, 1, law, 5e-3, 200.0)
    assert speed == pytest.approx(8.0 / (1 + 0.05 * 8.0 * time), rel=1e-9)
    assert azimuth == pytest.approx(np.log(1 + 0.05 * 8.0 * time) / 0.05, rel=1e-9)


def test_deceleration_table_is_linear_between_rows_and_constant_beyond():
    law = groove(table=[(2.0, 0.1), (4.0, 0.3), (6.0, 0.2)])
    speeds = [0.5, 2.0, 3.0, 5.0, 6.0, 9.0]
    assert [rim.deceleration(s, law) for s in speeds] == pytest.approx([0.1, 0.1, 0.2, 0.25, 0.2, 0.2])


def test_t6_tilt_gathers_the_exits_uphill():
    """beta < 1: density (1 + beta sin phi)/2 pi, mean resultant beta/2, centre +90 deg from the low point."""
    law = groove("rolling", tilt=0.06, low_side=1.0)
    beta = uneven_exit(law, 0.10)
    assert 0.2 < beta < 1.0
    mean = np.exp(1j * (exits(law, 10_000) - law.low_side)).mean()
    assert abs(mean) == pytest.approx(beta / 2, abs=0.02)
    assert np.angle(mean, deg=True) == pytest.approx(90.0, abs=10.0)


@pytest.mark.parametrize("way", [1, -1])
def test_t6_holds_in_both_directions_of_travel(way):
    law = groove("rolling", tilt=0.1)
    rng = np.random.default_rng(3)
    found = [circulate(a, 5.0 + u, way, law, 5e-3, 200.0)[0] for a, u in rng.uniform(0, 2 * pi, (4000, 2))]
    mean = np.exp(1j * np.array(found)).mean()
    assert np.angle(mean, deg=True) == pytest.approx(way * 90.0, abs=8.0)


@pytest.mark.parametrize(
    ("tilt", "resultant", "arc"),
    [(0.05, 0.147, 0.0), (0.10, 0.297, 0.0), (0.20, 0.586, 98.8), (0.30, 0.741, 174.2), (0.50, 0.857, 227.1)],
)
def test_t7_published_tilts(tilt, resultant, arc):
    """R = 0.36 m, alpha = 14.5 deg, d = 0.10 rad/s^2, rolling: mean resultant and forbidden arc."""
    law = groove("rolling", tilt=tilt)
    assert abs(np.exp(1j * exits(law, 10_000)).mean()) == pytest.approx(resultant, abs=0.02)
    assert np.degrees(forbidden_arc(law, 0.10)) == pytest.approx(arc, abs=1.0)


def forbidden_arc(law: Rim, d: float) -> float:
    """Arc in which no ball can leave, by following the law's own exit margin.

    A ball leaves where w^2 - w_exit^2(theta) first falls to zero, so the exits of all launches are the azimuths at
    which that margin sets a new record low along the way; between two stretches of records nobody leaves.
    """
    grid = np.linspace(0.0, 4 * pi, 400_001)
    pull = G * sin(law.tilt) / (law.radius * law.chi)
    # w^2 along the travel from energy: d(w^2)/dtheta = 2 (-d + pull sin(low - theta)).
    squared = -2 * d * grid + 2 * pull * (np.cos(law.low_side - grid) - cos(law.low_side))
    margin = squared - np.array([exit_speed(a, law) ** 2 for a in grid])
    lowest = np.minimum.accumulate(margin)
    # Over all entry energies the exits are the points where the margin sets a new record low.
    record = margin <= lowest + 1e-15
    late = record[grid > 2 * pi]
    return float(2 * pi * (1.0 - late.mean()))


def test_two_contact_spin_slips_at_neither_contact():
    """The spin with which the free phase starts rolls on floor and wall at once."""
    r, v, azimuth, law = 0.025, 1.3, 0.7, groove("two_contact", slope=14.0)
    slope = law.slope
    spin = np.array(rim.groove_spin(azimuth, v, r, law))
    out = np.array([cos(azimuth), sin(azimuth), 0.0])
    velocity = v * np.array([-sin(azimuth), cos(azimuth), 0.0])
    for normal in (-out, -sin(slope) * out + cos(slope) * np.array([0.0, 0.0, 1.0])):
        assert np.abs(velocity - r * np.cross(spin, normal)).max() < 1e-12
