"""Landings of both engines from the same starts, kept on disk chunk by chunk, so that a stopped run goes on."""

import ast
import hashlib
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from docs.examples import ROOT
from docs.followed import DECIDED, SETTLED, path, settle
from sim.documents.writing import write_atomically
from sim.engines import plate_batch, wheel_batch
from sim.engines.draws import draw_pushes, draw_starts
from sim.engines.play import draw, spin
from sim.engines.rigid import Spin
from sim.landing import Landing
from sim.machines import Machine, build
from sim.scenario import Scenario, load_scenario

FOLDER = ROOT / "out" / "agreement"
CHUNKS = {"rigid": 20, "batch": 2000, "settled": 1000, "path": 10}
"""Spins that are computed and kept at a time, by engine; either is well under a minute."""
MARGINS = (-0.02, -0.01, -0.005, -0.002, 0.0, 0.002, 0.005, 0.01, 0.02)
"""J/kg, of capture, swept; that of the engine is among them."""
PATH = ("exit_apart", "bell_apart", "path_apart")
"""Columns of a path: by how much the engines' instants differ (s), and their balls up to the earlier bell (m)."""
_ENDINGS = {
    "rest": plate_batch.REST,
    "left_apparatus": plate_batch.LEFT,
    "time_limit": plate_batch.TIME_LIMIT,
}
_INSTANTS = {"exit_time": "rim_exit", "bell_time": "band"}
"""Columns of the batch engine that the rigid engine tells as events."""
_ENGINES = (
    "capture",
    "draws",
    "groove",
    "plate_batch",
    "play",
    "rigid",
    "stride",
    "watch",
    "wheel",
    "wheel_batch",
)
_WHEELS = {"clapper.py", "wheel.py", "wheel_batch.py"}
"""Files that decide the landings of pegged wheels alone."""


@dataclass(frozen=True)
class Series:
    """Spins 0 to ``count`` of a seed on a machine by one engine.

    engine: ``rigid``; ``batch``; ``settled``, the batch engine without capture, watched by `docs.followed.settle`; or
    ``path``, both engines up to the first touch of the band. stride: see `sim.engines.stride`,
    None for its own; the rigid engine and pegged wheels have none.
    """

    scenario: str
    engine: str
    count: int
    seed: int = 15
    overrides: tuple[str, ...] = ()
    stride: float | None = None

    def how(self) -> dict[str, float]:
        """What ``plan_of`` is told of the stride."""
        return {} if self.stride is None else {"stride": self.stride}

    def chunks(self) -> Iterator[range]:
        """Ranges of indices that are computed at a time."""
        size = CHUNKS[self.engine]
        return (range(first, min(first + size, self.count)) for first in range(0, self.count, size))


@lru_cache
def scenario_of(name: str, *overrides: str) -> Scenario:
    """A scenario, loaded once."""
    return load_scenario(name, overrides)


@lru_cache
def machine_of(name: str, *overrides: str) -> Machine:
    """The machine of a scenario, built once."""
    return build(scenario_of(name, *overrides))


def is_pegged(name: str) -> bool:
    """Whether a scenario's machine is a pegged wheel."""
    return scenario_of(name).machine.kind == "pegged"


def columns(series: Series) -> tuple[str, ...]:
    """Names of the columns of a series: of landings, those that both engines tell."""
    if series.engine == "path":
        return PATH
    if series.engine == "settled":
        return SETTLED + tuple(f"{name}_{margin:g}" for margin in MARGINS for name in DECIDED)
    told = {*Landing.__slots__, *_INSTANTS}
    return tuple(name for name in _all_columns(series) if name in told)


def _all_columns(series: Series) -> tuple[str, ...]:
    return wheel_batch.LANDING if is_pegged(series.scenario) else plate_batch.LANDING


def starts_of(series: Series, indices: range) -> NDArray[np.float64]:
    """The drawn inputs, a row a spin; see `sim.engines.draws`."""
    scenario = scenario_of(series.scenario, *series.overrides)
    drawn = draw_pushes if is_pegged(series.scenario) else draw_starts
    return drawn(scenario, series.seed, indices)


def play(series: Series, indices: range) -> NDArray[np.float64]:
    """Play spins; shape (n, len(columns)). What did not happen is NaN, no pocket -1."""
    machine, names = machine_of(series.scenario, *series.overrides), columns(series)
    starts = starts_of(series, indices)
    if series.engine in ("rigid", "path"):
        scenario = scenario_of(series.scenario, *series.overrides)
        drawn = (draw(scenario, series.seed, index) for index in indices)
        if series.engine == "rigid":
            return np.array([_row(spin(machine, start, stride=1.0), names) for start in drawn])
        plan = plate_batch.plan_of(machine, **series.how())
        spins = (spin(machine, start, 1e-9, stride=1.0) for start in drawn)
        return np.array([_apart(plan, row, made) for row, made in zip(starts, spins, strict=True)])
    if series.engine == "settled":
        found = np.empty((len(starts), len(names)))
        settle(plate_batch.plan_of(machine, margin=np.inf, **series.how()), starts, np.array(MARGINS), found)
        return found
    every = _all_columns(series)
    if is_pegged(series.scenario):
        found = wheel_batch.land(machine, np.ascontiguousarray(starts[:, 1:]))
    else:
        found = np.empty((len(starts), len(every)))
        plate_batch.play(plate_batch.plan_of(machine, **series.how()), starts, found)
    return found[:, [every.index(name) for name in names]]


def _row(made: Spin, names: tuple[str, ...]) -> list[float]:
    """A landing of the rigid engine in the columns of the batch engine."""
    times = {event.kind: event.time for event in made.events}
    told: dict[str, Any] = {name: getattr(made.landing, name) for name in names if name not in _INSTANTS}
    told |= {name: times.get(kind) for name, kind in _INSTANTS.items()}
    told["ending"] = _ENDINGS[made.landing.ending]
    nothing = {"pocket": -1.0, "section": -1.0}
    return [nothing.get(name, np.nan) if told[name] is None else float(told[name]) for name in names]


def _apart(plan: plate_batch.Plan, start: NDArray[np.float64], made: Spin) -> tuple[float, float, float]:
    """The columns of PATH: the batch engine's steps against the rigid engine's trace of every step."""
    rows = np.empty((200_000, 4))
    batch = rows[: path(plan, start, rows)]
    assert made.trace is not None
    times = {event.kind: event.time for event in made.events}
    bell, exit_time = times.get("band", np.inf), times["rim_exit"]
    free = made.trace[made.trace[:, 0] >= exit_time - 1e-9]
    shared = batch[batch[:, 0] <= min(bell, batch[-1, 0])]
    rigid = np.array([np.interp(shared[:, 0], free[:, 0], free[:, column]) for column in (1, 2, 3)]).T
    away = np.linalg.norm(shared[:, 1:] - rigid, axis=1)
    landing = np.empty((1, len(plate_batch.LANDING)))
    plate_batch.play(plan, start[None], landing)
    own = dict(zip(plate_batch.LANDING, landing[0], strict=True))
    return abs(own["exit_time"] - exit_time), abs(own["bell_time"] - bell), float(away.max())


@lru_cache
def _code(pegged: bool, *watched: str) -> bytes:
    """Digest of the code that decides a machine's landings, comments aside; how compiled code is kept does not."""
    sim = ROOT / "sim"
    files = [*(sim / "physics").glob("*.py"), *(sim / "machines").glob("*.py")]
    files.remove(sim / "physics" / "compiled.py")
    files += [sim / "engines" / f"{name}.py" for name in _ENGINES]
    files += [ROOT / "docs" / name for name in watched]
    read = [path for path in sorted(files) if pegged or path.name not in _WHEELS]
    trees = (ast.dump(ast.parse(path.read_text(encoding="utf-8"))) for path in read)
    return hashlib.sha256("\n".join(trees).encode()).digest()


def _file(series: Series, indices: range) -> Path:
    """Where a chunk is kept: its name says what it depends on."""
    scenario = scenario_of(series.scenario, *series.overrides)
    watched = ("followed.py",) if series.engine in ("settled", "path") else ()
    way = series.engine if series.engine == "rigid" else f"{series.engine} {series.stride}"
    digest = hashlib.sha256(
        _code(is_pegged(series.scenario), *watched) + f"{scenario.sha256} {way} {columns(series)}".encode()
    )
    digest.update(starts_of(series, indices).tobytes())
    return FOLDER / f"{series.scenario}-{series.engine}-{digest.hexdigest()[:20]}.npy"


def keep(series: Series, indices: range) -> NDArray[np.float64]:
    """The landings of a chunk, from disk where they have been computed before."""
    file = _file(series, indices)
    if file.exists():
        return np.asarray(np.load(file))
    found = play(series, indices)
    FOLDER.mkdir(parents=True, exist_ok=True)
    content = io.BytesIO()
    np.save(content, found)
    write_atomically(file, content.getvalue())
    return found


def compute(wanted: list[Series], workers: int | None = None) -> None:
    """Compute all chunks of these series that are not kept yet, the first named first."""
    calls = (joblib.delayed(_kept)(series, indices) for series in wanted for indices in series.chunks())
    joblib.Parallel(n_jobs=workers or os.cpu_count(), batch_size=1, pre_dispatch="2*n_jobs")(calls)


def _kept(series: Series, indices: range) -> None:
    keep(series, indices)


def landings(series: Series) -> dict[str, NDArray[np.float64]]:
    """The columns of a series, by name."""
    rows = np.vstack([keep(series, indices) for indices in series.chunks()])
    return dict(zip(columns(series), rows.T, strict=True))
