"""Every test's false-alarm rate on fair wheels, the family's and the e-process's (docs/calibration.md)."""

import pytest

from tests.calibration import DOCUMENT, GAMES, LENGTHS, alarms, document, off, p_values, rates, too_high


@pytest.mark.slow
def test_no_test_cries_wolf() -> None:
    """10 000 fair logs of each game and length, and 10 000 fair streams of 20 000 spins of each game."""
    found = rates() + alarms()
    DOCUMENT.write_text(document(found), encoding="utf-8")
    assert too_high(found) == []
    assert off(found) == []


def test_a_test_that_cries_wolf_is_caught() -> None:
    """p-values too small by a fifth are told from exact ones."""
    from tests.calibration import LOGS, Rate

    fine = [Rate("g", "t", 50, 0.05, LOGS, 0.05, None)] * 200
    assert too_high(fine) == []
    assert too_high([*fine, Rate("g", "t", 50, 0.05, LOGS, 0.0625, None)]) != []
    assert off([Rate("g", "t", 50, 0.05, LOGS, 0.036, 0.05)]) != []


def test_small_calibration_has_every_test() -> None:
    p = p_values(GAMES[0], LENGTHS[1], 40, 1)
    assert {"F1.largest", "F2.scan", "F3.runs", "F6.drift"} <= p.keys()
    assert all(values.shape == (40,) for values in p.values())
