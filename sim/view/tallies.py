"""What has come of the spins shown so far: where balls left the groove, and where they came to rest."""

from collections import Counter
from math import pi

import pygame

from sim.landing import Landing
from sim.view.text import write

_SECTORS = 24


class Tallies:
    """Counts of one machine, a spin at a time."""

    def __init__(self, pockets: int) -> None:
        self.drops: Counter[int] = Counter()
        self.landings: Counter[int] = Counter()
        self.pockets = pockets

    @property
    def spins(self) -> int:
        """How many landings were counted."""
        return self.landings.total()

    def add(self, landing: Landing) -> None:
        """Count a spin that has ended."""
        if landing.drop_azimuth is not None:
            self.drops[int(landing.drop_azimuth / (2 * pi) * _SECTORS) % _SECTORS] += 1
        pocket = landing.pocket if landing.pocket is not None else landing.section
        if pocket is not None:
            self.landings[pocket] += 1

    def draw(self, surface: pygame.Surface, rect: pygame.Rect, symbols: tuple[str, ...], text: int) -> None:
        """Draw both as bars."""
        small = max(round(0.8 * text), 9)
        half = rect.height // 2 if self.drops else rect.height
        if self.drops:
            area = pygame.Rect(rect.left, rect.top, rect.width, half)
            title = f"left the groove, by lab azimuth ({self.drops.total()})"
            names = [f"{15 * sector}°" for sector in range(_SECTORS)]
            _bars(
                surface,
                area,
                [self.drops[sector] for sector in range(_SECTORS)],
                names,
                title,
                small,
                (110, 170, 220),
            )
        area = pygame.Rect(rect.left, rect.bottom - half, rect.width, half)
        counts = [self.landings[pocket] for pocket in range(self.pockets)]
        _bars(
            surface,
            area,
            counts,
            list(symbols),
            f"came to rest, by place on the ring ({self.spins})",
            small,
            (224, 176, 90),
        )


def _bars(
    surface: pygame.Surface,
    rect: pygame.Rect,
    counts: list[int],
    names: list[str],
    title: str,
    text: int,
    colour: tuple[int, int, int],
) -> None:
    write(surface, title, (rect.left, rect.top + 0.7 * text), text, (190, 198, 194), most=rect.width)
    top, bottom = rect.top + 1.5 * text, rect.bottom - 1.4 * text
    width = rect.width / len(counts)
    most = max(*counts, 1)
    pygame.draw.line(surface, (90, 98, 96), (rect.left, bottom), (rect.right, bottom))
    wide = max(len(name) for name in names) * 0.66 * text + 3
    every = max(1, -int(-wide // width))
    for number, (count, name) in enumerate(zip(counts, names, strict=True)):
        left = rect.left + number * width
        tall = (bottom - top) * count / most
        bar = pygame.Rect(round(left + 1), round(bottom - tall), max(round(width) - 1, 1), round(tall))
        pygame.draw.rect(surface, colour, bar)
        if number % every == 0:
            label = "★" if name == "star" else name
            write(
                surface,
                label,
                (left + width / 2, bottom + 0.7 * text),
                max(text - 1, 8),
                (170, 178, 174),
                anchor="centre",
            )
