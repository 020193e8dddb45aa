"""Paint for the still layers: wood, edges that are smooth at any size, and the light that falls on them."""

from collections.abc import Callable
from math import cos, sin
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]
Colour = tuple[int, int, int]

LIGHT = 2.3
"""Azimuth of the light, rad: from the upper left."""
STRENGTH = 0.75
"""By how much a surface that faces the light is brighter than a level one, a share."""

_LATTICE = np.random.Generator(np.random.PCG64(1979)).random((256, 256), dtype=np.float32)
_BAND = 128  # rows painted at a time, which bounds the memory


def noise(u: Array, v: Array) -> Array:
    """Smooth noise, 0 to 1, with one bump for every unit of u and of v."""
    i, j = np.floor(u), np.floor(v)
    fu, fv = u - i, v - j
    fu, fv = fu * fu * (3 - 2 * fu), fv * fv * (3 - 2 * fv)
    i0, j0 = i.astype(np.int32) & 255, j.astype(np.int32) & 255
    i1, j1 = (i0 + 1) & 255, (j0 + 1) & 255
    low = _LATTICE[j0, i0] * (1 - fu) + _LATTICE[j0, i1] * fu
    high = _LATTICE[j1, i0] * (1 - fu) + _LATTICE[j1, i1] * fu
    mixed: Array = low * (1 - fv) + high * fv
    return mixed


def wood(along: Array, across: Array, dark: Colour, light: Colour) -> Array:
    """Wood with its grain along the first coordinate (m), shape (..., 3)."""
    swell = 0.012 * noise(along * 3, across * 5)
    rings = noise(along * 1.5, (across + swell) * 95)
    pores = noise(along * 22, across * 620)
    share = np.clip(0.25 + 0.6 * rings - 0.22 * pores, 0, 1)[..., None]
    mixed: Array = np.array(dark, np.float32) * (1 - share) + np.array(light, np.float32) * share
    return mixed


def felt(x: Array, y: Array) -> Array:
    """Green cloth, darker away from the middle (m), shape (..., 3)."""
    nap = 0.9 + 0.12 * noise(x * 420, y * 420) + 0.06 * noise(x * 9, y * 9)
    shade = np.clip(1.08 - 0.28 * np.hypot(x, y), 0.45, 1)
    cloth: Array = np.array((22, 66, 48), np.float32) * (nap * shade)[..., None]
    return cloth


def cover(inside: Array, scale: float) -> Array:
    """How much of a pixel is covered where an edge is ``inside`` m away (negative: outside), 0 to 1."""
    share: Array = np.clip(inside * np.float32(scale) + np.float32(0.5), 0, 1)
    return share


def edge(inside: Array) -> Array:
    """As `cover`, where all that is known of ``inside`` is its sign and that it is smooth; shape (height, width)."""
    slope = np.hypot(*np.gradient(inside)) if min(inside.shape) > 1 else np.ones_like(inside)
    share: Array = np.clip(inside / np.maximum(slope, 1e-9) + 0.5, 0, 1)
    return share


def lay(under: Array, over: Array | Colour, share: Array) -> None:
    """Lay one colour over another, in place; shapes (..., 3) and (...)."""
    under += (np.array(over, np.float32) - under) * share[..., None]


def lit(colours: Array, lean_x: Array, lean_y: Array) -> None:
    """Light colours in place by how far the surface leans towards +x and +y."""
    facing = lean_x * np.float32(cos(LIGHT)) + lean_y * np.float32(sin(LIGHT))
    colours *= (1 + np.float32(STRENGTH) * facing)[..., None]


Painter = Callable[[Array, Array], tuple[Array, Array, Array]]
"""Paints where x, shape (width,), and y, shape (height,), are, m: colours (height, width, 3) of 0 to 255, cover
(height, width) of 0 to 1, and lean (height, width, 2) of -1 to 1."""


def painted(
    size: tuple[int, int],
    centre: tuple[float, float],
    scale: float,
    painter: Painter,
    lettering: pygame.Surface | None = None,
) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """Paint a rectangle of ``size`` px with the origin at ``centre``, ``scale`` px to a metre; lettering lies over it.

    Returns colours (height, width, 4), red, green, blue and cover, premultiplied; and lean (height, width, 2), -127
    to 127.
    """
    width, height = size
    x = ((np.arange(width) + 0.5 - centre[0]) / scale).astype(np.float32)
    y = ((centre[1] - 0.5 - np.arange(height)) / scale).astype(np.float32)
    colours = np.empty((height, width, 4), np.uint8)
    lean = np.empty((height, width, 2), np.int8)
    letters = rgba_of(lettering) if lettering is not None else None
    for top in range(0, height, _BAND):
        rows = slice(top, min(top + _BAND, height))
        rgb, share, slope = painter(x, y[rows])
        if letters is not None:
            lay(rgb, letters[rows, :, :3].astype(np.float32), letters[rows, :, 3].astype(np.float32) / 255)
        colours[rows, :, :3] = np.clip(rgb, 0, 255) * share[..., None]
        colours[rows, :, 3] = share * 255
        lean[rows] = np.clip(slope * 127, -127, 127)
    return colours, lean


def rgba_of(surface: pygame.Surface) -> NDArray[np.uint8]:
    """The pixels of a surface with an alpha, shape (height, width, 4)."""
    raw = pygame.image.tobytes(surface, "RGBA")
    return np.frombuffer(raw, np.uint8).reshape(surface.get_height(), surface.get_width(), 4)


def opaque(colours: NDArray[np.uint8]) -> pygame.Surface:
    """A surface without an alpha, of colours of shape (height, width, 3 or more)."""
    surface = canvas((colours.shape[1], colours.shape[0]))
    pixels = pygame.surfarray.pixels3d(surface)
    pixels[:] = colours[..., :3].swapaxes(0, 1)
    return surface


def canvas(size: tuple[int, int]) -> pygame.Surface:
    """An empty surface of 32 bits without an alpha, 0xRRGGBB, whether there is a display or not."""
    return pygame.Surface(size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))


def pixels_of(surface: pygame.Surface) -> NDArray[np.uint32]:
    """The pixels of a `canvas` itself, shape (height, width), 0xRRGGBB; the surface is locked while they are held."""
    return pygame.surfarray.pixels2d(surface).T
