"""The table follows the spin that is shown, by its rulebook, and its ledger balances."""

from dataclasses import replace

import pytest

from sim.rules.bets import parse_bet
from sim.rules.library import load
from sim.rules.outcome import Outcome, VoidSpin
from sim.rules.round import State
from sim.view.sitting import Sitting

MACAU, RODA = load("macau-boule-1979"), load("macau-roda-2003")
SEVEN = Outcome("7", "red", ("number:7", "small", "red"), True, None, 16.0, (), "MB-10", 27.0)
CHIP = replace(
    SEVEN, symbol=None, colour=None, chances=(), valid=False, time=9.0, closing=None,
    void=VoidSpin("OBJECT", "MB-11", "an object", inferred=False, announcement="void"),
)  # fmt: skip


def bet(sitting, text):
    return sitting.bet(parse_bet(sitting.rulebook, text))


def test_a_round_closes_at_the_bell_and_pays_at_rest():
    sitting = Sitting(MACAU, 100)
    assert bet(sitting, "number:7=5")
    sitting.launch(SEVEN)
    sitting.advance(15.9)
    assert bet(sitting, "red=10")
    sitting.advance(16.0)
    assert sitting.state is State.CLOSED
    assert not bet(sitting, "black=10")
    assert sitting.purse == 85
    assert sitting.decided is None
    sitting.advance(27.0)
    assert sitting.state is State.PAID
    assert sitting.purse == 100 + 23 * 5 + 10
    assert sitting.ledger.balances
    refused = [note for note in sitting.notes if note.kind == "refused"]
    assert [note.article for note in refused] == ["MB-09"]


def test_all_that_is_due_is_done_in_order_by_one_long_step():
    sitting = Sitting(MACAU, 100)
    bet(sitting, "number:7=5")
    sitting.launch(SEVEN)
    sitting.advance(100.0)
    assert sitting.state is State.PAID
    said = [note for note in sitting.notes if note.kind == "said"]
    assert [note.time for note in said] == [16.0, 27.0]


def test_seen_again_nothing_happens_twice():
    sitting = Sitting(MACAU, 100)
    bet(sitting, "red=10")
    sitting.launch(SEVEN)
    sitting.advance(27.0)
    notes = len(sitting.notes)
    sitting.advance(3.0)
    sitting.advance(27.0)
    assert len(sitting.notes) == notes
    assert sitting.purse == 110


def test_a_chip_makes_it_void_freezes_the_bets_and_takes_new_ones():
    sitting = Sitting(MACAU, 100)
    bet(sitting, "red=10")
    sitting.launch(SEVEN)
    sitting.advance(8.0)
    sitting.foresee(CHIP)
    sitting.advance(9.0)
    assert sitting.state is State.VOID
    assert not sitting.take_back()
    assert bet(sitting, "number:7=1")
    sitting.launch(SEVEN)
    sitting.advance(27.0)
    assert sitting.play.spin == 1
    assert sitting.purse == 100 + 10 + 23
    assert sitting.ledger.balances


def test_where_bets_close_before_the_push_none_is_taken_after_it():
    outcome = replace(SEVEN, symbol="A", colour="none", chances=("symbol:A",), closing=-1.0, time=36.0)
    sitting = Sitting(RODA, 100)
    bet(sitting, "symbol:A=10")
    sitting.launch(outcome)
    sitting.advance(-1.1)
    assert sitting.state is State.OPEN
    sitting.advance(-1.0)
    assert sitting.state is State.CLOSED
    assert sitting.said.text == "Não há mais apostas"
    assert not sitting.take_back()
    sitting.advance(36.0)
    assert sitting.purse == 110


def test_nobody_plays_with_chips_that_are_not_there():
    sitting = Sitting(MACAU, 20)
    assert not bet(sitting, "red=25")
    assert sitting.purse == 20
    assert not sitting.on_cloth()


@pytest.mark.parametrize("rounds", [1, 3])
def test_every_round_has_a_number_and_a_clean_cloth(rounds):
    sitting = Sitting(MACAU, 100)
    for number in range(rounds):
        assert sitting.play.number == number
        bet(sitting, "black=1")
        sitting.launch(SEVEN)
        sitting.advance(30.0)
        sitting.next_round()
        assert not sitting.on_cloth()
    assert sitting.purse == 100 - rounds


def test_bets_are_told_by_what_they_are_on():
    sitting = Sitting(MACAU, 100)
    for text in ("number:7=5", "numbers:1,2,3=6", "star=1", "small=2"):
        bet(sitting, text)
    assert [note.text for note in sitting.notes] == ["5 on 7", "6 on 1, 2, 3", "1 on star", "2 on small"]


def test_the_gain_of_a_round_is_told_when_it_is_paid():
    sitting = Sitting(MACAU, 100)
    for gain, text in ((5 * 23, "number:7=5"), (-4, "black=4")):
        bet(sitting, text)
        sitting.launch(SEVEN)
        sitting.advance(16.5)
        assert sitting.gain == 0
        sitting.advance(27.0)
        assert sitting.gain == gain
        sitting.next_round()
        assert sitting.gain == 0


def test_what_is_done_between_two_launches_has_no_time():
    sitting = Sitting(MACAU, 100)
    bet(sitting, "red=10")
    sitting.launch(CHIP)
    sitting.advance(12.0)
    sitting.wait()
    bet(sitting, "number:7=1")
    assert sitting.notes[-1].time is None
    assert not sitting.take_back(chance="red")
    assert sitting.notes[-1].time is None
