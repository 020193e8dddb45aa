"""The panel beside the stage: how the round stands, the cloth, the player's chips, what was said and paid."""

import pygame

from sim.rules.round import State
from sim.view.bubble import Bubble
from sim.view.cloth import Cloth, Field, draw_values
from sim.view.show import Show
from sim.view.sitting import Note, Sitting, words_of
from sim.view.text import Colour, fitted, folded, write

_GROUND, _INK, _PALE = (24, 29, 32), (234, 232, 222), (150, 160, 156)
_STATES: dict[State, Colour] = {
    State.OPEN: (38, 128, 74),
    State.CLOSED: (176, 112, 28),
    State.DECIDED: (190, 150, 40),
    State.PAID: (190, 150, 40),
    State.VOID: (176, 52, 44),
}
_NOTES: dict[str, Colour] = {
    "said": (244, 226, 170),
    "refused": (255, 140, 110),
    "void": (255, 140, 110),
    "paid": (150, 224, 150),
    "collected": (190, 170, 160),
    "bet": (170, 200, 230),
    "remark": (255, 190, 120),
}


class Panel:
    """The panel of one show at one place of the window."""

    def __init__(self, show: Show, rect: pygame.Rect, *, tallied: bool) -> None:
        self.show, self.rect = show, rect
        text = self.text = max(10, min(round(rect.height / 50), round(rect.width / 34)))
        pad = text
        inner = rect.inflate(-2 * pad, -1.4 * pad)
        self.banner = pygame.Rect(inner.left, inner.top, inner.width, round(4.1 * text))
        bottom = inner.bottom
        low = round(7.5 * text)
        self.bubble: Bubble | None = None
        side = pygame.Rect(inner.left, bottom - low, inner.width, low)
        if show.tilts:
            self.bubble = Bubble(pygame.Rect(side.left, side.top, round(1.25 * low), low), text)
            side = pygame.Rect(
                side.left + round(1.25 * low) + pad, side.top, side.width - round(1.25 * low) - pad, low
            )
        self.notes = side
        row = round(2.9 * text)
        self.values = pygame.Rect(inner.left, side.top - row - pad // 2, round(0.56 * inner.width), row)
        self.button = pygame.Rect(self.values.right, self.values.top, inner.right - self.values.right, row)
        self.purse = pygame.Rect(
            inner.left, self.values.top - round(1.5 * text), inner.width, round(1.4 * text)
        )
        self.tallies = pygame.Rect(inner.left, 0, 0, 0)
        lower = self.purse.top
        if tallied:
            height = round(0.3 * (lower - self.banner.bottom))
            self.tallies = pygame.Rect(inner.left, lower - height, inner.width, height)
            lower = self.tallies.top
        top = self.banner.bottom + pad // 2
        self.cloth = Cloth(
            show.rulebook, pygame.Rect(inner.left, top, inner.width, lower - top - pad // 3), text
        )
        self.value_places: list[pygame.Rect] = []
        if self.bubble is not None:
            level = getattr(show.scenario, "level", None)
            if level is not None:
                self.bubble.set(level.tilt, level.low_side)

    def draw(
        self, surface: pygame.Surface, hover: Field | None, value: int, button: str, waiting: str
    ) -> None:
        """Draw it all. button: what the large button would do. waiting: what is waited for, or nothing."""
        show, sitting, text = self.show, self.show.sitting, self.text
        pygame.draw.rect(surface, _GROUND, self.rect)
        self._banner(surface, sitting, waiting)
        self.cloth.draw(surface, sitting, hover)
        if self.tallies.height:
            show.tallies.draw(surface, self.tallies, show.scenario.machine.ring, text)
        held = sum(slip.wager.stake for slip in sitting.on_cloth())
        words = f"you hold {sitting.purse} chips, {held} on the cloth"
        if sitting.gain:
            words += f" ({sitting.gain:+d})"
        most = self.purse.width - 6 * text
        write(surface, words, (self.purse.left, self.purse.centery), text, _INK, most=most)
        write(
            surface,
            f"round {sitting.play.number + 1}",
            (self.purse.right, self.purse.centery),
            text,
            _PALE,
            anchor="right",
        )
        self.value_places = draw_values(surface, self.values, value, text)
        pygame.draw.rect(surface, (52, 92, 128), self.button, border_radius=6)
        most = self.button.width - text
        if fitted(button, text, most, bold=True)[1] != button:
            button = button.partition(" · ")[0]
        write(surface, button, self.button.center, text, _INK, anchor="centre", bold=True, most=most)
        if self.bubble is not None:
            self.bubble.draw(surface)
        self._notes(surface, sitting.notes)

    def _hint(self) -> str:
        """What to do while bets are taken."""
        closing = self.show.rulebook.closing
        if self.show.order is None:
            pushed = self.show.motion.of_ball is False
            return f"click on the cloth to bet, then {'push the wheel' if pushed else 'launch'}"
        return (
            "bets are taken until the bell" if closing and closing.when == "bell" else "bets are still taken"
        )

    def _banner(self, surface: pygame.Surface, sitting: Sitting, waiting: str) -> None:
        """The state of the round and the words last said, with their translation."""
        text, rect = self.text, self.banner
        pygame.draw.rect(surface, _STATES[sitting.state], rect, border_radius=6)
        state = words_of(sitting.state)
        outcome = sitting.decided
        if outcome is not None and outcome.void is not None:
            state = f"void ({outcome.void.article or 'no article'})"
        elif outcome is not None:
            state = f"{'the star' if outcome.symbol == 'star' else outcome.symbol} wins"
        if sitting.state is State.VOID and sitting.takes_bets:
            state += "; new bets are taken"
        left, most = rect.left + 0.7 * text, round(rect.width - 1.4 * text)
        write(
            surface,
            state,
            (left, rect.top + 1.25 * text),
            round(1.3 * text),
            (255, 255, 250),
            bold=True,
            most=most,
        )
        hint = self._hint() if sitting.state is State.OPEN else ""
        second = waiting or (_quoted(sitting.said) if sitting.said is not None else hint)
        write(surface, second, (left, rect.top + 3.0 * text), text, (255, 250, 226), most=most)

    def _notes(self, surface: pygame.Surface, notes: list[Note]) -> None:
        """The last lines of what went on, the newest at the bottom."""
        text, rect = max(round(0.92 * self.text), 9), self.notes
        y = rect.bottom - 0.7 * text
        for note in reversed(notes[-12:]):
            time = "" if note.time is None else f"{note.time:.1f} s  "
            by = f" ({note.article})" if note.article else ""
            words = _quoted(note) if note.kind == "said" else f"{note.text}{by}"
            lines = folded(f"{time}{words}", text, rect.width)
            if y - 1.3 * text * (len(lines) - 1) < rect.top + 0.5 * text:
                break
            for line in reversed(lines):
                write(surface, line, (rect.left, y), text, _NOTES[note.kind], most=rect.width)
                y -= 1.3 * text


def _quoted(note: Note) -> str:
    translated = f"  {note.english}" if note.english and note.english != note.text else ""
    by = f" ({note.article})" if note.article else ""
    return f"“{note.text}”{translated}{by}"
