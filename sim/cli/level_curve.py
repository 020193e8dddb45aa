"""``level --curve``: what tilt does to a machine, simulated."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from math import degrees
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.table import open_table

if TYPE_CHECKING:
    from sim.design.tilt_curve import Crossing, Point, Size
    from sim.scenario import Scenario

_BOUND = re.compile(r"(F1|F1\.symbols|F4|F5)=([0-9]{0,9}\.?[0-9]{1,9})")
_MEASURES = (
    "F1: rms deviation of a hole's (a symbol's) share from an even one, relative; F4: mean",
    "resultant of the drop azimuths; F5: bits an observer learns before bets close.",
)


def run_curve(
    flags: Flags,
    name: str,
    largest: float,
    steps: int,
    spins: int,
    seed: int,
    timing: float,
    confidence: float,
    bounds: list[str],
    target: Path | None,
    as_json: bool,
) -> None:
    """Simulate, and print or tell the curve. Raises BadInput with the faults noted before, too."""
    from sim.scenario import PlateScenario

    wanted = [bound for bound in (_bound(flags, each) for each in bounds) if bound is not None]
    with flags.gathering():
        machine, rulebook = open_table(name, [])
        if not isinstance(machine, PlateScenario):
            flags.fault("--curve", f"must be a machine with a plate; {machine.name} is a pegged wheel")
        elif len(set(machine.machine.ring)) == len(machine.machine.ring):
            for each, _ in wanted:
                if each == "F1.symbols":
                    flags.fault("--bound", "F1.symbols is F1 where every symbol has one hole; write F1")
    flags.check()

    from sim.design.observer import Observer
    from sim.design.tilt_curve import crossing, curve, hides
    from sim.engines.run import is_compiled

    if not is_compiled(machine):
        screen.notice("Compiling the batch engine: once, under a minute ...")

    def load(overrides: Sequence[str]) -> "Scenario":
        return open_table(name, list(overrides))[0]

    def shown(parts: Iterable[range], total: int) -> Iterator[range]:
        return screen.progress(parts, total)

    tilts = [largest * i / (steps - 1) for i in range(steps)]
    watcher = Observer(timing, 0.03, 0.0, seed % 2**32)
    points = list(curve(load, rulebook, tilts, spins, seed, watcher, confidence, shown))
    crossings = [crossing(points, each, bound) for each, bound in wanted]
    told = hides(points, machine)
    if target is not None:
        from sim.documents.writing import write_atomically
        from sim.report.figure_file import encoded
        from sim.report.level_figures import response_curve

        title = f"{machine.name}, {spins} spins at every tilt"
        drawn = encoded(lambda: response_curve(points, crossings, title), target.suffix)
        write_atomically(target, drawn, "--plot")
    if as_json:
        print(json.dumps(_plain(name, confidence, points, crossings, told), indent=2, allow_nan=False))
        return
    print(screen.clean(machine.title))
    print(f"{spins} spins at every tilt, the same draws; intervals of {100 * confidence:g} %.")
    for line in (*_MEASURES, ""):
        print(line)
    _print(points, crossings)
    print()
    for line in told:
        print(line)


def _bound(flags: Flags, given: str) -> tuple[str, float] | None:
    match = _BOUND.fullmatch(given.strip())
    if match is None:
        flags.fault("--bound", f"must be F1=X, F1.symbols=X, F4=X or F5=X, such as F4=0.1, not {given!r}")
        return None
    return match[1], float(match[2])


def _plain(
    name: str, confidence: float, points: "list[Point]", crossings: "list[Crossing]", told: list[str]
) -> dict[str, Any]:
    return {
        "scenario": name,
        "confidence": confidence,
        "points": [
            {
                "tilt_deg": degrees(point.tilt),
                "spins": point.spins,
                **{each: asdict(size) for each, size in point.sizes().items()},
            }
            for point in points
        ],
        "crossings": [
            {
                "measure": each.measure,
                "bound": each.bound,
                "falls": each.falls,
                "tilt_deg": _degrees(each.tilt),
                "earliest_deg": _degrees(each.earliest),
                "latest_deg": _degrees(each.latest),
            }
            for each in crossings
        ],
        "hides": told,
    }


def _degrees(angle: float | None) -> float | None:
    return None if angle is None else degrees(angle)


def _print(points: "list[Point]", crossings: "list[Crossing]") -> None:
    names = list(points[0].sizes())
    table = screen.table("deg", *names, right=("deg",))
    for point in points:
        sizes = point.sizes()
        table.add_row(f"{degrees(point.tilt):.3f}", *(_size(sizes[name]) for name in names))
    screen.show(screen.console(), table)
    if crossings:
        print()
    for each in crossings:
        verb = "falls below" if each.falls else "exceeds"
        print(f"{each.measure} {verb} {each.bound:g} {_where(each, degrees(points[-1].tilt))}")


def _size(size: "Size") -> str:
    return f"{size.value:.3f} {size.low:.2f}..{size.high:.2f}"


def _where(crossing: "Crossing", most: float) -> str:
    if crossing.tilt is None:
        first = crossing.earliest
        may = "" if first is None else f"; its interval does from {degrees(first):.3f} deg"
        return f"nowhere up to {most:.3g} deg{may}."
    early = crossing.earliest if crossing.earliest is not None else crossing.tilt
    late = f"{degrees(crossing.latest):.3f} deg" if crossing.latest is not None else f"beyond {most:.3g} deg"
    return f"at {degrees(crossing.tilt):.3f} deg ({degrees(early):.3f} deg to {late})."
