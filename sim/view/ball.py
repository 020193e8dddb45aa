"""The ball: a lit sphere with marks that roll with it, and the shadow that tells how high it is."""

from math import ceil, cos, floor, pi, sin, tan

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.view.paint import LIGHT

_HEIGHT_OF_LIGHT = 0.30 * pi  # rad above the table
_IVORY = np.array((244, 240, 226), np.float32)
_MARK = np.array((176, 60, 44), np.float32)
_SUN = np.array(
    (cos(LIGHT) * cos(_HEIGHT_OF_LIGHT), sin(LIGHT) * cos(_HEIGHT_OF_LIGHT), sin(_HEIGHT_OF_LIGHT)),
    np.float32,
)
_HALFWAY = (_SUN + np.array((0, 0, 1), np.float32)) / np.linalg.norm(_SUN + np.array((0, 0, 1)))

Place = tuple[float, float]


def draw_ball(surface: pygame.Surface, place: Place, radius: float, turned: NDArray[np.float64]) -> None:
    """Draw the ball with its centre at ``place``, px, to a fraction of a pixel.

    radius: px. turned: rotation matrix (3, 3), seen frame from ball.
    """
    seen = _grid(surface, place, radius + 1.5)
    if seen is None:
        return
    there, x, y = seen
    d = np.hypot(x, y)
    share = np.clip(radius - d + 0.5, 0, 1)
    nx, ny = x / np.maximum(d, radius), y / np.maximum(d, radius)
    nz = np.sqrt(np.maximum(1 - nx * nx - ny * ny, 0))
    facing = np.maximum(nx * _SUN[0] + ny * _SUN[1] + nz * _SUN[2], 0)
    gloss = np.maximum(nx * _HALFWAY[0] + ny * _HALFWAY[1] + nz * _HALFWAY[2], 0) ** 60
    body = turned.astype(np.float32)
    along = nx * body[0, 0] + ny * body[1, 0] + nz * body[2, 0]
    up = nx * body[0, 2] + ny * body[1, 2] + nz * body[2, 2]
    soft = np.float32(0.5 * radius)
    marked = np.clip((0.055 - np.abs(along)) * soft + 0.5, 0, 1)
    marked = np.maximum(marked, np.clip((np.abs(up) - 0.93) * soft + 0.5, 0, 1))[..., None]
    colour = _IVORY * (1 - 0.8 * marked) + _MARK * (0.8 * marked)
    colour *= (0.34 + 0.68 * facing)[..., None]
    colour += (215 * gloss)[..., None]
    there += (np.minimum(colour, 255) - there) * share[..., None]
    _put(surface, place, radius + 1.5, there)


def draw_shadow(surface: pygame.Surface, place: Place, radius: float, height: float) -> None:
    """Draw the shadow of a ball whose lowest point is ``height`` above what is below it; all px.

    The higher the ball, the farther off, the softer and the paler its shadow.
    """
    away = (height + radius) / tan(_HEIGHT_OF_LIGHT)
    middle = place[0] - away * cos(LIGHT), place[1] + away * sin(LIGHT)
    blur = 0.35 * radius + 0.25 * height
    seen = _grid(surface, middle, radius + blur)
    if seen is None:
        return
    there, x, y = seen
    share = np.clip((radius + blur - np.hypot(x, y)) / (2 * blur), 0, 1)
    dark = 0.72 * radius / (radius + 0.35 * height)
    there *= (1 - dark * share * share * (3 - 2 * share))[..., None]
    _put(surface, middle, radius + blur, there)


def _box(surface: pygame.Surface, place: Place, reach: float) -> tuple[slice, slice]:
    """The columns and rows of a surface within ``reach`` of a place."""
    x, y = place
    columns = slice(max(0, floor(x - reach)), max(0, min(surface.get_width(), ceil(x + reach))))
    rows = slice(max(0, floor(y - reach)), max(0, min(surface.get_height(), ceil(y + reach))))
    return columns, rows


def _grid(
    surface: pygame.Surface, place: Place, reach: float
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]] | None:
    """The colours about a place, shape (columns, rows, 3), and how far each is from it, px, y upward; None if off."""
    columns, rows = _box(surface, place, reach)
    if columns.start >= columns.stop or rows.start >= rows.stop:
        return None
    x = np.arange(columns.start, columns.stop, dtype=np.float32) + np.float32(0.5 - place[0])
    y = np.float32(place[1] - 0.5) - np.arange(rows.start, rows.stop, dtype=np.float32)
    there = pygame.surfarray.pixels3d(surface)[columns, rows].astype(np.float32)
    return there, x[:, None], y[None, :]


def _put(surface: pygame.Surface, place: Place, reach: float, colours: NDArray[np.float32]) -> None:
    columns, rows = _box(surface, place, reach)
    pygame.surfarray.pixels3d(surface)[columns, rows] = colours
