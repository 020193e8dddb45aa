"""The decisions of a run, held spin by spin to those of a single spin."""

from dataclasses import fields

import numpy as np
import pytest

from sim.documents.resources import rulebook_names
from sim.landing import Event, Landing
from sim.rules.decisions import CODES, Landings, decide_all
from sim.rules.library import load
from sim.rules.outcome import decide
from sim.rules.rulebook import Rulebook, with_options
from tests.rules.spins import landing

COUNT = 3000
CELLS = 12


def random_landings(seed: int, pegged: bool) -> Landings:
    """Every combination of what can go wrong, more often than at a table."""
    random = np.random.default_rng(seed)

    def some(share: float) -> np.ndarray:
        return random.random(COUNT) < share

    def sign() -> np.ndarray:
        return random.integers(-1, 2, COUNT)

    left, cut = some(0.1) & (not pegged), some(0.1)
    rested = ~left & ~cut
    on_peg = some(0.2) & rested & pegged
    cell = np.where(rested & (some(0.8) | pegged), random.integers(0, CELLS, COUNT), -1)
    end = random.uniform(5, 40, COUNT)
    return Landings(
        pocket=np.where(on_peg, -1, cell),
        section=cell if pegged else np.full(COUNT, -1),
        on_peg=on_peg,
        rested=rested,
        left=left,
        ball_direction=np.zeros(COUNT, np.int64) if pegged else 2 * random.integers(0, 2, COUNT) - 1,
        plate_direction=2 * random.integers(0, 2, COUNT) - 1 if pegged else sign(),
        ball_turns=np.zeros(COUNT) if pegged else random.uniform(0, 8, COUNT),
        turns_forward=random.uniform(0, 6, COUNT) if pegged else np.full(COUNT, np.nan),
        touch=np.where(some(0.8) & (not pegged), end * random.random(COUNT), np.nan),
        object_time=np.where(some(0.2) & (not pegged), end * random.uniform(0, 1.2, COUNT), np.nan),
        end=end,
    )


def single(landings: Landings, row: int) -> tuple[Landing, list[Event]]:
    """One of the landings as an engine would report it."""
    of = {field.name: getattr(landings, field.name)[row].item() for field in fields(landings)}
    pegged = not np.isnan(of["turns_forward"])
    made = landing(
        of["pocket"] if of["pocket"] >= 0 else None,
        ending="left_apparatus" if of["left"] else "rest" if of["rested"] else "time_limit",
        ball_direction=of["ball_direction"],
        plate_direction=of["plate_direction"],
        ball_turns=of["ball_turns"],
        duration=of["end"],
        turns_forward=of["turns_forward"] if pegged else None,
        section=of["section"] if of["section"] >= 0 else None,
        on_peg=of["on_peg"] if pegged and of["rested"] else None,
    )
    events = []
    if not np.isnan(of["touch"]):
        events.append(Event(of["touch"], "band", 0.0, "ball/band", 1.0))
    if not np.isnan(of["object_time"]):
        events.append(Event(of["object_time"], "contact", 0.0, "object/plate", 0.0))
    if of["rested"]:
        events.append(Event(of["end"], "rest", 0.0, "ball/hollow", 0.0))
    return made, sorted(events, key=lambda event: event.time)


def books() -> list[Rulebook]:
    shipped = [load(name) for name in (*rulebook_names(), "cells:12")]
    pegs = [
        with_options(book, on_peg=rule)
        for book in shipped
        if book.void("ON_PEG") is not None
        for rule in ("re-spin", "preceding", "following")
    ]
    delayed = [
        with_options(book, reading="launch", delay_s=9.0)
        for book in shipped
        if book.closing is not None and book.closing.when == "circulation"
    ]
    assert len(pegs) >= 3
    return shipped + pegs + delayed


@pytest.mark.parametrize("pegged", [False, True])
def test_every_spin_of_a_run_is_decided_as_it_would_be_alone(pegged: bool) -> None:
    ring = [str(cell) for cell in range(CELLS)]
    seen = set()
    for number, book in enumerate(books()):
        landings = random_landings(number, pegged)
        made = decide_all(book, ring, landings)
        bare = book.model_copy(update={"bets": ()})  # chances are not what is compared
        for row in range(COUNT):
            alone = decide(bare, ring, *single(landings, row))
            code = None if made.valid[row] else CODES[made.code[row]]
            assert code == (alone.void.code if alone.void else None), (book.id, row)
            if alone.symbol is not None:
                assert ring[made.cell[row]] == alone.symbol
            closing = None if np.isnan(made.closing[row]) else made.closing[row]
            assert closing == alone.closing
            seen.add(code)
    assert len(seen) >= (4 if pegged else 5)


def test_a_pocket_that_the_ring_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="pockets 0 to 10; a landing names 11"):
        decide_all(load("cells:11"), [str(cell) for cell in range(CELLS - 1)], random_landings(1, False))
