"""``batch``: a great many spins, in parts that can be resumed, and what they came to."""

import json
import math
import os
import re
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim import __version__
from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.options import AsJson, Cluster, Overrides, Workers
from sim.cli.table import open_table

if TYPE_CHECKING:
    from sim.engines.parts import Folder, Form
    from sim.engines.run import Pool, Task
    from sim.engines.tally import Tally

NAME = "batch"
EXAMPLE = "Example: fairwheel batch macau-boule --spins 100000 --seed 1979 --out runs/macau --workers 2"
MOST_SPINS = 10_000_000_000
MOST_SEED = 2**64 - 1
MOST_CHUNK = 1_000_000
MOST_WORKERS = 4096
FORMATS = ("parquet", "csv")
_ADDRESS = re.compile(r"(tcp|tls|ws|wss)://[^\s/]+:\d{1,5}")


def run(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="A file, or the name of a shipped one.")
    ],
    spins: Annotated[str, typer.Option(metavar="N", help=f"How many, 1 to {MOST_SPINS}.")],
    seed: Annotated[str, typer.Option(metavar="S", help="Run seed, 0 to 2^64 - 1.")] = "0",
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder for the parts, a row a spin; without it, the summary only."),
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    chunk: Annotated[
        str, typer.Option(metavar="K", help="Spins of a part; the spins do not depend on it.")
    ] = "1000",
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep the parts that are there; more spins may be asked for.")
    ] = False,
    until: Annotated[
        str | None,
        typer.Option(
            "--until-halfwidth",
            metavar="X",
            help="Stop, after 1, 2, 4, 8, ... chunks, once half of Wilson's 95 % interval for the share of every "
            "hollow or section among the valid spins is below X; at N at the latest.",
        ),
    ] = None,
    form: Annotated[str, typer.Option("--format", metavar="FORM", help="parquet or csv.")] = FORMATS[0],
    overrides: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a great many spins and sum them up.

    The same scenario, seed, chunk and versions give the same parts, byte for byte, for any number of workers, on one
    machine or a cluster, stopped and resumed or not. What differs (machine, times, rate) is in run.json only.
    """
    flags = Flags()
    count = flags.whole("--spins", spins, 1, MOST_SPINS)
    run_seed = flags.whole("--seed", seed, 0, MOST_SEED)
    size = flags.whole("--chunk", chunk, 1, MOST_CHUNK)
    threads = os.cpu_count() or 1
    if workers is not None:
        threads = flags.whole("--workers", workers, 1, MOST_WORKERS)
    flags.choice("--format", form, FORMATS)
    half_width = _half_width(flags, until)
    folder_path = folder_flag(flags, out)
    if resume and out is None:
        flags.fault("--resume", "needs --out, the folder of the run")
    if cluster is not None:
        check_cluster(flags, cluster, workers)
    with flags.gathering():
        loaded, rulebook = open_table(scenario, overrides or [])
    flags.check()

    from sim.engines.run import is_compiled, schema_of, task_of

    if not is_compiled(loaded):
        screen.notice("Compiling the batch engine: once, under a minute ...")
    written: Form | None = None if folder_path is None else "csv" if form == "csv" else "parquet"
    task = task_of(loaded, rulebook, run_seed, __version__, size, written, overrides or [])
    folder = None
    if folder_path is not None and task.form is not None:
        from sim.engines.parts import Folder

        folder = Folder(folder_path, task.form, task.manifest, schema_of(task))
    told = _carry_out(task, count, folder, resume, half_width, threads, cluster)
    if as_json:
        print(json.dumps(told, indent=2, allow_nan=False))
    else:
        _print(told, loaded.title)


def _half_width(flags: Flags, given: str | None) -> float | None:
    if given is None:
        return None
    try:
        value = float(given) if re.fullmatch(r"[0-9.eE+-]{1,30}", given) else math.nan
    except ValueError:
        value = math.nan
    if not 0.0 < value < 1.0:
        flags.fault(
            "--until-halfwidth", f"must be a number above 0 and below 1, such as 0.002, not {given!r}"
        )
    return value


def folder_flag(flags: Flags, given: str | None) -> Path | None:
    """A folder that can be written, or made."""
    if given is None:
        return None
    path = Path(given)
    if not given or "\0" in given:
        flags.fault("--out", f"must name a folder, not {given!r}")
    elif os.path.isdir(path):  # noqa: PTH112  (never raises)
        if not os.access(path, os.W_OK | os.X_OK):
            flags.fault("--out", f"must be a folder that can be written, and {given!r} cannot")
    elif os.path.lexists(path):
        flags.fault("--out", f"must be a folder, and {given!r} is none")
    else:
        above = next(each for each in path.absolute().parents if os.path.lexists(each))
        if not os.path.isdir(above):  # noqa: PTH112
            flags.fault("--out", f"must lie in a folder, and {str(above)!r} is none")
        elif not os.access(above, os.W_OK | os.X_OK):
            flags.fault("--out", f"must lie in a folder that can be written, and {str(above)!r} cannot")
    return path


def check_cluster(flags: Flags, address: str, workers: str | None) -> None:
    """Note what is wrong with ``--cluster``."""
    from importlib.util import find_spec

    if not _ADDRESS.fullmatch(address):
        flags.fault("--cluster", f"must be the address of a Dask scheduler, tcp://HOST:PORT, not {address!r}")
    if workers is not None:
        flags.fault(
            "--workers", "is for this machine; a cluster has its own (leave out --workers or --cluster)"
        )
    if find_spec("distributed") is None:
        flags.fault("--cluster", "needs what pip install 'fairwheel[cluster]' brings")


def _carry_out(
    task: "Task",
    spins: int,
    folder: "Folder | None",
    resume: bool,
    half_width: float | None,
    workers: int,
    cluster: str | None,
) -> dict[str, Any]:
    """Play the run; its summary. Ends with exit code 1 where output or cluster fail on the way."""
    from sim.engines.parts import OutputRefused, alone
    from sim.engines.run import ClusterFailed, machine_of, peak_memory_mb, pool
    from sim.report.batch import summary

    machine = machine_of(workers, cluster)
    begun = time.perf_counter()
    try:
        with ExitStack() as stack:
            if folder is not None:
                stack.enter_context(alone(folder.path))
                folder.open(resume)
            each_chunk = stack.enter_context(pool(workers, cluster))
            if folder is not None:
                folder.tell({"machine": machine, "finished": False})
            tally, played = _watch(task, spins, folder, half_width, each_chunk)
        seconds = time.perf_counter() - begun
        told = summary(task, tally) | {
            "played": played,
            "seconds": round(seconds, 3),
            "rate_spins_per_s": round(played / seconds, 1),
            "peak_memory_mb": peak_memory_mb(),
        }
        if folder is not None:
            folder.tell({"machine": machine, "finished": True, "summary": told})
    except OutputRefused as error:
        screen.complain([f"{error}; what was written before is kept, --resume continues"])
        raise typer.Exit(1) from None
    except ClusterFailed as error:
        screen.complain([f"--cluster: {error}"])
        raise typer.Exit(1) from None
    return told


def _watch(
    task: "Task",
    spins: int,
    folder: "Folder | None",
    half_width: float | None,
    each_chunk: "Pool",
) -> "tuple[Tally, int]":
    """Play to the end; a terminal on stderr sees how far, how fast and how long still."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from sim.engines.run import run as run_on

    watcher = Console(stderr=True)
    columns = (
        TextColumn("spins"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    begun, tally, played = time.perf_counter(), None, 0
    with Progress(*columns, console=watcher, transient=True, disable=not watcher.is_terminal) as bar:
        line = bar.add_task("spins", total=spins, rate="")
        for tally, played in run_on(task, spins, each_chunk, folder, half_width):
            rate = played / max(time.perf_counter() - begun, 1e-9)
            bar.update(line, completed=tally.spins, rate=f"{rate:.0f}/s" if played else "")
    assert tally is not None
    return tally, played


def _print(told: dict[str, Any], title: str) -> None:
    console = screen.console()

    def say(text: str = "", style: str | None = None) -> None:
        console.print(screen.clean(text), style=style, soft_wrap=True)

    scenario = told["scenario"]
    say(f"{scenario['name']}: {title}", "bold")
    say(
        f"seed {told['seed']}, scenario {scenario['sha256'][:12]}, {len(told['assumed'])} values assumed; "
        + ", ".join(f"{name} {number}" for name, number in told["versions"].items() if name != "laws")
    )
    say(
        f"{told['spins']} spins: {told['valid']} valid, {told['spins'] - told['valid']} void; "
        f"{told['played']} played now in {told['seconds']:.1f} s, {told['rate_spins_per_s']:.0f} spins/s"
    )
    for each in told["void_shares"]:
        say(f"  void {each['code']}: {each['count']}, {_shown(each)}")
    if not told["valid"]:
        return
    say()
    say("Shares of the valid spins, with Wilson's intervals of 95 %")
    rows = screen.table("hollow", "symbol", "count", "share", "95 % interval", "equal share", right=_FIGURES)
    for each in told["hollow_shares"]:
        rows.add_row(
            str(each["hollow"]),
            screen.clean(each["symbol"]),
            str(each["count"]),
            *_figures(each),
            _percent(each["equal"]),
        )
    screen.show(console, rows)
    if len(told["symbol_shares"]) < len(told["hollow_shares"]):
        rows = screen.table("symbol", "count", "share", "95 % interval", "equal share", right=_FIGURES)
        for each in told["symbol_shares"]:
            rows.add_row(
                screen.clean(each["symbol"]), str(each["count"]), *_figures(each), _percent(each["equal"])
            )
        say()
        screen.show(console, rows)
    if told["quantiles"]:
        say()
        say("Quantiles of " + ", ".join(f"{100 * float(share):g} %" for share in _any(told["quantiles"])))
        for name, values in told["quantiles"].items():
            say(f"  {name}: " + ", ".join(f"{value:g}" for value in values.values()))
    if told["bets"]:
        say()
        say("Edge of the house, from these spins and exact; of a choice, on what came most and least often")
        rows = screen.table("bet", "pays", "won", "edge", "95 % interval", "exact", "on", right=_FIGURES)
        for each in told["bets"]:
            on = "" if each["on"] is None else f"{each['on']}: {', '.join(each['symbols'])}"
            low, high = each["edge_low"], each["edge_high"]
            between = "" if low is None else f"{_percent(low)} to {_percent(high)}"
            edge = "-" if each["edge"] is None else _percent(each["edge"])
            rows.add_row(
                each["bet"],
                f"{each['pays']}:1",
                str(each["won"]),
                edge,
                between,
                _percent(each["exact_edge"]),
                screen.clean(on),
            )
        screen.show(console, rows)


_FIGURES = (
    "hollow",
    "section",
    "count",
    "share",
    "95 % interval",
    "equal share",
    "pays",
    "won",
    "edge",
    "exact",
)


def _any(quantiles: dict[str, dict[str, float]]) -> dict[str, float]:
    return next(iter(quantiles.values()))


def _figures(each: dict[str, Any]) -> tuple[str, str]:
    share = "-" if each["share"] is None else _percent(each["share"])
    return share, f"{_percent(each['low'])} to {_percent(each['high'])}"


def _shown(each: dict[str, Any]) -> str:
    share, between = _figures(each)
    return f"{share} ({between})"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"
