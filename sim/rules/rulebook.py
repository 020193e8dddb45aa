"""The schema of a rulebook: the law of one game as data, every item with its article or marked ``inferred``.

A rulebook is a YAML file in ``assets/rules``; `sim.rules.library.load` reads one, `sim.rules.contradictions`
says where one contradicts itself. Nothing here is specific to a game.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from sim.documents.document import Path

RANGE = re.compile(r"([0-9]{1,4})-([0-9]{1,4})")


def expand(value: object) -> tuple[str, ...]:
    """Return one symbol or a list of them as text, a range such as ``1-12`` as its numbers.

    Raises ValueError for anything else.
    """
    given = value if isinstance(value, tuple | list) else [value]
    return tuple(symbol for item in given for symbol in _expand_one(item))


def _expand_one(item: object) -> list[str]:
    if type(item) is int:
        return [str(item)]
    if not isinstance(item, str) or not item:
        raise ValueError(f"symbols are text, whole numbers or ranges such as 1-12; given {item!r}")
    span = RANGE.fullmatch(item)
    if not span:
        return [item]
    first, last = map(int, span.groups())
    if first >= last:
        raise ValueError(f"a range runs upwards, such as 1-12; given {item}")
    return [str(number) for number in range(first, last + 1)]


def _as_text(value: object) -> object:
    return str(value) if type(value) is int else value


Word = Annotated[str, Field(min_length=1), BeforeValidator(_as_text)]
Words = tuple[Word, ...]
Symbols = Annotated[tuple[str, ...], Field(min_length=1), BeforeValidator(expand)]
Count = Annotated[int, Field(ge=1)]
OnPeg = Literal["re-spin", "preceding", "following"]
Reading = Literal["launch", "hole_zone"]
VoidCode = Literal[
    "OBJECT", "BALL_OUT", "OFF_POCKET", "SAME_DIR", "MIN_TURNS", "ON_PEG", "PLAYER_TOUCH", "NO_REST"
]


class Model(BaseModel):
    """Strict, frozen, no unknown field."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Cited(Model):
    """An item of the rulebook: it names its article, or is marked as inferred (`note` says from what)."""

    article: str | None = None
    inferred: bool = False
    note: str | None = None


class Article(Model):
    """An article of the regulation.

    kind: ``rule`` is carried out by an item of the rulebook, which must cite it; ``equipment`` speaks of the
    apparatus; ``procedure`` of what people do, which no program decides.
    """

    at: Word
    kind: Literal["rule", "equipment", "procedure"]
    rule: str


class SymbolGroup(Cited):
    """Symbols of one colour, each on `cells` equal cells."""

    symbols: Symbols
    cells: Count
    colour: str


class Layout(Cited):
    """How the symbols stand round the ring.

    cells: number of equal cells. also: other numbers of cells that carry the symbols in the same proportion.
    alternate: two colours that must take turns round the ring. labels: ``free`` lets a machine carry any
    symbols, in which case only their number is checked.
    """

    cells: Count
    also: tuple[Count, ...] = ()
    alternate: tuple[str, str] | None = None
    alternate_article: str | None = None
    labels: Literal["fixed", "free"] = "fixed"


class Dimension(Cited):
    """A length that the regulation fixes, in metres."""

    of: str
    metres: Annotated[float, Field(gt=0)]
    relation: Literal["equals", "at_least"]


class Launch(Cited):
    """How the ball or wheel is set in motion, seen from above; `turns` is the regulation's own wording."""

    ball: Literal["clockwise", "counter_clockwise"] | None = None
    plate: Literal["opposite", "fixed"] | None = None
    alternate: Literal["may", "must"] | None = None
    turns: str | None = None


class _Bet(Cited):
    """What all bets share.

    bet: its name, unique. kind: the word of the command line (the name itself when absent); several bets may
    share one when no selection fits two of them. aliases: further words, the regulation's own first.
    favours_player: said when a negative edge is meant.
    """

    bet: Word
    kind: Word | None = None
    aliases: Words = ()
    favours_player: bool = False

    @property
    def head(self) -> str:
        """The word that the command line takes for this bet."""
        return self.kind or self.bet

    @property
    def words(self) -> tuple[str, ...]:
        """Every word that names the bet, `head` first."""
        return (self.head, *self.aliases)

    @property
    def local_name(self) -> str:
        """The regulation's word."""
        return self.aliases[0] if self.aliases else self.head


class OneOf(_Bet):
    """A bet on one symbol of the player's choice."""

    pick: Literal["one"]
    of: Symbols


class Distinct(_Bet):
    """A bet on `count` distinct symbols of the player's choice."""

    pick: Literal["distinct"]
    count: Annotated[int, Field(ge=2)]
    of: Symbols


class FixedSet(_Bet):
    """A bet on a set that the regulation fixes."""

    pick: Literal["fixed"]
    of: Symbols


class OnColour(_Bet):
    """A bet on every symbol of one colour."""

    pick: Literal["colour"]
    colour: str


Bet = Annotated[OneOf | Distinct | FixedSet | OnColour, Field(discriminator="pick")]


class Prize(Cited):
    """What the named bets pay: `pays` times the stake, which the winner also keeps ("to 1")."""

    bets: Words
    pays: Count
    status: str | None = None


class Special(Cited):
    """The symbol on which every bet loses but those named."""

    symbol: Word
    only: Words


class Closing(Cited):
    """When bets close.

    before_push: before the wheel is set in motion. bell: when the ball first touches the band of hollows.
    circulation: while the ball circles, in one of two readings: `launch`, a delay after the launch and no
    later than the hole zone; `hole_zone`, when the ball reaches the holes. delay_s: seconds after the launch
    (negative: before it); no regulation here states one.
    """

    when: Literal["before_push", "bell", "circulation"]
    reading: Reading = "hole_zone"
    delay_s: float = 0.0
    announcement: str

    @property
    def inclusive(self) -> bool:
        """Whether a bet made at the very moment of closing still counts."""
        return self.when != "before_push"


class Void(Cited):
    """A condition under which a spin has no result.

    turns: fewest complete turns, for MIN_TURNS: of the wheel, up to its first reversal, or of the ball.
    rule: for ON_PEG; only ``re-spin`` makes the spin void.
    """

    code: VoidCode
    reason: str
    turns: Count | None = None
    counted: Literal["wheel", "ball"] | None = None
    rule: OnPeg | None = None
    announcement: str | None = None


class AfterVoid(Cited):
    """What becomes of the bets when a void spin is repeated: the old are frozen, new ones taken or not."""

    existing: Literal["frozen"]
    new: Literal["accepted", "refused"]


class Payment(Cited):
    """Losing bets are collected first, then winners are paid; `last` names the bets paid after all others;
    `together_article` lets all wins of one player be paid at once; `leave_article` lets a winning stake stay
    on the cloth for the next round."""

    last: Words = ()
    together_article: str | None = None
    leave_article: str | None = None


class Maximum(Cited):
    """Bounds of the maximum stake that a table may set, in multiples of the authorised minimum."""

    limit: Word
    bets: Words
    low: Count
    high: Count


class Limits(Cited):
    """Stake limits: maxima per table and per player, and what minimum a cloth may ask.

    cloth_multiple: a cloth may ask this multiple of the authorised minimum while another keeps the minimum.
    """

    maxima: tuple[Maximum, ...]
    cloth_multiple: Count
    cloth_article: str
    per_player_article: str


class Cloths(Cited):
    """On how many cloths bets may lie."""

    most: Count


class Announcement(Cited):
    """Words spoken at the table; ``{symbol}`` and ``{chances}`` stand for the result."""

    key: str
    text: str
    english: str


class Rulebook(Model):
    """The law of one game.

    The cells are equal: a symbol's chance is its share of them. Bets, prizes and every other item cite the
    ids of `articles`.
    """

    id: str
    title: str
    jurisdiction: str
    source: str
    language: str
    articles: dict[str, Article]
    layout: Layout
    symbols: Annotated[tuple[SymbolGroup, ...], Field(min_length=1)]
    dimensions: tuple[Dimension, ...] = ()
    launch: Launch | None = None
    bets: tuple[Bet, ...] = ()
    prizes: tuple[Prize, ...] = ()
    special: Special | None = None
    opening: Cited | None = None
    closing: Closing | None = None
    late_bets: Cited | None = None
    decision: Cited
    voids: tuple[Void, ...] = ()
    after_void: AfterVoid | None = None
    payment: Payment | None = None
    limits: Limits | None = None
    cloths: Cloths | None = None
    throwers: Cited | None = None
    announcements: tuple[Announcement, ...] = ()

    @property
    def cells(self) -> dict[str, int]:
        """Number of equal cells of every symbol."""
        return {symbol: group.cells for group in self.symbols for symbol in group.symbols}

    @property
    def colours(self) -> dict[str, str]:
        """Colour of every symbol."""
        return {symbol: group.colour for group in self.symbols for symbol in group.symbols}

    def covers(self, bet: Bet) -> tuple[str, ...]:
        """Return the symbols from which a player may choose, or which a fixed bet covers."""
        if isinstance(bet, OnColour):
            return tuple(symbol for symbol, colour in self.colours.items() if colour == bet.colour)
        return bet.of

    def prize(self, bet: Bet) -> Prize:
        """Return the prize of a bet of this rulebook."""
        return next(prize for prize in self.prizes if bet.bet in prize.bets)

    def void(self, code: VoidCode) -> Void | None:
        """Return the rulebook's own condition of that code, if it has one."""
        return next((void for void in self.voids if void.code == code), None)

    def say(self, key: str) -> Announcement | None:
        """Return the announcement of that key, if the game has one."""
        return next((words for words in self.announcements if words.key == key), None)


def with_options(
    rulebook: Rulebook,
    *,
    on_peg: OnPeg | None = None,
    reading: Reading | None = None,
    delay_s: float | None = None,
) -> Rulebook:
    """Return the rulebook with another choice where its regulation is silent or ambiguous.

    on_peg: what a clapper resting on a peg means. reading: when bets close during circulation. delay_s: how
    long after the launch that is in the reading `launch`, s, >= 0. Raises ValueError where the game has no
    such choice.
    """
    changes: dict[str, object] = {}
    if on_peg is not None:
        if rulebook.void("ON_PEG") is None:
            raise ValueError(f"{rulebook.id} knows no peg")
        changes["voids"] = tuple(
            void.model_copy(update={"rule": on_peg}) if void.code == "ON_PEG" else void
            for void in rulebook.voids
        )
    closing = {"reading": reading, "delay_s": delay_s}
    chosen = {name: choice for name, choice in closing.items() if choice is not None}
    if chosen:
        if rulebook.closing is None or rulebook.closing.when != "circulation":
            raise ValueError(f"{rulebook.id} does not close its bets during circulation")
        changes["closing"] = rulebook.closing.model_copy(update=chosen)
    return rulebook.model_copy(update=changes)


def items(model: Model, path: Path = ()) -> Iterator[tuple[Path, Cited]]:
    """Yield every cited item of a rulebook with its path in the file."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, Cited):
            yield (*path, name), value
            yield from items(value, (*path, name))
        elif isinstance(value, tuple):
            for index, entry in enumerate(value):
                if isinstance(entry, Cited):
                    yield (*path, name, index), entry
                    yield from items(entry, (*path, name, index))


def citations(item: Cited) -> Iterator[tuple[str, str]]:
    """Yield the fields of an item that cite an article, with the id that each cites."""
    for name in type(item).model_fields:
        if name.endswith("article") and (cited := getattr(item, name)) is not None:
            yield name, cited
