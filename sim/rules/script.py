"""What players do during a spin, played against a round in the order of time."""

from collections.abc import Sequence
from dataclasses import dataclass

from sim.rules.bets import Wager
from sim.rules.outcome import Outcome
from sim.rules.round import Refused, Round, Slip, State


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player does: a wager places a bet, a number withdraws one, both change one.

    time: s after the launch. number: of the slip. cloth: on which a new bet lies.
    """

    time: float
    player: str
    wager: Wager | None = None
    number: int | None = None
    cloth: int = 0


Result = Slip | Refused | None


def play_spin(play: Round, actions: Sequence[Action], outcome: Outcome) -> list[tuple[Action, Result]]:
    """Let players act in the order of time, close the bets when the outcome says, and decide the spin.

    At the very moment of closing a bet still counts at the bell (MB-09: until the moment) and during
    circulation (SB-17: after the announcement), and no longer before the push (RS-05: from this moment).
    Where the signal never came, bets close when the spin is decided. Returns every action, in order, with its
    slip, its refusal, or None for a withdrawal.
    """
    shut = outcome.closing
    closing = play.rulebook.closing
    inclusive = closing is None or closing.inclusive
    results: list[tuple[Action, Result]] = []
    for action in sorted(actions, key=lambda each: each.time):
        late = shut is not None and (action.time > shut or (action.time == shut and not inclusive))
        if shut is not None and late and play.state is State.OPEN:
            play.close(shut)
        results.append((action, _act(play, action)))
    if play.state is State.OPEN and (shut is not None or outcome.void is None):
        play.close(play.time if shut is None else shut)
    play.decide(outcome)
    return results


def _act(play: Round, action: Action) -> Result:
    try:
        if action.wager is None:
            if action.number is not None:
                play.withdraw(action.player, action.number, action.time)
            return None
        if action.number is None:
            return play.place(action.player, action.wager, action.time, action.cloth)
        return play.change(action.player, action.number, action.wager, action.time)
    except Refused as refusal:
        return refusal
