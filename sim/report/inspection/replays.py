"""The section that plays spins of a log again."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from markupsafe import Markup

from sim.report.inspection.blocks import Block, Column, Replay, Table, Text

HOW = (
    "Played again from the draws of the log by the rigid-body engine; what moves is the path that it computes, to "
    "scale. On a plate machine that is the batch engine's spin to the bit, with the same versions on the same machine; "
    "elsewhere, and on a pegged wheel, a difference of the last digit can decide, and a spin end otherwise here."
)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A spin played again. number: in the log. why: what it was chosen for. then, now: how it ended there and here."""

    number: int
    why: str
    then: str
    now: str


@dataclass(frozen=True, slots=True)
class Replays:
    """Spins of a log played again. fragment: in which they play. remarks: what is to be said of them."""

    spins: tuple[Replayed, ...] = ()
    fragment: Markup = field(default_factory=Markup)
    remarks: tuple[str, ...] = ()


def replays(found: Replays | None) -> Iterator[Block]:
    """What was played again and why, and the spins themselves."""
    if found is None:
        return
    if found.spins:
        yield Text(HOW)
        columns = (
            Column("Spin", 0.6, "right"),
            Column("Shown because", 2.4),
            Column("In the log", 2),
            Column("Here", 2),
        )
        yield Table(columns, tuple((str(one.number), one.why, one.then, one.now) for one in found.spins))
    for remark in found.remarks:
        yield Text(f"Noticed: {remark}.", "note")
    if found.spins:
        yield Text("They play in the HTML form of this report.", "note")
        yield Replay(found.fragment)
