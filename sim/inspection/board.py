"""What is counted: holes in ring order, or the symbols of a rulebook; and what a log gives of every spin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sim.inspection.groups import Labels
from sim.rules.rulebook import OneOf, Rulebook

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class Board:
    """The cells on which spins are counted, and the symbols that they carry.

    names: of the cells. shares: (cells,) of a fair machine, sum 1. ring: whether the cells are equal and stand in
    the order of the ring. symbols: of the rulebook. symbol_shares: (symbols,). colours: (symbols,) or empty where
    the law gives none. prizes: (symbols,) what a bet on the symbol alone pays, 0 where there is none.
    """

    names: tuple[str, ...]
    shares: Floats
    ring: bool
    symbols: tuple[str, ...]
    symbol_shares: Floats
    colours: tuple[str, ...] = ()
    prizes: tuple[int, ...] = ()


def board(
    rulebook: Rulebook,
    symbols: Mapping[str, int] | None = None,
    ring: Sequence[str] | None = None,
    *,
    holes: int | None = None,
) -> Board:
    """Return the board of a game.

    symbols: cells of every symbol, the rulebook's by default (free labels differ from it). ring: the symbol of
    every hole, where known. holes: number of holes when the log tells the hole; else symbols are counted, in the
    order of their labels when labels are free, which then stands for the ring.
    """
    cells = dict(symbols or rulebook.cells)
    labels = tuple(cells)
    shares = np.array([cells[symbol] for symbol in labels], float)
    shares /= shares.sum()
    free = rulebook.layout.labels == "free"
    colours = tuple(rulebook.colours.get(symbol, "none") for symbol in labels)
    prizes = {
        symbol: rulebook.prize(bet).pays
        for bet in rulebook.bets
        if isinstance(bet, OneOf) or len(rulebook.covers(bet)) == 1
        for symbol in rulebook.covers(bet)
    }
    names, cell_shares = labels, shares
    if holes is not None:
        names = tuple(ring) if ring else tuple(f"hole {index}" for index in range(holes))
        if len(set(names)) < len(names):
            names = tuple(f"{name} in hole {index}" for index, name in enumerate(names))
        cell_shares = np.full(holes, 1.0 / holes)
    return Board(
        names=names,
        shares=cell_shares,
        ring=holes is not None or (free and len(set(cells.values())) == 1),
        symbols=labels,
        symbol_shares=shares,
        colours=colours if set(colours) != {"none"} else (),
        prizes=tuple(prizes.get(symbol, 0) for symbol in labels),
    )


@dataclass(frozen=True, eq=False, slots=True)
class Spins:
    """What a log gives to the tests.

    Of the n valid spins, in order: cells: (n,) index of the board's cell. symbols: (n,) index of the board's
    symbol, -1 where not logged. drop, band, rest: (n,) lab azimuth where the ball left its groove, first touched
    the band, and rested, rad, NaN where not logged. groups: field -> group of each.
    still: whether the plate stands still, so that cells do not turn in the lab.
    Of all N spins: turns: (N,) from push to rest, NaN where not logged. throwers: who threw each. void: (N,).
    excluded: reason -> number of spins without a result. pegged: whether it is a pegged wheel.
    """

    cells: Ints
    symbols: Ints
    void: NDArray[np.bool_]
    throwers: Labels
    turns: Floats
    drop: Floats
    band: Floats
    rest: Floats
    groups: Mapping[str, Labels] = field(default_factory=dict)
    excluded: Mapping[str, int] = field(default_factory=dict)
    still: bool = False
    pegged: bool = False


def from_results(cells: Ints) -> Spins:
    """Return spins of which nothing but the results is known. cells: (n,), which are the symbols too."""
    n = len(cells)
    nothing = np.full(n, np.nan)
    return Spins(
        cells=cells,
        symbols=cells,
        void=np.zeros(n, dtype=bool),
        throwers=Labels(np.full(n, -1), ()),
        turns=nothing,
        drop=nothing,
        band=nothing,
        rest=nothing,
    )
