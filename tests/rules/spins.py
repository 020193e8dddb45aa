"""Landings and events as an engine would report them, for tests of the law alone."""

from collections.abc import Sequence
from typing import Any

from sim.landing import Event, Landing
from sim.rules.library import load
from sim.rules.rulebook import Rulebook

MACAU_RING = ("star", *map(str, range(1, 25)))
SPANISH_RING = tuple(map(str, range(1, 10))) * 2
RODA_RING = ("A", "B") * 12 + ("A", "C") * 8 + ("A", "D") * 4 + ("E", "E", "F", "G")
RINGS = {
    "macau-boule-1979": MACAU_RING,
    "es-boule-1979": SPANISH_RING,
    "macau-roda-2003": RODA_RING,
    "au-nz-money-wheel": RODA_RING,
    "fr-boule-2007": SPANISH_RING[:9],
}


def macau() -> Rulebook:
    return load("macau-boule-1979")


def spanish() -> Rulebook:
    return load("es-boule-1979")


def roda() -> Rulebook:
    return load("macau-roda-2003")


def landing(pocket: int | None, **changes: Any) -> Landing:
    """A ball launched clockwise on a plate turning the other way, at rest after 30 s."""
    fields: dict[str, Any] = {
        "pocket": pocket,
        "ending": "rest",
        "rest_azimuth": 1.0,
        "rest_azimuth_plate": 2.0,
        "offset": 0.0,
        "ball_turns": 12.0,
        "plate_turns": 8.0,
        "ball_direction": -1,
        "plate_direction": 1,
        "hops": 4,
        "drop_azimuth": 0.5,
        "band_azimuth": 0.7,
        "settling_time": 12.0,
        "duration": 30.0,
        "peak_speed": 3.0,
        "plate_speed": 0.4,
    }
    return Landing(**(fields | changes))


def push(section: int, **changes: Any) -> Landing:
    """A pegged wheel pushed counter-clockwise through seven turns."""
    fields: dict[str, Any] = {"turns_forward": 7.2, "turns_net": 7.1, "section": section, "on_peg": False}
    fields |= {"ball_direction": 0, "drop_azimuth": None, "band_azimuth": None} | changes
    return landing(None if fields["on_peg"] else section, **fields)


def events(bell: float | None = 18.0, rest: float | None = 30.0, extra: Sequence[Event] = ()) -> list[Event]:
    listed = [Event(0.0, "launch", 4.7, "hand/ball", 3.4), Event(15.0, "rim_exit", 0.5, "ball/groove", 1.5)]
    if bell is not None:
        listed.append(Event(bell, "band", 0.7, "ball/band", 1.2))
    if rest is not None:
        listed.append(Event(rest, "rest", 1.0, "ball/hollow", 0.0))
    return sorted([*listed, *extra], key=lambda event: event.time)


def contact(time: float, what: str) -> Event:
    return Event(time, "contact", 1.0, what, 0.5)
