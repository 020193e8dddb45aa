"""The second half of a ball's step: on to where it gets, and to the surfaces it meets; see ``sim.physics.ball``."""

from sim.physics.ball import (
    CALM,
    CONTACTS,
    CONVERGED,
    ROTOR,
    Ball,
    Setting,
    get,
    put,
    put_row,
    row_of,
    surface_velocity,
    unbalanced,
)
from sim.physics.compiled import law
from sim.physics.contact import bounce
from sim.physics.search import find_contacts, store
from sim.physics.surface import Surfaces
from sim.physics.vectors import cross, dot, norm, plus

_SAME = 0.9  # least cosine between the normals of one contact before and after a step


@law
def move(
    ball: Ball, surfaces: Surfaces, setting: Setting, plate_angle: float, plate_speed: float, duration: float
) -> None:
    """Move by ``duration`` s to where the plate stands at plate_angle (rad), and meet the surfaces. Changes ball."""
    ball.pending[0] = 0.5 * duration
    ball.met[0] = 0.0
    put(ball.position, plus(get(ball.position), get(ball.velocity), duration))
    if setting.offset > 0.0:
        heavy = plus(get(ball.heavy), cross(get(ball.spin), get(ball.heavy)), duration)
        size = norm(heavy)
        put(ball.heavy, (heavy[0] / size, heavy[1] / size, heavy[2] / size))
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
def _match(ball: Ball, count: int) -> None:
    """Give each found contact the old one it continues (last column of found), or -1."""
    taken = 0
    for i in range(count):
        best, likeness = -1, _SAME
        normal = row_of(ball.found, i, 1)
        for old in range(ball.touching[0]):
            if taken >> old & 1 or int(ball.found[i, 8]) != ball.place[old, 4]:
                continue
            cosine = dot(normal, row_of(ball.normal, old, 0))
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
    position, velocity = get(ball.position), get(ball.velocity)
    first, back = -1, -1.0
    for i in range(count):
        if ball.found[i, 9] >= 0.0 or ball.found[i, 0] >= 0.0:
            continue
        normal = row_of(ball.found, i, 1)
        turn = plate_speed if int(ball.found[i, 4]) == ROTOR else 0.0
        surface = surface_velocity(position, normal, radius, turn)
        approach = dot(plus(velocity, surface, -1.0), normal)
        if approach < -CALM:
            ago = min(ball.found[i, 0] / approach, duration)
            if ago > back:
                first, back = i, ago
    if first < 0:
        return False
    normal = row_of(ball.found, first, 1)
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
    velocity, spin = bounce(velocity, get(ball.spin), normal, surface, radius, pairs[pair, 0], pairs[pair, 1])
    put(ball.spin, spin)
    if setting.offset > 0.0:
        put(ball.spin, unbalanced(ball, setting, plus(velocity, before, -1.0)))
    position = plus(plus(position, velocity, back), setting.gravity, 0.5 * back * back)
    put(ball.position, position)
    put(ball.velocity, plus(velocity, setting.gravity, back))
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
        put_row(ball.work, kept, 1, row_of(ball.normal, old, 0) if old >= 0 else row_of(ball.found, i, 1))
        ball.work[kept, 4] = i
        kept += 1
    while kept > 0:
        _share(ball, duration, kept)
        weakest, load = -1, 0.0
        for i in range(kept):
            pressed = -dot(setting.gravity, row_of(ball.work, i, 1)) * duration
            if 2.0 * ball.work[i, 5] + pressed <= load:
                weakest, load = i, 2.0 * ball.work[i, 5] + pressed
        if weakest < 0:
            break
        kept -= 1
        for column in range(6):
            ball.work[weakest, column] = ball.work[kept, column]

    position, velocity = get(ball.position), get(ball.velocity)
    for i in range(kept):
        along, multiplier, row = row_of(ball.work, i, 1), ball.work[i, 5], int(ball.work[i, 4])
        position = plus(position, along, multiplier * duration)
        velocity = plus(velocity, along, multiplier)
        store(ball, i, row, multiplier)
    if kept > 1:
        _hold(ball, kept)
    ball.touching[0] = kept
    put(ball.position, position)
    put(ball.velocity, velocity)


@law
def _hold(ball: Ball, kept: int) -> None:
    """Hand on to each kept contact what the contact that it continues held the ball with in the last kick."""
    for i in range(kept):
        old = int(ball.found[int(ball.work[i, 4]), 9])
        for column in range(7):
            ball.held[CONTACTS + i, column] = ball.held[old, column] if old >= 0 else 0.0
    for i in range(kept):
        for column in range(7):
            ball.held[i, column] = ball.held[CONTACTS + i, column]


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
        if change < CONVERGED:
            break


@law
def _lever(ball: Ball, along: int, at: int) -> float:
    """By how much a push along the old normal of one kept contact opens the gap at another's new normal."""
    return dot(row_of(ball.work, along, 1), row_of(ball.found, int(ball.work[at, 4]), 1))
