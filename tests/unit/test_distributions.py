"""Draws by inverse transform: the same for a scalar and an array, within bounds, of the right law."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sim.scenario.distributions import Constant, Normal, Uniform

U = (np.arange(20_000) + 0.5) / 20_000


def normal(mean: float, sd: float, low: float | None = None, high: float | None = None) -> Normal[float]:
    return Normal.model_construct(mean=mean, sd=sd, min=low, max=high)


@pytest.mark.parametrize(
    "drawn",
    [
        Constant.model_construct(value=2.5),
        Uniform.model_construct(min=-1.0, max=3.0),
        normal(3.4, 0.25),
        normal(3.4, 0.25, 1.5, 5.0),
        normal(0.0, 1.0, 4.0, None),
    ],
)
def test_a_scalar_draws_exactly_what_an_array_draws(drawn: Normal[float]) -> None:
    u = U[::97]
    array = drawn.quantile(u)
    assert array.shape == u.shape
    assert [drawn.quantile(float(each)) for each in u] == array.tolist()
    assert drawn.quantile(u.reshape(1, -1)).shape == (1, len(u))
    assert isinstance(drawn.quantile(0.5), float)


@given(
    st.floats(-5, 5),
    st.floats(0.01, 3),
    st.floats(-4, 3.5),
    st.floats(0.1, 6),
    st.floats(1e-12, 1 - 1e-12),
)
def test_a_cut_normal_is_scipys(mean: float, sd: float, low: float, width: float, u: float) -> None:
    drawn = normal(mean, sd, mean + low * sd, mean + (low + width) * sd)
    value = drawn.quantile(u)
    assert drawn.lowest <= value <= drawn.highest
    assert (value - mean) / sd == pytest.approx(stats.truncnorm(low, low + width).ppf(u), abs=1e-6)


def test_moments() -> None:
    values = normal(3.4, 0.25).quantile(U)
    assert values.mean() == pytest.approx(3.4, abs=1e-9)
    assert values.std() == pytest.approx(0.25, rel=1e-3)
    assert Uniform.model_construct(min=0.0, max=12.0).quantile(U).std() == pytest.approx(
        math.sqrt(12), rel=1e-3
    )


def test_bounds_of_an_open_normal() -> None:
    assert normal(1.0, 0.5).lowest == -2.0
    assert normal(1.0, 0.5).highest == 4.0
    assert normal(1.0, 0.5, 0.0).lowest == 0.0
