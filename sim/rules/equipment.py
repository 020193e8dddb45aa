"""A machine's ring and lengths against the articles of its rulebook."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isclose

from sim.documents.faults import Fault, Mark
from sim.rules.bets import compact
from sim.rules.rulebook import Rulebook


def check_ring(rulebook: Rulebook, ring: Sequence[str], mark: Mark) -> list[Fault]:
    """Return the faults of a number ring: its length, its symbols, its alternation; each with its article.

    ring: the symbol of every pocket, in order round the ring; its last is a neighbour of its first.
    """
    layout = rulebook.layout
    sizes = (layout.cells, *layout.also)
    if len(ring) not in sizes:
        allowed = " or ".join(map(str, sizes))
        message = f"{rulebook.id} wants {allowed} cells{_by(layout.article)}; given {len(ring)}"
        return [Fault(mark, "number_ring", message)]
    if layout.labels == "free":
        return []
    faults = _check_symbols(rulebook, ring, mark)
    return faults or _check_alternation(rulebook, ring, mark)


def _check_symbols(rulebook: Rulebook, ring: Sequence[str], mark: Mark) -> list[Fault]:
    given = Counter(ring)
    unknown = [symbol for symbol in given if symbol not in rulebook.cells]
    faults = []
    if unknown:
        known = compact(tuple(rulebook.cells))
        articles = {group.article for group in rulebook.symbols if group.article}
        message = (
            f"{rulebook.id} has the symbols {known}{_by(*sorted(articles))}; given {compact(tuple(unknown))}"
        )
        faults.append(Fault(mark, "number_ring", message))
    for group in rulebook.symbols:
        wanted = group.cells * len(ring) // rulebook.layout.cells
        for symbol in group.symbols:
            if given[symbol] != wanted:
                times = f"{wanted} times" if wanted != 1 else "once"
                message = (
                    f"symbol {symbol} must stand {times}{_by(group.article)}; given {given[symbol]} times"
                )
                faults.append(Fault(mark, "number_ring", message))
    return faults


def _check_alternation(rulebook: Rulebook, ring: Sequence[str], mark: Mark) -> list[Fault]:
    """Colours take turns round the ring; across another symbol, such as the star, they do so too."""
    alternate = rulebook.layout.alternate
    if alternate is None:
        return []
    coloured = [symbol for symbol in ring if rulebook.colours[symbol] in alternate]
    faults = []
    for one, other in zip(coloured, [*coloured[1:], *coloured[:1]], strict=True):
        colour = rulebook.colours[one]
        if colour == rulebook.colours[other]:
            colours = " and ".join(alternate)
            by = _by(rulebook.layout.alternate_article)
            message = (
                f"{colours} must alternate{by}; {one} and {other} stand next to each other, both {colour}"
            )
            faults.append(Fault(mark, "number_ring", message))
    return faults


def check_dimensions(rulebook: Rulebook, lengths: Mapping[str, float], mark: Mark) -> list[Fault]:
    """Return the faults of a machine's lengths, m, by the rulebook's names; absent ones are not judged."""
    faults = []
    for rule in rulebook.dimensions:
        given = lengths.get(rule.of)
        if given is None:
            continue
        equal = isclose(given, rule.metres, rel_tol=1e-9)
        if not equal and (rule.relation == "equals" or given < rule.metres):
            least = "at least " if rule.relation == "at_least" else ""
            message = f"must be {least}{rule.metres:g} m{_by(rule.article)}; given {given:g} m"
            faults.append(Fault(mark, rule.of, message))
    return faults


def _by(*articles: str | None) -> str:
    named = ", ".join(article for article in articles if article)
    return f" ({named})" if named else ""
