"""A spin log opened by a verb: the rulebook's symbols and the machine's ring told to its reader."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.rules.rulebook import Rulebook
    from sim.spinlog.cells import Cells


def cells_of(rulebook: "Rulebook", ring: Sequence[str] | None = None) -> "Cells":
    """Return what a log's reader needs of a game.

    ring: the symbol of every hole of the machine, where it is known; it must fit the rulebook
    (`sim.rules.equipment.check_ring`).
    """
    from sim.spinlog.cells import Cells

    counts = Counter(ring or ())
    least = rulebook.void("MIN_TURNS")
    return Cells(
        game=rulebook.id,
        symbols={symbol: counts[symbol] if ring else cells for symbol, cells in rulebook.cells.items()},
        ring=tuple(ring) if ring else None,
        special=rulebook.special.symbol if rulebook.special else None,
        colours={
            symbol: group.colour
            for group in rulebook.symbols
            if not group.inferred and group.colour != "none"
            for symbol in group.symbols
        },
        free=rulebook.layout.labels == "free" and ring is None,
        least_turns=least.turns if least else None,
    )
