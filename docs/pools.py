"""Pools of simulated spins, one for every fault and for the machines without one.

``python -m docs.pools [N [PREFIX ...]]`` extends them to N spins, those whose names begin so.

Kept under ``out/pools``, in parts, so that it can be stopped at any time and goes on where it was. Pools grow together:
all to 2 000 spins, then all to 10 000, and so on. A pool that other code made is left as it is, and read as it is.
"""

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from docs.examples import ROOT
from sim import __version__
from sim.documents.faults import BadInput
from sim.documents.resources import shipped
from sim.engines.parts import Folder
from sim.engines.rulebook import rulebook_of
from sim.engines.run import chunks, play_chunk, schema_of, task_of
from sim.scenario import load_scenario
from sim.spinlog.run_folder import RUN

POOLS = ROOT / "out" / "pools"
SIZES = (2_000, 10_000, 50_000, 200_000)
SEED = 5
CHUNK = 1000
MACHINES = ("macau-boule", "spanish-boule", "roda-da-sorte")


def scenarios() -> dict[str, Path | str]:
    """Every fault file by its name, after the machines without a fault."""
    faults = sorted(shipped("scenarios").glob("defects/*.yaml"))
    return {name: name for name in MACHINES} | {path.stem: path for path in faults}


@dataclass(frozen=True)
class Pool:
    """Spins of one scenario: the table, a row a spin, and the digest of the code that made them."""

    table: pa.Table
    laws: str


def extend(name: str, scenario: Path | str, spins: int) -> str:
    """Simulate what is missing of a pool; what was done, in a word."""
    loaded = load_scenario(scenario)
    task = task_of(loaded, rulebook_of(loaded), SEED, __version__, CHUNK, "parquet")
    folder = Folder(POOLS / name, "parquet", task.manifest, schema_of(task))
    try:
        folder.open(resume=True)
    except BadInput:
        return "made by other code, left as it is"
    folder.tell({})
    played = 0
    for part in chunks(0, spins, CHUNK):
        if not (folder.path / folder.name(part)).exists():
            _, content, _ = play_chunk(task, part.start, part.stop)
            assert content is not None
            folder.write(part, content)
            played += len(part)
    return f"{played} spins played"


def load(name: str) -> Pool | None:
    """The pool as far as it goes, None where there is none: the parts from the first to the first that is missing."""
    parts, first = [], 0
    while (path := POOLS / name / f"part-{first:012d}-{first + CHUNK:012d}.parquet").exists():
        parts.append(pa.parquet.read_table(path))
        first += CHUNK
    if not parts:
        return None
    told = json.loads((POOLS / name / RUN).read_text(encoding="utf-8"))["manifest"]
    return Pool(pa.concat_tables(parts).combine_chunks(), told["versions"]["laws"])


def main(most: int, prefixes: tuple[str, ...] = ("",)) -> None:
    """Extend the pools whose names begin with one of the prefixes, step by step."""
    POOLS.mkdir(parents=True, exist_ok=True)
    for size in (each for each in SIZES if each <= most):
        for name, scenario in scenarios().items():
            if name.startswith(prefixes):
                begun = time.monotonic()
                done = extend(name, scenario, size)
                print(f"{size} {name}: {done}, {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else SIZES[-1], tuple(sys.argv[2:]) or ("",))
