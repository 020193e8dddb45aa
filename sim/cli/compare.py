"""``compare``: machines side by side, from the same starts."""

import json
import logging
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim import __version__
from sim.cli import screen
from sim.cli.batch import MOST_SEED, MOST_WORKERS, check_cluster
from sim.cli.flags import Flags
from sim.cli.options import AsJson, Cluster, Workers
from sim.cli.study import too_few

if TYPE_CHECKING:
    from sim.design.comparing import Candidate, Compared
    from sim.design.metrics import Metric
    from sim.documents.faults import Fault

NAME = "compare"
EXAMPLE = 'Example: fairwheel compare macau-boule --vary "machine.hollow.depth=15 mm" --report deeper.html'


def run(
    scenarios: Annotated[
        list[str], typer.Argument(metavar="SCENARIO...", help="Files, or names of shipped ones.")
    ],
    varied: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="PATH=VALUE",
            help="Another machine: the first with this value; repeatable, each one more.",
        ),
    ] = None,
    spins: Annotated[str, typer.Option(metavar="N", help="Spins of each machine, 100 to 10000000.")] = "2000",
    seed: Annotated[str, typer.Option(metavar="S", help="Run seed, 0 to 2^64 - 1.")] = "0",
    chosen: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Only this metric; repeatable. By default all but predictability.",
        ),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PATH=VALUE", help="Override a value of every machine; repeatable."),
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    report: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.html", help="Write the report, one file, and its numbers beside it as .csv."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play machines from the same starts: every metric with its interval, and its paired difference to the first.

    The first machine is the reference. The report shows the cross-sections side by side and what else differs.
    """
    from sim.design.metrics import of_kind
    from sim.design.study_model import FEWEST_SPINS, MOST_SPINS

    flags = Flags()
    count = flags.whole("--spins", spins, FEWEST_SPINS, MOST_SPINS)
    run_seed = flags.whole("--seed", seed, 0, MOST_SEED)
    threads = flags.whole("--workers", workers, 1, MOST_WORKERS) if workers else os.cpu_count() or 1
    if cluster is not None:
        check_cluster(flags, cluster, workers)
    target = None if report is None else flags.target("--report", report, (".html", ".htm"))
    if target is not None and target.with_suffix(".csv").is_dir():
        flags.fault("--report", f"writes {target.with_suffix('.csv')} beside it, which is a folder")
    if len(scenarios) + len(varied or ()) < 2:
        flags.fault("SCENARIO", "two machines or more are compared; name another, or give --vary PATH=VALUE")
    machines = _machines(flags, scenarios, overrides or [], varied or [])
    kinds = {each.scenario.machine.kind for each in machines}
    if len(kinds) > 1:
        flags.fault("SCENARIO", "a plate machine and a pegged wheel have no metrics to compare")
    flags.check()
    known = of_kind(next(iter(kinds)))
    for name in chosen or ():
        flags.choice("--metric", name, tuple(known))
    flags.check()
    usual = [name for name, metric in known.items() if not metric.is_costly]
    metrics = [known[name] for name in dict.fromkeys(chosen or usual)]
    too_few(flags, metrics, count)
    flags.check()
    played = _played(machines, metrics, count, run_seed, threads, cluster)

    from sim.design.comparing import as_plain

    told = as_plain(played, metrics, run_seed)
    if target is not None:
        _write(target, played, told)
    if as_json:
        print(json.dumps(told, indent=2, allow_nan=False))
    else:
        _show(told)


def _machines(
    flags: Flags, scenarios: list[str], overrides: list[str], varied: list[str]
) -> "list[Candidate]":
    """The machines that are named, and the first one varied; what is wrong with any goes to the flags."""
    from sim.cli.table import open_table
    from sim.design.comparing import Candidate
    from sim.documents.faults import BadInput

    made = []
    for name in scenarios:
        with flags.gathering():
            made.append(Candidate(name, name, tuple(overrides), open_table(name, overrides)[0]))
    if not made or made[0].name != scenarios[0]:
        return made
    for change in varied:
        given = [*overrides, change]
        try:
            made.append(Candidate(change, scenarios[0], tuple(given), open_table(scenarios[0], given)[0]))
        except BadInput as error:
            flags.faults += [_of_vary(fault, change) for fault in error.faults]
    return made


def _of_vary(fault: "Fault", change: str) -> "Fault":
    """A fault of a varied value under the flag that it was given by."""
    if fault.mark.file != f"--set {change}":
        return fault
    mark = replace(fault.mark, file=f"--vary {change}", column=fault.mark.column + 1)
    return replace(fault, mark=mark, field="--vary" if fault.field == "--set" else fault.field)


def _write(target: Path, played: "list[Compared]", told: dict[str, Any]) -> None:
    """The report and its numbers."""
    os.environ["MPLBACKEND"] = "agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from sim.documents.writing import write_atomically
    from sim.report.study.comparison import page, rows
    from sim.report.study.tables import as_csv

    numbers = target.with_suffix(".csv")
    write_atomically(numbers, as_csv(rows(told)), "--report")
    write_atomically(target, page(played, told), "--report")
    screen.notice(f"{target}: the report; its numbers: {numbers}")


def _played(
    machines: "list[Candidate]",
    metrics: "list[Metric]",
    spins: int,
    seed: int,
    workers: int,
    cluster: str | None,
) -> "list[Compared]":
    from sim.design.comparing import compare
    from sim.engines.run import ClusterFailed, is_compiled, pool

    if not all(is_compiled(each.scenario) for each in machines):
        screen.notice("Compiling the batch engine: once, under a minute ...")
    try:
        with pool(workers, cluster) as each_chunk:
            return compare(machines, metrics, spins, seed, __version__, each_chunk)
    except ClusterFailed as error:
        screen.complain([f"--cluster: {error}"])
        raise typer.Exit(1) from None


def _show(told: dict[str, Any]) -> None:
    from sim.report.study.words import figure, shift

    console = screen.console()
    for number, each in enumerate(told["machines"], 1):
        console.print(screen.clean(f"{number}: {each['name']}: {each['title']}"), soft_wrap=True)
    console.print(
        f"{told['spins']} spins of each from the same starts, seed {told['seed']}; intervals of 95 %, paired"
    )
    if "observer" in told:
        console.print(told["observer"], soft_wrap=True)
    print()
    others = range(2, len(told["machines"]) + 1)
    columns = ["1", *(name for i in others for name in (str(i), f"{i} less 1"))]
    rows = screen.table("metric", "unit", *columns, right=columns)
    for each in told["metrics"]:
        first, *rest = each["machines"]
        cells = [figure(first)]
        for other in rest:
            cells += [figure(other), shift(other["to_first"])]
        rows.add_row(each["title"], each["unit"], *cells)
    screen.show(console, rows)
