import pytest

from sim.documents.faults import Mark
from sim.rules.bets import parse_bet
from sim.rules.ledger import Entry, Ledger
from sim.rules.outcome import decide
from sim.rules.round import Refused, Round, Slip, State
from sim.rules.script import Action, play_spin
from sim.rules.table import Table, check_table, check_throws
from tests.rules.spins import (
    MACAU_RING,
    RODA_RING,
    SPANISH_RING,
    contact,
    events,
    landing,
    macau,
    push,
    roda,
    spanish,
)

SPANISH_TABLE = Table(10, {"number": 400, "simple": 2000}, (10, 20), ("Ana", "Luis"))
BELL = 18.0


def macau_outcome(pocket, **changes):
    return decide(macau(), MACAU_RING, landing(pocket, **changes), events(BELL))


def bet(rulebook, text):
    return parse_bet(rulebook, text)


def start(rulebook, table=None):
    ledger = Ledger()
    return Round(rulebook, ledger, table), ledger


@pytest.mark.article("MB-14", "MB-09", "MB-10")
def test_a_macau_round_from_bets_to_payment():
    play, ledger = start(macau())
    actions = [
        Action(-3.0, "Ana", bet(macau(), "number:7=10")),
        Action(2.0, "Rui", bet(macau(), "black=50")),
        Action(BELL, "Ana", bet(macau(), "vermelha=20")),
        Action(BELL + 1e-9, "Rui", bet(macau(), "small=99")),
    ]
    results = play_spin(play, actions, macau_outcome(7))
    assert [isinstance(result, Slip) for _, result in results] == [True, True, True, False]
    late = results[3][1]
    assert (late.article, late.spoken.text) == ("MB-09", "(campainha)")
    assert play.state is State.DECIDED
    assert (ledger.chips_in, ledger.out, ledger.held) == (179, 99, 80)
    paid = play.pay()
    assert [slip.wager.chance for slip, _ in paid] == ["black", "red", "number:7"]
    assert play.state is State.PAID
    assert (ledger.chips_in, ledger.out, ledger.held, ledger.house) == (179, 379, 0, -200)
    assert (ledger.net("Ana"), ledger.net("Rui")) == (250, -50)
    assert ledger.balances
    assert [words.text for words in play.spoken] == ["(campainha)", "(luzes) 7: pequeno, vermelha"]


@pytest.mark.article("MB-13", "MB-11")
def test_after_a_void_old_bets_are_frozen_and_new_ones_taken():
    play, ledger = start(macau())
    void = decide(macau(), MACAU_RING, landing(7), events(BELL, extra=[contact(20.0, "object/plate")]))
    play_spin(play, [Action(0.0, "Ana", bet(macau(), "red=10"))], void)
    assert play.state is State.VOID
    assert play.spoken[-1].text == "Golpe nulo"
    with pytest.raises(ValueError, match="void cannot pay"):
        play.pay()
    play.relaunch()
    actions = [
        Action(1.0, "Ana", number=0),
        Action(2.0, "Ana", bet(macau(), "red=5"), number=0),
        Action(3.0, "Ana", bet(macau(), "star=5")),
        Action(4.0, "Ana", number=1),
        Action(5.0, "Ana", bet(macau(), "star=6")),
    ]
    results = [result for _, result in play_spin(play, actions, macau_outcome(0))]
    assert [getattr(result, "article", "taken") for result in results[:2]] == ["MB-13", "MB-13"]
    assert isinstance(results[2], Slip)
    assert results[3] is None
    play.pay()
    assert ledger.balances
    assert ledger.net("Ana") == 6 * 23 - 10
    assert {entry.spin for entry in ledger.entries} == {0, 1}


@pytest.mark.article("RS-05", "RS-11")
def test_roda_closes_before_the_push_and_stays_closed_when_spun_again():
    play, ledger = start(roda())
    short = decide(roda(), RODA_RING, push(0, turns_forward=2.5), events(None))
    actions = [
        Action(-10.0, "Ana", bet(roda(), "symbol:A=10")),
        Action(-1.0, "Rui", bet(roda(), "symbol:A=10")),
        Action(-0.5, "Ana", number=0),
    ]
    results = [result for _, result in play_spin(play, actions, short)]
    assert isinstance(results[0], Slip)
    assert [(each.article, each.spoken.text) for each in results[1:]] == [
        ("RS-05", "Não há mais apostas")
    ] * 2
    assert play.spoken[-1].text == "Rotação inválida"
    play.relaunch()
    assert play.state is State.CLOSED
    valid = decide(roda(), RODA_RING, push(0), events(None))
    (result,) = [
        result for _, result in play_spin(play, [Action(-9.0, "Rui", bet(roda(), "symbol:B=1"))], valid)
    ]
    assert isinstance(result, Refused)
    play.pay()
    assert (ledger.net("Ana"), ledger.net("Rui")) == (10, 0)
    assert ledger.balances


@pytest.mark.article("SB-14", "SB-16", "SB-17", "SB-18", "SB-19")
def test_a_spanish_round():
    play, ledger = start(spanish(), SPANISH_TABLE)
    outcome = decide(spanish(), SPANISH_RING, landing(8), events(BELL))
    actions = [
        Action(-5.0, "Ana", bet(spanish(), "rojo=10")),
        Action(1.0, "Ana", bet(spanish(), "number:1=10")),
        Action(BELL + 0.1, "Rui", bet(spanish(), "negro=10")),
    ]
    results = [result for _, result in play_spin(play, actions, outcome)]
    assert results[2].article == "SB-17"
    assert ledger.entries[-1] == Entry(
        0, 0, BELL + 0.1, "Rui", "black", "refused", chips_in=10, out=10, article="SB-17"
    )
    assert [slip.wager.chance for slip, _ in play.pay()] == ["number:1", "red"]
    assert [words.text for words in play.spoken] == [
        "Hagan sus apuestas",
        "¿Están hechas las apuestas?",
        "No va más",
        "9, rojo, impar, pasa",
    ]
    assert [words.english for words in play.spoken][-1] == "9, red, odd, pasa"
    assert ledger.balances


@pytest.mark.article("SB-11", "SB-12", "SB-13")
def test_limits_per_player_and_cloth():
    play, _ = start(spanish(), SPANISH_TABLE)
    play.place("Ana", bet(spanish(), "number:3=300"), -9.0)
    play.place("Rui", bet(spanish(), "number:3=400"), -8.0)
    play.place("Ana", bet(spanish(), "number:3=100"), -7.0, cloth=1)
    for text, cloth, article in [
        ("number:3=10", 0, "SB-13"),
        ("number:4=401", 0, "SB-12"),
        ("rojo=2001", 0, "SB-12"),
        ("rojo=9", 0, "SB-11"),
        ("rojo=19", 1, "SB-11"),
    ]:
        with pytest.raises(Refused) as refused:
            play.place("Ana", bet(spanish(), text), -6.0, cloth)
        assert refused.value.article == article
    play.place("Ana", bet(spanish(), "rojo=2000"), -5.0)
    play.change("Ana", 0, bet(spanish(), "number:3=300"), -4.0)
    with pytest.raises(Refused, match="maximum"):
        play.change("Ana", 2, bet(spanish(), "number:3=101"), -3.0)


@pytest.mark.article("SB-11", "SB-12", "SB-20")
def test_a_table_against_its_rulebook():
    def found(table, rulebook=None):
        return [(each.field, each.message) for each in check_table(rulebook or spanish(), table, Mark("t"))]

    assert found(SPANISH_TABLE) == []
    assert found(Table(10, {"number": 1000, "simple": 5000}, (10,), ("Ana",))) == []
    assert found(Table(10, {"number": 399, "simple": 5001}, (10,))) == [
        ("maxima.number", "must be 400 to 1000 (SB-12); given 399"),
        ("maxima.simple", "must be 2000 to 5000 (SB-12); given 5001"),
    ]
    assert found(Table(10, {}, (20, 20))) == [
        ("cloths", "one cloth must keep the authorised minimum, 10 (SB-11); none does")
    ]
    assert found(Table(10, {}, (10, 30)))[0][1] == "a cloth's minimum must be 10 or 20 (SB-11); given 30"
    assert "SB-20" in found(Table(10, {}, (10, 20), ("Ana",)))[0][1]
    assert (
        found(Table(1, {"number": 40}), macau())[0][1] == "no such limit in macau-boule-1979; allowed: none"
    )


@pytest.mark.article("SB-20")
def test_throwers_take_turns():
    assert [SPANISH_TABLE.thrower(number) for number in range(3)] == ["Ana", "Luis", "Ana"]
    assert check_throws(spanish(), SPANISH_TABLE, ["Ana", "Luis", "Ana"], Mark("log")) == []
    (fault,) = check_throws(spanish(), SPANISH_TABLE, ["Ana", "Ana", "Ana"], Mark("log"))
    assert (fault.field, fault.message) == ("round 1", "Luis throws (SB-20); given Ana")
    assert check_throws(macau(), SPANISH_TABLE, ["Ana", "Ana"], Mark("log")) == []


@pytest.mark.article("RS-06")
def test_bets_may_be_withdrawn_and_changed_while_open_by_their_own_player():
    play, ledger = start(macau())
    slip = play.place("Ana", bet(macau(), "red=10"), 0.0)
    with pytest.raises(Refused, match="Rui has no such bet"):
        play.withdraw("Rui", slip.number, 1.0)
    changed = play.change("Ana", slip.number, bet(macau(), "black=7"), 2.0)
    assert (ledger.held, ledger.out) == (7, 10)
    play.withdraw("Ana", changed.number, 3.0)
    assert (ledger.held, ledger.out, ledger.chips_in) == (0, 17, 17)
    assert play.slips == {}


def test_only_the_transitions_of_the_table():
    play, _ = start(macau())
    with pytest.raises(ValueError, match="open cannot decide"):
        play.decide(macau_outcome(7))
    with pytest.raises(ValueError, match="open cannot reopen"):
        play.relaunch()
    play.close(BELL)
    with pytest.raises(ValueError, match="closed cannot bell"):
        play.close(BELL)
    with pytest.raises(ValueError, match="backwards"):
        play.place("Ana", bet(macau(), "red=1"), 1.0)
    play.decide(macau_outcome(7))
    play.pay()
    with pytest.raises(ValueError, match="paid cannot pay"):
        play.pay()
    with pytest.raises(Refused):
        play.place("Ana", bet(macau(), "red=1"), 99.0)


def test_without_a_bell_bets_close_when_the_spin_ends():
    play, _ = start(macau())
    out = decide(macau(), MACAU_RING, landing(None, ending="left_apparatus"), events(None))
    results = play_spin(play, [Action(25.0, "Ana", bet(macau(), "red=1"))], out)
    assert isinstance(results[0][1], Slip)
    assert play.state is State.VOID


def test_the_ledger_refuses_what_does_not_balance():
    ledger = Ledger()
    with pytest.raises(ValueError, match="in 5"):
        ledger.enter(Entry(0, 0, 0.0, "Ana", "red", "placed", chips_in=5, held=4))
    with pytest.raises(ValueError, match="only 0 chips"):
        ledger.enter(Entry(0, 0, 0.0, "Ana", "red", "withdrawn", out=4, held=-4))
    assert ledger.balances
    ledger.held = 3
    assert not ledger.balances


@pytest.mark.article("MB-13", "MB-11")
def test_from_the_moment_of_a_void_bets_are_frozen_and_new_ones_taken():
    play, ledger = start(macau())
    void = decide(macau(), MACAU_RING, landing(7), events(BELL, extra=[contact(9.0, "object/plate")]))
    assert (void.time, void.closing) == (9.0, None)
    actions = [
        Action(2.0, "Ana", bet(macau(), "red=10")),
        Action(9.0, "Ana", bet(macau(), "red=11"), number=0),
        Action(9.5, "Ana", number=1),
        Action(9.5, "Ana", bet(macau(), "black=9"), number=1),
        Action(10.0, "Rui", bet(macau(), "star=5")),
        Action(11.0, "Rui", bet(macau(), "star=4"), number=2),
    ]
    results = [result for _, result in play_spin(play, actions, void)]
    assert [getattr(result, "article", "taken") for result in results] == [
        "taken", "taken", "MB-13", "MB-13", "taken", "taken",
    ]  # fmt: skip
    assert [(slip.wager.stake, slip.frozen) for slip in play.slips.values()] == [(11, True), (4, False)]
    assert "(campainha)" not in [words.text for words in play.spoken]
    assert ledger.balances


@pytest.mark.article("SB-19")
def test_a_winning_stake_may_stay_on_the_cloth():
    play, ledger = start(spanish(), SPANISH_TABLE)
    play_spin(
        play,
        [
            Action(-5.0, "Ana", bet(spanish(), "rojo=10"), leave=True),
            Action(-5.0, "Ana", bet(spanish(), "par=10"), leave=True),
            Action(-4.0, "Luis", bet(spanish(), "rojo=30")),
        ],
        decide(spanish(), SPANISH_RING, landing(8), events(BELL)),
    )
    with pytest.raises(ValueError, match="decided has none after it"):
        play.follow()
    play.pay()
    assert (ledger.held, ledger.net("Ana"), ledger.net("Luis")) == (10, -10, 30)
    play = play.follow()
    assert [(slip.player, slip.wager.chance) for slip in play.slips.values()] == [("Ana", "red")]
    assert (ledger.entries[-1].what, ledger.entries[-1].round, ledger.entries[-1].article) == (
        "left",
        1,
        "SB-19",
    )
    play.withdraw("Ana", 0, -3.0)
    assert (ledger.held, ledger.net("Ana"), ledger.house, ledger.balances) == (0, 0, -30, True)


def test_a_winning_stake_stays_only_where_an_article_says_so():
    play, _ = start(macau())
    with pytest.raises(ValueError, match="lets no winning stake stay"):
        play.place("Ana", bet(macau(), "red=1"), 0.0, leave=True)


def test_nobody_plays_with_chips_that_are_not_there():
    play, ledger = start(macau(), Table(chips={"Ana": 100}))
    slip = play.place("Ana", bet(macau(), "red=60"), 0.0)
    with pytest.raises(Refused, match="Ana has 40 chips left; 41 are needed"):
        play.place("Ana", bet(macau(), "star=41"), 1.0)
    assert (ledger.entries[-1].what, ledger.entries[-1].chips_in, ledger.entries[-1].out) == ("refused", 0, 0)
    with pytest.raises(Refused, match="40 chips left"):
        play.change("Ana", slip.number, bet(macau(), "red=101"), 2.0)
    play.change("Ana", slip.number, bet(macau(), "red=100"), 3.0)
    play.place("Rui", bet(macau(), "red=1000000"), 4.0)
    assert ledger.net("Ana") == -100


@pytest.mark.article("SB-01")
def test_two_cloths_or_only_one():
    assert check_table(spanish(), Table(10, {}, (10,)), Mark("t")) == []
    assert check_table(spanish(), Table(10, {}, (10, 10)), Mark("t")) == []
    (fault,) = check_table(spanish(), Table(10, {}, (10, 10, 10)), Mark("t"))
    assert (fault.field, fault.message) == ("cloths", "must be at most 2 (SB-01); given 3")


@pytest.mark.article("SB-06")
@pytest.mark.parametrize(
    "text", ["number:5=20", "rojo=20", "negro=20", "par=20", "impar=20", "pasa=20", "falta=20"]
)
def test_cloths_are_identical(text):
    play, _ = start(spanish(), SPANISH_TABLE)
    slips = [play.place("Ana", bet(spanish(), text), -5.0, cloth) for cloth in (0, 1)]
    assert slips[0].wager == slips[1].wager
    assert [slip.cloth for slip in slips] == [0, 1]


@pytest.mark.article("MB-07", "MB-10")
def test_the_winning_chances_are_lit_when_the_spin_is_decided_and_not_before():
    play, _ = start(macau())
    play.close(BELL)
    assert not any("luzes" in words.text for words in play.spoken)
    play.decide(macau_outcome(24))
    assert (play.spoken[-1].text, play.spoken[-1].time) == ("(luzes) 24: grande, preta", 30.0)


@pytest.mark.article("SB-17")
@pytest.mark.parametrize(("late", "taken"), [(0.0, True), (1e-9, False), (30.0, False)])
def test_a_bet_after_no_va_mas_is_refused_and_returned(late, taken):
    play, ledger = start(spanish(), SPANISH_TABLE)
    outcome = decide(spanish(), SPANISH_RING, landing(8), events(BELL))
    ((_, result),) = play_spin(play, [Action(BELL + late, "Ana", bet(spanish(), "rojo=10"))], outcome)
    assert isinstance(result, Slip) is taken
    if not taken:
        assert (result.article, result.spoken and result.spoken.text) == ("SB-17", "No va más")
        assert (ledger.chips_in, ledger.out, ledger.net("Ana")) == (10, 10, 0)
