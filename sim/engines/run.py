"""A run: a great many spins in chunks, on the threads of this machine or on a cluster, in parts that can be resumed.

A chunk is (scenario, seed, range of indices) and nothing else, so the bytes of a part are the same for any number of
workers, for threads and Dask, and for a run that was stopped and taken up again.

On one machine the workers are threads: the compiled engine lets other threads run, so they scale as processes do, and
share the compiled code and one interpreter's memory.
"""

import logging
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import joblib
import pyarrow as pa
import yaml

from sim.engines.parts import Folder, Form, encode
from sim.engines.simulated import simulated
from sim.engines.tally import Tally
from sim.physics.compiled import CACHE_FOLDER, digest

if TYPE_CHECKING:
    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario

CHUNK = 1000
T = TypeVar("T")
Played = tuple[int, bytes | None, Tally]
_LIBRARIES = ("numpy", "scipy", "numba", "pyarrow")


class ClusterFailed(Exception):  # noqa: N818
    """A cluster that does not answer, has no workers, loses them time and again or runs other code; one line."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker is sent once and for all chunks. form: None where no parts are written."""

    scenario: "Scenario"
    rulebook: "Rulebook"
    seed: int
    manifest: dict[str, Any]
    form: Form | None


@lru_cache
def _built_with() -> dict[str, str]:
    """What decides a spin's bits beside its scenario: versions, and the digest of the compiled sources."""
    libraries = {name: version(name) for name in _LIBRARIES}
    return {"python": platform.python_version(), **libraries, "laws": digest()}


def task_of(
    scenario: "Scenario",
    rulebook: "Rulebook",
    seed: int,
    fairwheel: str,
    chunk: int = CHUNK,
    form: Form | None = None,
    overrides: Iterable[str] = (),
) -> Task:
    """The task of a run, with the manifest that every part of it carries. fairwheel: the version of this program.

    The manifest says what reproduces the spins: the resolved scenario as YAML (which loads to the same digest), its
    overrides and what of it is assumed, the rulebook, the seed, the chunk and the versions; nothing of the machine.
    """
    manifest = {
        "versions": {"fairwheel": fairwheel, **_built_with()},
        "scenario": scenario.name,
        "scenario_sha256": scenario.sha256,
        "scenario_text": yaml.safe_dump(scenario.document.data, sort_keys=False, allow_unicode=True),
        "overrides": list(overrides),
        "assumed": scenario.assumed,
        "solver": scenario.solver.model_dump(mode="json"),
        "rulebook": rulebook.model_dump(mode="json"),
        "seed": seed,
        "chunk": chunk,
    }
    return Task(scenario, rulebook, seed, manifest, form)


def schema_of(task: Task) -> pa.Schema:
    """The columns of the parts."""
    return simulated(task.scenario, task.rulebook, task.seed, range(0)).schema


def play_chunk(task: Task, first: int, last: int) -> Played:
    """Simulate the spins [first, last): their first index, the bytes of their part, and what they add up to.

    Raises ClusterFailed where the task was made by other code.
    """
    wanted, here = task.manifest["versions"], _built_with()
    unlike = [f"{name} {here[name]} instead of {wanted[name]}" for name in here if here[name] != wanted[name]]
    if unlike:
        raise ClusterFailed(f"a worker has {', '.join(unlike)}")
    indices = range(first, last)
    table = simulated(task.scenario, task.rulebook, task.seed, indices)
    tally = Tally.of(len(task.scenario.machine.ring))
    tally.add(table)
    if task.form is None:
        return first, None, tally
    return first, encode(table, task.form, task.manifest | {"first": first, "last": last}), tally


class Pool(Protocol):
    """Makes a call for every chunk, ``call(task, first, last)``, and hands the results back in order."""

    def __call__(
        self, call: Callable[[Task, int, int], T], task: Task, chunks: Iterable[range]
    ) -> Iterator[T]:
        """The results, as they come."""


@contextmanager
def pool(workers: int, cluster: str | None = None) -> Iterator[Pool]:
    """Workers, few chunks at a time: threads here, or Dask's.

    cluster: address of a Dask scheduler. Raises ClusterFailed where one is asked for.
    """
    with ExitStack() as stack:
        if cluster is None:
            stack.enter_context(joblib.parallel_config("threading", n_jobs=workers))
        else:
            stack.enter_context(_client(cluster))
            stack.enter_context(joblib.parallel_config("dask", n_jobs=-1))

        def each_chunk(
            call: Callable[[Task, int, int], T], task: Task, chunks: Iterable[range]
        ) -> Iterator[T]:
            calls = (joblib.delayed(call)(task, each.start, each.stop) for each in chunks)
            yield from joblib.Parallel(return_as="generator", batch_size=1, pre_dispatch="2*n_jobs")(calls)

        yield each_chunk


@contextmanager
def _client(address: str) -> Iterator[None]:
    """A connection to a Dask scheduler, which joblib then uses."""
    import distributed
    from distributed.comm.core import CommClosedError

    connect: Any = distributed.Client  # untyped
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = connect(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise ClusterFailed(f"no scheduler answers at {address}: {error}") from None
    try:
        yield
    except distributed.KilledWorker:
        raise ClusterFailed("workers died time and again over the same chunk") from None
    except TimeoutError:
        raise ClusterFailed(f"the scheduler at {address} has no workers") from None
    except (CancelledError, CommClosedError):
        raise ClusterFailed(f"the scheduler at {address} went away") from None
    finally:
        client.close(timeout=5)


def looks(spins: int, chunk: int) -> list[int]:
    """Numbers of spins after which a run may stop: powers of two times the chunk, and the last."""
    ends, size = [], chunk
    while size < spins:
        ends.append(size)
        size *= 2
    return [*ends, spins]


def chunks(first: int, last: int, chunk: int) -> Iterator[range]:
    """The chunks of the spins [first, last), one after the other; ``first`` is a multiple of the chunk."""
    return (range(each, min(each + chunk, last)) for each in range(first, last, chunk))


def run(
    task: Task,
    spins: int,
    each_chunk: Pool,
    folder: Folder | None = None,
    until_half_width: float | None = None,
) -> Iterator[tuple[Tally, int]]:
    """Play spins 0 to ``spins``, keeping the parts that are there; yields the tally and how many were played now.

    until_half_width: stop at the first of `looks` at which `Tally.half_width` is below it.
    """
    chunk = task.manifest["chunk"]
    tally, played, begun = Tally.of(len(task.scenario.machine.ring)), 0, 0
    if folder is not None:
        folder.check_plan(spins, chunk)
    for end in looks(spins, chunk) if until_half_width is not None else [spins]:
        kept = set()
        for indices in folder.parts(begun, end) if folder is not None else ():
            table = folder.kept(indices) if folder is not None else None
            if table is not None:
                tally.add(table)
                kept.add(indices.start)
        yield tally, played
        missing = (each for each in chunks(begun, end, chunk) if each.start not in kept)
        for first, content, part in each_chunk(play_chunk, task, missing):
            if folder is not None and content is not None:
                folder.write(range(first, first + part.spins), content)
            tally.merge(part)
            played += part.spins
            yield tally, played
        begun = end
        if until_half_width is not None and tally.half_width < until_half_width:
            break
    if folder is not None:
        folder.seal()


def is_compiled(scenario: "Scenario") -> bool:
    """Whether the batch engine of this kind of machine has been compiled before."""
    name = "wheel_batch" if scenario.machine.kind == "pegged" else "plate_batch"
    return CACHE_FOLDER is not None and any(CACHE_FOLDER.rglob(f"{name}.play-*.nbc"))


def peak_memory_mb() -> float | None:
    """Most memory that this process has held, in 10^6 bytes; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


def machine_of(workers: int, cluster: str | None) -> dict[str, Any]:
    """What differs between machines and does not change a spin."""
    return {
        "system": platform.platform(),
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "workers": None if cluster else workers,
        "cluster": cluster,
        "written": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
