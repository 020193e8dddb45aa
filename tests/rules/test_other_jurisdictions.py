"""Conditions of a void spin that other jurisdictions state, told by a rulebook file alone."""

from pathlib import Path

import pytest

from sim.rules.contradictions import suspicious
from sim.rules.library import load
from sim.rules.outcome import decide
from sim.rules.round import State
from sim.rules.script import Action, play_spin
from tests.rules.spins import contact, events, landing
from tests.rules.test_round import bet, start

ROULETTE = load(str(Path(__file__).parent / "rulebooks" / "no-spin-roulette.yaml"))
RING = ("0", *map(str, range(1, 19)), "00", *map(str, range(19, 37)))


def test_the_file_is_sound():
    assert suspicious(ROULETTE) == []


@pytest.mark.parametrize(
    ("code", "changes", "extra", "time"),
    [
        ("BALL_OUT", {"pocket": None, "ending": "left_apparatus", "duration": 12.5}, (), 12.5),
        ("SAME_DIR", {"plate_direction": -1}, (), 30.0),
        ("MIN_TURNS", {"ball_turns": 3.99}, (), 30.0),
        ("OBJECT", {}, (contact(11.0, "object/plate"), contact(10.0, "object/plate")), 10.0),
    ],
)
def test_no_spin(code, changes, extra, time):
    rest = None if changes.get("ending") else 30.0
    spin = landing(
        changes.get("pocket", 7), **{key: value for key, value in changes.items() if key != "pocket"}
    )
    outcome = decide(ROULETTE, RING, spin, events(rest=rest, extra=extra))
    assert (outcome.void.code, outcome.void.article, outcome.void.inferred) == (code, "SD-06", False)
    assert outcome.time == time
    play, ledger = start(ROULETTE)
    play_spin(play, [Action(1.0, "Ana", bet(ROULETTE, "red=5"))], outcome)
    assert play.state is State.VOID
    assert [words.text for words in play.spoken] == ["No more bets", "No spin"]
    assert (ledger.held, ledger.balances) == (5, True)
    play.relaunch()
    assert play.state is State.CLOSED


@pytest.mark.parametrize(
    "changes", [{}, {"ball_turns": 4.0}, {"plate_direction": 0}, {"ball_turns": float("nan")}]
)
def test_a_spin(changes):
    outcome = decide(ROULETTE, RING, landing(7, **changes), events())
    assert (outcome.valid, outcome.symbol, outcome.closing) == (True, "7", 8.0)


def test_a_wheel_and_a_ball_that_both_lie_still_do_not_turn_the_same_way():
    still = landing(7, ball_direction=0, plate_direction=0)
    assert decide(ROULETTE, RING, still, events()).valid
