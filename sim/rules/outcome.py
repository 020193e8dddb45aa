"""From a landing to the outcome that the rulebook prescribes: a symbol and its winning chances, or a void."""

from collections.abc import Sequence
from dataclasses import dataclass

from sim.landing import Event, Landing
from sim.rules.rulebook import Bet, Distinct, OneOf, Rulebook, VoidCode

OBJECT_ON_PLATE = "object/plate"
PLAYER_AND_WHEEL = "player/wheel"
INTERFERENCE: dict[VoidCode, str] = {"OBJECT": OBJECT_ON_PLATE, "PLAYER_TOUCH": PLAYER_AND_WHEEL}

# What no decision can be drawn from, whether or not the regulation thought of it.
UNDECIDABLE: dict[VoidCode, str] = {
    "BALL_OUT": "the ball left the apparatus",
    "NO_REST": "the spin had not come to rest when it was cut short",
    "OFF_POCKET": "the ball came to rest in no pocket",
    "ON_PEG": "the indicator rests on a peg",
}


@dataclass(frozen=True, slots=True)
class VoidSpin:
    """Why a spin has no result. article: None where no article covers it, which is `inferred`."""

    code: VoidCode
    article: str | None
    reason: str
    inferred: bool
    announcement: str | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """Something contrary to an article that states no consequence."""

    article: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the rulebook makes of one spin.

    symbol, colour: the result; None when void. chances: names of the bets that win, except those on several
    symbols of the player's choice. closing: when bets closed, s after the launch (negative: before it); None
    when the signal to close never came. void: None when valid. remarks: breaches that have no
    stated consequence. article: of the decision. time: when it was decided, s after the launch: at rest, or at
    the interference that made the spin void.
    """

    symbol: str | None
    colour: str | None
    chances: tuple[str, ...]
    valid: bool
    void: VoidSpin | None
    closing: float | None
    remarks: tuple[Remark, ...]
    article: str | None
    time: float


def decide(rulebook: Rulebook, ring: Sequence[str], landing: Landing, events: Sequence[Event]) -> Outcome:
    """Decide a spin.

    ring: the symbol of every pocket, by its index. An event of kind ``contact`` whose `what` is
    ``object/plate`` says that an object fell on the plate, ``player/wheel`` that somebody touched the wheel.
    Raises ValueError when the landing names a pocket that the ring does not have.
    """
    cell = _cell(rulebook, ring, landing)
    rest = next((event.time for event in events if event.kind == "rest"), landing.duration)
    touched = _interference(events, rest)
    void = _void(rulebook, cell, landing, frozenset(touched))
    time = touched[INTERFERENCE[void.code]] if void and void.code in INTERFERENCE else rest
    closing = closing_time(rulebook, events)
    if closing is not None and closing > time:
        closing = None
    remarks = _remarks(rulebook, landing)
    article = rulebook.decision.article
    if void is not None or cell is None:
        return Outcome(None, None, (), False, void, closing, remarks, article, time)
    symbol = ring[cell]
    chances = tuple(winning_chances(rulebook, symbol))
    return Outcome(symbol, rulebook.colours.get(symbol), chances, True, None, closing, remarks, article, time)


def winning_chances(rulebook: Rulebook, symbol: str) -> list[str]:
    """Return the chances that win on a symbol, as the command line writes them."""
    single = [bet for bet in rulebook.bets if isinstance(bet, OneOf) and wins(rulebook, bet, bet.of, symbol)]
    return [
        *(f"{bet.head}:{symbol}" for bet in single),
        *(bet.head for bet in named_winners(rulebook, symbol)),
    ]


def named_winners(rulebook: Rulebook, symbol: str) -> list[Bet]:
    """Return the bets without a choice of symbols that win on a symbol."""
    return [
        bet
        for bet in rulebook.bets
        if not isinstance(bet, OneOf | Distinct) and wins(rulebook, bet, rulebook.covers(bet), symbol)
    ]


def closing_time(rulebook: Rulebook, events: Sequence[Event]) -> float | None:
    """Return when bets close, s after the launch, or None when the signal never came.

    before_push: a delay (negative) before the launch. bell, and circulation read as `hole_zone`: the first
    touch of the band of hollows. circulation read as `launch`: a delay after it, or that touch if sooner.
    """
    closing = rulebook.closing
    if closing is None:
        return None
    if closing.when == "before_push":
        return closing.delay_s
    first_touch = next((event.time for event in events if event.kind in ("band", "hollow_in")), None)
    if closing.when == "circulation" and closing.reading == "launch":
        return closing.delay_s if first_touch is None else min(closing.delay_s, first_touch)
    return first_touch


def _cell(rulebook: Rulebook, ring: Sequence[str], landing: Landing) -> int | None:
    """Return the pocket that counts: the ball's, or the section that the rule for a peg names."""
    cell = landing.pocket
    if landing.on_peg:
        on_peg = rulebook.void("ON_PEG")
        cell = landing.section if on_peg is not None and on_peg.rule != "re-spin" else None
        if cell is not None and on_peg is not None and on_peg.rule == "following":
            cell = (cell - landing.plate_direction) % len(ring)
    elif landing.section is not None:
        cell = landing.section
    if cell is not None and not 0 <= cell < len(ring):
        raise ValueError(f"the ring has pockets 0 to {len(ring) - 1}; the landing names {cell}")
    return cell


def _interference(events: Sequence[Event], rest: float) -> dict[str, float]:
    """Return when each kind of interference first happened while the ball or wheel was moving, s."""
    first: dict[str, float] = {}
    for event in events:
        if event.kind == "contact" and event.what in INTERFERENCE.values() and event.time < rest:
            first[event.what] = min(event.time, first.get(event.what, event.time))
    return first


def _void(rulebook: Rulebook, cell: int | None, landing: Landing, touched: frozenset[str]) -> VoidSpin | None:
    """Return the first condition that holds: interference, a faulty launch, a ball or wheel astray."""
    facts: dict[VoidCode, bool] = {
        "OBJECT": OBJECT_ON_PLATE in touched,
        "PLAYER_TOUCH": PLAYER_AND_WHEEL in touched,
        "SAME_DIR": landing.ball_direction == landing.plate_direction != 0,
        "BALL_OUT": landing.ending == "left_apparatus",
        "NO_REST": landing.ending == "time_limit",
        "MIN_TURNS": _too_few_turns(rulebook, landing),
        "ON_PEG": bool(landing.on_peg) and cell is None,
        "OFF_POCKET": cell is None,
    }
    for code, holds in facts.items():
        stated = rulebook.void(code)
        if holds and stated is not None:
            return VoidSpin(code, stated.article, stated.reason, stated.inferred, stated.announcement)
        if holds and code in UNDECIDABLE:
            return VoidSpin(code, None, UNDECIDABLE[code], inferred=True)
    return None


def _too_few_turns(rulebook: Rulebook, landing: Landing) -> bool:
    rule = rulebook.void("MIN_TURNS")
    if rule is None or rule.turns is None:
        return False
    turns = landing.ball_turns if rule.counted == "ball" else landing.turns_forward
    return turns is not None and turns < rule.turns


def _remarks(rulebook: Rulebook, landing: Landing) -> tuple[Remark, ...]:
    launch = rulebook.launch
    if launch is None:
        return ()
    remarks = []
    wanted = {"clockwise": -1, "counter_clockwise": 1, None: landing.ball_direction}[launch.ball]
    if landing.ball_direction != wanted:
        remarks.append(Remark(launch.article, f"the ball was not launched {launch.ball}"))
    if launch.plate == "opposite" and landing.plate_direction != -landing.ball_direction:
        remarks.append(Remark(launch.article, "the plate did not turn opposite to the ball"))
    if launch.plate == "fixed" and landing.plate_direction != 0:
        remarks.append(Remark(launch.article, "the plate turned"))
    return tuple(remarks)


def wins(rulebook: Rulebook, bet: Bet, symbols: Sequence[str], symbol: str) -> bool:
    """Whether a bet on these symbols wins on one; on the special symbol only the bets named for it do."""
    special = rulebook.special
    if special is not None and symbol == special.symbol and bet.bet not in special.only:
        return False
    return symbol in symbols
