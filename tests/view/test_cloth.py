"""Every bet of every rulebook has its field, and a click on a field is that bet."""

import pygame
import pytest

from sim.documents.resources import rulebook_names
from sim.rules.bets import parse_bet
from sim.rules.library import load
from sim.rules.rulebook import Distinct, OneOf
from sim.view.cloth import Cloth
from sim.view.sitting import Sitting
from sim.view.text import fitted


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


@pytest.mark.parametrize("name", rulebook_names())
@pytest.mark.parametrize("size, text", [((268, 412), 10), ((380, 150), 11), ((510, 318), 14)])
def test_every_name_can_be_read_even_where_the_prize_has_no_room(name, size, text, monkeypatch):
    seen = []

    def spy(surface, words, place, height, colour, *, bold=False, most=None, **rest):
        seen.append(fitted(words, height, most, bold=bold)[1] if most is not None else words)

    monkeypatch.setattr("sim.view.cloth.write", spy)
    rulebook = load(name)
    cloth = Cloth(rulebook, pygame.Rect(0, 0, *size), text)
    cloth.draw(pygame.Surface(size), Sitting(rulebook), None)
    names = [field.label for field in cloth.fields if field.label != "star"]
    assert [label for label in names if label not in seen and label.partition(" · ")[0] not in seen] == []


def test_a_bet_under_the_mouse_shows_its_numbers():
    rulebook = load("macau-boule-1979")
    cloth, sitting = Cloth(rulebook, pygame.Rect(0, 0, 510, 460), 14), Sitting(rulebook)
    field = {field.label: field for field in cloth.fields}

    def framed(hover):
        surface = pygame.Surface((510, 460))
        cloth.draw(surface, sitting, hover)
        return {
            found.label
            for found in cloth.fields
            if len(found.symbols) == 1
            for rect in [found.rect]
            if all(
                surface.get_at(place)[:3] == (240, 244, 236)
                for place in (
                    (rect.centerx, rect.top - 2),
                    (rect.centerx, rect.bottom + 1),
                    (rect.left - 2, rect.centery),
                    (rect.right + 1, rect.centery),
                )
            )
        }

    assert framed(None) == set()
    assert framed(field["7"]) == set()
    assert framed(field["pequeno · small"]) == {str(number) for number in range(1, 13)}
    assert framed(field["3 numbers"]) == set()
    sitting.bet(parse_bet(rulebook, "numbers:2,5,24=1"))
    assert framed(field["3 numbers"]) == {"2", "5", "24"}
