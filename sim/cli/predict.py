"""``predict``: how much an observer at the table learns before bets close, and what that is worth."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from math import degrees, radians
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.options import AsJson, Overrides
from sim.cli.quantities import quantity
from sim.cli.table import open_table

if TYPE_CHECKING:
    from sim.design.observer import Closing, Observer
    from sim.inspection.predictability import Predictability
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario

NAME = "predict"
EXAMPLE = "Example: fairwheel predict macau-boule --spins 4000 --timing 20ms --tilt 0deg --tilt 0.2deg"
MOST_SPINS = 1_000_000
MOST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Row:
    """One line of the answer. tilt: rad, None where the machine stands as its scenario says."""

    tilt: float | None
    closing: str
    found: "Predictability"


def run(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="A file, or the name of a shipped one.")
    ],
    spins: Annotated[
        str, typer.Option(metavar="N", help="Simulated for every tilt, 200 to a million.")
    ] = "4000",
    timing: Annotated[str, typer.Option(metavar="TIME", help="Standard error of a timed pass.")] = "20 ms",
    physics: Annotated[
        str,
        typer.Option(metavar="PERCENT", help="Standard error of the groove's deceleration as he knows it."),
    ] = "3%",
    before: Annotated[
        str, typer.Option(metavar="TIME", help="How long before the closing he must have decided.")
    ] = "0 s",
    tilts: Annotated[
        list[str] | None,
        typer.Option("--tilt", metavar="ANGLE", help="Set the machine out of level by this; repeatable."),
    ] = None,
    closings: Annotated[
        list[str] | None,
        typer.Option(
            "--closing",
            metavar="WHEN",
            help="rulebook, nothing (sees nothing), launch, exit, touch or rest; repeatable.",
        ),
    ] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="Run seed, 0 to 2^64 - 1.")] = "0",
    overrides: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Measure what an observer who times ball and plate knows of the result when bets close, and what he gains.

    He learns from half of the simulated spins and bets on the other half, then the halves change places; so the
    information and the expectation are those of spins that he has not seen. Intervals are of 95 %.
    """
    from sim.documents.units import Angle, Duration

    flags = Flags()
    count = flags.whole("--spins", spins, 200, MOST_SPINS)
    run_seed = flags.whole("--seed", seed, 0, MOST_SEED)
    error = quantity(flags, "--timing", timing, Duration, 0.0, 10.0)
    margin = _percent(flags, physics)
    lead = quantity(flags, "--before", before, Duration, 0.0, 600.0)
    angles = [quantity(flags, "--tilt", each, Angle, 0.0, radians(5.0)) for each in tilts or ()]
    given = list(overrides or [])
    with flags.gathering():
        loaded, rulebook = open_table(scenario, given)
        asked = _closings(flags, loaded, closings or ["rulebook"])
        if "rulebook" in asked and rulebook.closing is None:
            flags.fault("--closing", f"{rulebook.id} does not say when bets close; give another moment")
        if loaded.machine.kind == "pegged" and angles:
            flags.fault("--tilt", f"a pegged wheel hangs upright and has no tilt; {loaded.name} is one")
    flags.check()

    from sim.design.observer import Observer
    from sim.design.simulating import level_override
    from sim.engines.run import is_compiled

    if not is_compiled(loaded):
        screen.notice("Compiling the batch engine: once, under a minute ...")
    observer = Observer(error, margin, lead, run_seed % 2**32)
    rows = []
    stands: list[float | None] = [*angles] or [None]
    for tilt in stands:
        machine = loaded
        if tilt is not None:
            machine, _ = open_table(scenario, [*given, level_override(loaded, tilt)])
        rows += _rows(machine, rulebook, run_seed, count, asked, observer, tilt)
    if as_json:
        print(json.dumps(_plain(scenario, rulebook, observer, rows), indent=2, allow_nan=False))
    else:
        _print(loaded, rulebook, observer, rows)


def _percent(flags: Flags, given: str) -> float:
    text = given.strip().removesuffix("%").strip()
    if given.strip() == text:
        flags.fault("--physics", f"must be a percentage, such as 3%, not {given!r}")
        return 0.0
    return flags.real("--physics", text, 0.0, 50.0) / 100.0


def _closings(flags: Flags, scenario: "Scenario", given: list[str]) -> "tuple[Closing, ...]":
    """The moments that are asked for, as far as the machine has them."""
    from sim.design.observer import PLATE_CLOSINGS, WHEEL_CLOSINGS

    allowed = WHEEL_CLOSINGS if scenario.machine.kind == "pegged" else PLATE_CLOSINGS
    for each in given:
        flags.choice("--closing", each, allowed)
    known = {each: each for each in allowed}
    return tuple(known[each] for each in dict.fromkeys(given) if each in known)


def _rows(
    scenario: "Scenario",
    rulebook: "Rulebook",
    seed: int,
    spins: int,
    closings: "tuple[Closing, ...]",
    observer: "Observer",
    tilt: float | None,
) -> list[Row]:
    from sim.design.observer import predictability_of
    from sim.design.simulating import columns

    def shown(parts: Iterable[range], total: int) -> Iterator[range]:
        return screen.progress(parts, total)

    played = columns(scenario, rulebook, seed, spins, shown)
    return [
        Row(tilt, each, predictability_of(scenario, rulebook, played, observer, each)) for each in closings
    ]


def _plain(name: str, rulebook: "Rulebook", observer: "Observer", rows: list[Row]) -> dict[str, Any]:
    return {
        "scenario": name,
        "rulebook": rulebook.id,
        "timing_s": observer.timing,
        "physics": observer.physics,
        "before_s": observer.before,
        "results": [
            {
                "tilt_deg": None if row.tilt is None else degrees(row.tilt),
                "closing": row.closing,
                **asdict(row.found),
            }
            for row in rows
        ],
    }


def _print(scenario: "Scenario", rulebook: "Rulebook", observer: "Observer", rows: list[Row]) -> None:
    print(screen.clean(f"{scenario.title}"))
    print(
        f"Passes timed to {1e3 * observer.timing:g} ms, deceleration known to {100 * observer.physics:g} %, "
        f"decided {observer.before:g} s before."
    )
    print()
    columns = ("deg", "closing", "spins", "bits a spin", "best bet, a unit", "")
    table = screen.table(*columns, right=("deg", "spins", "bits a spin", "best bet, a unit"))
    for row in rows:
        found = row.found
        low, high = found.bits_interval
        table.add_row(
            "" if row.tilt is None else f"{degrees(row.tilt):.3g}",
            row.closing,
            str(found.n),
            f"{found.bits:.3f} ({low:.3f}..{high:.3f})",
            _signed(found.expectation, found.interval),
            _word(found),
        )
    screen.show(screen.console(), table)
    closing = rulebook.closing
    by_law = "no moment" if closing is None else closing.when.replace("_", " ")
    print()
    print(
        f"{rulebook.id} closes the bets at: {by_law}. On equal cells the best bet gains {-rows[0].found.edge:+.4f}."
    )
    print("gains: the whole interval of the best bet lies above zero; learns: that of the bits.")


def _word(found: "Predictability") -> str:
    """What a row comes to."""
    if found.interval[0] > 0:
        return "gains"
    return "learns" if found.bits_interval[0] > 0 else ""


def _signed(value: float, interval: tuple[float, float]) -> str:
    return f"{value:+.2f} ({interval[0]:+.2f}..{interval[1]:+.2f})"
