"""Lettering: one typeface with every accent, the same on every system."""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import pygame

Anchor = Literal["left", "centre", "right"]
Colour = tuple[int, int, int]


@lru_cache(maxsize=64)
def font(height: int, *, bold: bool = False) -> pygame.font.Font:
    """DejaVu Sans of a height, px, as it comes with matplotlib."""
    if not pygame.font.get_init():
        pygame.font.init()
    spec = find_spec("matplotlib")
    assert spec is not None and spec.origin is not None
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return pygame.font.Font(Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / name, max(height, 5))


@lru_cache(maxsize=400)
def lettered(text: str, height: int, colour: Colour, *, bold: bool = False) -> pygame.Surface:
    """A line of text with an alpha; not to be drawn upon."""
    return font(height, bold=bold).render(text, True, colour)


def width_of(text: str, height: int, *, bold: bool = False) -> int:
    """Width of a line of text, px."""
    return font(height, bold=bold).size(text)[0]


def write(
    surface: pygame.Surface,
    text: str,
    place: tuple[float, float],
    height: int,
    colour: Colour,
    *,
    anchor: Anchor = "left",
    bold: bool = False,
    most: int | None = None,
) -> pygame.Rect:
    """Write a line whose left, middle or right stands at ``place`` and whose middle height does; returns where.

    most: px, the line is made narrower to fit, and cut short when it would become too small.
    """
    if most is not None:
        height, text = fitted(text, height, most, bold=bold)
    line = lettered(text, height, colour, bold=bold)
    left = place[0] - {"left": 0.0, "centre": 0.5, "right": 1.0}[anchor] * line.get_width()
    return surface.blit(line, (round(left), round(place[1] - 0.5 * line.get_height())))


@lru_cache(maxsize=1024)
def fitted(text: str, height: int, most: int, *, bold: bool = False) -> tuple[int, str]:
    """The height and the text that fit into ``most`` px: smaller letters first, then fewer."""
    least = max(round(0.7 * height), 9)
    while height > least and width_of(text, height, bold=bold) > most:
        height -= 1
    if width_of(text, height, bold=bold) <= most:
        return height, text
    while text and width_of(text + "…", height, bold=bold) > most:
        text = text[:-1].rstrip()
    return height, text + "…" if text else ""


@lru_cache(maxsize=256)
def folded(text: str, height: int, most: int, *, bold: bool = False) -> tuple[str, ...]:
    """Text folded into lines of at most ``most`` px, between words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, height, bold=bold) <= most:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)
