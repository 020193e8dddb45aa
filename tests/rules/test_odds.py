from fractions import Fraction

import pytest

from sim.rules.library import load
from sim.rules.odds import edge_of, odds
from sim.rules.rulebook import Rulebook
from tests.rules.spins import macau, roda, spanish


def table(rulebook: Rulebook) -> dict[str, tuple[Fraction, int, Fraction, Fraction]]:
    return {each.bet: (each.chance, each.pays, each.edge, each.break_even_excess) for each in odds(rulebook)}


@pytest.mark.article("MB-17", "MB-18", "MB-19")
def test_macau_boule_keeps_one_in_25_of_every_bet():
    expected = {"number": (1, 23), "star": (1, 23)}
    expected |= {f"{k} numbers": (k, pays) for k, pays in {2: 11, 3: 7, 4: 5, 6: 3, 8: 2, 12: 1}.items()}
    expected |= dict.fromkeys(("small", "big", "red", "black"), (12, 1))
    assert table(macau()) == {
        bet: (Fraction(cells, 25), pays, Fraction(1, 25), Fraction(1, 24))
        for bet, (cells, pays) in expected.items()
    }


@pytest.mark.article("MB-18")
def test_macau_simple_chances_are_inferred_and_nothing_else_is():
    inferred = {each.bet for each in odds(macau()) if each.inferred}
    assert inferred == {"12 numbers", "small", "big", "red", "black"}
    assert all(each.prize_article == "MB-19" for each in odds(macau()) if not each.inferred)


@pytest.mark.article("MB-19")
def test_macau_prizes_follow_24_over_k():
    for each in odds(macau()):
        assert each.pays == Fraction(24, 1) / (each.chance * 25) - 1


@pytest.mark.article("SB-07", "SB-09")
def test_spanish_boule_keeps_one_ninth_of_every_bet():
    simple = {
        name: (Fraction(4, 9), 1, Fraction(1, 9), Fraction(1, 8))
        for name in ("red", "black", "even", "odd", "pasa", "falta")
    }
    assert table(spanish()) == {"number": (Fraction(1, 9), 7, Fraction(1, 9), Fraction(1, 8))} | simple
    assert table(load("fr-boule-2007"))["passe"] == (Fraction(4, 9), 1, Fraction(1, 9), Fraction(1, 8))


RODA = [(24, 1), (12, 3), (8, 5), (4, 10), (2, 20), (1, 45), (1, 45)]


@pytest.mark.article("RS-13")
def test_roda_edges():
    edges = [
        Fraction(1, 13),
        Fraction(1, 13),
        Fraction(1, 13),
        Fraction(2, 13),
        Fraction(5, 26),
        Fraction(3, 26),
        Fraction(3, 26),
    ]
    excess = [
        Fraction(1, 12),
        Fraction(1, 12),
        Fraction(1, 12),
        Fraction(2, 11),
        Fraction(5, 21),
        Fraction(3, 23),
        Fraction(3, 23),
    ]
    expected = [
        (Fraction(n, 52), pays, edge, over) for (n, pays), edge, over in zip(RODA, edges, excess, strict=True)
    ]
    assert list(table(roda()).values()) == expected


@pytest.mark.article("RS-13")
def test_the_two_prizes_with_the_correction_mark_say_so():
    marked = {each.bet: each.status for each in odds(roda()) if each.status}
    assert marked == {"symbol:D": "rectification unverified", "symbol:E": "rectification unverified"}


def test_australian_wheel_keeps_one_in_13_throughout():
    rows = odds(load("au-nz-money-wheel"))
    assert [each.pays for each in rows] == [1, 3, 5, 11, 23, 47, 47]
    assert {each.edge for each in rows} == {Fraction(1, 13)}
    assert {each.break_even_excess for each in rows} == {Fraction(1, 12)}


@pytest.mark.parametrize(
    ("name", "percent"),
    [
        ("nevada-big-six", [11.11, 16.67, 22.22, 18.52, 22.22, 24.07, 24.07]),
        ("atlantic-city-big-six", [14.81, 16.67, 11.11, 18.52, 22.22, 14.81, 14.81]),
    ],
)
def test_big_six_edges_as_listed(name, percent):
    assert [round(float(each.edge) * 100, 2) for each in odds(load(name))] == percent
    assert all(each.inferred for each in odds(load(name)))


def with_bet(rulebook: Rulebook, name: str, **changes: object) -> Rulebook:
    bets = tuple(bet.model_copy(update=changes) if bet.bet == name else bet for bet in rulebook.bets)
    return rulebook.model_copy(update={"bets": bets})


@pytest.mark.article("SB-08")
def test_trap_five_as_odd_would_favour_the_player():
    trap = with_bet(spanish(), "odd", of=("1", "3", "5", "7", "9"))
    assert [each.edge for each in odds(trap) if each.bet == "odd"] == [Fraction(-1, 9)]


@pytest.mark.article("SB-09")
def test_trap_seven_times_as_total_return_would_double_the_edge():
    prizes = tuple(
        prize.model_copy(update={"pays": 6}) if prize.pays == 7 else prize for prize in spanish().prizes
    )
    trap = spanish().model_copy(update={"prizes": prizes})
    assert edge_of(trap, trap.bets[0]) == Fraction(2, 9)


def test_trap_two_to_one_on_simple_chances_would_give_the_player_44_percent():
    prizes = tuple(
        prize.model_copy(update={"pays": 2}) if prize.inferred else prize for prize in macau().prizes
    )
    trap = macau().model_copy(update={"prizes": prizes})
    assert [each.edge for each in odds(trap) if each.bet == "red"] == [Fraction(-11, 25)]


def test_a_wheel_of_equal_cells_has_no_bets():
    assert odds(load("cells:37")) == []
