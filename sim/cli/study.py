"""``study``: what a geometry does: designs over factors, sensitivity, tolerances, optimisation."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim import __version__
from sim.cli import screen
from sim.cli.batch import MOST_WORKERS, check_cluster, folder_flag
from sim.cli.flags import Flags
from sim.cli.options import AsJson, Cluster, Workers

if TYPE_CHECKING:
    from sim.design.bench import Outcome
    from sim.design.metrics import Metric
    from sim.design.study_file import Study

NAME = "study"
EXAMPLE = "Example: fairwheel study macau-hollow --out studies/macau-hollow"
STUDY = "study.json"


def run(
    study: Annotated[
        str, typer.Argument(metavar="STUDY", help="A study file, or the name of a shipped one.")
    ],
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder for the report, the tables and the spins of every design."),
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    spins: Annotated[
        str | None, typer.Option(metavar="N", help="Spins of a design, in place of the study's own.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Use the designs that are in the folder already.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play the designs of a study from the same starts and compare them with their base, with intervals.

    A design that cannot be built is told as such, and the others go on. A finished design is kept as one file, so a
    study that was stopped goes on where it was, and one that asks for more spins plays the others only.
    """
    from sim.design.study_file import load_study
    from sim.design.study_model import FEWEST_SPINS, MOST_SPINS
    from sim.documents.resources import find_study

    flags = Flags()
    threads = flags.whole("--workers", workers, 1, MOST_WORKERS) if workers else os.cpu_count() or 1
    count = flags.whole("--spins", spins, FEWEST_SPINS, MOST_SPINS) if spins else None
    folder = folder_flag(flags, out)
    if resume and out is None:
        flags.fault("--resume", "needs --out, the folder of the study")
    if cluster is not None:
        check_cluster(flags, cluster, workers)
    loaded = None
    with flags.gathering():
        loaded = load_study(find_study(study))
    if folder is not None and not flags.faults:
        _check_folder(flags, folder, resume)
    if loaded is not None and count is not None:
        too_few(flags, loaded.metrics, count)
        loaded = loaded.with_spins(count)
    flags.check()
    assert loaded is not None
    told = _carry_out(loaded, folder, threads, cluster)
    if as_json:
        print(json.dumps(told, indent=2, allow_nan=False))
    else:
        from sim.cli.studied import show

        show(loaded, told)
    if folder is not None:
        screen.notice(f"{folder / 'report.html'}: the report; tables and figures lie beside it")


def too_few(flags: Flags, metrics: "Iterable[Metric]", spins: int) -> None:
    """Refuse fewer spins than a metric needs."""
    for metric in metrics:
        if spins < metric.fewest:
            flags.fault("--spins", f"must be at least {metric.fewest} for {metric.name}, not {spins}")


def _check_folder(flags: Flags, folder: Path, resume: bool) -> None:
    """Refuse a folder that holds anything else, or a study that is not to be resumed."""
    try:
        names = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        flags.fault("--out", f"cannot be read: {error.strerror}")
        return
    if names and STUDY not in names:
        flags.fault(
            "--out", f"must be an empty folder or that of a study; it holds {names[0]!r} and no {STUDY}"
        )
    elif names and not resume:
        flags.fault("--out", "holds a study already; --resume uses its designs, or name another folder")


def _carry_out(study: "Study", folder: Path | None, workers: int, cluster: str | None) -> dict[str, Any]:
    """The study as plain data, and what is written of it. Ends with exit code 1 where output or cluster fail."""
    from sim.design.analyses import analyse, size
    from sim.design.bench import Shelf, Simulation
    from sim.documents.faults import BadInput
    from sim.documents.writing import write_atomically
    from sim.engines.parts import OutputRefused
    from sim.engines.run import ClusterFailed, is_compiled, machine_of, pool

    if not is_compiled(study.scenario):
        screen.notice("Compiling the batch engine: once, under a minute ...")
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "designs").mkdir(exist_ok=True)
            told = {
                "study": study.file.model_dump(mode="json", by_alias=True),
                "machine": machine_of(workers, cluster),
            }
            write_atomically(folder / STUDY, json.dumps(told, indent=2) + "\n", "--out")
        shelf = Shelf(None if folder is None else folder / "designs")
        with pool(workers, cluster) as each_chunk:

            def sources(seed: int) -> Simulation:
                independent = study.file.starts == "independent"
                return Simulation(study.base, study.file.set, seed, __version__, each_chunk, independent)

            with _watching(size(study)) as watch:
                analysed = analyse(study, sources, shelf, watch)
        if folder is not None:
            from sim.cli.replays import thrown_alike
            from sim.report.study.writing import write

            write(folder, analysed, thrown_alike(analysed))
        return analysed.told
    except OSError as error:
        screen.complain([f"{folder}: --out: cannot be written: {error.strerror}"])
    except OutputRefused as error:
        screen.complain([f"{error}; designs that were finished are kept, --resume continues"])
    except ClusterFailed as error:
        screen.complain([f"--cluster: {error}"])
    except BadInput as error:
        if folder is None or not str(error.faults[0].mark.file).startswith(str(folder)):
            raise
        screen.complain([str(each) for each in error.faults])
    raise typer.Exit(1)


@contextmanager
def _watching(total: int) -> "Iterator[Callable[[Outcome], None]]":
    """A bar for a terminal on stderr, moved on by every design."""
    from rich.console import Console
    from rich.progress import Progress

    watcher = Console(stderr=True)
    with Progress(console=watcher, transient=True, disable=not watcher.is_terminal) as bar:
        line = bar.add_task("designs", total=total)
        yield lambda outcome: bar.advance(line)
