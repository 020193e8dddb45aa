"""The timeline: the phases of a spin by name, what happened when, and the time."""

from itertools import pairwise

import pygame

from sim.view.motion import Moment, Motion
from sim.view.seen import View
from sim.view.text import write

_GROUND, _INK, _PALE, _NOW = (20, 24, 27), (232, 232, 226), (150, 156, 160), (255, 255, 255)
_PHASES = ((44, 92, 128), (158, 108, 40), (52, 112, 70), (110, 70, 120))
_HIT, _BELL = (222, 130, 92), (250, 208, 96)


class Timeline:
    """A bar along the lower edge of the stage; `time_at` reads a place on it."""

    def __init__(self, size: tuple[int, int], text: int) -> None:
        height = round(3.7 * text)
        self.rect = pygame.Rect(0, size[1] - height, size[0], height)
        self.text = text
        pad = text
        self.bar = pygame.Rect(pad, self.rect.top + round(0.5 * text), size[0] - 2 * pad, round(1.55 * text))

    def time_at(self, place: tuple[int, int], motion: Motion) -> float:
        """The time, s, that a place on the bar stands for."""
        share = (place[0] - self.bar.left) / self.bar.width
        return min(max(share, 0.0), 1.0) * motion.duration

    def draw(self, surface: pygame.Surface, moment: Moment, view: View) -> None:
        """Draw the bar, as far as the spin is known."""
        motion = moment.motion
        if motion.still:
            pygame.draw.rect(surface, _GROUND, self.rect)
            pygame.draw.rect(surface, (38, 44, 48), self.bar, border_radius=4)
            place = self.bar.left + 6, self.bar.centery
            write(surface, "waiting for the launch", place, self.text, _PALE, most=self.bar.width)
            return
        known = motion.duration if view.known is None else min(view.known, motion.duration)
        pygame.draw.rect(surface, _GROUND, self.rect)
        pygame.draw.rect(surface, (38, 44, 48), self.bar, border_radius=4)
        for number, phase in enumerate(motion.phases):
            left, right = self._x(phase.begin, motion), self._x(min(phase.end, known), motion)
            if right > left:
                field = pygame.Rect(left, self.bar.top, right - left, self.bar.height)
                pygame.draw.rect(surface, _PHASES[number % len(_PHASES)], field, border_radius=3)
                middle = field.centery
                if field.width > 3 * self.text:
                    write(
                        surface, phase.name, (field.left + 5, middle), self.text, _INK, most=field.width - 9
                    )
        self._marks(surface, motion, known)
        now = self._x(moment.time, motion)
        pygame.draw.rect(surface, _NOW, (now - 1, self.bar.top - 4, 3, self.bar.height + 8))
        self._scale(surface, motion, moment.time)

    def _marks(self, surface: pygame.Surface, motion: Motion, known: float) -> None:
        """A tick for every contact and hop, a bell where it rang."""
        for event in motion.events:
            if event.time <= known and event.kind in ("contact", "hop"):
                x = self._x(event.time, motion)
                tall = min(4 + 5.0 * event.speed, 0.6 * self.bar.height)
                pygame.draw.line(surface, _HIT, (x, self.bar.bottom - 1), (x, self.bar.bottom - tall))
        bell = motion.outcome.closing if motion.outcome is not None else None
        if bell is not None and 0.0 <= bell <= known:
            draw_bell(surface, (self._x(bell, motion), self.bar.top), 0.55 * self.text)

    def _scale(self, surface: pygame.Surface, motion: Motion, time: float) -> None:
        """Seconds below the bar, with the time now at its place."""
        y = self.bar.bottom + 0.85 * self.text
        small = max(round(0.85 * self.text), 9)
        step = next(
            step
            for step in (1, 2, 5, 10, 20, 30, 60)
            if motion.duration / step * 5 * small < self.bar.width or step == 60
        )
        now = min(max(self._x(time, motion), self.bar.left + 2.2 * small), self.bar.right - 2.2 * small)
        for second in range(0, int(motion.duration) + 1, step):
            x = self._x(second, motion)
            if abs(x - now) > 4 * small and x < self.bar.right - small:
                write(surface, f"{second} s", (x, y), small, _PALE, anchor="centre" if second else "left")
        write(surface, f"{time:.2f} s", (now, y), self.text, _NOW, anchor="centre", bold=True)

    def _x(self, time: float, motion: Motion) -> int:
        return self.bar.left + round(self.bar.width * min(max(time / motion.duration, 0.0), 1.0))


def draw_bell(surface: pygame.Surface, place: tuple[float, float], size: float) -> None:
    """A small bell that hangs with its middle at a place."""
    x, y = place
    shape = [
        (-0.9, 0.7),
        (-0.6, 0.3),
        (-0.5, -0.4),
        (-0.2, -0.8),
        (0.2, -0.8),
        (0.5, -0.4),
        (0.6, 0.3),
        (0.9, 0.7),
    ]
    points = [(x + size * a, y + size * b) for a, b in shape]
    pygame.draw.polygon(surface, _BELL, points)
    pygame.draw.circle(surface, _BELL, (x, y + 0.9 * size), max(0.28 * size, 1.5))
    for first, second in pairwise([*points, points[0]]):
        pygame.draw.aaline(surface, (90, 66, 16), first, second)
