"""Rounds one after another at a table: scripts of players against spins, however those were made."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sim.landing import Event, Landing
from sim.rules.ledger import Ledger
from sim.rules.outcome import Outcome, decide
from sim.rules.round import Round, Slip, State
from sim.rules.rulebook import Rulebook
from sim.rules.script import Action, Step, steps
from sim.rules.settlement import Line
from sim.rules.table import Table


@dataclass(frozen=True, slots=True)
class Played:
    """One spin as it went at the table.

    round, spin: numbers from 0; a void spin is followed by another of the same round. thrower: whose turn it
    was, None where the table keeps no rotation. lying: bets on the cloth before it, frozen or left. steps: what
    was done and said, in order, with the outcome at its moment. paid: every bet with what became of it, in the
    order of payment; empty after a void spin. chips: what each player holds afterwards, units, beside what lies
    on the cloth. held, house: of the ledger, afterwards.
    """

    round: int
    spin: int
    thrower: str | None
    lying: tuple[Slip, ...]
    steps: tuple[Step, ...]
    outcome: Outcome
    paid: tuple[tuple[Slip, Line], ...]
    chips: Mapping[str, int]
    held: int
    house: int


def play_table(
    rulebook: Rulebook,
    ring: Sequence[str],
    table: Table,
    scripts: Iterable[Sequence[Action]],
    spins: Iterable[tuple[Landing, Sequence[Event]]],
    ledger: Ledger,
) -> Iterator[Played]:
    """Play one spin for every script, round after round; every chip that moves is entered in the ledger.

    ring: the symbol of every pocket. spins: at least as many as scripts, taken one by one.
    """
    play = Round(rulebook, ledger, table)
    names: dict[str, int] = {}
    for actions, (landing, events) in zip(scripts, spins, strict=False):
        if play.state is State.PAID:
            play = play.follow()
        elif play.state is State.VOID:
            play.relaunch()
        lying = tuple(play.slips.values())
        outcome = decide(rulebook, ring, landing, events)
        done = tuple(steps(play, actions, outcome, names))
        paid = tuple(play.pay()) if play.state is State.DECIDED else ()
        chips = {player: brought + ledger.net(player) for player, brought in table.chips.items()}
        yield Played(
            play.number,
            play.spin,
            table.thrower(play.number),
            lying,
            done,
            outcome,
            paid,
            chips,
            ledger.held,
            ledger.house,
        )
