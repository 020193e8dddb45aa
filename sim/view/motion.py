"""A recorded spin as motion: what there is to draw at any time, between the rows of the trace too."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, sin

import numpy as np
from numpy.typing import NDArray

from sim.landing import COLUMNS, Event
from sim.rules.outcome import Outcome

_APART_S = 0.004
_STILL_S = 0.01  # what is shorter than this only stands there
_TOUCH_S = 0.12  # for how long a contact is shown


@dataclass(frozen=True, slots=True)
class Phase:
    """A named part of a spin, from ``begin`` to ``end``, s since the launch."""

    name: str
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class BallState:
    """A ball's centre in the lab frame, m; its velocity, m/s; its angular velocity, rad/s. Triples (x, y, z)."""

    place: tuple[float, float, float]
    velocity: tuple[float, float, float]
    spin: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ClapperState:
    """A clapper's angle from straight down, rad, counter-clockwise, and its angular velocity, rad/s."""

    angle: float
    speed: float


class Motion:
    """One spin, to be asked what it looks like at any time.

    rows: shape (n_moments, n_columns), columns `sim.landing.COLUMNS` or `WHEEL_COLUMNS`, times never falling.
    events: in order of time. outcome: what the rulebook made of it, where that is known. chips: where the
    chips lie, lab frame, m, shape (n_moments, n_chips, 2), NaN until they fall. chip_sizes: their diameters, m.
    still: whether nothing happens: a machine that waits for its launch.
    """

    def __init__(
        self,
        rows: NDArray[np.float64],
        events: Sequence[Event] = (),
        outcome: Outcome | None = None,
        chips: NDArray[np.float64] | None = None,
        chip_sizes: Sequence[float] = (),
    ) -> None:
        self.of_ball = rows.shape[1] == len(COLUMNS)
        self.rows, self.chips = _fine(rows, chips) if self.of_ball else (rows, chips)
        self.events, self.outcome = tuple(events), outcome
        self.chip_sizes = tuple(chip_sizes)
        self.duration = float(rows[-1, 0])
        self.still = self.duration < _STILL_S
        self.phases = _ball_phases(self) if self.of_ball else _wheel_phases(self)

    @cached_property
    def orientations(self) -> NDArray[np.float64]:
        """How the ball is turned at every row, by its angular velocity: unit quaternions, shape (n_moments, 4)."""
        step = np.diff(self.rows[:, 0], prepend=self.rows[0, 0])
        rate = self.rows[:, 8:11]
        return _turned_on(np.hypot(np.hypot(rate[:, 0], rate[:, 1]), rate[:, 2]) * step, rate)

    def at(self, time: float) -> "Moment":
        """The moment at a time, s since the launch; before the first row and after the last it stands still."""
        return Moment(self, time)

    def when(self, kind: str) -> float | None:
        """When an event of a kind first happened, s, or None."""
        return next((event.time for event in self.events if event.kind == kind), None)

    def row(self, time: float) -> tuple[int, NDArray[np.float64]]:
        """The last row of the trace up to a time, and the row between it and the next, both columns alike."""
        rows = self.rows
        index = int(np.searchsorted(rows[:, 0], time, side="right")) - 1
        if index < 0:
            return 0, rows[0]
        if index >= len(rows) - 1:
            return len(rows) - 1, rows[-1]
        before, after = rows[index], rows[index + 1]
        share = (time - before[0]) / (after[0] - before[0])
        return index, before + share * (after - before)


class Moment:
    """A motion at one time: all that a stage needs to draw it.

    time: s since the launch. index: of the last row of the trace up to it. turned: angle of the plate or wheel, rad.
    ball, clapper: the one that the machine has, else None.
    """

    __slots__ = ("_row", "index", "motion", "time")

    def __init__(self, motion: Motion, time: float) -> None:
        self.motion, self.time = motion, time
        self.index, self._row = motion.row(time)

    @property
    def turned(self) -> float:
        """Angle of the plate or wheel, rad."""
        return float(self._row[4] if self.motion.of_ball else self._row[1])

    @property
    def ball(self) -> BallState | None:
        """The ball of a plate machine."""
        if not self.motion.of_ball:
            return None
        _, x, y, z, _, *rest = self._row.tolist()
        return BallState((x, y, z), (rest[0], rest[1], rest[2]), (rest[3], rest[4], rest[5]))

    @property
    def clapper(self) -> ClapperState | None:
        """The clapper of a pegged wheel."""
        return None if self.motion.of_ball else ClapperState(float(self._row[3]), float(self._row[4]))

    @property
    def turning_speed(self) -> float:
        """Angular velocity of the plate or wheel, rad/s."""
        if not self.motion.of_ball:
            return float(self._row[2])
        rows = self.motion.rows
        before, after = rows[max(self.index - 1, 0)], rows[min(self.index + 1, len(rows) - 1)]
        span = float(after[0] - before[0])
        return float(after[4] - before[4]) / span if span > 0.0 else 0.0

    @property
    def phase(self) -> Phase:
        """The part of the spin under way; the first before the launch, the last after the end."""
        phases = self.motion.phases
        return next((phase for phase in phases if self.time < phase.end), phases[-1])

    @property
    def contacts(self) -> tuple[Event, ...]:
        """What touched just now."""
        return tuple(
            event
            for event in self.motion.events
            if event.kind == "contact" and 0.0 <= self.time - event.time <= _TOUCH_S
        )

    @property
    def outcome(self) -> Outcome | None:
        """What the rulebook made of the spin, once that is decided."""
        outcome = self.motion.outcome
        return outcome if outcome is not None and self.time >= outcome.time else None

    @property
    def over(self) -> bool:
        """Whether the spin has ended."""
        return self.time >= self.motion.duration

    @property
    def chips(self) -> list[tuple[float, float]]:
        """Where the chips lie that have fallen, lab frame, m."""
        if self.motion.chips is None:
            return []
        places = self.motion.chips[self.index]
        return [(float(x), float(y)) for x, y in places if np.isfinite(x)]

    @property
    def orientation(self) -> NDArray[np.float64]:
        """How the ball is turned since the launch: a rotation matrix, shape (3, 3), lab from ball."""
        return _matrix(self.motion.orientations[self.index])

    def trail(self, duration: float) -> NDArray[np.float64]:
        """The rows of the last ``duration`` s up to now, shape (n, n_columns), this very moment last."""
        rows = self.motion.rows
        first = int(np.searchsorted(rows[:, 0], self.time - duration))
        return np.vstack((rows[first : self.index + 1], self._row))


def _fine(
    rows: NDArray[np.float64], chips: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Rows at most `_APART_S` apart: the ball between two far ones by the cubic that has their places and velocities.

    In its groove the engine takes long steps, whose chords would lie a millimetre inside the circle.
    """
    time = rows[:, 0]
    parts = np.maximum(np.ceil(np.diff(time) / _APART_S - 1e-6), 1).astype(int)
    if not np.any(parts > 1):
        return rows, chips
    first = np.repeat(np.arange(len(parts)), parts)
    within = np.arange(len(first)) - np.repeat(np.cumsum(parts) - parts, parts)
    share = (within / parts[first])[:, None]
    before, after = rows[first], rows[first + 1]
    fine = before + share * (after - before)
    span = after[:, :1] - before[:, :1]
    sparse = parts[first] > 1
    bow = share * (1 - share) * (
        (1 - share) * (before[:, 5:8] * span - after[:, 1:4] + before[:, 1:4])
        - share * (after[:, 5:8] * span - after[:, 1:4] + before[:, 1:4])
    )  # fmt: skip
    fine[sparse, 1:4] += bow[sparse]
    lying = None
    if chips is not None:
        part = share[:, :, None]
        lying = np.concatenate((chips[first] + part * (chips[first + 1] - chips[first]), chips[-1:]))
    return np.vstack((fine, rows[-1:])), lying


def _ball_phases(motion: Motion) -> tuple[Phase, ...]:
    """Dropped in, circling, rolling down, among the hollows: whichever of them there were."""
    end = motion.duration
    left, touched = motion.when("rim_exit"), motion.when("band")
    bounds = [("circling in the groove", 0.0)]
    if left is not None:
        bounds.append(("rolling down the cone", left))
    if touched is not None:
        bounds.append(("among the hollows", touched))
    ends = [begin for _, begin in bounds[1:]] + [end]
    return tuple(Phase(name, begin, until) for (name, begin), until in zip(bounds, ends, strict=True))


def _wheel_phases(motion: Motion) -> tuple[Phase, ...]:
    """Turning until it first turns back, then rocking on the last peg."""
    angle = motion.rows[:, 1]
    way = 1.0 if angle[-1] >= angle[0] else -1.0
    farthest = float(motion.rows[int(np.argmax(way * angle)), 0])
    if farthest >= motion.duration:
        return (Phase("turning", 0.0, motion.duration),)
    return Phase("turning", 0.0, farthest), Phase("settling on a peg", farthest, motion.duration)


def _turned_on(angles: NDArray[np.float64], axes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn by turn: the quaternions after rotations by angles (rad) about axes (of any length), shape (n, 4)."""
    turned = np.empty((len(angles), 4))
    w, x, y, z = 1.0, 0.0, 0.0, 0.0
    long = np.maximum(np.sqrt(np.sum(axes * axes, axis=1)), 1e-12)
    for row, (angle, (ax, ay, az)) in enumerate(
        zip(angles.tolist(), (axes / long[:, None]).tolist(), strict=True)
    ):
        k, s = cos(0.5 * angle), sin(0.5 * angle)
        a, b, c = s * ax, s * ay, s * az
        w, x, y, z = (
            k * w - a * x - b * y - c * z,
            k * x + a * w + b * z - c * y,
            k * y - a * z + b * w + c * x,
            k * z + a * y - b * x + c * w,
        )
        turned[row] = w, x, y, z
    return turned


def _matrix(quaternion: NDArray[np.float64]) -> NDArray[np.float64]:
    w, x, y, z = quaternion.tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
