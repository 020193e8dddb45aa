"""The spin log of an inspection, its rulebook, and the ring of the machine that it comes from."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sim.cli.table import open_rulebook, open_table

if TYPE_CHECKING:
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario
    from sim.spinlog.cells import Cells
    from sim.spinlog.log import SpinLog


@dataclass(frozen=True)
class Game:
    """rulebook: of the game. ring: symbol of every hole in order, None without a scenario. one_ring: whether the
    holes stand on one circle, so that their order is the order round it. scenario: where one was given."""

    rulebook: "Rulebook"
    ring: tuple[str, ...] | None = None
    one_ring: bool = True
    scenario: "Scenario | None" = None


def open_game(rules: str | None, scenario: str | None) -> Game:
    """Return the game of a rulebook, else of the one that the scenario names, with the scenario's ring.

    Raises BadInput, also where the ring does not fit the rulebook.
    """
    from sim.documents.faults import BadInput, Fault, Mark
    from sim.rules.equipment import check_ring
    from sim.scenario import load_scenario

    if scenario is None:
        if rules is None:
            message = "missing; a rulebook, or with --scenario a scenario that names one, is needed"
            raise BadInput([Fault(Mark(""), "--rules", message)])
        return Game(open_rulebook(rules))
    if rules is None:
        machine, rulebook = open_table(scenario, [])
    else:
        machine, rulebook = load_scenario(scenario, []), open_rulebook(rules)
    ring = tuple(machine.machine.ring)
    faults = check_ring(rulebook, ring, machine.document.mark(("machine", "number_ring")))
    if faults:
        raise BadInput(faults)
    return _game(rulebook, machine)


def game_of_run(folder: str) -> Game:
    """Return the game of a batch run, by what the run says of itself. Raises BadInput."""
    from sim.report.archived import open_run

    run = open_run(Path(folder))
    return _game(run.manifest.rulebook, run.scenario)


def _game(rulebook: "Rulebook", machine: "Scenario") -> Game:
    from sim.scenario import WheelScenario

    one_ring = isinstance(machine, WheelScenario) or machine.machine.hollows.layout == "one_ring"
    return Game(rulebook, tuple(machine.machine.ring), one_ring, machine)


def cells_of(game: Game) -> "Cells":
    """Return what the reader of a log needs to know of a game."""
    from sim.spinlog.cells import Cells

    rulebook, ring = game.rulebook, game.ring
    turns = rulebook.void("MIN_TURNS")
    known = dict(rulebook.cells)
    if ring is not None:
        order = known if rulebook.layout.labels == "fixed" else dict.fromkeys(ring)
        known = {symbol: ring.count(symbol) for symbol in order}
    return Cells(
        game=rulebook.id,
        symbols=known,
        ring=ring,
        special=rulebook.special.symbol if rulebook.special else None,
        colours=rulebook.colours,
        free=rulebook.layout.labels == "free" and ring is None,
        least_turns=turns.turns if turns else None,
    )


def open_log(
    source: str,
    game: Game,
    *,
    maps: Sequence[str] = (),
    mapping: str | None = None,
    dates: str | None = None,
    delimiter: str | None = None,
) -> "SpinLog":
    """Read a spin log. Raises BadInput for one that cannot be used as a whole."""
    from sim.spinlog.form import form
    from sim.spinlog.reading import read_log

    told = form(maps, None if mapping is None else Path(mapping), dates, delimiter)
    return read_log(source, cells_of(game), told)
