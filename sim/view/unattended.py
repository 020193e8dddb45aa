"""A window that nobody attends: bets, launches and changes of machine by themselves."""

from typing import TYPE_CHECKING

from sim.rules.bets import Wager
from sim.rules.rulebook import Distinct
from sim.view.sitting import Sitting

if TYPE_CHECKING:
    from sim.view.session import Session

_BET_S, _LAUNCH_S, _STAY_S = 1.0, 2.5, 5.0


def attend(session: "Session") -> None:
    """Do what is due: bet, launch, go on to the next machine."""
    if session.waiting:
        for show in session.shows:
            if session.idle > _BET_S and not show.sitting.on_cloth():
                _bet(show.sitting, show.index)
        if session.idle > _LAUNCH_S and not session.launching:
            session.ask_launch()
    elif not session.over:
        session.idle = 0.0
    elif session.idle > _STAY_S:
        session.number += 1
        session.raise_curtain()


def _bet(sitting: Sitting, index: int) -> None:
    """Two bets, others in every round."""
    bets = [bet for bet in sitting.rulebook.bets if not isinstance(bet, Distinct)]
    for number, stake in ((index, 10), (index + len(bets) // 2, 25)):
        bet = bets[number % len(bets)]
        covered = sitting.rulebook.covers(bet)
        symbols = (covered[index % len(covered)],) if bet.pick == "one" else covered
        sitting.bet(Wager(bet, symbols, stake))
