"""Spins played to be looked at: drawn anew, of the folder of a batch run, or by the rows of a log."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim.cli import screen
from sim.cli.flags import Flags

if TYPE_CHECKING:
    from sim.landing import Push, Start
    from sim.machines import Machine
    from sim.report.archived import Run
    from sim.report.replay import Shown
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario


def is_run(source: str) -> bool:
    """Whether a source names the folder of a batch run, rather than a file or a shipped scenario."""
    return os.path.isdir(source)  # noqa: PTH112  (never raises)


def rows_of(flags: Flags, run: "Run", indices: Sequence[int]) -> list[Mapping[str, Any]]:
    """Return the rows of these spins in the log of a run; the first that it lacks is a fault of ``--index``.

    Raises BadInput, for that and for a log that cannot be read.
    """
    from sim.cli.log import Game, open_log

    rows: list[Mapping[str, Any]] = []
    for index in indices:
        part = run.part(index)
        row: Mapping[str, Any] = {}
        if part is not None:
            log = open_log(str(part.path), Game(run.manifest.rulebook, run.scenario.machine.ring))
            table = log.table.slice(index - part.first, 1)
            row = table.to_pylist()[0] if table.num_rows else {}
        if row.get("spin_no") != index:
            flags.fault("--index", f"must be a spin of the run, {run.spans}, not {index}")
            break
        rows.append(row)
    flags.check()
    return rows


def draws(scenario: "Scenario", seed: int, indices: Iterable[int]) -> "Iterator[Start | Push]":
    """What decides the spins of a seed beside their machine."""
    from sim.engines.play import draw

    return (draw(scenario, seed, index) for index in indices)


def play(
    scenario: "Scenario", rulebook: "Rulebook", machine: "Machine", starts: "Iterable[Start | Push]"
) -> "Iterator[Shown]":
    """Play spins with a trace of every step, and decide them."""
    from sim.engines.play import spin
    from sim.physics.compiled import is_warm
    from sim.report.replay import Shown
    from sim.rules.outcome import decide

    if not is_warm():
        screen.notice("Compiling the laws of motion: once, about a minute ...")
    for start in starts:
        made = spin(machine, start, scenario.solver.step)
        yield Shown(made, decide(rulebook, scenario.machine.ring, made.landing, made.events))
