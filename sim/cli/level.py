"""``level``: how far out of level a machine stands, from a spirit level, from its drops, or by simulation."""

import json
from dataclasses import dataclass
from math import radians
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli.flags import Flags
from sim.cli.options import AsJson, Maps
from sim.cli.quantities import quantity

if TYPE_CHECKING:
    from sim.inspection.drop_zone import Dropped
    from sim.inspection.levelling import Levelling
    from sim.inspection.readings import Measured
    from sim.inspection.tilt import Foot
    from sim.scenario import PlateScenario
    from sim.spinlog.log import SpinLog

NAME = "level"
EXAMPLE = (
    "Example: fairwheel level --readings level.csv --foot 90deg:600mm --foot 210deg:600mm --foot 330deg:600mm"
)
LAID = ("radial", "tangent")


@dataclass(frozen=True)
class Spirit:
    """What the spirit level told: its file, its readings, what they come to."""

    file: str
    measured: "Measured"
    found: "Levelling"


def run(
    readings: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="CSV of spirit-level readings: azimuth_deg, reading_mm_m, ..."),
    ] = None,
    laid: Annotated[
        str,
        typer.Option(
            metavar="HOW", help="radial: a reading rises outward; tangent: it rises counter-clockwise."
        ),
    ] = LAID[0],
    sensitivity: Annotated[
        str | None, typer.Option(metavar="SLOPE", help="Of a division, such as '0.02 mm/m'.")
    ] = None,
    uncertainty: Annotated[
        str | None,
        typer.Option(
            metavar="SLOPE", help="Standard uncertainty of a reading; by default from the residuals."
        ),
    ] = None,
    feet: Annotated[
        list[str] | None,
        typer.Option(
            "--foot", metavar="AZIMUTH:RADIUS", help="Where a foot stands, 90deg:600mm; repeatable."
        ),
    ] = None,
    pitch: Annotated[
        str | None, typer.Option(metavar="LENGTH", help="Of the feet's screws, such as 1.5mm.")
    ] = None,
    drops: Annotated[
        str | None, typer.Option(metavar="LOG", help="A log of spins with drop_angle_deg; needs --scenario.")
    ] = None,
    scenario: Annotated[str | None, typer.Option(metavar="SCENARIO", help="The machine of --drops.")] = None,
    maps: Maps = None,
    curve: Annotated[
        str | None, typer.Option(metavar="SCENARIO", help="What tilt does to this machine, simulated.")
    ] = None,
    to: Annotated[str, typer.Option(metavar="ANGLE", help="Largest tilt of --curve.")] = "0.5 deg",
    steps: Annotated[str, typer.Option(metavar="K", help="Tilts of --curve from 0, 3 to 101.")] = "11",
    spins: Annotated[
        str, typer.Option(metavar="N", help="Simulated for each of them, 200 to a million.")
    ] = "2000",
    bounds: Annotated[
        list[str] | None,
        typer.Option(
            "--bound", metavar="F=X", help="Say at which tilt F1, F4 or F5 exceeds X, such as F4=0.1."
        ),
    ] = None,
    timing: Annotated[
        str, typer.Option(metavar="TIME", help="F5: standard error of a timed pass.")
    ] = "20 ms",
    seed: Annotated[str, typer.Option(metavar="S", help="Seed of --curve, 0 to 2^64 - 1.")] = "0",
    confidence: Annotated[str, typer.Option(metavar="P", help="Of the intervals, 0.5 to 0.9999.")] = "0.95",
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw it: .png, .svg or .pdf; of --curve the response to tilt."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find how far and towards where a machine is out of level, and how to turn its feet.

    --readings: least squares over the readings of a spirit level. --drops: from where balls left their groove, by the
    rim law of the scenario; with --readings too, whether both agree. --curve: what a tilt would do to pocket counts
    (F1), drop zone (F4) and predictability (F5) of a machine.
    """
    from sim.documents.units import Angle, Duration, Length, Slope

    flags = Flags()
    share = flags.real("--confidence", confidence, 0.5, 0.9999)
    flags.choice("--laid", laid, LAID)
    division = (
        None if sensitivity is None else quantity(flags, "--sensitivity", sensitivity, Slope, 1e-9, 0.1)
    )
    stated = None if uncertainty is None else quantity(flags, "--uncertainty", uncertainty, Slope, 1e-9, 0.1)
    turned = None if pitch is None else quantity(flags, "--pitch", pitch, Length, 1e-5, 0.1)
    stands = [_foot(flags, each, turned) for each in feet or ()]
    if readings is None and drops is None and curve is None:
        flags.fault("--readings", "missing; --readings FILE, --drops LOG or --curve SCENARIO is needed")
    if drops is not None and scenario is None:
        flags.fault("--drops", "needs --scenario, the machine whose balls dropped there")
    if curve is not None and (readings is not None or drops is not None):
        flags.fault("--curve", "stands alone, without --readings and --drops")
    if len(stands) in (1, 2):
        flags.fault("--foot", f"at least three feet are needed; given {len(stands)}")
    target = None if plot is None else flags.target("--plot", plot, (".png", ".svg", ".pdf"))
    if curve is not None:
        from sim.cli.level_curve import run_curve

        largest = quantity(flags, "--to", to, Angle, 1e-6, radians(10.0))
        count = flags.whole("--steps", steps, 3, 101)
        each = flags.whole("--spins", spins, 200, 1_000_000)
        start = flags.whole("--seed", seed, 0, 2**64 - 1)
        error = quantity(flags, "--timing", timing, Duration, 0.0, 10.0)
        run_curve(flags, curve, largest, count, each, start, error, share, bounds or [], target, as_json)
        return
    if bounds:
        flags.fault("--bound", "needs --curve")
    spirit, dropped, machine, log = None, None, None, None
    with flags.gathering():
        if readings is not None:
            spirit = _spirit(readings, laid, division, stated)
    with flags.gathering():
        if drops is not None and scenario is not None:
            machine = _plate_machine(scenario)
    flags.check()
    if machine is not None and drops is not None and scenario is not None:
        from sim.cli.drops import dropped as invert
        from sim.cli.log import open_game, open_log

        log = open_log(drops, open_game(None, scenario), maps=maps or [])
        dropped = invert(log, machine, share)
    placed = tuple(stands) or (spirit.measured.feet if spirit else ())
    if 0 < len(placed) < 3:
        flags.fault("--readings", f"at least three feet are needed; the file gives {len(placed)}")
    flags.check()
    if turned is not None:
        from dataclasses import replace

        placed = tuple(replace(foot, pitch=foot.pitch or turned) for foot in placed)
    if target is not None:
        _draw(target, spirit, log, dropped, placed, share)
    _tell(spirit, dropped, placed, share, as_json)


def _foot(flags: Flags, given: str, pitch: float | None) -> "Foot":
    """A foot as the command line gives it."""
    from sim.documents.units import Angle, Length
    from sim.inspection.tilt import Foot

    azimuth, colon, radius = given.partition(":")
    if not colon:
        flags.fault("--foot", f"must be AZIMUTH:RADIUS, such as 90deg:600mm, not {given!r}")
        return Foot(0.0, 1.0)
    at = quantity(flags, "--foot", azimuth, Angle, -13.0, 13.0)
    return Foot(at, quantity(flags, "--foot", radius, Length, 1e-3, 100.0), pitch)


def _spirit(file: str, laid: str, sensitivity: float | None, stated: float | None) -> Spirit:
    from sim.documents.faults import BadInput, Fault, Mark
    from sim.inspection.levelling import Undetermined, level
    from sim.inspection.readings import read

    measured = read(Path(file), laid, sensitivity)
    try:
        return Spirit(file, measured, level(measured.readings, stated))
    except Undetermined as error:
        raise BadInput([Fault(Mark(file), "readings", str(error))]) from None


def _plate_machine(scenario: str) -> "PlateScenario":
    from sim.cli.table import open_table
    from sim.documents.faults import BadInput
    from sim.scenario import PlateScenario

    machine, _ = open_table(scenario, [])
    if not isinstance(machine, PlateScenario):
        fault = machine.document.fault(("machine", "kind"), "has no groove, so no ball drops; given pegged")
        raise BadInput([fault])
    return machine


def _draw(
    target: Path,
    spirit: Spirit | None,
    log: "SpinLog | None",
    dropped: "Dropped | None",
    feet: "tuple[Foot, ...]",
    confidence: float,
) -> None:
    import numpy as np

    from sim.cli.level_screen import turns_by
    from sim.documents.writing import write_atomically
    from sim.report.figure_file import encoded
    from sim.report.level_figures import standing

    angles = np.radians(log.floats("drop_angle_deg")) if log is not None else np.empty(0)
    drawn = (
        () if spirit is None else spirit.measured.readings,
        None if spirit is None else spirit.found,
        angles[np.isfinite(angles)],
        None if dropped is None else dropped.found,
        turns_by(spirit, dropped, feet),
        confidence,
    )
    write_atomically(target, encoded(lambda: standing(*drawn), target.suffix), "--plot")


def _tell(
    spirit: Spirit | None,
    dropped: "Dropped | None",
    feet: "tuple[Foot, ...]",
    confidence: float,
    as_json: bool,
) -> None:
    from sim.cli.level_screen import plain, show

    if as_json:
        told: dict[str, Any] = plain(spirit, dropped, feet, confidence)
        print(json.dumps(told, indent=2, allow_nan=False))
    else:
        show(spirit, dropped, feet, confidence)
