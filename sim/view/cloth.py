"""The cloth: a field for every bet of a rulebook, laid out from the rulebook alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

import pygame

from sim.rules.bets import Wager, compact
from sim.rules.rulebook import Bet, Distinct, OneOf, Rulebook
from sim.view.inks import STAR, ink_of, on
from sim.view.lettering import letter
from sim.view.overlays import draw_chip
from sim.view.sitting import Sitting
from sim.view.text import Anchor, Colour, fitted, width_of, write

_FELT, _LINE, _PALE, _LIT, _DARK = (
    (18, 74, 52),
    (202, 186, 132),
    (176, 196, 184),
    (255, 216, 96),
    (10, 40, 28),
)
_CHOSEN, _UNDER = (120, 200, 255), (240, 244, 236)
_CHIPS: tuple[tuple[int, Colour], ...] = (
    (1, (214, 208, 190)), (5, (186, 40, 44)), (25, (34, 112, 70)), (100, (32, 34, 42)), (500, (104, 60, 130)),
)  # fmt: skip
VALUES = tuple(value for value, _ in _CHIPS)
_GAP = 3


@dataclass(frozen=True, slots=True)
class Field:
    """A place on the cloth for one bet; symbols: those that it covers, none where the player chooses them."""

    bet: Bet
    symbols: tuple[str, ...]
    rect: pygame.Rect
    label: str
    ground: Colour

    @property
    def chance(self) -> str:
        """What the bet is on, as wagers name it."""
        return Wager(self.bet, self.symbols, 1).chance


class Cloth:
    """The fields of a game within a rectangle of the panel, and the numbers that the player has chosen so far."""

    def __init__(self, rulebook: Rulebook, rect: pygame.Rect, text: int) -> None:
        self.rulebook, self.rect, self.text = rulebook, rect, text
        self.chosen: list[str] = []
        self.fields = list(_laid_out(rulebook, rect, text))

    def at(self, place: tuple[int, int]) -> Field | None:
        """The field at a place."""
        return next((field for field in self.fields if field.rect.collidepoint(place)), None)

    def choose(self, field: Field) -> None:
        """Choose a number for a bet on several, or let go of it."""
        if len(field.symbols) != 1 or not any(isinstance(bet, Distinct) for bet in self.rulebook.bets):
            return
        symbol = field.symbols[0]
        self.chosen = (
            [s for s in self.chosen if s != symbol] if symbol in self.chosen else [*self.chosen, symbol]
        )

    def wager(self, field: Field, stake: int) -> Wager | str:
        """The bet that a click on a field means, or what is missing for it."""
        if not isinstance(field.bet, Distinct):
            return Wager(field.bet, field.symbols, stake)
        if len(self.chosen) != field.bet.count:
            return f"shift-click {field.bet.count} numbers first; {len(self.chosen)} chosen"
        if not set(self.chosen) <= set(field.bet.of):
            return f"{field.label} takes numbers only"
        return Wager(field.bet, tuple(symbol for symbol in field.bet.of if symbol in self.chosen), stake)

    def draw(self, surface: pygame.Surface, sitting: Sitting, hover: Field | None) -> None:
        """Draw the fields with the chips on them; those that won are lit once the table has decided."""
        pygame.draw.rect(surface, _FELT, self.rect, border_radius=6)
        outcome = sitting.decided
        lit = set(outcome.chances) if outcome is not None and outcome.valid else set()
        symbol = outcome.symbol if outcome is not None else None
        for field in self.fields:
            wins = field.chance in lit
            self._field(surface, field, wins=wins, hover=field is hover and sitting.takes_bets)
        covered = self._covered(hover, sitting)
        for field in self.fields:
            under = len(covered) > 1 and len(field.symbols) == 1 and field.symbols[0] in covered
            self._edge(surface, field, wins=field.chance in lit, under=under)
            self._chips(surface, field, sitting, symbol)

    def _field(self, surface: pygame.Surface, field: Field, *, wins: bool, hover: bool) -> None:
        rect, text = field.rect, self.text
        pygame.draw.rect(surface, field.ground, rect, border_radius=4)
        if hover:
            pygame.draw.rect(
                surface, tuple(min(part + 26, 255) for part in field.ground), rect, border_radius=4
            )
        pygame.draw.rect(surface, _LINE, rect, 1, border_radius=4)
        ink = on(field.ground)
        prize = f"{self.rulebook.prize(field.bet).pays}:1"
        small = max(round(0.72 * text), 9)
        roomy = _roomy(rect, text)
        middle = rect.centery - (0.35 * small if roomy else 0)
        if field.label == "star":
            letter(
                surface,
                "star",
                (rect.centerx, middle),
                min(0.4 * rect.height, 2.4 * text),
                rect.width,
                0.0,
                STAR,
            )
        else:
            place = (rect.centerx, middle) if roomy else (rect.left + 0.6 * text, middle)
            most = rect.width - text - (0 if roomy else 4 * small)
            large = min(2 * text, round(0.3 * rect.height)) if roomy and len(field.label) < 3 else text
            words = field.label
            if width_of(words, round(0.75 * text), bold=True) > most:
                words = words.partition(" · ")[0]
            if not roomy and fitted(words, text, most, bold=True)[1] != words:
                most, prize = round(rect.width - text), ""
            anchor: Anchor = "centre" if roomy else "left"
            write(surface, words, place, max(large, text), ink, anchor=anchor, bold=True, most=most)
        if roomy:
            write(surface, prize, (rect.centerx, rect.bottom - 0.8 * small), small, ink, anchor="centre")
        else:
            write(surface, prize, (rect.right - 1.4 * text, rect.centery), small, ink, anchor="right")
        lamp = rect.right - 0.55 * text, rect.top + 0.55 * text
        if wins:
            pygame.draw.circle(surface, (255, 240, 180), lamp, 0.42 * text)
        pygame.draw.circle(surface, _LIT if wins else _DARK, lamp, max(0.24 * text, 2))

    @staticmethod
    def _covered(field: Field | None, sitting: Sitting) -> set[str]:
        """What a field covers; where the player chose that, what the bets on it cover."""
        if field is None or field.symbols:
            return set(field.symbols) if field is not None else set()
        slips = (slip for slip in sitting.on_cloth() if slip.wager.bet.bet == field.bet.bet)
        return {symbol for slip in slips for symbol in slip.wager.symbols}

    def _edge(self, surface: pygame.Surface, field: Field, *, wins: bool, under: bool) -> None:
        """The frame of a field that won, was chosen, or is among those of the bet under the mouse."""
        chosen = len(field.symbols) == 1 and field.symbols[0] in self.chosen
        if wins or chosen or under:
            ink = _LIT if wins else _CHOSEN if chosen else _UNDER
            pygame.draw.rect(
                surface, ink, field.rect.inflate(4, 4), 4 if wins or chosen else 2, border_radius=6
            )

    def _chips(self, surface: pygame.Surface, field: Field, sitting: Sitting, symbol: str | None) -> None:
        """The chips that lie on a field: one for each bet, with its amount."""
        slips = [
            slip
            for slip in sitting.on_cloth()
            if slip.wager.bet.bet == field.bet.bet
            and (isinstance(field.bet, Distinct) or slip.wager.symbols == field.symbols)
        ]
        if not slips:
            return
        total = sum(slip.wager.stake for slip in slips)
        # On the prize, so that the name of the bet can still be read.
        roomy = _roomy(field.rect, self.text)
        radius = min(0.8 * self.text, 0.4 * field.rect.height)
        x = field.rect.centerx if roomy else field.rect.right - 1.7 * radius
        place = x, field.rect.bottom - 1.1 * radius if roomy else field.rect.centery
        value = max(value for value in VALUES if value <= total)
        draw_chip(surface, place, radius, dict(_CHIPS)[value])
        ground = pygame.Rect(0, 0, round(0.62 * self.text * max(len(str(total)), 2)), round(0.95 * self.text))
        ground.center = round(place[0]), round(place[1])
        pygame.draw.rect(surface, (250, 246, 232), ground, border_radius=4)
        write(
            surface,
            str(total),
            place,
            max(round(0.8 * self.text), 9),
            (24, 20, 16),
            anchor="centre",
            bold=True,
        )
        if any(slip.frozen for slip in slips):
            pygame.draw.rect(surface, (150, 210, 255), field.rect, 3, border_radius=4)


def _roomy(rect: pygame.Rect, text: int) -> bool:
    """Whether a field has room for the prize below the name."""
    return rect.height > 2.9 * text


def draw_values(surface: pygame.Surface, rect: pygame.Rect, chosen: int, text: int) -> list[pygame.Rect]:
    """Draw the chips to choose from; returns where each is, in the order of `VALUES`."""
    places = []
    step = min(rect.width / len(_CHIPS), 2.9 * text)
    for number, (value, colour) in enumerate(_CHIPS):
        radius = min(0.44 * rect.height, 0.46 * step)
        place = rect.left + (number + 0.5) * step, rect.centery
        draw_chip(surface, place, radius, colour)
        write(surface, str(value), place, max(round(0.75 * text), 9), on(colour), anchor="centre", bold=True)
        if value == chosen:
            pygame.draw.circle(surface, _LIT, place, radius + 3, 3)
        places.append(pygame.Rect(round(place[0] - step / 2), rect.top, round(step), rect.height))
    return places


def _laid_out(rulebook: Rulebook, rect: pygame.Rect, text: int) -> Iterator[Field]:
    """Single symbols in a grid above, sets of symbols below them, bets on several numbers last."""
    single: list[tuple[Bet, str]] = []
    apart: list[Bet] = []
    sets: list[Bet] = []
    several: list[Bet] = []
    for bet in rulebook.bets:
        if isinstance(bet, OneOf):
            single += [(bet, symbol) for symbol in bet.of]
        elif isinstance(bet, Distinct):
            several.append(bet)
        else:
            (apart if len(rulebook.covers(bet)) == 1 else sets).append(bet)
    inner = rect.inflate(-2 * _GAP, -2 * _GAP)
    columns, deep = _grid(len(single), inner.width, inner.height)
    abreast = 4 if len(sets) == 4 else 3
    rows = [2.0 * deep, 1.5 * ceil(len(sets) / abreast), 1.5 * ceil(len(several) / 3)]
    most = 5.0 if sets or several else 8.0
    unit = min(inner.height / max(sum(rows), 1e-9), most * text)
    top = inner.top
    for share, group in zip(rows, (single, sets, several), strict=True):
        area = pygame.Rect(inner.left, top, inner.width, round(share * unit))
        top = area.bottom
        if group is single:
            for bet in apart:  # a symbol with a bet of its own stands beside the others
                place = pygame.Rect(area.left, area.top, area.width // (columns + len(apart)), area.height)
                area = pygame.Rect(place.right, area.top, area.right - place.right, area.height)
                symbol = rulebook.covers(bet)[0]
                yield Field(bet, (symbol,), place.inflate(-_GAP, -_GAP), symbol, ink_of(rulebook, symbol))
            for (bet, symbol), place in zip(single, _places(area, len(single), columns), strict=True):
                yield Field(bet, (symbol,), place, symbol, ink_of(rulebook, symbol))
        else:
            bets = sets if group is sets else several
            wide = abreast if group is sets else 3
            for bet, place in zip(bets, _places(area, len(bets), min(len(bets), wide)), strict=True):
                yield _of_set(rulebook, bet, place)


def _of_set(rulebook: Rulebook, bet: Bet, place: pygame.Rect) -> Field:
    """The field of a bet on a set, with the regulation's word and the English one."""
    if isinstance(bet, Distinct):
        return Field(bet, (), place, bet.bet, (14, 58, 42))
    local = bet.local_name
    label = f"{local} · {bet.head if local != bet.head else compact(rulebook.covers(bet))}"
    colours = {rulebook.colours[symbol] for symbol in rulebook.covers(bet)}
    ground = (
        ink_of(rulebook, rulebook.covers(bet)[0])
        if len(colours) == 1 and bet.pick == "colour"
        else (14, 58, 42)
    )
    return Field(bet, rulebook.covers(bet), place, label, ground)


def _grid(count: int, width: int, height: int) -> tuple[int, int]:
    """Columns and rows of fields a little wider than high, with the fewest empty places."""
    best = min(
        range(1, count + 1),
        key=lambda columns: (
            abs(width / columns / (0.62 * height / ceil(count / columns)) - 1.35)
            + 2.0 * (ceil(count / columns) * columns - count) / max(count, 1)
        ),
        default=1,
    )
    return best, ceil(count / best)


def _places(area: pygame.Rect, count: int, columns: int) -> Iterator[pygame.Rect]:
    """Rows of so many fields; those of a last row that is not full are wider."""
    rows = ceil(count / max(columns, 1))
    for number in range(count):
        row, column = divmod(number, columns)
        abreast = min(columns, count - row * columns)
        left = area.left + column * area.width // abreast
        right = area.left + (column + 1) * area.width // abreast
        top, bottom = area.top + row * area.height // rows, area.top + (row + 1) * area.height // rows
        yield pygame.Rect(left + 1, top + 1, right - left - _GAP, bottom - top - _GAP)
