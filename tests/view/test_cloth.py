"""Every bet of every rulebook has its field, and a click on a field is that bet."""

import pygame
import pytest

from sim.documents.resources import rulebook_names
from sim.rules.bets import parse_bet
from sim.rules.library import load
from sim.rules.rulebook import Distinct, OneOf
from sim.view.cloth import Cloth


@pytest.mark.parametrize("name", rulebook_names())
@pytest.mark.parametrize("size", [(510, 460), (210, 200), (770, 270)])
def test_all_bets_are_there_apart_from_each_other_and_within_the_cloth(name, size):
    rulebook = load(name)
    rect = pygame.Rect(40, 30, *size)
    cloth = Cloth(rulebook, rect, 11)
    wanted = [bet.bet for bet in rulebook.bets for _ in (bet.of if isinstance(bet, OneOf) else [0])]
    assert sorted(field.bet.bet for field in cloth.fields) == sorted(wanted)
    for number, field in enumerate(cloth.fields):
        assert rect.contains(field.rect)
        assert field.rect.width > 8 and field.rect.height > 6
        assert field.rect.collidelist([other.rect for other in cloth.fields[number + 1 :]]) == -1
        assert cloth.at(field.rect.center) is field


@pytest.mark.parametrize("name", rulebook_names())
def test_a_field_means_the_bet_that_the_command_line_names(name):
    rulebook = load(name)
    cloth = Cloth(rulebook, pygame.Rect(0, 0, 500, 400), 11)
    for field in cloth.fields:
        if isinstance(field.bet, Distinct):
            cloth.chosen = list(field.bet.of[: field.bet.count])
        wager = cloth.wager(field, 7)
        assert wager == parse_bet(rulebook, f"{wager.chance}=7")


def test_a_bet_on_several_numbers_needs_as_many():
    cloth = Cloth(load("macau-boule-1979"), pygame.Rect(0, 0, 500, 400), 11)
    four = next(field for field in cloth.fields if field.label == "4 numbers")
    cloth.chosen = ["1", "2"]
    assert cloth.wager(four, 5) == "shift-click 4 numbers first; 2 chosen"
    cloth.chosen = ["1", "2", "star", "3"]
    assert "numbers only" in cloth.wager(four, 5)
