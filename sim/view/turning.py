"""Turn a prepared disc onto a frame: bilinear, lit from a fixed side, by compiled code on one core."""

from math import ceil, cos, floor, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.physics.compiled import routine

Pixels = NDArray[np.uint32]
Lanes = NDArray[np.uint64]

_LOW = np.uint64(0x00FF00FF00FF00FF)
_ONES = np.uint64(0x0001000100010001)
_8, _7, _16, _48 = np.uint64(8), np.uint64(7), np.uint64(16), np.uint64(48)
_B, _G, _R, _A = np.uint64(0xFF), np.uint64(0xFF00), np.uint64(0xFF0000), np.uint64(0xFF)


class Disc(NamedTuple):
    """A disc that turns, prepared in its own frame with its zero mark along +x and the spindle in its middle.

    colours: shape (n, n), ARGB in four lanes of 16 bits, premultiplied by the alpha. slopes: shape (n, n, 2), how far
    the surface leans towards +x and +y, -127 to 127. radius: px, beyond which there is nothing; below n/2 - 1.
    """

    colours: Lanes
    slopes: NDArray[np.int8]
    radius: float


@routine
def turn(
    colours: Lanes,
    slopes: NDArray[np.int8],
    radius: float,
    angle: float,
    light: float,
    strength: float,
    x: float,
    y: float,
    target: Pixels,
) -> None:
    """Draw a disc (see `Disc`) turned by ``angle`` (rad, counter-clockwise) with its spindle at (x, y) of ``target``.

    light: azimuth of the light, rad, in the frame of the target. strength: by how much a full lean towards it is
    brighter, a share. target: shape (height, width), ARGB; its alpha is left undefined.
    """
    height, width = target.shape
    side = colours.shape[0]
    cosine, sine = cos(angle), sin(angle)
    light_x = int(256 * strength * cos(light - angle))
    light_y = int(256 * strength * sin(light - angle))
    step_u, step_v = round(cosine * 65536), round(sine * 65536)
    for row in range(max(0, floor(y - radius)), min(height, ceil(y + radius))):
        up = y - row - 0.5
        half = sqrt(max(radius * radius - up * up, 0.0))
        first, end = max(0, ceil(x - half - 0.5)), min(width, floor(x + half + 0.5))
        across = first + 0.5 - x
        u = int((0.5 * side - 0.5 + across * cosine + up * sine) * 65536)
        v = int((0.5 * side - 0.5 + across * sine - up * cosine) * 65536)
        for column in range(first, end):
            i, j = np.uint64(u >> 16), np.uint64(v >> 16)
            k, m = i + np.uint64(1), j + np.uint64(1)
            fx, fy = (u >> 8) & 255, (v >> 8) & 255
            d = (fx * fy) >> 8
            mixed = (
                (
                    colours[j, i] * np.uint64(256 - fx - fy + d)
                    + colours[j, k] * np.uint64(fx - d)
                    + colours[m, i] * np.uint64(fy - d)
                    + colours[m, k] * np.uint64(d)
                )
                >> _8
            ) & _LOW
            lit = slopes[j, i, 0] * light_x + slopes[j, i, 1] * light_y
            alpha = (mixed >> _48) & _A
            if lit != 0:
                bright = np.uint64(min(max(128 + (lit >> 8), 16), 255))
                mixed = ((mixed * bright) >> _7) & np.uint64(0x01FF01FF01FF01FF)
                mixed = (mixed | (((mixed >> _8) & _ONES) * np.uint64(255))) & _LOW
            if alpha < 252:
                under, share = np.uint64(target[row, column]), np.uint64(255) - alpha
                spread = (under & _B) | ((under & _G) << _8) | ((under & _R) << _16)
                mixed += ((spread * share) >> _8) & _LOW
            target[row, column] = np.uint32((mixed & _B) | ((mixed >> _8) & _G) | ((mixed >> _16) & _R))
            u += step_u
            v += step_v


def disc_of(colours: NDArray[np.uint8], lean: NDArray[np.int8], radius: float) -> Disc:
    """A disc of what was painted: colours (n, n, 4) premultiplied, lean (n, n, 2), radius in px."""
    lanes = np.ascontiguousarray(colours[..., [2, 1, 0, 3]]).astype(np.uint16).view(np.uint64)[..., 0]
    return Disc(np.ascontiguousarray(lanes), np.ascontiguousarray(lean), min(radius, len(lanes) / 2 - 1.5))
