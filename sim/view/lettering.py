"""Symbols painted on a machine, turned as they stand."""

from math import cos, pi, sin

import pygame

from sim.view.text import Colour, font

_FINE = 3  # drawn so many times larger, then made smaller, which smooths what is turned


def letter(
    layer: pygame.Surface,
    symbol: str,
    place: tuple[float, float],
    height: float,
    most: float,
    turned: float,
    colour: Colour,
) -> None:
    """Paint a symbol with its middle at ``place``, turned by ``turned`` deg; ``star`` is painted as one.

    height, most: px, of the letters and the largest width.
    """
    line = (
        _star(height, colour)
        if symbol == "star"
        else font(round(_FINE * height), bold=True).render(symbol, True, colour)
    )
    share = min(1.0, _FINE * most / line.get_width())
    large = pygame.transform.rotozoom(line, turned, share)
    width, height = (max(round(side / _FINE), 1) for side in large.get_size())
    turned_line = pygame.transform.smoothscale(large, (width, height))
    layer.blit(
        turned_line,
        (round(place[0] - 0.5 * turned_line.get_width()), round(place[1] - 0.5 * turned_line.get_height())),
    )


def _star(height: float, colour: Colour) -> pygame.Surface:
    side = round(_FINE * height * 1.05)
    line = pygame.Surface((side, side), pygame.SRCALPHA, 32)
    points = []
    for corner in range(10):
        reach = 0.48 * side * (1.0 if corner % 2 == 0 else 0.39)
        angle = 0.5 * pi + corner * pi / 5
        points.append((0.5 * side + reach * cos(angle), 0.53 * side - reach * sin(angle)))
    pygame.draw.polygon(line, colour, points)
    return line
