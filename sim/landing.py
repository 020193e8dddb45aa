"""The words that every room shares: how a spin starts, what happens in it, where it ends.

All values are SI. Angles are radians, counter-clockwise positive seen from above, azimuth 0 along +x.
The *lab* frame is the table; the *plate* frame turns with the plate.
"""

from dataclasses import dataclass
from typing import Literal

EventKind = Literal["launch", "rim_exit", "band", "hollow_in", "hollow_out", "hop", "contact", "rest"]
Ending = Literal["rest", "left_apparatus", "time_limit"]

COLUMNS = ("time_s", "x_m", "y_m", "z_m", "plate_rad", "vx", "vy", "vz", "wx", "wy", "wz")
"""Columns of a plate machine's trace: the ball's centre in the lab frame, in s, m, rad, m/s and rad/s."""
WHEEL_COLUMNS = ("time_s", "wheel_rad", "wheel_rad_s", "clapper_rad", "clapper_rad_s")
"""Columns of a pegged wheel's trace, in s, rad and rad/s."""


@dataclass(frozen=True, slots=True)
class Start:
    """The drawn inputs of one spin of a plate machine.

    seed, index: run seed and spin index; with the scenario they alone decide the spin.
    ball_speed: speed of the ball along its groove, m/s, >= 0.
    ball_azimuth: lab azimuth of the release, rad.
    release_height: height of the ball's centre above its circling position when let go, m.
    ball_direction: +1 counter-clockwise, -1 clockwise.
    plate_speed: angular velocity of the plate at the release, rad/s, signed.
    plate_phase: lab azimuth of the plate's zero mark at the release, rad.
    heavy_side: unit vector from the ball's centre to its centre of mass at the release, lab frame.
    """

    seed: int
    index: int
    ball_speed: float
    ball_azimuth: float
    release_height: float
    ball_direction: int
    plate_speed: float
    plate_phase: float
    heavy_side: tuple[float, float, float] = (0.0, 0.0, -1.0)


@dataclass(frozen=True, slots=True)
class Push:
    """The drawn inputs of one spin of a pegged wheel.

    seed, index: run seed and spin index; with the scenario they alone decide the spin.
    croupier: index of who pushes.
    speed: angular velocity that the push leaves the wheel with, rad/s, signed, counter-clockwise seen from the front.
    phase: azimuth of the wheel's zero mark when let go, rad.
    """

    seed: int
    index: int
    croupier: int
    speed: float
    phase: float


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a spin.

    time: s since the release. azimuth: lab azimuth of the ball, rad, in [0, 2 pi).
    what: the two things that met or parted, for example ``ball/cone`` or ``ball/hollow``.
    pocket: index of the hollow concerned, from 0 in ring order, or None.
    speed: m/s; impact speed of a contact or hop, otherwise the ball's speed in the lab.
    duration: s in the air, for a hop; otherwise None.
    """

    time: float
    kind: EventKind
    azimuth: float
    what: str
    speed: float
    pocket: int | None = None
    duration: float | None = None


@dataclass(frozen=True, slots=True)
class Landing:
    """Where and how a spin ended. A landing never knows the game.

    pocket: index of the hollow in which the ball rests, from 0 in ring order; None when it rests in none
        or has not come to rest.
    ending: ``rest``; ``left_apparatus``; or ``time_limit`` (never given a pocket).
    rest_azimuth, rest_azimuth_plate: where the ball was at the end, rad in [0, 2 pi), lab and plate frames.
    offset: distance of the ball's centre from the axis of the nearest hollow in plan, m.
    ball_turns, plate_turns: whole path in turns, from the release to the end, unsigned.
    ball_direction, plate_direction: +1, -1 or (plate) 0, at the release.
    hops: flights between two contacts that lasted at least the stated time.
    drop_azimuth: lab azimuth where the ball left its groove, rad, or None if it never did.
    band_azimuth: lab azimuth of the first touch of the band of hollows, rad, or None.
    settling_time: s from the first touch of the band to rest, or None.
    duration: s from the release to the end.
    peak_speed: largest speed of the ball in the lab after leaving its groove, m/s.
    plate_speed: angular velocity of the plate at the end, rad/s, signed.

    Of a pegged wheel the azimuths are those of the clapper's tip about the axis, the offset is the tip's from the
    middle of its section along the circle of pegs, the plate is the wheel, peak_speed that of the tip, and what is
    said of a ball is 0 or None.
    Of a pegged wheel only, otherwise None (its pocket is the section, or None on a peg):
    turns_forward: turns in the direction of the push up to the first reversal, >= 0.
    turns_net: turns from the push to rest in the direction of the push, signed.
    section: index of the section at the indicator, from 0 in ring order; on a peg, the one that passed last.
    on_peg: whether the indicator rests on a peg.
    """

    pocket: int | None
    ending: Ending
    rest_azimuth: float
    rest_azimuth_plate: float
    offset: float
    ball_turns: float
    plate_turns: float
    ball_direction: int
    plate_direction: int
    hops: int
    drop_azimuth: float | None
    band_azimuth: float | None
    settling_time: float | None
    duration: float
    peak_speed: float
    plate_speed: float
    turns_forward: float | None = None
    turns_net: float | None = None
    section: int | None = None
    on_peg: bool | None = None
