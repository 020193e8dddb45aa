"""The decisions of `sim.rules.outcome.decide` over a whole run of spins at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from sim.rules.outcome import UNDECIDABLE
from sim.rules.rulebook import Rulebook, VoidCode

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

CODES: tuple[VoidCode, ...] = get_args(VoidCode)
"""Void codes, in the order of the codes of `Decisions`."""


@dataclass(frozen=True, slots=True)
class Landings:
    """What of n landings the rules look at; every array has shape (n,).

    pocket: index of the hollow or section, -1 for none. section, on_peg: of a pegged wheel, as in
    `sim.landing.Landing`, -1 and False where there is none. rested, left: whether the ball or wheel came to rest, the
    ball left. ball_direction, plate_direction: +1, -1 or 0. ball_turns: whole path of the ball. turns_forward: of a
    pegged wheel up to its first reversal, else NaN. touch, object_time, end: first touch of the band of hollows, first
    object on the plate, rest or end, s after the launch; NaN where it did not happen.
    """

    pocket: Ints
    section: Ints
    on_peg: Bools
    rested: Bools
    left: Bools
    ball_direction: Ints
    plate_direction: Ints
    ball_turns: Floats
    turns_forward: Floats
    touch: Floats
    object_time: Floats
    end: Floats


@dataclass(frozen=True, slots=True)
class Decisions:
    """What a rulebook makes of n landings; every array has shape (n,).

    cell: the pocket or section that counts, -1 where there is none. code: of what makes the spin void, as an index of
    `CODES`, -1 for a valid one. closing: when bets closed, s after the launch, NaN where the signal never came.
    """

    cell: Ints
    code: Ints
    closing: Floats

    @property
    def valid(self) -> Bools:
        """Whether each spin has a result: the symbol of its cell."""
        return self.code < 0


def decide_all(rulebook: Rulebook, ring: Sequence[str], landings: Landings) -> Decisions:
    """Decide every spin as `sim.rules.outcome.decide` decides one on which nobody laid a hand.

    ring: the symbol of every pocket, by its index. Raises ValueError when a landing names a pocket that the ring does
    not have.
    """
    cell = _cells(rulebook, ring, landings)
    fallen = landings.object_time < landings.end
    same = (landings.ball_direction == landings.plate_direction) & (landings.plate_direction != 0)
    least = rulebook.void("MIN_TURNS")
    fewest = least.turns if least is not None and least.turns is not None else 0
    turns = landings.ball_turns if least is not None and least.counted == "ball" else landings.turns_forward
    facts: dict[VoidCode, Bools] = {
        "OBJECT": fallen,
        "SAME_DIR": same,
        "BALL_OUT": landings.left,
        "NO_REST": ~landings.rested & ~landings.left,
        "MIN_TURNS": turns < fewest,
        "ON_PEG": landings.on_peg & (cell < 0),
        "OFF_POCKET": cell < 0,
    }
    code = np.full(len(cell), -1, dtype=np.int64)
    for name, holds in facts.items():
        if rulebook.void(name) is not None or name in UNDECIDABLE:
            code[holds & (code < 0)] = CODES.index(name)
    time = np.where(code == CODES.index("OBJECT"), landings.object_time, landings.end)
    return Decisions(cell, code, _closing(rulebook, landings.touch, time))


def _cells(rulebook: Rulebook, ring: Sequence[str], landings: Landings) -> Ints:
    """The pockets that count: the ball's, or the section that the rule for a peg names."""
    on_peg = rulebook.void("ON_PEG")
    decided = on_peg is not None and on_peg.rule != "re-spin"
    pegged = landings.section if decided else np.full_like(landings.section, -1)
    if on_peg is not None and on_peg.rule == "following":
        pegged = np.where(pegged < 0, pegged, (pegged - landings.plate_direction) % len(ring))
    between = np.where(landings.section < 0, landings.pocket, landings.section)
    cell = np.where(landings.on_peg, pegged, between)
    if len(cell) and not -1 <= cell.min() <= cell.max() < len(ring):
        wrong = cell[(cell < -1) | (cell >= len(ring))][0]
        raise ValueError(f"the ring has pockets 0 to {len(ring) - 1}; a landing names {wrong}")
    return cell


def _closing(rulebook: Rulebook, touch: Floats, time: Floats) -> Floats:
    """When bets close, as `sim.rules.outcome.closing_time` says; never after the spin is decided."""
    closing = rulebook.closing
    if closing is None:
        return np.full_like(touch, np.nan)
    if closing.when == "before_push":
        when = np.full_like(touch, closing.delay_s)
    elif closing.when == "circulation" and closing.reading == "launch":
        when = np.fmin(touch, closing.delay_s)
    else:
        when = touch
    return np.where(when > time, np.nan, when)
