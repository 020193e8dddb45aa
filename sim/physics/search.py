"""The search for contacts: every surface that a ball touches where it is."""

from math import cos, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from sim.physics.ball import ROTOR, STATOR, Ball, get, put_row, row_of
from sim.physics.compiled import law
from sim.physics.surface import (
    BAND,
    CHAIN,
    LINE,
    PAIR,
    PART,
    SHAPE,
    A,
    C,
    E,
    Surfaces,
    closest,
    in_plate,
    nearest_hollow,
    out_of_plate,
)
from sim.physics.vectors import Vector, dot

_TOUCH = 1e-9  # m: nearer than this a ball that is put down touches
_ALIKE = 1.0 - 1e-6  # cosine above which two pieces of one surface are one contact


@law
def find_contacts(ball: Ball, surfaces: Surfaces, radius: float, plate_angle: float) -> int:
    """Write every contact closer than a fiftieth of the radius into ball.found; returns how many. Notes ball.spot."""
    reach = 1.02 * radius
    count = 0
    x, y, z = get(ball.position)
    r = sqrt(x * x + y * y)
    if r > surfaces.stator_inner - reach:
        ex, ey = (x / r, y / r) if r > 1e-12 else (1.0, 0.0)
        for row in range(surfaces.stator.shape[0]):
            hit, distance, nq, nz = closest(surfaces.stator, row, r, z)
            if hit and -radius < distance < reach:
                normal = (nq * ex, nq * ey, nz)
                count = _note(ball.found, count, distance - radius, normal, STATOR, -1, surfaces.stator, row)
            piece = surfaces.stator
            if piece[row, SHAPE] == LINE and r + reach < piece[row, A] + piece[row, C] * piece[row, E]:
                break  # all others lie outside
    last = int(ball.spot[0])
    ball.spot[0] = -1.0
    if r > surfaces.rotor_outer + reach:
        return count

    c, s = cos(plate_angle), sin(plate_angle)
    px, py, pz = in_plate(ball.position, surfaces, c, s)
    hollow, off = _hollow_at(px, py, surfaces, last)
    inside = hollow >= 0 and off < surfaces.mouth[hollow]
    ball.spot[0], ball.spot[1], ball.spot[2] = hollow if inside else -1, off, pz
    r = sqrt(px * px + py * py)
    ex, ey = (px / r, py / r) if r > 1e-12 else (1.0, 0.0)
    for row in range(surfaces.rotor.shape[0] - 1, -1, -1):
        if not (inside and surfaces.rotor[row, PART] == BAND):
            hit, distance, nq, nz = closest(surfaces.rotor, row, r, pz)
            if hit and -radius < distance < reach:
                normal = out_of_plate((nq * ex, nq * ey, nz), surfaces, c, s)
                count = _note(ball.found, count, distance - radius, normal, ROTOR, -1, surfaces.rotor, row)
        if surfaces.rotor[row, SHAPE] == LINE and r > surfaces.rotor[row, A] + reach:
            break  # all others lie inside
    if inside:
        count = _find_in_hollow(ball.found, surfaces, radius, (px, py, pz), c, s, hollow, count)
    # A lip that stands proud is met from outside its mouth too.
    for i in range(surfaces.proud.shape[0]):
        other = surfaces.proud[i]
        dx, dy = px - surfaces.centre[other, 0], py - surfaces.centre[other, 1]
        if not (inside and other == hollow) and sqrt(dx * dx + dy * dy) < surfaces.mouth[other] + radius:
            count = _find_in_hollow(ball.found, surfaces, radius, (px, py, pz), c, s, other, count)
    return count


@law
def _hollow_at(x: float, y: float, surfaces: Surfaces, last: int) -> tuple[int, float]:
    """The hollow nearest to (x, y) in the plate's frame and its distance, m; mouths do not overlap, so try the last."""
    if last >= 0:
        dx, dy = x - surfaces.centre[last, 0], y - surfaces.centre[last, 1]
        off = sqrt(dx * dx + dy * dy)
        if off < surfaces.mouth[last]:
            return last, off
    return nearest_hollow(x, y, surfaces)


@law
def _find_in_hollow(
    found: NDArray[np.float64],
    surfaces: Surfaces,
    radius: float,
    place: Vector,
    c: float,
    s: float,
    hollow: int,
    count: int,
) -> int:
    """Append the contacts with one hollow to found, of which ``count`` rows are taken; returns how many are.

    place: the ball's centre in the plate's frame. c, s: cos, sin of the plate's turn.
    """
    hx, hy = place[0] - surfaces.centre[hollow, 0], place[1] - surfaces.centre[hollow, 1]
    off = sqrt(hx * hx + hy * hy)
    ex, ey = (hx / off, hy / off) if off > 1e-12 else (1.0, 0.0)
    for row in range(surfaces.hollow_rows[hollow, 0], surfaces.hollow_rows[hollow, 1]):
        hit, distance, nq, nz = closest(surfaces.hollow, row, off, place[2])
        if hit and -radius < distance < 1.02 * radius:
            normal = out_of_plate((nq * ex, nq * ey, nz), surfaces, c, s)
            count = _note(found, count, distance - radius, normal, ROTOR, hollow, surfaces.hollow, row)
    return count


@law
def _note(
    found: NDArray[np.float64],
    count: int,
    gap: float,
    normal: Vector,
    body: int,
    hollow: int,
    pieces: NDArray[np.float64],
    row: int,
) -> int:
    """Append a contact to found, unless one like it is there: gap, normal, then the columns of Ball.place."""
    for i in range(count):
        if int(found[i, 4]) == body and dot(row_of(found, i, 1), normal) > _ALIKE:
            return count
    if count == found.shape[0]:
        return count
    found[count, 0] = gap
    put_row(found, count, 1, normal)
    found[count, 4], found[count, 7] = body, hollow
    found[count, 5], found[count, 6], found[count, 8] = (
        pieces[row, PAIR],
        pieces[row, PART],
        pieces[row, CHAIN],
    )
    return count + 1


@law
def adopt_contacts(ball: Ball, surfaces: Surfaces, radius: float, plate_angle: float) -> None:
    """Take up the contacts of a ball that is put down where it touches, without an impact. Changes ball."""
    kept = 0
    for row in range(find_contacts(ball, surfaces, radius, plate_angle)):
        if abs(ball.found[row, 0]) < _TOUCH:
            store(ball, kept, row, 0.0)
            for column in range(7):
                ball.held[kept, column] = 0.0
            kept += 1
    ball.touching[0] = kept


@law
def store(ball: Ball, contact: int, row: int, impulse: float) -> None:
    """Keep a found contact for the next kick."""
    put_row(ball.normal, contact, 0, row_of(ball.found, row, 1))
    ball.impulse[contact] = impulse
    for column in range(5):
        ball.place[contact, column] = int(ball.found[row, 4 + column])
