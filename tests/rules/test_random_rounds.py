"""Thousands of random scripts thrown at the round: the ledger balances, closings and freezes hold."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.rules.bets import Wager
from sim.rules.ledger import Ledger
from sim.rules.outcome import Outcome, decide
from sim.rules.round import Refused, Round, Slip, State
from sim.rules.rulebook import Rulebook, with_options
from sim.rules.script import Action, play_spin
from sim.rules.table import Table
from tests.rules.spins import RINGS, contact, events, landing, push
from tests.rules.test_settlement import BOOKS, wagers_of

GAMES = ["macau-boule-1979", "es-boule-1979", "macau-roda-2003"]
# Before the push, at each closing, and anywhere.
TIMES = st.sampled_from([-10.0, -2.0, -1.0, 0.0, 6.0, 10.0, 18.0]) | st.floats(-20, 40, allow_nan=False)


@cache
def actions_of(name: str) -> st.SearchStrategy[list[Action]]:
    """Bets put down, taken back and changed by three players, in any order of time."""

    def action(deed: str, time: float, player: str, wager: Wager, number: int, leave: bool) -> Action:
        if deed == "place":
            return Action(time, player, wager, leave=leave)
        return Action(time, player, wager if deed == "change" else None, number)

    leaves = st.booleans() if name == "es-boule-1979" else st.just(False)
    deeds = st.sampled_from(["place", "place", "withdraw", "change"])
    drawn = st.tuples(deeds, TIMES, st.sampled_from("ABC"), wagers_of(name), st.integers(0, 6), leaves)
    return st.lists(drawn.map(lambda values: action(*values)), max_size=7)


@cache
def outcomes_of(rulebook_id: str, reading: str | None) -> st.SearchStrategy[Outcome]:
    """Outcomes of spins that end in a pocket, off it, out of the apparatus, never, or are disturbed."""
    rulebook, ring = book(rulebook_id, reading), RINGS[rulebook_id]
    cells = st.integers(0, len(ring) - 1)
    if rulebook_id == "macau-roda-2003":
        turned = st.tuples(cells, st.floats(0, 12), st.sampled_from([False, False, True]))
        spins = turned.map(lambda v: push(v[0], turns_forward=v[1], turns_net=v[1], on_peg=v[2]))
    else:
        spins = cells.map(landing) | st.sampled_from(
            [landing(None), landing(None, ending="left_apparatus"), landing(None, ending="time_limit")]
        )
    extras = st.sampled_from([(), (), (contact(9.0, "object/plate"),), (contact(9.0, "player/wheel"),)])
    bells = st.sampled_from([18.0, 18.0, 6.0, None])
    drawn = st.tuples(spins, bells, extras)
    return drawn.map(lambda v: decide(rulebook, ring, v[0], events(v[1], extra=v[2])))


@cache
def book(name: str, reading: str | None) -> Rulebook:
    return with_options(BOOKS[name], reading=reading) if reading else BOOKS[name]


READINGS = {"es-boule-1979": ["launch", "hole_zone"]}


@pytest.mark.article("MB-09", "MB-13", "SB-17", "RS-05")
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_script_balances(name: str, data: st.DataObject) -> None:
    play_script(name, data)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=3_400, deadline=None)
@given(st.data())
def test_ten_thousand_scripts_balance(name: str, data: st.DataObject) -> None:
    play_script(name, data)


def aimed(actions: list[Action], play: Round) -> list[Action]:
    """Let every second withdrawal and change be of a bet that lies there, by its own player."""
    lying = list(play.slips.values())
    if not lying:
        return actions

    def aim(action: Action) -> Action:
        if action.number is None or action.number % 2:
            return action
        slip = lying[action.number // 2 % len(lying)]
        return replace(action, player=slip.player, number=slip.number)

    return [aim(action) for action in actions]


def play_script(name: str, data: st.DataObject) -> None:
    """Play up to four spins with random players, one of them poor; after a void spin comes another of the same
    round, after a decided one another round."""
    reading = data.draw(st.sampled_from(READINGS.get(name, [None])))
    rulebook = book(name, reading)
    maxima = {rule.limit: rule.low * 100 for rule in rulebook.limits.maxima} if rulebook.limits else {}
    ledger = Ledger()
    play = Round(rulebook, ledger, Table(100, maxima, (100,), chips={"C": 1000}))
    for _ in range(data.draw(st.integers(1, 4))):
        outcome = data.draw(outcomes_of(name, reading))
        check_spin(play, aimed(data.draw(actions_of(name)), play), outcome, ledger)
        if play.state is State.DECIDED:
            check_payment(play, ledger)
            play = check_next_round(play, ledger)
        else:
            play.relaunch()


def may_be_taken(play: Round, time: float, outcome: Any, open_at_first: bool) -> bool:
    """Whether a bet at a time may be taken: while bets are open, or after a void spin that lets new ones in."""
    after = play.rulebook.after_void
    if time > outcome.time:
        return outcome.void is not None and after is not None and after.new == "accepted"
    shut = outcome.closing
    in_time = shut is None or time < shut or (time == shut and play.rulebook.closing.when != "before_push")
    return open_at_first and in_time


def check_spin(play: Round, actions: list[Action], outcome: Any, ledger: Ledger) -> None:
    frozen = {number: slip for number, slip in play.slips.items() if slip.frozen}
    open_at_first = play.state is State.OPEN
    lying = dict(play.slips)
    house = ledger.house
    for action, result in play_spin(play, actions, outcome):
        may = may_be_taken(play, action.time, outcome, open_at_first)
        assert may or isinstance(result, Refused)
        if isinstance(result, Refused):
            assert (
                action.number is not None
                or result.article
                or "minimum" in result.reason
                or "chips left" in result.reason
            )
            continue
        if action.time > outcome.time and action.number is not None:
            assert action.number not in lying
        if action.number is not None:
            assert action.number not in frozen
            lying.pop(action.number, None)
        if isinstance(result, Slip):
            assert result.wager == action.wager
            assert not result.frozen
            if action.time <= outcome.time:
                lying[result.number] = result
    assert {number: play.slips[number] for number in frozen} == frozen
    assert ledger.balances
    assert ledger.held == sum(slip.wager.stake for slip in play.slips.values())
    assert ledger.house == house
    assert 1000 + ledger.net("C") >= 0
    if outcome.void is not None:
        assert play.state is State.VOID
        assert {number for number, slip in play.slips.items() if slip.frozen} == set(lying)
        assert all(play.slips[number].wager == slip.wager for number, slip in lying.items())
    check_limits(play)


def check_limits(play: Round) -> None:
    for player in "ABC":
        for maximum, bound in play.table.maxima.items():
            names = next(rule.bets for rule in play.rulebook.limits.maxima if rule.limit == maximum)
            totals: dict[str, int] = {}
            for slip in play.slips.values():
                if slip.player == player and slip.wager.bet.bet in names:
                    totals[slip.wager.chance] = totals.get(slip.wager.chance, 0) + slip.wager.stake
            assert all(total <= bound for total in totals.values())


def check_payment(play: Round, ledger: Ledger) -> None:
    held, house = dict(play.slips), ledger.house
    paid = play.pay()
    assert sorted(slip.number for slip, _ in paid) == sorted(held)
    stages = [0 if line.result == "lost" else 1 for _, line in paid]
    assert stages == sorted(stages)
    assert ledger.held == sum(line.staked for slip, line in paid if slip.leave and line.result == "won")
    assert ledger.balances
    assert ledger.house == house - sum(line.net for _, line in paid)
    assert ledger.house + ledger.held == -sum(ledger.net(player) for player in "ABC")


def check_next_round(play: Round, ledger: Ledger) -> Round:
    held = ledger.held
    following = play.follow()
    assert (following.number, following.state, ledger.held) == (play.number + 1, State.OPEN, held)
    assert held == sum(slip.wager.stake for slip in following.slips.values())
    assert not any(slip.frozen for slip in following.slips.values())
    return following
