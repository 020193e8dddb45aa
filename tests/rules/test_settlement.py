from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.rules.bets import Wager, parse_bets
from sim.rules.library import load
from sim.rules.odds import odds
from sim.rules.outcome import decide
from sim.rules.rulebook import Bet
from sim.rules.settlement import payment_order, settle
from tests.rules.spins import MACAU_RING, RINGS, SPANISH_RING, events, landing, macau, push, spanish

BOOKS = {name: load(name) for name in RINGS}


@cache
def wagers_of(name: str) -> st.SearchStrategy[Wager]:
    """Any bet that the rulebook allows, with any stake; a choice of symbols costs one draw, not one for each."""
    rulebook = BOOKS[name]

    def wager(bet: Bet, key: int, stake: int) -> Wager:
        count = {"one": 1, "distinct": getattr(bet, "count", 0)}.get(bet.pick)
        if count is None:
            return Wager(bet, rulebook.covers(bet), stake)
        chosen = set(Random(key).sample(bet.of, count))
        return Wager(bet, tuple(symbol for symbol in bet.of if symbol in chosen), stake)

    drawn = st.tuples(st.sampled_from(rulebook.bets), st.integers(0, 2**32), st.integers(1, 10**6))
    return drawn.map(lambda values: wager(*values))


def macau_returns(pocket, *texts):
    outcome = decide(macau(), MACAU_RING, landing(pocket), events())
    return [line.returned for line in settle(macau(), outcome, parse_bets(macau(), texts)).lines]


@pytest.mark.article("MB-19")
def test_the_winner_keeps_the_stake_and_receives_the_prize():
    texts = ["number:7=10", "numbers:6,7=10", "numbers:5,6,7=10", "numbers:7-10=10", "numbers:2-7=10"]
    texts += ["numbers:1-8=10", "twelve:1-12=10", "small=10", "red=10", "big=10", "black=10", "star=10"]
    assert macau_returns(7, *texts) == [240, 120, 80, 60, 40, 30, 20, 20, 20, 0, 0, 0]


@pytest.mark.article("MB-20")
def test_the_star_pays_its_pleno_and_nothing_else():
    outcome = decide(macau(), MACAU_RING, landing(0), events())
    bets = parse_bets(macau(), ["star=5", "number:7=1", "red=1", "black=1", "small=1", "twelve:1-12=1"])
    settlement = settle(macau(), outcome, bets)
    assert [line.returned for line in settlement.lines] == [120, 0, 0, 0, 0, 0]
    assert [line.article for line in settlement.lines] == ["MB-19"] + ["MB-20"] * 5
    assert (settlement.staked, settlement.returned, settlement.net) == (10, 120, 110)


@pytest.mark.article("SB-09", "SB-10")
def test_spanish_prizes_and_the_five():
    def settled(hole):
        outcome = decide(spanish(), SPANISH_RING, landing(hole), events())
        bets = parse_bets(
            spanish(), ["number:5=1", "rojo=1", "par=1", "impar=1", "pasa=1", "falta=1", "negro=1"]
        )
        return [line.returned for line in settle(spanish(), outcome, bets).lines]

    assert settled(4) == [8, 0, 0, 0, 0, 0, 0]
    assert settled(8) == [0, 2, 0, 2, 2, 0, 0]


def test_a_void_returns_every_stake_here():
    outcome = decide(macau(), MACAU_RING, landing(None), events())
    settlement = settle(macau(), outcome, parse_bets(macau(), ["star=5", "red=10"]))
    assert [line.result for line in settlement.lines] == ["void", "void"]
    assert {line.article for line in settlement.lines} == {"MB-12"}
    assert (settlement.staked, settlement.returned, settlement.net) == (15, 15, 0)


@pytest.mark.article("MB-14", "MB-15", "SB-19")
def test_losers_are_collected_first_and_plenos_paid_last():
    outcome = decide(macau(), MACAU_RING, landing(7), events())
    bets = parse_bets(macau(), ["number:7=1", "red=1", "star=1", "pleno:7=2", "small=1", "black=1"])
    lines = settle(macau(), outcome, bets).lines
    assert payment_order(macau(), lines) == [2, 5, 1, 4, 0, 3]
    assert macau().payment.together_article == "MB-15"
    outcome = decide(spanish(), SPANISH_RING, landing(6), events())
    lines = settle(spanish(), outcome, parse_bets(spanish(), ["number:7=1", "negro=1", "rojo=1"])).lines
    assert payment_order(spanish(), lines) == [1, 0, 2]


@pytest.mark.parametrize("name", RINGS)
def test_over_every_cell_once_each_bet_gives_exactly_its_edge(name):
    """The whole ring played once loses edge * stake per cell: settlement against odds, exactly."""
    rulebook, ring = BOOKS[name], RINGS[name]
    for bet, row in zip(rulebook.bets, odds(rulebook), strict=True):
        symbols = rulebook.covers(bet)[: {"one": 1, "distinct": getattr(bet, "count", 0)}.get(bet.pick)]
        wager = Wager(bet, symbols, 13)
        net = 0
        for cell in range(len(ring)):
            spin = push(cell) if "wheel" in name or "roda" in name else landing(cell)
            net += settle(rulebook, decide(rulebook, ring, spin, events()), [wager]).net
        assert net == -row.edge * 13 * len(ring)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_settlement_adds_up(data):
    name = data.draw(st.sampled_from(sorted(RINGS)))
    rulebook, ring = BOOKS[name], RINGS[name]
    cell = data.draw(st.none() | st.integers(0, len(ring) - 1))
    outcome = decide(rulebook, ring, landing(cell), events())
    wagers = data.draw(st.lists(wagers_of(name), max_size=8))
    settlement = settle(rulebook, outcome, wagers)
    assert [line.wager for line in settlement.lines] == wagers
    assert settlement.staked == sum(wager.stake for wager in wagers)
    assert settlement.net == settlement.returned - settlement.staked
    for line in settlement.lines:
        assert line.net == line.returned - line.staked
        prize = rulebook.prize(line.wager.bet).pays
        won = cell is not None and ring[cell] in line.wager.symbols
        expected = line.staked if cell is None else line.staked * (1 + prize) if won else 0
        assert line.returned == expected
        assert isinstance(line.returned, int)
    assert sorted(payment_order(rulebook, settlement.lines)) == list(range(len(wagers)))
