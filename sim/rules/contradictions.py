"""Where a rulebook contradicts itself, and what in it looks suspicious."""

import string
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from sim.documents.document import Path, near
from sim.rules.odds import edge_of
from sim.rules.rulebook import Bet, Distinct, OnColour, OneOf, Rulebook, citations, items

Found = tuple[Path, str]


def contradictions(rulebook: Rulebook) -> list[Found]:
    """Return every contradiction of a rulebook: path in its file, and one line that says what is wrong.

    What hangs on a broken part is not reported again: chances wait for sound symbols, bets and prizes.
    """
    base = [*_articles(rulebook), *_symbols(rulebook), *_bets(rulebook), *_prizes(rulebook), *_play(rulebook)]
    return base or list(_coverage(rulebook)) or list(_edges(rulebook))


def suspicious(rulebook: Rulebook) -> list[Found]:
    """Return what a rulebook may say but hardly means: bets that favour the player and are not marked so."""
    return [
        (("bets", index), f"{bet.bet!r} favours the player by {-edge}; favours_player: true says it is meant")
        for index, bet in enumerate(rulebook.bets)
        if (edge := edge_of(rulebook, bet)) < 0 and not bet.favours_player
    ]


def _articles(rulebook: Rulebook) -> Iterator[Found]:
    """Every item cites an article that is there or is inferred; every rule is carried out by an item."""
    known = rulebook.articles
    cited: set[str] = set()
    for path, item in items(rulebook):
        for field, article in citations(item):
            cited.add(article)
            if article not in known:
                yield (*path, field), f"no article {article!r} in articles{near(article, known)}"
            elif known[article].kind != "rule":
                kind = known[article].kind
                yield (*path, field), f"article {article!r} is of kind {kind}; an item cites a rule"
        if item.article is None and not item.inferred:
            yield path, "cites no article; name its article, or say inferred: true"
    for name, entry in known.items():
        if entry.kind == "rule" and name not in cited:
            yield (
                ("articles", name),
                "is a rule that no item cites; cite it, or make it equipment or procedure",
            )


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _symbols(rulebook: Rulebook) -> Iterator[Found]:
    """No symbol twice, the cells sum, other rings keep the proportions, alternating colours can alternate."""
    groups, layout = rulebook.symbols, rulebook.layout
    twice = _repeated(symbol for group in groups for symbol in group.symbols)
    for symbol in twice:
        index = max(i for i, group in enumerate(groups) if symbol in group.symbols)
        yield ("symbols", index, "symbols"), f"symbol {symbol!r} is given twice; once each"
    total = sum(len(group.symbols) * group.cells for group in groups)
    if not twice and total != layout.cells:
        yield (
            ("layout", "cells"),
            f"must be the sum of the symbols' cells, which is {total}; given {layout.cells}",
        )
    for index, cells in enumerate(layout.also):
        if any(group.cells * cells % layout.cells for group in groups):
            yield (
                ("layout", "also", index),
                f"{cells} cells cannot carry the symbols in the proportions of {layout.cells}",
            )
    if layout.alternate is not None:
        sizes = Counter(dict.fromkeys(layout.alternate, 0))
        for group in groups:
            sizes[group.colour] += len(group.symbols) * group.cells
        missing = [colour for colour in layout.alternate if not sizes[colour]]
        first, second = (sizes[colour] for colour in layout.alternate)
        if missing:
            yield ("layout", "alternate"), f"no symbol has the colour {missing[0]!r}"
        elif first != second:
            colours = " and ".join(layout.alternate)
            yield ("layout", "alternate"), f"{first} and {second} cells of {colours} cannot take turns"


def _bets(rulebook: Rulebook) -> Iterator[Found]:
    """Bets have names of their own, speak of symbols that exist, and no text names two of them."""
    symbols, colours = rulebook.cells, {group.colour for group in rulebook.symbols}
    for name in _repeated(bet.bet for bet in rulebook.bets):
        index = max(i for i, bet in enumerate(rulebook.bets) if bet.bet == name)
        yield ("bets", index, "bet"), f"bet {name!r} is given twice; each name once"
    for index, bet in enumerate(rulebook.bets):
        path: Path = ("bets", index)
        for word in _repeated(bet.words):
            yield (*path, "aliases"), f"{word!r} names this bet twice; each word once"
        if isinstance(bet, OnColour):
            if bet.colour not in colours:
                yield (
                    (*path, "colour"),
                    f"no symbol has the colour {bet.colour!r}; allowed: {', '.join(sorted(colours))}",
                )
            continue
        unknown = [symbol for symbol in bet.of if symbol not in symbols]
        if unknown:
            yield (*path, "of"), f"no symbol {unknown[0]!r} on the ring{near(unknown[0], symbols)}"
        elif twice := _repeated(bet.of):
            yield (*path, "of"), f"symbol {twice[0]!r} is given twice; once each"
        elif isinstance(bet, Distinct) and bet.count > len(bet.of):
            yield (
                (*path, "count"),
                f"must be at most the {len(bet.of)} symbols to choose from; given {bet.count}",
            )
    for (_, one), (later, other) in combinations(enumerate(rulebook.bets), 2):
        shared = [word for word in one.words if word in other.words]
        if shared and one.bet != other.bet and _both_fit(one, other):
            field = "aliases" if shared[0] in other.aliases else "kind" if other.kind else "bet"
            yield ("bets", later, field), f"{shared[0]!r} already names the bet {one.bet!r}"


def _both_fit(one: Bet, other: Bet) -> bool:
    """Whether one selection could be meant for either of two bets that share a word."""
    choices = [bet for bet in (one, other) if isinstance(bet, OneOf | Distinct)]
    if len(choices) < 2:
        return not choices
    size, size_of_other = (bet.count if isinstance(bet, Distinct) else 1 for bet in choices)
    return size == size_of_other and len(set(choices[0].of) & set(choices[1].of)) >= size


def _prizes(rulebook: Rulebook) -> Iterator[Found]:
    """Every bet has one prize, every prize its bets."""
    names = [bet.bet for bet in rulebook.bets]
    paid: set[str] = set()
    for index, prize in enumerate(rulebook.prizes):
        for position, name in enumerate(prize.bets):
            path: Path = ("prizes", index, "bets", position)
            if name not in names:
                yield path, f"is a prize for no bet: there is none named {name!r}{near(name, names)}"
            elif name in paid:
                yield path, f"bet {name!r} already has a prize; one each"
            paid.add(name)
        if not prize.bets:
            yield ("prizes", index, "bets"), "is a prize for no bet; name the bets that it pays"
    for index, bet in enumerate(rulebook.bets):
        if bet.bet not in paid:
            yield ("bets", index), f"bet {bet.bet!r} has no prize; name it in prizes"


def _play(rulebook: Rulebook) -> Iterator[Found]:
    """What closing, voids, payment, limits and announcements name is there, and fits."""
    names = [bet.bet for bet in rulebook.bets]
    keys = [words.key for words in rulebook.announcements]
    named: list[tuple[Path, tuple[str, ...]]] = []
    if rulebook.special is not None:
        named.append((("special", "only"), rulebook.special.only))
        if rulebook.special.symbol not in rulebook.cells:
            yield ("special", "symbol"), f"no symbol {rulebook.special.symbol!r} on the ring"
    if rulebook.payment is not None:
        named.append((("payment", "last"), rulebook.payment.last))
    for index, maximum in enumerate(rulebook.limits.maxima if rulebook.limits else ()):
        named.append((("limits", "maxima", index, "bets"), maximum.bets))
        if maximum.low > maximum.high:
            yield (
                ("limits", "maxima", index, "low"),
                f"must be at most high, {maximum.high}; given {maximum.low}",
            )
    for path, bets in named:
        for position, name in enumerate(bets):
            if name not in names:
                yield (*path, position), f"no bet named {name!r}{near(name, names)}"
    for key in _repeated(keys):
        index = max(i for i, words in enumerate(rulebook.announcements) if words.key == key)
        yield ("announcements", index, "key"), f"announcement {key!r} is given twice; each key once"
    spoken: list[tuple[Path, str | None]] = [
        (("voids", index, "announcement"), void.announcement) for index, void in enumerate(rulebook.voids)
    ]
    if rulebook.closing is not None:
        spoken.append((("closing", "announcement"), rulebook.closing.announcement))
    for path, spoken_key in spoken:
        if spoken_key is not None and spoken_key not in keys:
            yield path, f"no announcement has the key {spoken_key!r}{near(spoken_key, keys)}"
    yield from _voids(rulebook)
    yield from _placeholders(rulebook)


def _voids(rulebook: Rulebook) -> Iterator[Found]:
    """Each code once, with what it needs and nothing else."""
    for code in _repeated(void.code for void in rulebook.voids):
        index = max(i for i, void in enumerate(rulebook.voids) if void.code == code)
        yield ("voids", index, "code"), f"code {code} is given twice; once each"
    for index, void in enumerate(rulebook.voids):
        needs = {"MIN_TURNS": {"turns", "counted"}, "ON_PEG": {"rule"}}.get(void.code, set())
        for field in ("turns", "counted", "rule"):
            given = getattr(void, field) is not None
            if given != (field in needs):
                wrong = "belongs to another code than" if given else "is missing for"
                yield ("voids", index, field), f"{wrong} {void.code}"


def _placeholders(rulebook: Rulebook) -> Iterator[Found]:
    for index, words in enumerate(rulebook.announcements):
        for field in ("text", "english"):
            try:
                parts = [part[1] for part in string.Formatter().parse(getattr(words, field))]
            except ValueError:
                parts = ["{"]
            wrong = [part for part in parts if part not in (None, "symbol", "chances")]
            if wrong:
                yield (
                    ("announcements", index, field),
                    f"only {{symbol}} and {{chances}} may stand in braces; given {wrong[0]!r}",
                )


def _coverage(rulebook: Rulebook) -> Iterator[Found]:
    """Every symbol can be bet on, and the special symbol wins for none but the bets it names."""
    if not rulebook.bets:
        return
    for index, bet in enumerate(rulebook.bets):
        counts = {rulebook.cells[symbol] for symbol in rulebook.covers(bet)}
        if isinstance(bet, OneOf | Distinct) and len(counts) > 1:
            yield ("bets", index, "of"), "the symbols to choose from have different numbers of cells"
    playable = {symbol for bet in rulebook.bets for symbol in rulebook.covers(bet)}
    for index, group in enumerate(rulebook.symbols):
        for symbol in group.symbols:
            if symbol not in playable:
                yield ("symbols", index, "symbols"), f"nobody can bet on symbol {symbol!r}"
    if rulebook.special is not None:
        for index, bet in enumerate(rulebook.bets):
            if rulebook.special.symbol in rulebook.covers(bet) and bet.bet not in rulebook.special.only:
                wrong = f"{bet.bet!r} may win on {rulebook.special.symbol!r}"
                yield ("bets", index), f"{wrong}, but special lets only {', '.join(rulebook.special.only)}"


def _edges(rulebook: Rulebook) -> Iterator[Found]:
    """No bet gives either side more than the whole stake on average."""
    for index, prize in enumerate(rulebook.prizes):
        for bet in rulebook.bets:
            if bet.bet in prize.bets and edge_of(rulebook, bet) < -1:
                edge = float(-edge_of(rulebook, bet))
                yield (
                    ("prizes", index, "pays"),
                    f"gives the player of {bet.bet!r} an edge above 100 %: {edge:.1%}; given {prize.pays}",
                )
                break
