"""``replay``: a spin that was simulated before, played again."""

from collections.abc import Iterator
from math import degrees
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.runs import draws, is_run, play, rows_of
from sim.cli.spin import MOST_SEED, columns_of, heading, spin_line

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sim.landing import Event
    from sim.report.archived import Ended, Manifest
    from sim.report.replay import Shown
    from sim.report.trace import Header
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario

NAME = "replay"
EXAMPLE = "Example: fairwheel replay runs/macau --index 17 --export spin-17.yaml"
NEAR_M = 1e-6


def run(
    source: Annotated[
        str,
        typer.Argument(
            metavar="RUN|FILE.yaml|TRACE.csv",
            help="The folder of a batch run, what --export wrote, or what spin --trace wrote.",
        ),
    ],
    index: Annotated[str | None, typer.Option(metavar="I", help="Which spin of the run, from 0.")] = None,
    export: Annotated[
        str | None,
        typer.Option(metavar="FILE.yaml", help="Write one small file that plays the spin elsewhere."),
    ] = None,
    page: Annotated[
        str | None, typer.Option(metavar="FILE.html", help="Write a page in which the spin plays.")
    ] = None,
) -> None:
    """Play a spin again from its draws, with every event, and say whether it ended as it did before.

    A batch engine and the rigid-body engine follow the same laws; where a spin of a run ends otherwise here, both
    endings are shown. A trace is told in phases, and compared with its spin played again where the scenario is known.
    """
    flags = Flags()
    of_run = is_run(source)
    of_trace = source.lower().endswith(".csv")
    exported = flags.target("--export", export, (".yaml",)) if export is not None else None
    target = flags.target("--page", page, (".html",)) if page is not None else None
    number = flags.whole("--index", index, 0, MOST_SEED) if index is not None else 0
    if of_run and index is None:
        flags.fault("--index", "missing; a run holds many spins")
    if not of_run and index is not None:
        flags.fault("--index", f"only a run has several spins, and {source!r} is none")
    if of_trace and export is not None:
        flags.fault("--export", "only a spin of a run, or one that was exported, can be exported")
    flags.check()

    if of_trace:
        _replay_trace(Path(source), target)
    elif of_run:
        _replay_run(flags, Path(source), number, exported, target)
    else:
        _replay_file(Path(source), exported, target)


def _replay_run(flags: Flags, folder: Path, index: int, exported: Path | None, target: Path | None) -> None:
    from sim.report.archived import ended_row, open_run

    opened = open_run(folder)
    (row,) = rows_of(flags, opened, [index])
    _warn(str(folder), opened.manifest)
    _tell(opened.scenario, opened.manifest, index, ended_row(row), None, exported, target)


def _replay_file(path: Path, exported: Path | None, target: Path | None) -> None:
    from sim.report.archived import read_replay

    file, scenario = read_replay(path)
    _warn(str(path), file)
    _tell(scenario, file, file.index, file.batch, file.expected, exported, target)


def _warn(label: str, manifest: "Manifest") -> None:
    """Say so where other versions played the spin before."""
    from sim.report.archived import unlike_versions

    unlike = unlike_versions(manifest.versions)
    if unlike:
        screen.notice(f"{label}: versions differ: {unlike}; the spin may end otherwise here")


def _tell(
    scenario: "Scenario",
    manifest: "Manifest",
    index: int,
    batch: "Ended | None",
    expected: "Ended | None",
    exported: Path | None,
    target: Path | None,
) -> None:
    """Play the spin, print it, compare it with how it ended before, and write what was asked for."""
    from sim.documents.writing import write_atomically
    from sim.machines import build
    from sim.report.archived import ended, format_replay

    rulebook = manifest.rulebook
    (shown,) = play(scenario, rulebook, build(scenario), draws(scenario, manifest.seed, [index]))
    now = ended(shown.spin.landing, shown.outcome)
    if exported is not None:
        write_atomically(exported, format_replay(manifest, index, now, batch), "--export")
    if target is not None:
        _write_page(target, scenario, rulebook, shown)
    assumed = f"{len(manifest.assumed)} of {len(scenario.provenance)} values assumed"
    for line in _lines(scenario, rulebook, shown, manifest.seed, assumed):
        print(screen.clean(line))
    if expected is not None:
        if expected.is_like(now):
            print("as exported: the spin ended in the same place at the same time")
        else:
            print(screen.clean(f"not as exported: there {expected.words}; here {now.words}"))
    if batch is not None:
        for line in _two_engines(batch, now):
            print(screen.clean(line))


def _lines(
    scenario: "Scenario", rulebook: "Rulebook", shown: "Shown", seed: int, assumed: str
) -> Iterator[str]:
    from sim.report.record import Record
    from sim.report.versions import versions
    from sim.rules.settlement import settle

    built = ", ".join(" ".join(pair) for pair in versions().items())
    yield f"{scenario.name}: {scenario.title}"
    yield f"seed {seed}, scenario {scenario.sha256[:12]}, {assumed}; {built}"
    spin = shown.spin
    record = Record(spin.start, spin.landing, spin.events, shown.outcome, settle(rulebook, shown.outcome, ()))
    columns = columns_of(scenario)
    yield heading(columns, settled=False)
    yield spin_line(record, columns, settled=False).plain
    for event in spin.events:
        yield _event(event, scenario.machine.ring)


def _event(event: "Event", ring: tuple[str, ...]) -> str:
    where = f"{degrees(event.azimuth):6.1f} deg"
    pocket = f", {ring[event.pocket]} ({event.pocket})" if event.pocket is not None else ""
    flight = f", {1000 * event.duration:.0f} ms in the air" if event.duration is not None else ""
    return f"{event.time:10.4f} s  {event.kind:10} {event.what:15} {where} {event.speed:7.3f} m/s{pocket}{flight}"


def _two_engines(batch: "Ended", now: "Ended") -> Iterator[str]:
    yield f"by the batch engine, in its run: {batch.words}"
    yield f"by the rigid engine, here:       {now.words}"
    if batch.is_like(now):
        yield "the two engines agree"
    else:
        yield (
            "the two engines part: the throw and the laws are the same, and after many impacts a difference of the "
            "last digit decides; neither ending is the truer one"
        )


def _write_page(target: Path, scenario: "Scenario", rulebook: "Rulebook", shown: "Shown") -> None:
    from sim.documents.writing import write_atomically
    from sim.machines import build
    from sim.report.page import page

    write_atomically(target, page(scenario, rulebook, build(scenario), [shown]), "--page")


# --- a trace ------------------------------------------------------------------------------------------------------


def _replay_trace(path: Path, target: Path | None) -> None:
    from sim.cli.table import open_table
    from sim.documents.faults import BadInput, Fault, Mark
    from sim.machines import build
    from sim.report.trace import read_trace

    header, rows = read_trace(path)
    try:
        scenario, rulebook = open_table(header.scenario, [])
        known = scenario.sha256 == header.sha256
    except BadInput:
        known = False
    if not known and target is not None:
        message = (
            f"needs the scenario of the trace, {header.scenario!r} with digest {header.sha256[:12]}, and no scenario "
            "of that name has it"
        )
        raise BadInput([Fault(Mark(""), "--page", message)])
    print(screen.clean(f"{header.scenario}: seed {header.seed}, spin {header.index}, {len(rows)} moments"))
    for line in _phases(header, rows):
        print(line)
    if not known:
        print("not played again: no scenario of that name has the digest of the trace")
        return
    (shown,) = play(scenario, rulebook, build(scenario), draws(scenario, header.seed, [header.index]))
    if target is not None:
        _write_page(target, scenario, rulebook, shown)
    assert shown.spin.trace is not None
    print(_compared(rows, shown.spin.trace, shown.spin.landing.duration))


def _phases(header: "Header", rows: "NDArray[Any]") -> Iterator[str]:
    """The first event of every kind, with where the trace was then; hops are counted."""
    import numpy as np

    from sim.report.trace import TraceHeader

    counts: dict[str, int] = {}
    for event in header.events:
        counts[event.kind] = counts.get(event.kind, 0) + 1
    seen: set[str] = set()
    for event in header.events:
        if event.kind in seen:
            continue
        seen.add(event.kind)
        at = [float(np.interp(event.time_s, rows[:, 0], column)) for column in rows.T]
        if isinstance(header, TraceHeader):
            azimuth, out = degrees(np.arctan2(at[2], at[1])) % 360, 1000 * np.hypot(at[1], at[2])
            place = f"at {azimuth:5.1f} deg, {out:6.1f} mm out"
            how = f"{place}, {1000 * at[3]:5.1f} mm high, {float(np.linalg.norm(at[5:8])):.3f} m/s"
        else:
            turns = (at[1] - rows[0, 1]) / (2 * np.pi)
            how = f"{turns:+8.3f} turns, {at[2]:+7.3f} rad/s, clapper {degrees(at[3]):+6.1f} deg"
        more = f" (the first of {counts[event.kind]})" if counts[event.kind] > 1 else ""
        yield f"{event.time_s:10.4f} s  {event.kind:10} {how}{more}"
    yield f"{rows[-1, 0]:10.4f} s  end of the trace"


def _compared(rows: "NDArray[Any]", again: "NDArray[Any]", duration: float) -> str:
    """Whether a spin played again follows its trace: by the ball's place, or by the wheel's angle."""
    import numpy as np

    columns = [1, 2, 3] if rows.shape[1] > 5 else [1]
    unit = "mm" if len(columns) == 3 else "mrad"
    here = np.column_stack([np.interp(rows[:, 0], again[:, 0], again[:, each]) for each in columns])
    away = np.linalg.norm(here - rows[:, columns], axis=1)
    # Between two moments of the trace and of the engine the path bends: that much is no difference.
    apart = np.flatnonzero(away > 1e-4)
    if len(apart) == 0 and abs(rows[-1, 0] - duration) < 1e-6:
        return f"played again: the same path, to {1000 * away.max():.2g} {unit} at every moment of the trace"
    first = rows[apart[0], 0] if len(apart) else min(rows[-1, 0], duration)
    return (
        f"played again: leaves the path of the trace at {first:.4f} s and ends after {duration:.4f} s; the trace is of "
        "other versions or another processor"
    )
