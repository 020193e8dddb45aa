"""``power``: how many spins find a bias, and how large a bias given spins find."""

import json
import os
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim import __version__
from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.log import Game, open_game
from sim.cli.options import AsJson

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.figure import Figure

    from sim.engines.run import Task
    from sim.inspection.power import Power

NAME = "power"
EXAMPLE = "Example: fairwheel power macau-boule-1979 --pocket +10% --spins 50000"
MOST_SPINS = 1_000_000_000
MOST_SIMULATED = 1_000_000
DEFAULT = "10%"
CHUNK = 250
_PERCENT = re.compile(r"\+?([0-9]{1,4}(?:\.[0-9]{1,9})?) ?%", re.ASCII)


@dataclass(frozen=True)
class Alternative:
    """What a wheel does that a fair one does not.

    name: shown. size: in relative terms, None where it is what a simulation gives. powers: spins or None -> the
    power of every test.
    """

    name: str
    size: float | None
    powers: "Callable[[int | None], tuple[Power, ...]]"


def run(
    rulebook: Annotated[
        str, typer.Argument(metavar="RULEBOOK", help="A file, the name of a shipped one, or cells:N.")
    ],
    pocket: Annotated[
        str | None,
        typer.Option(metavar="PERCENT", help="One pocket likelier than an even share by this, such as +10%."),
    ] = None,
    sector: Annotated[
        str | None, typer.Option(metavar="PERCENT", help="A cosine of this amplitude round the ring.")
    ] = None,
    tilt: Annotated[
        str | None,
        typer.Option(metavar="ANGLE", help="The scenario out of level, simulated; such as 0.1deg."),
    ] = None,
    defect: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A scenario with a fault, simulated; a file or its name."),
    ] = None,
    scenario: Annotated[str | None, typer.Option(metavar="SCENARIO", help="The machine of --tilt.")] = None,
    spins: Annotated[
        str | None,
        typer.Option(metavar="N", help="Spins at hand: what power do they give, what do they find?"),
    ] = None,
    power: Annotated[str, typer.Option(metavar="P", help="Chance of finding it, 0.5 to 0.999.")] = "0.9",
    alpha: Annotated[str, typer.Option(metavar="A", help="Level of each test, 1e-6 to 0.2.")] = "0.01",
    simulate: Annotated[
        str, typer.Option(metavar="M", help="Spins simulated for --tilt and --defect, 100 to a million.")
    ] = "4000",
    seed: Annotated[str, typer.Option(metavar="S", help="Their seed.")] = "0",
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Power by number of spins, as .png, .svg or .pdf.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say how many spins each test needs to find a bias, or what given spins find.

    Without an alternative: a pocket and a sector of 10 %. With --spins, `finds` is the size of the alternative that
    these spins find with the wanted power.
    """
    flags = Flags()
    level = flags.real("--alpha", alpha, 1e-6, 0.2)
    chance = flags.real("--power", power, 0.5, 0.999)
    given = None if spins is None else flags.whole("--spins", spins, 20, MOST_SPINS)
    count = flags.whole("--simulate", simulate, 100, MOST_SIMULATED)
    run_seed = flags.whole("--seed", seed, 0, 2**64 - 1)
    target = None if plot is None else flags.target("--plot", plot, (".png", ".svg", ".pdf"))
    if tilt is not None and scenario is None:
        flags.fault("--tilt", "needs --scenario, the machine that is out of level")
    game = None
    with flags.gathering():
        game = open_game(rulebook, scenario)
    cells = len(game.ring or ()) or game.rulebook.layout.cells if game else 37
    if cells < 5:
        flags.fault("RULEBOOK", f"must have at least five cells, not {cells}")
    wanted = {"pocket": pocket, "sector": sector}
    if not any((pocket, sector, tilt, defect)):
        wanted = dict.fromkeys(wanted, DEFAULT)
    sizes = {kind: _share(flags, f"--{kind}", text, kind, cells) for kind, text in wanted.items() if text}
    flags.check()
    assert game is not None
    alternatives = [_shape(kind, size, cells, level, chance) for kind, size in sizes.items()]
    if tilt is not None:
        alternatives.append(
            _simulated(
                game, str(scenario), [f"level.tilt={tilt}"], f"tilt {tilt}", count, run_seed, level, chance
            )
        )
    if defect is not None:
        alternatives.append(_simulated(game, defect, [], defect, count, run_seed, level, chance))
    found = [(one, one.powers(given)) for one in alternatives]
    if target is not None:
        _plot(target, found, f"{game.rulebook.id}, level {level:g}")
    if as_json:
        told = [
            {"alternative": one.name, "size": one.size, "tests": [asdict(each) for each in many]}
            for one, many in found
        ]
        document = {
            "rulebook": game.rulebook.id,
            "alpha": level,
            "power": chance,
            "spins": given,
            "alternatives": told,
        }
        print(json.dumps(document, indent=2, allow_nan=False))
    else:
        print(screen.clean(f"{game.rulebook.id}: tests of level {level:g}, power {chance:g}"))
        for one, many in found:
            _print(one, many, given, chance)


def _share(flags: Flags, flag: str, given: str, kind: str, cells: int) -> float:
    """A relative excess in percent."""
    match = _PERCENT.fullmatch(given.strip())
    most = 1.0 if kind == "sector" else cells - 1.0
    share = float(match[1]) / 100 if match else 0.0
    if not 0 < share <= most:
        flags.fault(
            flag, f"must be a percentage above 0 and at most {100 * most:g}%, such as 10%, not {given!r}"
        )
    return share


def _shape(kind: str, size: float, cells: int, level: float, chance: float) -> Alternative:
    import numpy as np

    from sim.inspection.power import one_pocket, powers, sector

    shares = (one_pocket if kind == "pocket" else sector)(cells, size)
    fair = np.full(cells, 1 / cells)
    name = (
        f"one pocket of {cells} likelier by"
        if kind == "pocket"
        else f"sector: a cosine round {cells} pockets of"
    )
    return Alternative(
        f"{name} {100 * size:g} %",
        size,
        lambda spins: powers(shares, fair, alpha=level, power=chance, spins=spins),
    )


def _simulated(
    game: Game,
    name: str,
    overrides: list[str],
    shown: str,
    count: int,
    seed: int,
    level: float,
    chance: float,
) -> Alternative:
    """Simulate a machine and take its shares, its drop azimuths and its throws as the alternative."""
    import numpy as np
    import pyarrow as pa

    from sim.cli.table import open_table
    from sim.engines.run import chunks, is_compiled, pool, task_of
    from sim.inspection.power import RING_TESTS, TESTS, simulated_powers

    machine, rulebook = open_table(name, overrides)
    if rulebook.id != game.rulebook.id:
        from sim.documents.faults import BadInput, Fault, Mark

        raise BadInput([Fault(Mark(name), "rulebook", f"must be {game.rulebook.id}, not {rulebook.id}")])
    if not is_compiled(machine):
        screen.notice("Compiling the batch engine: once, under a minute ...")
    task = task_of(machine, rulebook, seed, __version__)
    parts = list(chunks(0, count, CHUNK))
    with pool(os.cpu_count() or 1) as each_chunk:
        table = pa.concat_tables(screen.progress(each_chunk(_table, task, parts), len(parts)))
    valid = table.filter(table.column("valid"))
    cells = len(machine.machine.ring)
    counts = np.bincount(valid.column("rest_index").to_numpy(), minlength=cells)
    azimuths = {}
    for test, column, turn in (("F4.harmonic", "drop_angle_deg", 360.0), ("F7.turns", "turns_net", 1.0)):
        if column in table.column_names:
            angles = 2 * np.pi / turn * valid.column(column).drop_null().to_numpy()
            if len(angles):
                azimuths[test] = angles
    one_ring = getattr(getattr(machine.machine, "hollows", None), "layout", "one_ring") == "one_ring"
    tests = [test for test in TESTS if one_ring or test not in RING_TESTS]
    return Alternative(
        f"{shown}, {counts.sum()} of {count} simulated spins valid",
        None,
        lambda spins: simulated_powers(counts, azimuths, alpha=level, power=chance, spins=spins, tests=tests),
    )


def _table(task: "Task", first: int, last: int) -> "pa.Table":
    from sim.engines.simulated import simulated

    return simulated(task.scenario, task.rulebook, task.seed, range(first, last))


def _print(one: Alternative, many: "tuple[Power, ...]", spins: int | None, chance: float) -> None:
    print()
    print(screen.clean(one.name))
    needed, at = f"spins for {chance:g}", f"power of {spins}"
    columns = ["test", needed, *([at, "finds"] if spins is not None else []), ""]
    table = screen.table(*columns, right=columns[1:-1])
    for each in many:
        row = [each.test, "" if each.spins is None else str(each.spins)]
        if spins is not None:
            row.append("" if each.power is None else f"{each.power:.3f}")
            row.append(_finds(one.size, each.detectable))
        table.add_row(*row, each.remark or each.method)
    screen.show(screen.console(), table)


def _finds(size: float | None, factor: float | None) -> str:
    """The size that is found; of a simulated wheel, as a multiple of its bias."""
    if factor is None:
        return ""
    return f"{factor:.2f} x" if size is None else f"{100 * size * factor:.3g} %"


def _plot(path: Path, found: "list[tuple[Alternative, tuple[Power, ...]]]", title: str) -> None:
    """Draw power by number of spins, a panel for each alternative, readable in grey."""
    from sim.documents.writing import write_atomically
    from sim.report.figure_file import encoded

    write_atomically(path, encoded(lambda: _figure(found, title), path.suffix), "--plot")


def _figure(found: "list[tuple[Alternative, tuple[Power, ...]]]", title: str) -> "Figure":
    import numpy as np
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 3.6 * len(found)), layout="constrained")
    for panel, (one, many) in enumerate(found):
        axes = figure.add_subplot(len(found), 1, panel + 1)
        needed = [each.spins for each in many if each.spins is not None]
        axes.set(title=one.name, xlabel="spins", ylabel="power", ylim=(0, 1.02))
        if not needed:
            continue
        grid = np.unique(np.geomspace(max(20, min(needed) / 8), 1.5 * max(needed), 14).astype(int))
        curves = [one.powers(int(n)) for n in grid]
        marks = "osv^Dx+*P<>"
        for index, each in enumerate(many):
            heights = [reached for curve in curves if (reached := curve[index].power) is not None]
            if len(heights) == len(grid):
                axes.plot(grid, heights, marks[index % len(marks)] + "-", markersize=4, label=each.test)
        axes.set_xscale("log")
        axes.grid(visible=True, alpha=0.3)
        axes.legend(fontsize=8)
    figure.suptitle(title)
    return figure
