"""The ball's step: leapfrog with the contact law, one contact search a step.

    kick   gravity and drag at the stored positions, then at each stored contact: the normal impulse that keeps the
           ball on the surface, friction, rolling and pivot resistance
    move   to the end of the step; there find the contacts, put the ball back on the surfaces it was on
           (multiplier lambda along the *old* normal), and let it bounce off those it newly met

Velocity lags half a step behind position while a half kick is pending (``Ball.pending``). Friction must act before the
move: otherwise a hollow loses half its energy in seconds.
"""

from math import cos, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.physics.compiled import law, routine
from sim.physics.contact import K, bounce, push, rub, slip_velocity, slow_pivoting, slow_rolling, slow_sliding
from sim.physics.losses import drag
from sim.physics.surface import (
    BAND,
    CHAIN,
    PAIR,
    PART,
    Surfaces,
    closest,
    in_plate,
    nearest_hollow,
    out_of_plate,
)
from sim.physics.vectors import Vector, cross, dot, norm, plus, tangential

CONTACTS = 6  # most contacts at once
STATOR, ROTOR = 0, 1
CALM = 0.03  # m/s: a slower approach does not bounce; 0.005 to 0.12 changes no outcome
_CONVERGED = 1e-12  # m/s
_TOUCH = 1e-9  # m: nearer than this a ball that is put down touches
_SAME = 0.9  # least cosine between the normals of one contact before and after a step
_ALIKE = 1.0 - 1e-6  # cosine above which two pieces of one surface are one contact


class Setting(NamedTuple):
    """What does not change during a spin.

    radius: m. gravity: m/s^2, lab frame. drag: 1/m, b of ``losses.drag``. offset: m, of the ball's centre of mass from
    its centre.
    """

    radius: float
    gravity: Vector
    drag: float
    offset: float = 0.0


class Ball(NamedTuple):
    """The state of a ball; the steps change these arrays in place.

    position, velocity (m, m/s), spin (rad/s): shape (3,), lab frame. pending: shape (1,), s of gravity that the
    velocity still lacks. touching: shape (1,), number of contacts, whose state the rows below hold: normal shape
    (CONTACTS, 3); impulse shape (CONTACTS,), lambda of the last move, m/s; place shape (CONTACTS, 5): body (STATOR
    or ROTOR), row of the pair table, part, hollow (-1: none), chain. met: shape (5,), the impact of the last move:
    speed m/s (0: none), part, hollow, body, and the time back from the end of the step, s. heavy: shape (3,), unit
    vector from the ball's centre to its centre of mass. spot: shape (3,), of the last contact search: the hollow
    whose mouth the ball's centre is in (-1: none), its distance from that hollow's axis and its height over the band,
    m. held: shape (2 CONTACTS, 7), friction impulse, rolling and pivot change of spin of the last step at each contact,
    where there were several. work, found: scratch.
    """

    position: NDArray[np.float64]
    velocity: NDArray[np.float64]
    spin: NDArray[np.float64]
    pending: NDArray[np.float64]
    touching: NDArray[np.int64]
    normal: NDArray[np.float64]
    impulse: NDArray[np.float64]
    place: NDArray[np.int64]
    met: NDArray[np.float64]
    heavy: NDArray[np.float64]
    spot: NDArray[np.float64]
    held: NDArray[np.float64]
    work: NDArray[np.float64]
    found: NDArray[np.float64]


@routine
def blank_ball() -> Ball:
    """A ball at the origin, at rest, touching nothing."""
    return Ball(
        np.zeros(3),
        np.zeros(3),
        np.zeros(3),
        np.zeros(1),
        np.zeros(1, dtype=np.int64),
        np.zeros((CONTACTS, 3)),
        np.zeros(CONTACTS),
        np.zeros((CONTACTS, 5), dtype=np.int64),
        np.zeros(5),
        np.zeros(3),
        np.zeros(3),
        np.zeros((2 * CONTACTS, 7)),
        np.zeros((CONTACTS, 8)),
        np.zeros((CONTACTS, 10)),
    )


def new_ball(position: Vector, velocity: Vector, spin: Vector, heavy: Vector = (0.0, 0.0, -1.0)) -> Ball:
    """A ball in free flight at a position (m) with a velocity (m/s), a spin (rad/s) and its heavy side."""
    ball = blank_ball()
    ball.position[:], ball.velocity[:], ball.spin[:], ball.heavy[:] = position, velocity, spin, heavy
    return ball


@law
def _get(array: NDArray[np.float64]) -> Vector:
    return (array[0], array[1], array[2])


@law
def _set(array: NDArray[np.float64], value: Vector) -> None:
    array[0], array[1], array[2] = value


# No views in the laws: numba counts references to each, which costs more than the arithmetic.
@law
def _row(table: NDArray[np.float64], row: int, column: int) -> Vector:
    return (table[row, column], table[row, column + 1], table[row, column + 2])


@law
def _put(table: NDArray[np.float64], row: int, column: int, value: Vector) -> None:
    table[row, column], table[row, column + 1], table[row, column + 2] = value


@law
def surface_velocity(position: Vector, normal: Vector, reach: float, turn: float) -> Vector:
    """Velocity (m/s) of a body turning at turn (rad/s) about z, at the point reach m below the ball's centre."""
    return (-turn * (position[1] - reach * normal[1]), turn * (position[0] - reach * normal[0]), 0.0)


@law
def kick(ball: Ball, surfaces: Surfaces, setting: Setting, plate_speed: float, duration: float) -> None:
    """Gravity, drag and the contact law, for a step of ``duration`` s that is about to be moved. Changes ball."""
    lag = ball.pending[0] + 0.5 * duration
    ball.pending[0] = 0.0
    velocity = plus(_get(ball.velocity), setting.gravity, lag)
    if setting.drag > 0.0:
        velocity = drag(velocity, setting.drag, lag)
    _set(ball.velocity, velocity)
    pushed = (-velocity[0], -velocity[1], -velocity[2])
    for i in range(ball.touching[0]):
        pushed = plus(pushed, _row(ball.normal, i, 0), ball.impulse[i])
    if ball.touching[0] == 1:
        _kick_one(ball, surfaces, setting, plate_speed, duration)
    elif ball.touching[0] > 1:
        _kick_many(ball, surfaces, setting, plate_speed, duration)
    if setting.offset > 0.0:
        _set(ball.spin, _unbalanced(ball, setting, plus(pushed, _get(ball.velocity))))


@law
def _unbalanced(ball: Ball, setting: Setting, impulse: Vector) -> Vector:
    """Spin of a ball whose contacts push with an impulse (per unit mass, m/s) past its centre of mass.

    To first order in offset over radius: d spin = -(offset heavy x impulse)/(K R^2).
    """
    turning = cross(_get(ball.heavy), impulse)
    return plus(_get(ball.spin), turning, -setting.offset / (K * setting.radius * setting.radius))


@law
def _kick_one(ball: Ball, surfaces: Surfaces, setting: Setting, plate_speed: float, duration: float) -> None:
    """The contact law at a single contact, in closed form."""
    radius = setting.radius
    position, velocity, spin = _get(ball.position), _get(ball.velocity), _get(ball.spin)
    normal = _row(ball.normal, 0, 0)
    turn = plate_speed if ball.place[0, 0] == ROTOR else 0.0
    pairs, pair = surfaces.pairs, ball.place[0, 1]
    surface = surface_velocity(position, normal, radius, turn)

    separating = dot(plus(velocity, surface, -1.0), normal)
    load = ball.impulse[0] - separating
    if load <= 0.0:
        # The surface would have to pull: take back what it pulled, and let go.
        if ball.impulse[0] < 0.0:
            _set(ball.velocity, plus(velocity, normal, -ball.impulse[0]))
        ball.touching[0] = 0
        return
    velocity = plus(velocity, normal, -separating)
    # What rubs and rolls does so along the way: with the plate's velocity at the start of the step, a ball at rest on a
    # turning plate would creep outward.
    midway = plus(position, velocity, 0.5 * duration)
    surface = surface_velocity(midway, normal, radius, turn)
    velocity, spin, rolls = rub(velocity, spin, normal, surface, radius, pairs[pair, 1] * load)
    if rolls:
        carried = surface_velocity(midway, normal, 0.0, turn)
        velocity, spin = slow_rolling(velocity, spin, normal, carried, turn, radius, pairs[pair, 2] * load)
    else:
        spin = slow_sliding(spin, normal, turn, radius, pairs[pair, 2] * load)
    spin = slow_pivoting(spin, normal, turn, radius, pairs[pair, 3] * load)
    _set(ball.velocity, velocity)
    _set(ball.spin, spin)
    for column in range(7):
        ball.held[0, column] = 0.0


@law
def _kick_many(ball: Ball, surfaces: Surfaces, setting: Setting, plate_speed: float, duration: float) -> None:
    """The contact law at several contacts: projected Gauss-Seidel over normal, rolling, pivot and friction impulses.

    Two normals are solved together: at a seam they are nearly parallel, and one after the other they hardly converge.
    """
    radius, pairs = setting.radius, surfaces.pairs
    position, velocity, spin = _get(ball.position), _get(ball.velocity), _get(ball.spin)
    count = ball.touching[0]
    # Columns of work: normal impulse, friction impulse (3), rolling change of spin (3), pivot change of spin; all but
    # the first begin where the last step ended.
    for i in range(count):
        normal = _row(ball.normal, i, 0)
        friction, rolling = (
            tangential(_row(ball.held, i, 0), normal),
            tangential(_row(ball.held, i, 3), normal),
        )
        velocity, spin = push(velocity, spin, normal, friction, radius)
        spin = plus(plus(spin, rolling), normal, ball.held[i, 6])
        ball.work[i, 0], ball.work[i, 7] = ball.impulse[i], ball.held[i, 6]
        _put(ball.work, i, 1, friction)
        _put(ball.work, i, 4, rolling)
    for _ in range(50):
        change = 0.0
        if count == 2:
            velocity, change = _press_two(ball, position, velocity, radius, plate_speed)
        midway = plus(position, velocity, 0.5 * duration)
        for i in range(count):
            normal, pair = _row(ball.normal, i, 0), ball.place[i, 1]
            turn = plate_speed if ball.place[i, 0] == ROTOR else 0.0
            if count > 2:
                surface = surface_velocity(position, normal, radius, turn)
                load = max(ball.work[i, 0] - dot(plus(velocity, surface, -1.0), normal), 0.0)
                velocity = plus(velocity, normal, load - ball.work[i, 0])
                change = max(change, abs(load - ball.work[i, 0]))
                ball.work[i, 0] = load
            surface = surface_velocity(midway, normal, radius, turn)
            load = ball.work[i, 0]
            grip, roll = pairs[pair, 1] * load, (1.0 + K) * pairs[pair, 2] * load / (K * radius)
            rubbed, turned = _row(ball.work, i, 1), _row(ball.work, i, 4)

            # At rest on this surface, if friction and rolling resistance can hold the ball together.
            carried = surface_velocity(midway, normal, 0.0, turn)
            friction = plus(rubbed, tangential(plus(velocity, carried, -1.0), normal), -1.0)
            held_velocity, held_spin = push(velocity, spin, normal, plus(friction, rubbed, -1.0), radius)
            relative = tangential((held_spin[0], held_spin[1], held_spin[2] - turn), normal)
            rolling = plus(turned, relative, -1.0)
            if norm(friction) <= grip and norm(rolling) <= roll:
                velocity, spin = held_velocity, plus(held_spin, relative, -1.0)
            else:
                relative = tangential((spin[0], spin[1], spin[2] - turn), normal)
                rolling = _clamped(plus(turned, relative, -1.0), roll)
                spin = plus(spin, plus(rolling, turned, -1.0))
                slip = slip_velocity(velocity, spin, normal, surface, radius)
                friction = _clamped(plus(rubbed, slip, -K / (1.0 + K)), grip)
                velocity, spin = push(velocity, spin, normal, plus(friction, rubbed, -1.0), radius)
            change = max(change, norm(plus(friction, rubbed, -1.0)))
            _put(ball.work, i, 1, friction)
            _put(ball.work, i, 4, rolling)

            about = dot(spin, normal) - turn * normal[2]
            most = pairs[pair, 3] * load / (K * radius)
            pivot = min(max(ball.work[i, 7] - about, -most), most)
            spin = plus(spin, normal, pivot - ball.work[i, 7])
            ball.work[i, 7] = pivot
        if change < _CONVERGED:
            break
    for i in range(count):
        for column in range(7):
            ball.held[i, column] = ball.work[i, 1 + column]
    _set(ball.velocity, velocity)
    _set(ball.spin, spin)


@law
def _press_two(
    ball: Ball, position: Vector, velocity: Vector, radius: float, plate_speed: float
) -> tuple[Vector, float]:
    """Both normal impulses of two contacts at once, neither pulling: the velocity, and the largest change (m/s)."""
    one, other = _row(ball.normal, 0, 0), _row(ball.normal, 1, 0)
    turn = plate_speed if ball.place[0, 0] == ROTOR else 0.0
    first = dot(plus(velocity, surface_velocity(position, one, radius, turn), -1.0), one)
    turn = plate_speed if ball.place[1, 0] == ROTOR else 0.0
    second = dot(plus(velocity, surface_velocity(position, other, radius, turn), -1.0), other)
    between = dot(one, other)
    free = max(1.0 - between * between, 1e-12)
    a = ball.work[0, 0] + (between * second - first) / free
    b = ball.work[1, 0] + (between * first - second) / free
    if a < 0.0:
        a = 0.0
        b = max(ball.work[1, 0] - second + between * ball.work[0, 0], 0.0)
    elif b < 0.0:
        b = 0.0
        a = max(ball.work[0, 0] - first + between * ball.work[1, 0], 0.0)
    first, second = a - ball.work[0, 0], b - ball.work[1, 0]
    ball.work[0, 0], ball.work[1, 0] = a, b
    return plus(plus(velocity, one, first), other, second), max(abs(first), abs(second))


@law
def _clamped(vector: Vector, most: float) -> Vector:
    size = norm(vector)
    if size <= most:
        return vector
    return (vector[0] * most / size, vector[1] * most / size, vector[2] * most / size)


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
        if int(found[i, 4]) == body and dot(_row(found, i, 1), normal) > _ALIKE:
            return count
    if count == found.shape[0]:
        return count
    found[count, 0] = gap
    _put(found, count, 1, normal)
    found[count, 4], found[count, 7] = body, hollow
    found[count, 5], found[count, 6], found[count, 8] = (
        pieces[row, PAIR],
        pieces[row, PART],
        pieces[row, CHAIN],
    )
    return count + 1


@law
def find_contacts(ball: Ball, surfaces: Surfaces, radius: float, plate_angle: float) -> int:
    """Write every contact closer than a fiftieth of the radius into ball.found; returns how many. Notes ball.spot."""
    reach = 1.02 * radius
    count = 0
    x, y, z = _get(ball.position)
    r = sqrt(x * x + y * y)
    if r > surfaces.stator_inner - reach:
        ex, ey = (x / r, y / r) if r > 1e-12 else (1.0, 0.0)
        for row in range(surfaces.stator.shape[0]):
            hit, distance, nq, nz = closest(surfaces.stator, row, r, z)
            if hit and -radius < distance < reach:
                normal = (nq * ex, nq * ey, nz)
                count = _note(ball.found, count, distance - radius, normal, STATOR, -1, surfaces.stator, row)
    ball.spot[0] = -1.0
    if r > surfaces.rotor_outer + reach:
        return count

    c, s = cos(plate_angle), sin(plate_angle)
    px, py, pz = in_plate(ball.position, surfaces, c, s)
    hollow, off = nearest_hollow(px, py, surfaces)
    inside = hollow >= 0 and off < surfaces.mouth[hollow]
    ball.spot[0], ball.spot[1], ball.spot[2] = hollow if inside else -1, off, pz
    r = sqrt(px * px + py * py)
    ex, ey = (px / r, py / r) if r > 1e-12 else (1.0, 0.0)
    for row in range(surfaces.rotor.shape[0]):
        if inside and surfaces.rotor[row, PART] == BAND:
            continue
        hit, distance, nq, nz = closest(surfaces.rotor, row, r, pz)
        if hit and -radius < distance < reach:
            normal = out_of_plate((nq * ex, nq * ey, nz), surfaces, c, s)
            count = _note(ball.found, count, distance - radius, normal, ROTOR, -1, surfaces.rotor, row)
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
def move(
    ball: Ball, surfaces: Surfaces, setting: Setting, plate_angle: float, plate_speed: float, duration: float
) -> None:
    """Move by ``duration`` s to where the plate stands at plate_angle (rad), and meet the surfaces. Changes ball."""
    ball.pending[0] = 0.5 * duration
    ball.met[0] = 0.0
    _set(ball.position, plus(_get(ball.position), _get(ball.velocity), duration))
    if setting.offset > 0.0:
        heavy = plus(_get(ball.heavy), cross(_get(ball.spin), _get(ball.heavy)), duration)
        size = norm(heavy)
        _set(ball.heavy, (heavy[0] / size, heavy[1] / size, heavy[2] / size))
    count = find_contacts(ball, surfaces, setting.radius, plate_angle)
    if count == 0:
        ball.touching[0] = 0
        return
    _match(ball, count)
    if _strike(ball, surfaces, setting, plate_speed, duration, count):
        count = find_contacts(ball, surfaces, setting.radius, plate_angle)
        _match(ball, count)
    _stay(ball, setting, duration, count)


@law
def adopt_contacts(ball: Ball, surfaces: Surfaces, radius: float, plate_angle: float) -> None:
    """Take up the contacts of a ball that is put down where it touches, without an impact. Changes ball."""
    kept = 0
    for row in range(find_contacts(ball, surfaces, radius, plate_angle)):
        ball.found[row, 9] = -1.0
        if abs(ball.found[row, 0]) < _TOUCH:
            _store(ball, kept, row, 0.0)
            kept += 1
    ball.touching[0] = kept


@law
def _store(ball: Ball, contact: int, row: int, impulse: float) -> None:
    """Keep a found contact for the next kick, and what the contact that it continues held the ball with."""
    _put(ball.normal, contact, 0, _row(ball.found, row, 1))
    ball.impulse[contact] = impulse
    for column in range(5):
        ball.place[contact, column] = int(ball.found[row, 4 + column])
    old = int(ball.found[row, 9])
    for column in range(7):
        ball.held[CONTACTS + contact, column] = ball.held[old, column] if old >= 0 else 0.0


@law
def _match(ball: Ball, count: int) -> None:
    """Give each found contact the old one it continues (last column of found), or -1."""
    taken = 0
    for i in range(count):
        best, likeness = -1, _SAME
        normal = _row(ball.found, i, 1)
        for old in range(ball.touching[0]):
            if taken >> old & 1 or int(ball.found[i, 8]) != ball.place[old, 4]:
                continue
            cosine = dot(normal, _row(ball.normal, old, 0))
            if cosine > likeness:
                best, likeness = old, cosine
        ball.found[i, 9] = best
        if best >= 0:
            taken |= 1 << best


@law
def _strike(
    ball: Ball, surfaces: Surfaces, setting: Setting, plate_speed: float, duration: float, count: int
) -> bool:
    """Bounce off the contact that was newly met first, backed up to the time of impact. True if there was one."""
    radius = setting.radius
    position, velocity = _get(ball.position), _get(ball.velocity)
    first, back = -1, -1.0
    for i in range(count):
        if ball.found[i, 9] >= 0.0 or ball.found[i, 0] >= 0.0:
            continue
        normal = _row(ball.found, i, 1)
        turn = plate_speed if int(ball.found[i, 4]) == ROTOR else 0.0
        surface = surface_velocity(position, normal, radius, turn)
        approach = dot(plus(velocity, surface, -1.0), normal)
        if approach < -CALM:
            ago = min(ball.found[i, 0] / approach, duration)
            if ago > back:
                first, back = i, ago
    if first < 0:
        return False
    normal = _row(ball.found, first, 1)
    body = int(ball.found[first, 4])
    turn = plate_speed if body == ROTOR else 0.0
    pairs, pair = surfaces.pairs, int(ball.found[first, 5])
    position = plus(position, velocity, -back)
    velocity = plus(velocity, setting.gravity, 0.5 * duration - back)
    surface = surface_velocity(position, normal, radius, turn)
    ball.met[0] = -dot(plus(velocity, surface, -1.0), normal)
    ball.met[1], ball.met[2], ball.met[3] = ball.found[first, 6], ball.found[first, 7], body
    ball.met[4] = back
    before = velocity
    velocity, spin = bounce(
        velocity, _get(ball.spin), normal, surface, radius, pairs[pair, 0], pairs[pair, 1]
    )
    _set(ball.spin, spin)
    if setting.offset > 0.0:
        _set(ball.spin, _unbalanced(ball, setting, plus(velocity, before, -1.0)))
    position = plus(plus(position, velocity, back), setting.gravity, 0.5 * back * back)
    _set(ball.position, position)
    _set(ball.velocity, plus(velocity, setting.gravity, back))
    ball.pending[0] = 0.0
    return True


@law
def _stay(ball: Ball, setting: Setting, duration: float, found: int) -> None:
    """Put the ball back on the surfaces it was on or gently came to, and store these contacts for the next kick.

    A contact is kept iff 2 lambda + g_n dt > 0: a surface that curves away holds the ball no longer than its load does,
    and none pulls because another pushes. After an impact a contact stays only where the ball has sunk in.
    """
    struck = ball.met[0] > 0.0
    kept = 0
    # Columns of work: gap, normal along which the multiplier acts (3), row of found, multiplier.
    for i in range(found):
        gap = ball.found[i, 0]
        old = int(ball.found[i, 9])
        if gap >= 0.0 and (struck or old < 0):
            continue
        ball.work[kept, 0] = gap
        _put(ball.work, kept, 1, _row(ball.normal, old, 0) if old >= 0 else _row(ball.found, i, 1))
        ball.work[kept, 4] = i
        kept += 1
    while kept > 0:
        _share(ball, duration, kept)
        weakest, load = -1, 0.0
        for i in range(kept):
            pressed = -dot(setting.gravity, _row(ball.work, i, 1)) * duration
            if 2.0 * ball.work[i, 5] + pressed <= load:
                weakest, load = i, 2.0 * ball.work[i, 5] + pressed
        if weakest < 0:
            break
        kept -= 1
        for column in range(6):
            ball.work[weakest, column] = ball.work[kept, column]

    position, velocity = _get(ball.position), _get(ball.velocity)
    for i in range(kept):
        along, multiplier, row = _row(ball.work, i, 1), ball.work[i, 5], int(ball.work[i, 4])
        position = plus(position, along, multiplier * duration)
        velocity = plus(velocity, along, multiplier)
        _store(ball, i, row, multiplier)
    for i in range(kept):
        for column in range(7):
            ball.held[i, column] = ball.held[CONTACTS + i, column]
    ball.touching[0] = kept
    _set(ball.position, position)
    _set(ball.velocity, velocity)


@law
def _share(ball: Ball, duration: float, kept: int) -> None:
    """Multipliers of the kept contacts at once: gap_i + dt sum_j lambda_j (old_j . new_i) = 0.

    One or two are solved outright, more by Gauss-Seidel.
    """
    if kept == 1:
        ball.work[0, 5] = -ball.work[0, 0] / (_lever(ball, 0, 0) * duration)
        return
    if kept == 2:
        a, b, c, d = _lever(ball, 0, 0), _lever(ball, 1, 0), _lever(ball, 0, 1), _lever(ball, 1, 1)
        free = max(a * d - b * c, 1e-12) * duration
        ball.work[0, 5] = (b * ball.work[1, 0] - d * ball.work[0, 0]) / free
        ball.work[1, 5] = (c * ball.work[0, 0] - a * ball.work[1, 0]) / free
        return
    for i in range(kept):
        ball.work[i, 5] = 0.0
    for _ in range(100):
        change = 0.0
        for i in range(kept):
            gap = ball.work[i, 0]
            for j in range(kept):
                gap += ball.work[j, 5] * duration * _lever(ball, j, i)
            step = -gap / (_lever(ball, i, i) * duration)
            ball.work[i, 5] += step
            change = max(change, abs(step))
        if change < _CONVERGED:
            break


@law
def _lever(ball: Ball, along: int, at: int) -> float:
    """By how much a push along the old normal of one kept contact opens the gap at another's new normal."""
    return dot(_row(ball.work, along, 1), _row(ball.found, int(ball.work[at, 4]), 1))
