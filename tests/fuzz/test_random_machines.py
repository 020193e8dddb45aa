"""Random valid scenarios, a spin each: no crash, no NaN, no ball where none can be, an end to every spin."""

import pytest

from tests.fuzz.checking import Tally, check


def played(seed: int, scenarios: int) -> Tally:
    total, index = Tally(), 0
    while total.played < scenarios:
        total.add(check(seed, index))
        index += 1
    return total


def test_a_few() -> None:
    assert played(1, 40).broken == []


@pytest.mark.slow
def test_many() -> None:
    total = played(2, 1500)
    assert total.broken == []
    # The machines are far enough from the shipped ones that every way to end comes up.
    assert set(total.endings) == {"rest", "left_apparatus", "time_limit"}
