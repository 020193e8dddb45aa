"""Thousands of random scripts thrown at the round: the ledger balances, closings and freezes hold."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.rules.ledger import Ledger
from sim.rules.outcome import decide
from sim.rules.round import Refused, Round, Slip, State
from sim.rules.rulebook import with_options
from sim.rules.script import Action, play_spin
from sim.rules.table import Table
from tests.rules.spins import RINGS, contact, events, landing, push
from tests.rules.test_settlement import BOOKS, wagers_of

GAMES = ["macau-boule-1979", "es-boule-1979", "macau-roda-2003"]
TIMES = st.one_of(st.sampled_from([-1.0, 0.0, 10.0, 18.0]), st.floats(-20, 40, allow_nan=False))


def actions_of(name: str) -> st.SearchStrategy[list[Action]]:
    place = st.builds(Action, TIMES, st.sampled_from("ABC"), wagers_of(name))
    withdraw = st.builds(Action, TIMES, st.sampled_from("ABC"), st.none(), st.integers(0, 6))
    change = st.builds(Action, TIMES, st.sampled_from("ABC"), wagers_of(name), st.integers(0, 6))
    return st.lists(place | place | withdraw | change, max_size=7)


def outcomes_of(name: str, rulebook: Any) -> st.SearchStrategy[Any]:
    """Outcomes of spins that end in a pocket, off it, out of the apparatus, never, or are disturbed."""
    ring = RINGS[name]
    cells = st.integers(0, len(ring) - 1)
    if name == "macau-roda-2003":
        spins = st.builds(
            lambda cell, turns, peg: push(cell, turns_forward=turns, turns_net=turns, on_peg=peg),
            cells,
            st.floats(0, 12),
            st.sampled_from([False, False, True]),
        )
    else:
        spins = cells.map(landing) | st.sampled_from(
            [landing(None), landing(None, ending="left_apparatus"), landing(None, ending="time_limit")]
        )
    extras = st.sampled_from([(), (), (contact(9.0, "object/plate"),), (contact(9.0, "player/wheel"),)])
    bells = st.sampled_from([18.0, 18.0, 6.0, None])
    return st.builds(
        lambda spin, bell, extra: decide(rulebook, ring, spin, events(bell, extra=extra)),
        spins,
        bells,
        extras,
    )


@pytest.mark.article("MB-09", "MB-13", "SB-17", "RS-05")
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_script_balances(data):
    play_script(data)


@pytest.mark.slow
@settings(max_examples=10_000, deadline=None)
@given(st.data())
def test_ten_thousand_scripts_balance(data):
    play_script(data)


def play_script(data):
    """Play up to three spins with random players; a void spin is followed by another of the same round."""
    name = data.draw(st.sampled_from(GAMES))
    rulebook = BOOKS[name]
    if name == "es-boule-1979":
        rulebook = with_options(rulebook, reading=data.draw(st.sampled_from(["launch", "hole_zone"])))
    maxima = {rule.limit: rule.low * 100 for rule in rulebook.limits.maxima} if rulebook.limits else {}
    ledger = Ledger()
    play = Round(rulebook, ledger, Table(100, maxima, (100,)))
    for _ in range(data.draw(st.integers(1, 3))):
        outcome = data.draw(outcomes_of(name, rulebook))
        check_spin(play, data.draw(actions_of(name)), outcome, ledger)
        if play.state is State.DECIDED:
            check_payment(play, ledger)
            return
        play.relaunch()


def check_spin(play: Round, actions: list[Action], outcome: Any, ledger: Ledger) -> None:
    frozen = {number: slip for number, slip in play.slips.items() if slip.frozen}
    reopened = play.state is State.OPEN
    results = play_spin(play, actions, outcome)
    for action, result in results:
        shut = outcome.closing
        late = shut is not None and (
            action.time > shut or (action.time == shut and play.rulebook.closing.when == "before_push")
        )
        if late or not reopened:
            assert isinstance(result, Refused)
        if isinstance(result, Refused) and action.wager is not None and action.number is None:
            assert result.article is not None or "minimum" in result.reason
        if action.number in frozen:
            assert isinstance(result, Refused)
        if isinstance(result, Slip):
            assert result.wager == action.wager
            assert result.number not in frozen
    assert {number: play.slips[number] for number in frozen} == frozen
    assert ledger.balances
    assert ledger.held == sum(slip.wager.stake for slip in play.slips.values())
    assert ledger.house == 0
    if outcome.void is not None:
        assert play.state is State.VOID
        assert all(slip.frozen for slip in play.slips.values())
    for player in "ABC":
        for maximum, bound in play.table.maxima.items():
            names = next(rule.bets for rule in play.rulebook.limits.maxima if rule.limit == maximum)
            totals: dict[str, int] = {}
            for slip in play.slips.values():
                if slip.player == player and slip.wager.bet.bet in names:
                    totals[slip.wager.chance] = totals.get(slip.wager.chance, 0) + slip.wager.stake
            assert all(total <= bound for total in totals.values())


def check_payment(play: Round, ledger: Ledger) -> None:
    held = dict(play.slips)
    paid = play.pay()
    assert sorted(slip.number for slip, _ in paid) == sorted(held)
    stages = [0 if line.result == "lost" else 1 for _, line in paid]
    assert stages == sorted(stages)
    assert ledger.held == 0
    assert ledger.balances
    assert ledger.house == -sum(line.net for _, line in paid)
    assert ledger.house == -sum(ledger.net(player) for player in "ABC")
