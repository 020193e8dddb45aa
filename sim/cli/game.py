"""A rounds file and everything it names, put together into a table ready to play."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sim.cli.flags import Flags

if TYPE_CHECKING:
    from pathlib import Path

    from sim.documents.document import Document
    from sim.landing import Event, Landing
    from sim.rules.recorded import Recording
    from sim.rules.rounds import Rounds
    from sim.rules.rulebook import Rulebook
    from sim.rules.script import Action
    from sim.rules.table import Table
    from sim.scenario import Scenario


@dataclass(frozen=True)
class Game:
    """A table ready to play: its law, its players' scripts, and the source of its spins.

    scenario: the machine to spin, else None; recording: the spins recorded of one, else None.
    """

    rounds: "Rounds"
    rulebook: "Rulebook"
    table: "Table"
    scripts: "list[tuple[Action, ...]]"
    scenario: "Scenario | None"
    recording: "Recording | None"

    @property
    def ring(self) -> Sequence[str]:
        """The symbol of every pocket."""
        if self.recording is not None:
            return self.recording.ring
        assert self.scenario is not None
        return self.scenario.machine.ring

    def spins(self, seed: int) -> "Iterator[tuple[Landing, Sequence[Event]]]":
        """Yield one spin for every script: recorded, or computed when it is asked for."""
        if self.recording is not None:
            for recorded in self.recording.spins:
                yield self.recording.spun(recorded)
            return
        from sim.engines.play import draw, spin
        from sim.machines import build

        assert self.scenario is not None
        machine = build(self.scenario)
        for index in range(len(self.scripts)):
            computed = spin(machine, draw(self.scenario, seed, index))
            yield computed.landing, computed.events


def open_game(name: str) -> Game:
    """Load a rounds file and everything it names. Raises BadInput with every fault found."""
    from sim.documents.faults import BadInput
    from sim.documents.resources import find_rounds
    from sim.rules.rounds import chosen_rulebook, load_rounds, scripts_of, table_of

    path = find_rounds(name)
    rounds, document = load_rounds(path)
    scenario, recording, rulebook = _source(rounds, document, path)
    rulebook = chosen_rulebook(rounds, rulebook, document)
    flags = Flags()
    if recording is not None and len(recording.spins) < len(rounds.spins):
        message = f"at most {len(recording.spins)}, as many as are recorded; given {len(rounds.spins)}"
        flags.faults.append(document.fault(("spins",), message))
    with flags.gathering():
        table = table_of(rounds, rulebook, document)
    with flags.gathering():
        scripts = scripts_of(rounds, rulebook, document)
    if flags.faults:
        raise BadInput(flags.faults)
    return Game(rounds, rulebook, table, scripts, scenario, recording)


def _source(
    rounds: "Rounds", document: "Document", path: "Path"
) -> "tuple[Scenario | None, Recording | None, Rulebook]":
    """Load the machine or the recorded landings, and the rulebook, each checked against the other."""
    from sim.cli.table import open_table
    from sim.documents.faults import BadInput
    from sim.rules.equipment import check_ring
    from sim.rules.library import load
    from sim.rules.recorded import load_recording

    scenario, recording, rulebook = None, None, None
    flags = Flags()
    if rounds.scenario is not None:
        with _at(document, "scenario", flags):
            scenario, rulebook = open_table(_beside(path, rounds.scenario), [])
    if rounds.landings is not None:
        with _at(document, "landings", flags):
            recording, recorded = load_recording(path.parent / rounds.landings)
    if rounds.rulebook is not None:
        with _at(document, "rulebook", flags):
            rulebook = load(_beside(path, rounds.rulebook))
    flags.check()
    assert rulebook is not None
    if recording is not None:
        found = check_ring(rulebook, recording.ring, recorded.mark(("ring",)))
        faults = [replace(fault, field="ring") for fault in found]
    else:
        assert scenario is not None
        faults = check_ring(rulebook, scenario.machine.ring, document.mark(("rulebook",)))
    if faults:
        raise BadInput(faults)
    return scenario, recording, rulebook


@contextmanager
def _at(document: "Document", field: str, flags: Flags) -> "Iterator[None]":
    """Note the faults of a file that a field names; those without a place of their own, at that field."""
    from sim.documents.document import shown
    from sim.documents.faults import BadInput

    try:
        yield
    except BadInput as error:
        given = document.get((field,))
        flags.faults.extend(
            fault if fault.mark.line else document.fault((field,), f"{fault.message}; given {shown(given)}")
            for fault in error.faults
        )


def _beside(path: "Path", name: str) -> str:
    """Return a name as a path beside a file where there is such a file, else as it is."""
    beside = path.parent / name
    return str(beside) if os.path.isfile(beside) else name  # noqa: PTH113  (never raises)
