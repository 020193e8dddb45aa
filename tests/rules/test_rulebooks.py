import pytest

from sim.documents.faults import BadInput
from sim.documents.resources import rulebook_names
from sim.rules.contradictions import contradictions, suspicious
from sim.rules.library import cells, load
from sim.rules.rulebook import citations, items, with_options
from tests.rules.spins import macau, roda, spanish
from tests.rules.test_odds import with_bet

IDS = {
    "macau-boule-1979": [f"MB-{n:02}" for n in range(1, 21)],
    "es-boule-1979": [f"SB-{n:02}" for n in range(1, 21)],
    "macau-roda-2003": [f"RS-{n:02}" for n in range(1, 14)],
}
EQUIPMENT = ["MB-01", "MB-02", "MB-03", "MB-07", "SB-04", "SB-06", "RS-04"]
PROCEDURE = ["MB-16", "RS-07"]


def kind_of(article: str) -> str:
    return next(load(name).articles[article].kind for name, ids in IDS.items() if article in ids)


@pytest.mark.parametrize("name", rulebook_names())
def test_every_shipped_rulebook_agrees_with_itself(name):
    rulebook = load(name)
    assert rulebook.id == name
    assert contradictions(rulebook) == []
    assert suspicious(rulebook) == []


def test_shipped_rulebooks_are_all_there():
    others = {"au-nz-money-wheel", "nevada-big-six", "atlantic-city-big-six", "fr-boule-2007"}
    assert set(rulebook_names()) == set(IDS) | others


@pytest.mark.parametrize(("name", "ids"), IDS.items())
def test_every_article_is_listed_and_every_rule_is_cited(name, ids):
    rulebook = load(name)
    assert list(rulebook.articles) == ids
    cited = {article for _, item in items(rulebook) for _, article in citations(item)}
    named = {article for article in ids if rulebook.articles[article].kind != "rule"}
    assert cited == set(ids) - named
    assert named == set(ids) & {*EQUIPMENT, *PROCEDURE}


@pytest.mark.article("MB-01", "MB-02", "MB-03", "MB-07", "SB-04", "SB-06", "RS-04")
@pytest.mark.parametrize("article", EQUIPMENT)
def test_articles_on_the_apparatus_are_named_as_equipment(article):
    assert kind_of(article) == "equipment"


@pytest.mark.article("MB-16", "RS-07")
@pytest.mark.parametrize("article", PROCEDURE)
def test_articles_on_what_people_do_are_named_as_procedure(article):
    assert kind_of(article) == "procedure"


@pytest.mark.article("MB-05", "MB-06")
def test_macau_symbols():
    rulebook = macau()
    assert set(rulebook.cells) == {"star", *map(str, range(1, 25))}
    assert set(rulebook.cells.values()) == {1}
    colours = [rulebook.colours[str(number)] for number in range(1, 25)]
    assert colours == ["red", "black"] * 12
    assert rulebook.colours["star"] == "white"
    assert all(group.inferred for group in rulebook.symbols if group.colour in ("red", "black"))


@pytest.mark.article("SB-05", "SB-08")
def test_spanish_colours_and_chances():
    rulebook = spanish()
    sets = {bet.bet: set(rulebook.covers(bet)) for bet in rulebook.bets}
    assert sets["black"] == set("1368")
    assert sets["red"] == set("2479")
    assert sets["even"] == set("2468")
    assert sets["odd"] == set("1379")
    assert sets["pasa"] == set("6789")
    assert sets["falta"] == set("1234")
    assert rulebook.colours["5"] not in ("red", "black")
    assert set(rulebook.cells.values()) == {2}


@pytest.mark.article("RS-03")
def test_roda_classes():
    assert list(roda().cells.values()) == [24, 12, 8, 4, 2, 1, 1]


@pytest.mark.article("SB-15")
def test_numerous_turns_are_no_least_number():
    assert spanish().launch is not None
    assert spanish().launch.turns == "numerosas vueltas"
    assert spanish().void("MIN_TURNS") is None


@pytest.mark.article("RS-08")
def test_direction_may_alternate():
    assert roda().launch is not None
    assert roda().launch.alternate == "may"


def test_a_bet_for_the_player_is_suspicious_unless_it_is_meant():
    trap = with_bet(spanish(), "odd", of=("1", "3", "5", "7", "9")).model_copy(update={"special": None})
    assert [path for path, _ in suspicious(trap)] == [("bets", 4)]
    meant = with_bet(trap, "odd", favours_player=True)
    assert suspicious(meant) == []


@pytest.mark.article("SB-10")
def test_trap_five_as_odd_contradicts_the_special_rule():
    found = contradictions(with_bet(spanish(), "odd", of=("1", "3", "5", "7", "9")))
    assert [path for path, _ in found] == [("bets", 4)]
    assert "'5'" in found[0][1]


def test_options_where_the_regulation_is_silent():
    assert with_options(roda(), on_peg="preceding").void("ON_PEG").rule == "preceding"
    assert roda().void("ON_PEG").rule == "re-spin"
    assert with_options(spanish(), reading="launch").closing.reading == "launch"
    with pytest.raises(ValueError, match="no peg"):
        with_options(macau(), on_peg="following")
    with pytest.raises(ValueError, match="circulation"):
        with_options(macau(), reading="launch")


def test_a_wheel_of_equal_cells():
    wheel = load("cells:37")
    assert wheel == cells(37)
    assert len(wheel.cells) == 37
    assert wheel.bets == ()
    assert contradictions(wheel) == []


@pytest.mark.parametrize(
    "name", ["cells:0", "cells:1001", "cells:x", "cells:", "cells:-3", "cells:1.5", "cells:٣"]
)
def test_no_such_number_of_cells(name):
    with pytest.raises(BadInput, match="whole number from 1 to 1000"):
        load(name)


def test_an_unknown_rulebook_names_the_near_ones():
    with pytest.raises(BadInput, match="macau-boule-1979"):
        load("macau-boule-1978")


def test_a_rulebook_is_found_by_path(tmp_path):
    from sim.documents.resources import find_rulebook

    copy = tmp_path / "mine.yaml"
    copy.write_text(find_rulebook("macau-boule-1979").read_text(encoding="utf-8"), encoding="utf-8")
    assert load(str(copy)) == macau()
