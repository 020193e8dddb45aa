"""``spin``: from a scenario to settled bets."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.options import AsJson, Overrides
from sim.cli.table import open_table

if TYPE_CHECKING:
    from pathlib import Path

    from rich.text import Text

    from sim.engines.rigid import Spin
    from sim.landing import EventKind
    from sim.machines import Machine
    from sim.report.record import Record, Totals
    from sim.rules.bets import Wager
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario

    Cell = Callable[[Record], str]
    Columns = tuple[tuple[str, int, Cell], ...]

NAME = "spin"
EXAMPLE = (
    "Example: fairwheel spin macau-boule --spins 5 --seed 1979 --bet star=5 --bet number:7=10 "
    "--set machine.hollow.depth=12mm"
)
ENGINES = ("rigid",)
MOST_SPINS = 1_000_000
MOST_SEED = 2**64 - 1
TRACE_STEP_S = 0.002
INKS = {"red": "bold red", "black": "bold", "white": "bold blue"}


def run(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="A file, or the name of a shipped one.")
    ],
    spins: Annotated[str, typer.Option(metavar="K", help=f"How many, 1 to {MOST_SPINS}.")] = "1",
    seed: Annotated[str, typer.Option(metavar="N", help="Run seed, 0 to 2^64 - 1.")] = "0",
    overrides: Overrides = None,
    bets: Annotated[
        list[str] | None,
        typer.Option("--bet", metavar="KIND[:SELECTION]=STAKE", help="A bet on every spin; may be repeated."),
    ] = None,
    engine: Annotated[str, typer.Option(metavar="NAME", help=f"One of: {', '.join(ENGINES)}.")] = ENGINES[0],
    trace: Annotated[
        str | None, typer.Option(metavar="FILE.csv", help="Record the path of the first spin.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Spin, decide by the rulebook, settle the bets: a line per spin.

    The same scenario, seed and versions give the same spins, whatever was bet on them.
    """
    flags = Flags()
    count = flags.whole("--spins", spins, 1, MOST_SPINS)
    run_seed = flags.whole("--seed", seed, 0, MOST_SEED)
    flags.choice("--engine", engine, ENGINES)
    target = flags.target("--trace", trace, (".csv",)) if trace is not None else None
    with flags.gathering():
        loaded, rulebook = open_table(scenario, overrides or [])
        from sim.rules.bets import parse_bets

        wagers = parse_bets(rulebook, bets or [])
    flags.check()

    from sim.physics.compiled import is_warm
    from sim.report.record import Totals, document

    if not is_warm():
        screen.notice("Compiling the laws of motion: once, about a minute ...")
    totals = Totals(wagers)
    records = _records(loaded, rulebook, wagers, run_seed, range(count), target, totals)
    if target is not None:  # a trace that cannot be written is told before anything is printed
        records = chain([next(records)], records)
    if as_json:
        done = list(screen.progress(records, count))
        print(json.dumps(document(loaded, run_seed, done, totals), indent=2, allow_nan=False))
    else:
        _print(loaded, run_seed, records, totals)


def _records(
    scenario: "Scenario",
    rulebook: "Rulebook",
    wagers: "Sequence[Wager]",
    seed: int,
    indices: range,
    target: "Path | None",
    totals: "Totals",
) -> "Iterator[Record]":
    """Spin one after another, and write the trace of the first when it is asked for."""
    from sim.engines.play import draw, spin
    from sim.machines import build
    from sim.report.record import Record
    from sim.rules.outcome import decide
    from sim.rules.settlement import settle

    machine = build(scenario)
    for index in indices:
        traced = target is not None and index == indices[0]
        result = spin(machine, draw(scenario, seed, index), TRACE_STEP_S if traced else None)
        if target is not None and traced:
            _write_trace(target, scenario, rulebook, machine, result)
        outcome = decide(rulebook, scenario.machine.ring, result.landing, result.events)
        settlement = settle(rulebook, outcome, wagers)
        record = Record(result.start, result.landing, result.events, outcome, settlement)
        totals.add(record)
        yield record


def _write_trace(
    target: "Path", scenario: "Scenario", rulebook: "Rulebook", machine: "Machine", spin: "Spin"
) -> None:
    from sim.documents.writing import write_atomically
    from sim.report.trace import format_trace, header_of

    if spin.trace is not None:
        header = header_of(scenario, rulebook.colours, machine, spin)
        write_atomically(target, format_trace(header, spin.trace), "--trace")


def _print(scenario: "Scenario", seed: int, records: "Iterator[Record]", totals: "Totals") -> None:
    from sim.report.versions import versions

    console = screen.console()
    built = ", ".join(" ".join(pair) for pair in versions().items())
    console.print(screen.clean(f"{scenario.name}: {scenario.title}"), style="bold", soft_wrap=True)
    console.print(
        screen.clean(
            f"seed {seed}, scenario {scenario.sha256[:12]}, "
            f"{len(scenario.assumed)} of {len(scenario.provenance)} values assumed; {built}"
        ),
        soft_wrap=True,
    )
    columns = columns_of(scenario)
    console.print(heading(columns, bool(totals.bets)), style="bold", soft_wrap=True)
    for record in records:
        console.print(spin_line(record, columns, bool(totals.bets)), soft_wrap=True)
    for line in _summary(totals):
        console.print(screen.clean(line), soft_wrap=True)


def _at(kind: "EventKind") -> "Cell":
    """A column's cell: when an event first happened."""

    def cell(record: "Record") -> str:
        time = next((event.time for event in record.events if event.kind == kind), None)
        return "-" if time is None else f"{time:.2f} s"

    return cell


def _turns(turns: float | None) -> str:
    return "-" if turns is None else f"{turns:.2f}"


def _indicator(record: "Record") -> str:
    section = "-" if record.landing.section is None else str(record.landing.section)
    return f"{section} peg" if record.landing.on_peg else section


# Title, width and cell of the columns that tell how a spin went, by the kind of machine.
PLATE: "Columns" = (
    ("rim exit", 9, _at("rim_exit")),
    ("bell", 9, _at("band")),
    ("rest", 9, _at("rest")),
    ("hops", 4, lambda record: str(record.landing.hops)),
)
WHEEL: "Columns" = (
    ("turns", 6, lambda record: _turns(record.landing.turns_forward)),
    ("net", 6, lambda record: _turns(record.landing.turns_net)),
    ("rest", 9, _at("rest")),
    ("section", 7, _indicator),
)


def columns_of(scenario: "Scenario") -> "Columns":
    """The columns that tell how a spin of a machine went."""
    return WHEEL if scenario.machine.kind == "pegged" else PLATE


def heading(columns: "Columns", settled: bool) -> str:
    """The titles of the columns, with those of a settlement."""
    titles = " ".join(f"{title:>{width}}" for title, width, _ in columns)
    money = f" {'staked':>8} {'returned':>8} {'net':>8}" if settled else ""
    return f"{'spin':>7}  {titles}{money}  outcome"


def spin_line(record: "Record", columns: "Columns", settled: bool) -> "Text":
    """One spin on one line: how it went, its settlement, its outcome."""
    from rich.text import Text

    how = " ".join(f"{cell(record):>{width}}" for _, width, cell in columns)
    line = Text(f"{record.start.index:7}  {how}")
    if settled:
        paid = record.settlement
        line.append(f" {paid.staked:8} {paid.returned:8} {paid.net:+8}")
    line.append("  ")
    outcome = record.outcome
    if outcome.void is not None:
        void = outcome.void
        article = void.article or "no article, inferred"
        line.append(screen.clean(f"void {void.code} ({article}): {void.reason}"), style="yellow")
    else:
        symbol = " ".join(
            filter(None, (outcome.symbol, outcome.colour if outcome.colour != "none" else None))
        )
        line.append(screen.clean(f"{symbol:9}"), style=INKS.get(outcome.colour or "", "bold"))
        line.append(screen.clean(f" wins: {', '.join(outcome.chances)}"))
    for remark in outcome.remarks:
        line.append(screen.clean(f"; {remark.text} ({remark.article or 'inferred'})"), style="yellow")
    return line


def _summary(totals: "Totals") -> Iterator[str]:
    yield f"{totals.spins} spins: {totals.valid} decided, {totals.spins - totals.valid} void"
    for bet in totals.bets:
        yield f"  {bet.bet}: won {bet.won}, staked {bet.staked}, returned {bet.returned}, net {bet.net:+}"
    if totals.bets:
        yield f"  all bets: staked {totals.staked}, returned {totals.returned}, net {totals.net:+}"
