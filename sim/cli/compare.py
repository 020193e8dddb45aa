"""``compare``: machines side by side, from the same starts."""

import json
import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim import __version__
from sim.cli import screen
from sim.cli.batch import MOST_SEED, MOST_WORKERS, check_cluster
from sim.cli.flags import Flags
from sim.cli.study import too_few

if TYPE_CHECKING:
    from sim.design.metrics import Metric
    from sim.scenario import Scenario

NAME = "compare"
EXAMPLE = "Example: fairwheel compare macau-boule macau-deeper-hollow --spins 2000"


def run(
    scenarios: Annotated[
        list[str], typer.Argument(metavar="SCENARIO...", help="Two or more files or names of shipped ones.")
    ],
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
    workers: Annotated[
        str | None, typer.Option(metavar="W", help="Threads of this machine; by default one for each core.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Dask scheduler, such as tcp://10.0.0.1:8786.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Play machines from the same starts: every metric with its interval, and its paired difference to the first."""
    from sim.cli.table import open_table
    from sim.design.metrics import of_kind
    from sim.design.study_model import FEWEST_SPINS, MOST_SPINS

    flags = Flags()
    count = flags.whole("--spins", spins, FEWEST_SPINS, MOST_SPINS)
    run_seed = flags.whole("--seed", seed, 0, MOST_SEED)
    threads = flags.whole("--workers", workers, 1, MOST_WORKERS) if workers else os.cpu_count() or 1
    if cluster is not None:
        check_cluster(flags, cluster, workers)
    if len(scenarios) < 2:
        flags.fault("SCENARIO", f"two machines or more are compared, not {len(scenarios)}")
    loaded: list[tuple[str, Scenario]] = []
    for name in scenarios:
        with flags.gathering():
            loaded.append((name, open_table(name, overrides or [])[0]))
    kinds = {scenario.machine.kind for _, scenario in loaded}
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
    told = _played(loaded, tuple(overrides or ()), metrics, count, run_seed, threads, cluster)
    if as_json:
        print(json.dumps(told, indent=2, allow_nan=False))
    else:
        _show(told)


def _played(
    loaded: "list[tuple[str, Scenario]]",
    overrides: tuple[str, ...],
    metrics: "list[Metric]",
    spins: int,
    seed: int,
    workers: int,
    cluster: str | None,
) -> dict[str, Any]:
    from sim.design.comparing import as_plain, compare
    from sim.engines.run import ClusterFailed, is_compiled, pool

    if not all(is_compiled(scenario) for _, scenario in loaded):
        screen.notice("Compiling the batch engine: once, under a minute ...")
    try:
        with pool(workers, cluster) as each_chunk:
            machines = compare(loaded, overrides, metrics, spins, seed, __version__, each_chunk)
    except ClusterFailed as error:
        screen.complain([f"--cluster: {error}"])
        raise typer.Exit(1) from None
    return as_plain(machines, metrics, seed)


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
