"""Spins that play in a report: of a simulated log in that of its inspection, of two designs in that of a study."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sim.cli.log import Game
from sim.cli.runs import draws, play

if TYPE_CHECKING:
    from sim.design.analyses import Analysed
    from sim.inspection.inspection import Inspection
    from sim.landing import Push, Start
    from sim.machines import Machine
    from sim.report.chosen import Pick
    from sim.report.inspection.replays import Replayed, Replays
    from sim.report.replay import Shown
    from sim.report.study.replays import Thrown
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario
    from sim.spinlog.log import SpinLog

TRIES = 3


@dataclass(frozen=True, slots=True)
class _Source:
    """What plays the spins of a log again. seed: of a run, None where the rows tell what was drawn."""

    scenario: "Scenario"
    rulebook: "Rulebook"
    machine: "Machine"
    seed: int | None
    remarks: tuple[str, ...] = ()


def replays_of(log: "SpinLog", game: Game, found: "Inspection", most: int) -> "Replays | None":
    """Play some spins of a log again; None where nothing says what decided them.

    found: the inspection of the log. most: how many to show.
    """
    from sim.documents.faults import BadInput
    from sim.report.chosen import telling
    from sim.report.inspection.replays import Replays
    from sim.report.replay import replay_fragment

    try:
        source = _source(log, game)
    except BadInput as error:
        return Replays(remarks=(f"no spin is played again: {error.faults[0]}",))
    if source is None or most == 0:
        return None
    told: dict[int, tuple[Replayed, Shown]] = {}
    remarks = list(source.remarks)
    for pick in telling(log, _suspected(found, source.scenario), TRIES):
        if len(told) == most:
            break
        rows = [row for row in pick.rows if row not in told]
        new = next(_alike(source, log, pick, rows), None)
        if new is not None:
            told[new[0]] = new[1:]
        elif rows:
            remarks.append(
                f"{pick.why}: none is shown, as of {len(rows)} played again none ended like that here"
            )
    if not told:
        return Replays(remarks=tuple(remarks))
    spins, shown = zip(*told.values(), strict=True)
    fragment = replay_fragment(source.scenario, source.rulebook, source.machine, shown, light=True)
    return Replays(spins, fragment, tuple(remarks))


def _source(log: "SpinLog", game: Game) -> _Source | None:
    """What plays a log's spins again: the run that it is of, else the scenario given and what its rows tell.

    Raises BadInput for a run that says something else than it is of.
    """
    from sim.machines import build
    from sim.report.archived import manifest_of, start_in, unlike_versions

    if not len(log) or not {"ending", "duration_s", "spin_no"} <= set(log.table.column_names):
        return None
    if log.manifest is not None:
        manifest, scenario = manifest_of(log.manifest, log.name)
        unlike = unlike_versions(manifest.versions)
        remarks = (f"versions differ: {unlike}",) if unlike else ()
        return _Source(scenario, manifest.rulebook, build(scenario), manifest.seed, remarks)
    if game.scenario is None or start_in(log.table.slice(0, 1).to_pylist()[0], game.scenario) is None:
        return None
    return _Source(game.scenario, game.rulebook, build(game.scenario), None)


def _suspected(found: "Inspection", scenario: "Scenario") -> tuple[int, str] | None:
    """The hole that came most often beyond its share, where the inspection speaks against the wheel."""
    if found.verdict.exit_code != 1 or len(found.pockets) != len(scenario.machine.ring):
        return None
    excess = [pocket.count - pocket.expected for pocket in found.pockets]
    index = max(range(len(excess)), key=excess.__getitem__)
    return index, found.pockets[index].name


def _alike(
    source: _Source, log: "SpinLog", pick: "Pick", rows: list[int]
) -> "Iterator[tuple[int, Replayed, Shown]]":
    """Play rows of a log, and yield those that still tell what they were chosen for."""
    from sim.report.archived import ended, ended_row, start_in
    from sim.report.inspection.replays import Replayed

    for row in rows:
        told = log.table.slice(row, 1).to_pylist()[0]
        number = told["spin_no"]
        start: Start | Push | None
        if source.seed is None:
            start = start_in(told, source.scenario)
        else:
            start = next(iter(draws(source.scenario, source.seed, [number])))
        if start is None:
            continue
        (shown,) = play(source.scenario, source.rulebook, source.machine, [start])
        then, now = ended_row(told), ended(shown.spin.landing, shown.outcome)
        if pick.alike(then, now):
            facts = () if then.is_like(now) else (("in the log", then.words),)
            replayed = Replayed(number, pick.why, then.words, now.words)
            yield row, replayed, replace(shown, why=pick.why, facts=facts)


def thrown_alike(analysed: "Analysed") -> "Thrown":
    """Throw the base of a study and the design that shows most alike: the first throw of the study's seed."""
    from sim.cli.table import open_table
    from sim.machines import build
    from sim.report.replay import replay_fragment
    from sim.report.study.replays import Thrown, sides

    study = analysed.found.study
    chosen = list(sides(analysed))
    made = []
    for side in chosen:
        scenario, rulebook = open_table(study.base, list(side.overrides))
        machine = build(scenario)
        shown = list(play(scenario, rulebook, machine, draws(scenario, study.file.seed, [0])))
        last = side is chosen[-1]
        made.append((side, replay_fragment(scenario, rulebook, machine, shown, with_assets=last)))
    return Thrown(study.file.seed, 0, tuple(made))
