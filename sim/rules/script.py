"""What players do during a spin, played against a round in the order of time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sim.rules.bets import Wager
from sim.rules.outcome import Outcome
from sim.rules.round import Refused, Round, Slip, Spoken, State


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player does: a wager places a bet, a number withdraws one, both change one.

    time: s after the launch. number: of the slip, or the name under which it was placed. cloth: on which a new
    bet lies. leave: if it wins, its stake stays for the next round. name: under which a new bet is known.
    """

    time: float
    player: str
    wager: Wager | None = None
    number: int | str | None = None
    cloth: int = 0
    leave: bool = False
    name: str | None = None


UNDECIDED = (State.OPEN, State.CLOSED)
Result = Slip | Refused | None
Step = tuple[Action, Result] | Spoken | Outcome


def play_spin(play: Round, actions: Sequence[Action], outcome: Outcome) -> list[tuple[Action, Result]]:
    """Play one spin as `steps` does; returns every action, in order, with what came of it."""
    return [step for step in steps(play, actions, outcome, {}) if isinstance(step, tuple)]


def steps(play: Round, actions: Sequence[Action], outcome: Outcome, names: dict[str, int]) -> Iterator[Step]:
    """Let players act in the order of time, close the bets when the outcome says, and decide the spin.

    At the very moment of closing a bet still counts at the bell (MB-09: until the moment) and during
    circulation (SB-17: after the announcement), and no longer before the push (RS-05: from this moment).
    Where the signal never came, bets close when the spin is decided; what players do after that meets a round
    that is decided or void. Yields every action with its slip, its refusal, or None for a withdrawal, and
    between them what is said and the outcome. names: numbers of the slips of named bets, kept up to date.
    """
    heard = len(play.spoken) if play.spin else 0
    pending = sorted(actions, key=lambda each: each.time)
    shut, closing = outcome.closing, play.rulebook.closing
    inclusive = closing is None or closing.inclusive
    for action in pending:
        if play.state is State.OPEN and shut is not None and _late(action.time, shut, inclusive):
            play.close(shut)
        if play.state in UNDECIDED and action.time > outcome.time:
            yield from _finish(play, outcome, heard)
            heard = len(play.spoken)
        yield from play.spoken[heard:]
        heard = len(play.spoken)
        yield action, _act(play, action, names)
    if play.state in UNDECIDED:
        yield from _finish(play, outcome, heard)


def _late(time: float, shut: float, inclusive: bool) -> bool:
    return time > shut or (time == shut and not inclusive)


def _finish(play: Round, outcome: Outcome, heard: int) -> Iterator[Step]:
    """Close what is still open, and decide; yields what is said, from `heard` on, round the outcome."""
    if play.state is State.OPEN and (outcome.closing is not None or outcome.void is None):
        play.close(outcome.time if outcome.closing is None else outcome.closing)
    yield from play.spoken[heard:]
    heard = len(play.spoken)
    play.decide(outcome)
    yield outcome
    yield from play.spoken[heard:]


def _act(play: Round, action: Action, names: dict[str, int]) -> Result:
    try:
        if action.number is None:
            if action.wager is None:
                return None
            slip = play.place(action.player, action.wager, action.time, action.cloth, leave=action.leave)
            if action.name is not None:
                names[action.name] = slip.number
            return slip
        number = names.get(action.number) if isinstance(action.number, str) else action.number
        if number is None:
            return Refused(f"{action.player} has no such bet on the cloth", None)
        if action.wager is None:
            play.withdraw(action.player, number, action.time)
            return None
        slip = play.change(action.player, number, action.wager, action.time)
        if isinstance(action.number, str):
            names[action.number] = slip.number
    except Refused as refusal:
        return refusal
    return slip
