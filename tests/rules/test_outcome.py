import pytest

from sim.rules.library import load
from sim.rules.outcome import decide
from sim.rules.rulebook import Void, with_options
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


def void_of(outcome):
    assert not outcome.valid
    assert (outcome.symbol, outcome.colour, outcome.chances) == (None, None, ())
    return outcome.void.code, outcome.void.article, outcome.void.inferred


@pytest.mark.article("MB-10", "MB-18")
@pytest.mark.parametrize(
    ("pocket", "symbol", "colour", "chances"),
    [
        (7, "7", "red", {"number:7", "small", "red"}),
        (12, "12", "black", {"number:12", "small", "black"}),
        (13, "13", "red", {"number:13", "big", "red"}),
        (24, "24", "black", {"number:24", "big", "black"}),
    ],
)
def test_macau_result(pocket, symbol, colour, chances):
    outcome = decide(macau(), MACAU_RING, landing(pocket), events())
    assert outcome.valid
    assert outcome.void is None
    assert (outcome.symbol, outcome.colour, set(outcome.chances)) == (symbol, colour, chances)
    assert outcome.article == "MB-10"
    assert outcome.remarks == ()


@pytest.mark.article("MB-20")
def test_on_the_star_only_its_pleno_wins():
    outcome = decide(macau(), MACAU_RING, landing(0), events())
    assert (outcome.symbol, outcome.colour, outcome.chances) == ("star", "white", ("star",))


@pytest.mark.article("SB-18", "SB-04", "SB-08", "SB-10")
@pytest.mark.parametrize(
    ("hole", "symbol", "chances"),
    [
        (4, "5", {"number:5"}),
        (13, "5", {"number:5"}),
        (0, "1", {"number:1", "black", "odd", "falta"}),
        (17, "9", {"number:9", "red", "odd", "pasa"}),
        (5, "6", {"number:6", "black", "even", "pasa"}),
    ],
)
def test_spanish_result(hole, symbol, chances):
    outcome = decide(spanish(), SPANISH_RING, landing(hole), events())
    assert (outcome.symbol, set(outcome.chances), outcome.article) == (symbol, chances, "SB-18")


@pytest.mark.article("RS-12", "RS-04")
def test_roda_result():
    outcome = decide(roda(), RODA_RING, push(51), events(None))
    assert (outcome.symbol, outcome.chances, outcome.article) == ("G", ("symbol:G",), "RS-12")


@pytest.mark.article("MB-11")
def test_an_object_on_the_plate_while_the_ball_moves():
    fallen = events(extra=[contact(25.0, "object/plate")])
    outcome = decide(macau(), MACAU_RING, landing(7), fallen)
    assert void_of(outcome) == ("OBJECT", "MB-11", False)
    assert outcome.void.announcement == "void"


@pytest.mark.article("MB-11")
@pytest.mark.parametrize("extra", [contact(30.0, "object/plate"), contact(25.0, "ball/plate")])
def test_no_object_or_a_ball_at_rest_is_no_void(extra):
    assert decide(macau(), MACAU_RING, landing(7), events(extra=[extra])).valid


def test_an_object_makes_a_spin_void_only_where_the_rulebook_says_so():
    assert decide(spanish(), SPANISH_RING, landing(7), events(extra=[contact(25.0, "object/plate")])).valid


@pytest.mark.article("MB-12")
def test_a_ball_at_rest_off_the_hollows():
    assert void_of(decide(macau(), MACAU_RING, landing(None), events())) == ("OFF_POCKET", "MB-12", False)
    assert void_of(decide(spanish(), SPANISH_RING, landing(None), events())) == ("OFF_POCKET", None, True)


@pytest.mark.parametrize(("ending", "code"), [("left_apparatus", "BALL_OUT"), ("time_limit", "NO_REST")])
@pytest.mark.parametrize("pocket", [None, 3])
def test_what_no_article_covers_is_inferred(ending, code, pocket):
    outcome = decide(macau(), MACAU_RING, landing(pocket, ending=ending), events(rest=None))
    assert void_of(outcome) == (code, None, True)


@pytest.mark.article("RS-10", "RS-11")
@pytest.mark.parametrize(("turns", "valid"), [(2.999, False), (3.0, True), (0.0, False), (8.5, True)])
def test_three_complete_turns_forward(turns, valid):
    outcome = decide(roda(), RODA_RING, push(3, turns_forward=turns, turns_net=9.0), events(None))
    assert outcome.valid is valid
    if not valid:
        assert void_of(outcome) == ("MIN_TURNS", "RS-10", False)
        assert roda().say(outcome.void.announcement).text == "Rotação inválida"
        assert roda().say(outcome.void.announcement).article == "RS-11"


@pytest.mark.article("RS-09")
def test_only_the_croupier_may_touch_the_wheel():
    touched = events(None, extra=[contact(9.0, "player/wheel")])
    assert void_of(decide(roda(), RODA_RING, push(3), touched)) == ("PLAYER_TOUCH", "RS-09", True)


@pytest.mark.parametrize(
    ("rule", "direction", "section", "symbol"),
    [
        ("preceding", 1, 48, "E"),
        ("preceding", -1, 48, "E"),
        ("following", 1, 0, "G"),
        ("following", -1, 51, "A"),
        ("following", -1, 49, "F"),
    ],
)
def test_on_a_peg_the_rule_names_the_section(rule, direction, section, symbol):
    wheel = with_options(roda(), on_peg=rule)
    outcome = decide(wheel, RODA_RING, push(section, on_peg=True, plate_direction=direction), events(None))
    assert (outcome.valid, outcome.symbol) == (True, symbol)


def test_on_a_peg_the_default_is_to_spin_again():
    outcome = decide(roda(), RODA_RING, push(3, on_peg=True), events(None))
    assert void_of(outcome) == ("ON_PEG", None, True)
    bare = load("cells:52")
    assert void_of(decide(bare, RODA_RING, push(3, on_peg=True), events(None))) == ("ON_PEG", None, True)


def test_same_direction_and_few_turns_of_the_ball_only_where_asked():
    same = landing(7, plate_direction=-1, ball_turns=3.9)
    assert decide(macau(), MACAU_RING, same, events()).valid
    asked = (
        Void(code="SAME_DIR", reason="ball and plate turn the same way", inferred=True),
        Void(code="MIN_TURNS", turns=4, counted="ball", reason="fewer than four turns", inferred=True),
    )
    strict = macau().model_copy(update={"voids": asked})
    assert void_of(decide(strict, MACAU_RING, same, events()))[0] == "SAME_DIR"
    slow = landing(7, ball_turns=3.9)
    assert void_of(decide(strict, MACAU_RING, slow, events()))[0] == "MIN_TURNS"
    assert decide(strict, MACAU_RING, landing(7, ball_turns=4.0), events()).valid


@pytest.mark.article("MB-08")
@pytest.mark.parametrize(
    ("ball", "plate", "words"),
    [
        (1, -1, ["not launched clockwise"]),
        (-1, -1, ["opposite"]),
        (-1, 0, ["opposite"]),
        (1, 1, ["clockwise", "opposite"]),
    ],
)
def test_a_launch_against_the_article_is_remarked_and_still_decided(ball, plate, words):
    outcome = decide(macau(), MACAU_RING, landing(7, ball_direction=ball, plate_direction=plate), events())
    assert outcome.valid
    assert [remark.article for remark in outcome.remarks] == ["MB-08"] * len(words)
    assert all(word in remark.text for word, remark in zip(words, outcome.remarks, strict=True))


@pytest.mark.article("MB-09")
def test_the_bell_is_the_first_touch_of_the_band():
    assert decide(macau(), MACAU_RING, landing(7), events(17.25)).closing == 17.25
    assert decide(macau(), MACAU_RING, landing(None, ending="left_apparatus"), events(None)).closing is None


@pytest.mark.article("SB-16")
def test_both_readings_of_at_this_moment():
    outcome = decide(spanish(), SPANISH_RING, landing(7), events(17.25))
    assert outcome.closing == 17.25
    launch = with_options(spanish(), reading="launch")
    assert decide(launch, SPANISH_RING, landing(7), events(17.25)).closing == 10.0
    assert decide(launch, SPANISH_RING, landing(7), events(6.5)).closing == 6.5
    assert decide(launch, SPANISH_RING, landing(7), events(None)).closing == 10.0


@pytest.mark.article("RS-05")
def test_the_wheel_is_pushed_after_closing():
    closing = decide(roda(), RODA_RING, push(3), events(None)).closing
    assert closing is not None
    assert closing < 0


def test_a_wheel_without_a_rulebook_still_names_its_cell():
    outcome = decide(load("cells:25"), MACAU_RING, landing(0), events())
    assert (outcome.valid, outcome.symbol, outcome.chances, outcome.closing) == (True, "star", (), None)


def test_a_pocket_that_the_ring_does_not_have():
    with pytest.raises(ValueError, match="0 to 24"):
        decide(macau(), MACAU_RING, landing(25), events())
