"""Recorded landings: spins as they were seen or computed once, for rounds that run no engine."""

from collections.abc import Iterator
from math import nan
from pathlib import Path as FilePath
from typing import Annotated, Literal

from pydantic import Field

from sim.documents.document import Document, Path
from sim.documents.faults import BadInput
from sim.documents.reading import load_document
from sim.documents.units import Duration
from sim.documents.validation import validate
from sim.landing import Ending, Event, EventKind, Landing
from sim.rules.rulebook import Model, Symbols

Turning = Literal["clockwise", "counter_clockwise"]
Time = Annotated[Duration, Field(ge=0)]
Index = Annotated[int, Field(ge=0)]
Turns = Annotated[float, Field(ge=0)]
SIGNS: dict[Turning | None, int] = {"counter_clockwise": 1, "clockwise": -1, None: 0}


class Contact(Model):
    """An interference: an object that fell on the plate, or somebody who touched the wheel."""

    at: Time
    what: Literal["object/plate", "player/wheel"]


class RecordedSpin(Model):
    """One spin. Times are since the launch; what is not given was not recorded.

    pocket: of a ball, its pocket's index from 0 in ring order; absent when it lies in none. section: of a pegged
    wheel, the section at its indicator; on a peg, the one that passed last. duration: until rest, or until the
    spin was over. band: first touch of the band of pockets. ball, plate: which way each turned at the launch,
    seen from above (of a wheel, `plate` from its front), where that differs from the file's.
    """

    pocket: Index | None = None
    section: Index | None = None
    ending: Ending = "rest"
    duration: Annotated[Duration, Field(gt=0)]
    band: Time | None = None
    ball: Turning | None = None
    plate: Turning | None = None
    ball_turns: Turns | None = None
    turns_forward: Turns | None = None
    turns_net: float | None = None
    on_peg: bool | None = None
    contacts: tuple[Contact, ...] = ()
    note: str | None = None


class Recording(Model):
    """Recorded spins of one machine. source: who saw them, or what computed them."""

    source: str
    ring: Symbols
    ball: Turning | None = None
    plate: Turning | None = None
    spins: Annotated[tuple[RecordedSpin, ...], Field(min_length=1)]

    def spun(self, spin: RecordedSpin) -> tuple[Landing, tuple[Event, ...]]:
        """Return a spin in the words of an engine; a quantity that was not recorded is NaN or None."""
        landing = Landing(
            pocket=spin.pocket if spin.section is None or spin.on_peg else spin.section,
            ending=spin.ending,
            rest_azimuth=nan,
            rest_azimuth_plate=nan,
            offset=nan,
            ball_turns=nan if spin.ball_turns is None else spin.ball_turns,
            plate_turns=nan,
            ball_direction=SIGNS[spin.ball or self.ball],
            plate_direction=SIGNS[spin.plate or self.plate],
            hops=0,
            drop_azimuth=None,
            band_azimuth=None,
            settling_time=None if spin.band is None else spin.duration - spin.band,
            duration=spin.duration,
            peak_speed=nan,
            plate_speed=nan,
            turns_forward=spin.turns_forward,
            turns_net=spin.turns_net,
            section=spin.section,
            on_peg=spin.on_peg,
        )
        return landing, tuple(sorted(_events(spin), key=lambda event: event.time))


def load_recording(path: FilePath) -> tuple[Recording, Document]:
    """Read recorded landings. Raises BadInput with every fault of form, or else with every contradiction."""
    document = load_document(path)
    recording = validate(document, Recording)
    faults = [
        document.fault(("spins", index, *field), message)
        for index, spin in enumerate(recording.spins)
        for field, message in _contradictions(spin, len(recording.ring))
    ]
    if faults:
        raise BadInput(faults)
    return recording, document


def _contradictions(spin: RecordedSpin, cells: int) -> Iterator[tuple[Path, str]]:
    for field in ("pocket", "section"):
        index = getattr(spin, field)
        if index is not None and index >= cells:
            yield (field,), f"must be 0 to {cells - 1}, an index in the ring; given {index}"
    if spin.pocket is not None and spin.section is not None:
        yield ("section",), "belongs to a pegged wheel, which has no ball in a pocket; give one of the two"
    if spin.pocket is not None and spin.ending != "rest":
        yield ("pocket",), f"a ball lies in a pocket only at rest; the ending is {spin.ending}"
    if spin.section is None:
        for field in ("on_peg", "turns_forward", "turns_net"):
            if getattr(spin, field) is not None:
                yield (field,), "belongs to a pegged wheel; give its section"
    elif spin.turns_forward is None:
        yield ("turns_forward",), "missing; a pegged wheel is recorded with its turns"
    if spin.band is not None and spin.band > spin.duration:
        yield ("band",), f"must come before the end, at {spin.duration:g} s; given {spin.band:g} s"
    for index, contact in enumerate(spin.contacts):
        if contact.at > spin.duration:
            at: Path = ("contacts", index, "at")
            yield at, f"must come before the end, at {spin.duration:g} s; given {contact.at:g} s"


def _events(spin: RecordedSpin) -> Iterator[Event]:
    def event(time: float, kind: EventKind, what: str) -> Event:
        return Event(time, kind, nan, what, nan, spin.pocket if kind == "rest" else None)

    yield event(0.0, "launch", "recorded")
    if spin.band is not None:
        yield event(spin.band, "band", "ball/band")
    for contact in spin.contacts:
        yield event(contact.at, "contact", contact.what)
    if spin.ending == "rest":
        yield event(spin.duration, "rest", "recorded")
