"""``balance``: the static balance test of a pegged wheel, step by step."""

import json
from collections.abc import Iterator
from math import cos, degrees, pi, radians
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.options import AsJson, Overrides
from sim.cli.table import open_table

if TYPE_CHECKING:
    from sim.engines.balance import Balance
    from sim.scenario import WheelScenario

NAME = "balance"
EXAMPLE = 'Example: fairwheel balance roda-da-sorte --set machine.wheel.imbalance.mass="60 g"'


def run(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="A pegged wheel: a file, or the name of a shipped one.")
    ],
    overrides: Overrides = None,
    step: Annotated[
        str, typer.Option(metavar="DEG", help="From one standstill to the next, 45 to 90.")
    ] = "45",
    as_json: AsJson = False,
) -> None:
    """Turn a wheel by hand once round each way, clapper clear, and see whether it stays where it is let go.

    An imbalance below what the bearing holds cannot show, here or on a real wheel; the verdict names that bound.
    """
    flags = Flags()
    angle = flags.whole("--step", step, 45, 90)
    with flags.gathering():
        loaded, _ = open_table(scenario, overrides or [])
    flags.check()

    from sim.documents.faults import BadInput
    from sim.engines.balance import balance
    from sim.machines import build_wheel
    from sim.scenario import WheelScenario

    if not isinstance(loaded, WheelScenario):
        message = f"only a pegged wheel can be balanced on its axis; given {loaded.machine.kind!r}"
        raise BadInput([loaded.document.fault(("machine", "kind"), message)])
    found = balance(build_wheel(loaded), radians(angle))
    if as_json:
        print(json.dumps(_document(loaded, angle, found), indent=2, allow_nan=False))
    else:
        for line in _lines(loaded, angle, found):
            print(screen.clean(line))


def _document(scenario: "WheelScenario", step: int, found: "Balance") -> dict[str, Any]:
    from sim.report.versions import versions

    return {
        "scenario": {"name": scenario.name, "sha256": scenario.sha256},
        "versions": versions(),
        "assumed": scenario.assumed,
        "step_deg": step,
        "steps": [
            {
                "direction": each.direction,
                "held_deg": degrees(each.held),
                "moved_deg": degrees(each.moved),
                "reverse": each.reverse,
                "rested": each.rested,
            }
            for each in found.steps
        ],
        "moves": found.moves,
        "threshold_n_m": found.threshold,
        "heavy_side_deg": None if found.heavy_side is None else degrees(found.heavy_side),
        "spread_deg": None if found.spread is None else degrees(found.spread),
        "verdict": _verdict(scenario, step, found),
    }


def _lines(scenario: "WheelScenario", turned: int, found: "Balance") -> Iterator[str]:
    yield f"{scenario.name}: {scenario.title}"
    yield "the wheel is let go at rest, clapper clear; angles are those of its zero mark, counter-clockwise"
    yield f"{'turned by hand':>18} {'let go at':>10} {'turned by itself':>17}"
    for step in found.steps:
        way = "counter-clockwise" if step.direction > 0 else "clockwise"
        moved = "stayed" if step.moved == 0.0 else f"{degrees(step.moved):+.1f} deg"
        remark = ", in reverse" if step.reverse else ""
        unfinished = "" if step.rested else ", still moving at the time limit"
        yield f"{way:>18} {degrees(step.held):6.0f} deg {moved:>17}{remark}{unfinished}"
    yield _verdict(scenario, turned, found)


def _verdict(scenario: "WheelScenario", step: int, found: "Balance") -> str:
    from sim.scenario.base import GRAVITY

    pegs = scenario.machine.pegs
    grams = 1000 * found.threshold / (GRAVITY * pegs.circle_radius)
    bound = f"M g e = {found.threshold:.3g} N m ({grams:.3g} g on the circle of the pegs)"
    if found.heavy_side is None or found.spread is None:
        # The heavy side pulls most when it is level with the axis; a standstill lies within half a step of that.
        sure = grams / cos(radians(step) / 2)
        return (
            f"The wheel stayed at all {len(found.steps)} standstills. No imbalance shows; "
            f"one below {bound} cannot show, because the bearing holds it, and one below {sure:.3g} g can lie "
            f"between steps of {step} deg."
        )
    reverse = sum(step.reverse for step in found.steps)
    section = int(found.heavy_side / (2 * pi) * pegs.count) % pegs.count
    return (
        f"The wheel turned by itself at {found.moves} of {len(found.steps)} standstills, at {reverse} of them in "
        f"reverse: it is out of balance by more than {bound}, which is what the bearing holds. Heavy side: "
        f"{round(degrees(found.heavy_side)) % 360} deg counter-clockwise from the zero mark, section {section} "
        f"({scenario.machine.ring[section]}); the rests lie within {degrees(found.spread):.0f} deg of it."
    )
