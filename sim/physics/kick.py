"""The first half of a ball's step: gravity, drag, and the contact law at every contact; see ``sim.physics.ball``."""

from math import cos, sin

from sim.physics.ball import (
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
from sim.physics.contact import K, push, rub, slip_velocity, slow_pivoting, slow_rolling, slow_sliding
from sim.physics.losses import drag
from sim.physics.surface import Surfaces
from sim.physics.vectors import Vector, dot, norm, plus, tangential


@law
def kick(ball: Ball, surfaces: Surfaces, setting: Setting, plate_speed: float, duration: float) -> None:
    """Gravity, drag and the contact law, for a step of ``duration`` s that is about to be moved. Changes ball."""
    lag = ball.pending[0] + 0.5 * duration
    ball.pending[0] = 0.0
    velocity = plus(get(ball.velocity), setting.gravity, lag)
    if setting.drag > 0.0:
        velocity = drag(velocity, setting.drag, lag)
    put(ball.velocity, velocity)
    pushed = (-velocity[0], -velocity[1], -velocity[2])
    if setting.offset > 0.0:
        for i in range(ball.touching[0]):
            pushed = plus(pushed, row_of(ball.normal, i, 0), ball.impulse[i])
    if ball.touching[0] == 1:
        _kick_one(ball, surfaces, setting, plate_speed, duration)
    elif ball.touching[0] > 1:
        _kick_many(ball, surfaces, setting, plate_speed, duration)
    if setting.offset > 0.0:
        put(ball.spin, unbalanced(ball, setting, plus(pushed, get(ball.velocity))))


@law
def _kick_one(ball: Ball, surfaces: Surfaces, setting: Setting, plate_speed: float, duration: float) -> None:
    """The contact law at a single contact, in closed form."""
    radius = setting.radius
    position, velocity, spin = get(ball.position), get(ball.velocity), get(ball.spin)
    normal = row_of(ball.normal, 0, 0)
    turn = plate_speed if ball.place[0, 0] == ROTOR else 0.0
    pairs, pair = surfaces.pairs, ball.place[0, 1]
    surface = surface_velocity(position, normal, radius, turn)

    separating = dot(plus(velocity, surface, -1.0), normal)
    load = ball.impulse[0] - separating
    if load <= 0.0:
        # The surface would have to pull: take back what it pulled, and let go.
        if ball.impulse[0] < 0.0:
            put(ball.velocity, plus(velocity, normal, -ball.impulse[0]))
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
    put(ball.velocity, velocity)
    put(ball.spin, spin)
    for column in range(7):
        ball.held[0, column] = 0.0


@law
def _kick_many(ball: Ball, surfaces: Surfaces, setting: Setting, plate_speed: float, duration: float) -> None:
    """The contact law at several contacts: projected Gauss-Seidel over normal, rolling, pivot and friction impulses.

    Two normals are solved together: at a seam they are nearly parallel, and one after the other they hardly converge.
    """
    radius, pairs = setting.radius, surfaces.pairs
    position, velocity, spin = get(ball.position), get(ball.velocity), get(ball.spin)
    count = ball.touching[0]
    # Columns of work: normal impulse, friction impulse (3), rolling change of spin (3), pivot change of spin; all but
    # the first begin where the last step ended, turned with the ball about the spindle.
    c, s = _carried_round(position, velocity, radius, duration)
    for i in range(count):
        normal = row_of(ball.normal, i, 0)
        friction = tangential(_turned(row_of(ball.held, i, 0), c, s), normal)
        rolling = tangential(_turned(row_of(ball.held, i, 3), c, s), normal)
        velocity, spin = push(velocity, spin, normal, friction, radius)
        spin = plus(plus(spin, rolling), normal, ball.held[i, 6])
        ball.work[i, 0], ball.work[i, 7] = ball.impulse[i], ball.held[i, 6]
        put_row(ball.work, i, 1, friction)
        put_row(ball.work, i, 4, rolling)
    for _ in range(50):
        change = 0.0
        if count == 2:
            velocity, change = _press_two(ball, position, velocity, radius, plate_speed)
        midway = plus(position, velocity, 0.5 * duration)
        for i in range(count):
            normal, pair = row_of(ball.normal, i, 0), ball.place[i, 1]
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
            rubbed, turned = row_of(ball.work, i, 1), row_of(ball.work, i, 4)

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
            put_row(ball.work, i, 1, friction)
            put_row(ball.work, i, 4, rolling)

            about = dot(spin, normal) - turn * normal[2]
            most = pairs[pair, 3] * load / (K * radius)
            pivot = min(max(ball.work[i, 7] - about, -most), most)
            spin = plus(spin, normal, pivot - ball.work[i, 7])
            ball.work[i, 7] = pivot
        if change < CONVERGED:
            break
    for i in range(count):
        for column in range(7):
            ball.held[i, column] = ball.work[i, 1 + column]
    put(ball.velocity, velocity)
    put(ball.spin, spin)


@law
def _press_two(
    ball: Ball, position: Vector, velocity: Vector, radius: float, plate_speed: float
) -> tuple[Vector, float]:
    """Both normal impulses of two contacts at once, neither pulling: the velocity, and the largest change (m/s)."""
    one, other = row_of(ball.normal, 0, 0), row_of(ball.normal, 1, 0)
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
def _carried_round(position: Vector, velocity: Vector, radius: float, duration: float) -> tuple[float, float]:
    """Cosine and sine of the angle by which a ball goes round the spindle in a step."""
    area = position[0] * velocity[1] - position[1] * velocity[0]
    angle = duration * area / max(position[0] * position[0] + position[1] * position[1], radius * radius)
    return cos(angle), sin(angle)


@law
def _turned(vector: Vector, c: float, s: float) -> Vector:
    return (c * vector[0] - s * vector[1], s * vector[0] + c * vector[1], vector[2])


@law
def _clamped(vector: Vector, most: float) -> Vector:
    size = norm(vector)
    if size <= most:
        return vector
    return (vector[0] * most / size, vector[1] * most / size, vector[2] * most / size)
