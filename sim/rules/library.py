"""Rulebooks by name or path, and the wheel of N equal cells that needs no file."""

import re

from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.reading import load_document
from sim.documents.resources import find_rulebook
from sim.documents.validation import validate
from sim.rules.contradictions import contradictions
from sim.rules.rulebook import Cited, Layout, Rulebook, SymbolGroup

MOST_CELLS = 1000


def load(name: str) -> Rulebook:
    """Load a rulebook: a path, the name of a shipped one, or ``cells:N``.

    Raises BadInput with every fault: of the schema, and of a rulebook that contradicts itself.
    """
    if name.startswith("cells:"):
        number = name.removeprefix("cells:")
        if not re.fullmatch(r"[0-9]{1,9}", number) or not 1 <= int(number) <= MOST_CELLS:
            message = f"must be a whole number from 1 to {MOST_CELLS}; given {number!r}"
            raise BadInput([Fault(Mark(name), "cells", message)])
        return cells(int(number))
    document = load_document(find_rulebook(name))
    rulebook = validate(document, Rulebook)
    faults = [document.fault(path, message) for path, message in contradictions(rulebook)]
    if faults:
        raise BadInput(faults)
    return rulebook


def cells(count: int) -> Rulebook:
    """Return the rulebook of a wheel of `count` equal cells, on which nobody bets; its labels are free."""
    note = "a wheel without a rulebook"
    return Rulebook(
        id=f"cells:{count}",
        title=f"Wheel of {count} equal cells, without bets",
        jurisdiction="none",
        source="none",
        language="en",
        articles={},
        layout=Layout(cells=count, labels="free", inferred=True, note=note),
        symbols=(
            SymbolGroup(
                symbols=tuple(map(str, range(1, count + 1))), cells=1, colour="none", inferred=True, note=note
            ),
        ),
        decision=Cited(inferred=True, note=note),
    )
