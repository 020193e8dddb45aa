import pytest

from sim.documents.faults import BadInput
from sim.rules.bets import parse_bet, parse_bets
from sim.rules.library import load

MACAU, SPANISH, RODA = "macau-boule-1979", "es-boule-1979", "macau-roda-2003"
TWELVE = ",".join(map(str, range(1, 13)))


@pytest.mark.article("MB-17", "MB-18", "SB-07", "RS-06")
@pytest.mark.parametrize(
    ("rulebook", "text", "bet", "chance", "stake"),
    [
        (MACAU, "number:7=10", "number", "number:7", 10),
        (MACAU, "star=5", "star", "star", 5),
        (MACAU, "numbers:1,2,3=6", "3 numbers", "numbers:1,2,3", 6),
        (MACAU, "numbers:3, 1-2=6", "3 numbers", "numbers:1,2,3", 6),
        (MACAU, "numbers:1-8=1", "8 numbers", "numbers:1,2,3,4,5,6,7,8", 1),
        (MACAU, "small=20", "small", "small", 20),
        (MACAU, "big=20", "big", "big", 20),
        (MACAU, "red=10", "red", "red", 10),
        (MACAU, "black=10", "black", "black", 10),
        (MACAU, "twelve:1-12=12", "12 numbers", f"twelve:{TWELVE}", 12),
        (MACAU, "numbers:1-12=12", "12 numbers", f"twelve:{TWELVE}", 12),
        (MACAU, "pleno:7=1", "number", "number:7", 1),
        (MACAU, "pleno:estrela=1", "star", "star", 1),
        (MACAU, "Estrela=1", "star", "star", 1),
        (MACAU, "pequeno=1", "small", "small", 1),
        (MACAU, "grande=1", "big", "big", 1),
        (MACAU, "vermelha=1", "red", "red", 1),
        (MACAU, "preta=1", "black", "black", 1),
        (SPANISH, "number:5=1", "number", "number:5", 1),
        (SPANISH, "rojo=1", "red", "red", 1),
        (SPANISH, "negro=1", "black", "black", 1),
        (SPANISH, "par=1", "even", "even", 1),
        (SPANISH, "impar=1", "odd", "odd", 1),
        (SPANISH, "even=1", "even", "even", 1),
        (SPANISH, "odd=1", "odd", "odd", 1),
        (SPANISH, "pasa=1", "pasa", "pasa", 1),
        (SPANISH, "falta=999999999999", "falta", "falta", 999999999999),
        (RODA, "symbol:D=3", "symbol:D", "symbol:D", 3),
        (RODA, "símbolo:g=3", "symbol:G", "symbol:G", 3),
    ],
)
def test_read(rulebook, text, bet, chance, stake):
    wager = parse_bet(load(rulebook), text)
    assert (wager.bet.bet, wager.chance, wager.stake) == (bet, chance, stake)


@pytest.mark.parametrize(
    ("rulebook", "text", "column", "words"),
    [
        (MACAU, "number:7", 9, "write KIND[:SELECTION]=STAKE"),
        (MACAU, "number:7=0", 10, "whole number of units"),
        (MACAU, "number:7=-5", 10, "'-5'"),
        (MACAU, "number:7=1.5", 10, "'1.5'"),
        (MACAU, "number:7=1e3", 10, "'1e3'"),
        (MACAU, "number:7=", 10, "whole number of units"),
        (MACAU, "number:7=1000000000000", 10, "999999999999"),
        (MACAU, "number:25=1", 8, "of 1-24; given '25'"),
        (MACAU, "number:0=1", 8, "1-24"),
        (MACAU, "number=1", 7, "number:SELECTION=STAKE"),
        (MACAU, "number:1,2=1", 8, "one of 1-24; given 2 symbols"),
        (MACAU, "numbers:1,2,3,4,5=6", 9, "2, 3, 4, 6, 8 or 12 distinct of 1-24; given 5"),
        (MACAU, "numbers:1,star=6", 11, "1-24; given 'star'"),
        (MACAU, "twelve:1-11,star=6", 13, "'star'"),
        (MACAU, "twelve:1-11=6", 8, "12 distinct of 1-24; given 11"),
        (MACAU, "numbers:4,4=6", 11, "'4' is given twice"),
        (MACAU, "numbers:3-1=6", 9, "'3-1'"),
        (MACAU, "red:3=6", 4, "'red' takes none"),
        (MACAU, "odd=6", 1, "no bet 'odd'; allowed: number, star, numbers, twelve, small, big, red, black"),
        (MACAU, "vermelho=6", 1, "did you mean 'vermelha'"),
        (MACAU, "=6", 1, "no bet ''"),
        (MACAU, "", 1, "STAKE"),
        (SPANISH, "numbers:1,2=6", 1, "no bet 'numbers'"),
        (RODA, "symbol:Z=6", 8, "A, B, C"),
        ("cells:9", "number:1=6", 1, "takes no bets"),
    ],
)
def test_refused_with_its_column(rulebook, text, column, words):
    with pytest.raises(BadInput) as raised:
        parse_bet(load(rulebook), text)
    (fault,) = raised.value.faults
    assert (fault.mark.file, fault.mark.line, fault.mark.column) == (f"--bet {text}", 1, column)
    assert words in fault.message


def test_all_faults_at_once():
    with pytest.raises(BadInput) as raised:
        parse_bets(load(MACAU), ["red=1", "blue=1", "number:99=1"])
    assert len(raised.value.faults) == 2


@pytest.mark.parametrize("name", [MACAU, SPANISH, RODA, "nevada-big-six"])
def test_what_a_bet_is_called_reads_back(name):
    rulebook = load(name)
    for bet in rulebook.bets:
        chosen = rulebook.covers(bet)[: getattr(bet, "count", 1)]
        text = f"{bet.head}:{','.join(chosen)}=3" if bet.pick in ("one", "distinct") else f"{bet.head}=3"
        wager = parse_bet(rulebook, text)
        assert wager.bet == bet
        assert parse_bet(rulebook, f"{wager.chance}=3") == wager
