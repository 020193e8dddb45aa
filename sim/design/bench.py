"""Where designs are played: spins of each kept on a shelf, metrics worked out from them, designs compared.

All designs have the same starts (seed and indices), unless asked otherwise, so that differences are those of machines.
"""

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa
import pyarrow.parquet

from sim.design.estimates import Estimate, Measured, difference, unpaired_half_width
from sim.design.factors import Design
from sim.design.metrics import Metric, Variant
from sim.design.sample import Sample, sample
from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.writing import write_atomically
from sim.engines.parts import OutputRefused
from sim.engines.rulebook import rulebook_of
from sim.engines.run import Pool, Task, chunks, task_of
from sim.engines.simulated import simulated
from sim.scenario import Impossible, load_scenario

if TYPE_CHECKING:
    from sim.scenario import Scenario

_FORMAT = 2
_CHUNK = 250


class Source(Protocol):
    """Gives the spins of designs; a design is its overrides."""

    def key(self, overrides: tuple[str, ...]) -> str:
        """Digest of all that decides the spins but their number. Raises BadInput where no such machine can be."""

    def play(self, overrides: tuple[str, ...], first: int, last: int) -> Sample:
        """The spins [first, last)."""

    def variants(self, overrides: tuple[str, ...], make: Variant) -> Sequence[str]:
        """The overrides of a design's variant, to be tried in their order."""

    def scenario(self, overrides: tuple[str, ...]) -> "Scenario":
        """The machine of a design."""


class Simulation:
    """Designs of a base scenario, played by the batch engine.

    each_chunk: see `sim.engines.run.pool`. independent: every design has starts of its own.
    """

    def __init__(
        self,
        base: str,
        overrides: tuple[str, ...],
        seed: int,
        fairwheel: str,
        each_chunk: Pool,
        independent: bool = False,
    ) -> None:
        self._base, self._overrides, self._seed = base, overrides, seed
        self._fairwheel, self._each_chunk, self._independent = fairwheel, each_chunk, independent
        self._task = lru_cache(maxsize=8)(self._make_task)

    def scenario(self, overrides: tuple[str, ...]) -> "Scenario":
        """The machine of a design. Raises BadInput."""
        return load_scenario(self._base, [*self._overrides, *overrides])

    def _make_task(self, overrides: tuple[str, ...]) -> Task:
        scenario, seed = self.scenario(overrides), self._seed
        if self._independent:
            own = hashlib.sha256(json.dumps([seed, overrides]).encode()).digest()
            seed = int.from_bytes(own[:8], "big")
        return task_of(scenario, rulebook_of(scenario), seed, self._fairwheel)

    def key(self, overrides: tuple[str, ...]) -> str:
        """Digest of scenario, rulebook, seed, versions and laws. Raises BadInput."""
        task = self._task(overrides)
        told = {name: task.manifest[name] for name in ("versions", "scenario_sha256", "rulebook", "seed")}
        return hashlib.sha256(json.dumps([_FORMAT, told], sort_keys=True).encode()).hexdigest()

    def play(self, overrides: tuple[str, ...], first: int, last: int) -> Sample:
        """The spins [first, last)."""
        task = self._task(overrides)
        planned = [range(each.start + first, each.stop + first) for each in chunks(0, last - first, _CHUNK)]
        return Sample.joined(list(self._each_chunk(_played, task, planned)))

    def variants(self, overrides: tuple[str, ...], make: Variant) -> Sequence[str]:
        """The overrides of a design's variant, to be tried in their order."""
        return make(self.scenario(overrides))


def _played(task: Task, first: int, last: int) -> Sample:
    return sample(task.scenario, simulated(task.scenario, task.rulebook, task.seed, range(first, last)))


class Shelf:
    """Spins of designs by their keys; in a folder, a file each, written beside and renamed, or in memory only."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._kept: dict[str, Sample] = {}

    def get(self, key: str) -> Sample | None:
        """The spins of a design as far as there are any; a file that cannot be read counts as none."""
        if key not in self._kept and self._folder is not None:
            try:
                self._kept[key] = Sample.of_table(pyarrow.parquet.read_table(self._file(key)))
            except (OSError, ValueError, pa.ArrowException):
                return None
        return self._kept.get(key)

    def put(self, key: str, spins: Sample) -> None:
        """Keep the spins of a design. Raises OutputRefused."""
        self._kept[key] = spins
        if self._folder is not None:
            sink = io.BytesIO()
            pyarrow.parquet.write_table(spins.table(), sink, compression="zstd")
            try:
                write_atomically(self._file(key), sink.getvalue(), "--out")
            except BadInput as error:
                raise OutputRefused(str(error.faults[0])) from None

    def _file(self, key: str) -> Path:
        assert self._folder is not None
        return self._folder / f"design-{key[:32]}.parquet"


@dataclass(eq=False)
class Outcome:
    """A design as it was played.

    samples: its spins and, by their override, its variants'. scenario: the machine, where a metric takes it.
    why_not: why it cannot be.
    """

    design: Design
    key: str = ""
    samples: dict[str, Sample] = field(default_factory=dict)
    variants: dict[str, str | None] = field(default_factory=dict)
    scenario: "Scenario | None" = None
    why_not: tuple[str, ...] = ()
    _measured: dict[tuple[str, int], Measured | None] = field(default_factory=dict)

    @property
    def spins(self) -> int:
        """How many spins there are."""
        return len(self.samples[""]) if self.samples else 0

    def measured(self, metric: Metric, n: int | None = None) -> Measured | None:
        """A metric from the first n spins, by default all; None where this machine has no such thing."""
        n = self.spins if n is None else n
        at = (metric.name, n)
        if at not in self._measured:
            used = [""] if metric.variant is None else ["", self.variants.get(metric.name)]
            known = [self.samples[each].rows(slice(n)) for each in used if each is not None]
            if metric.derived is not None and known:
                assert self.scenario is not None
                known[0] = known[0].with_column(metric.name, metric.derived(self.scenario, known[0]))
            self._measured[at] = metric.of(known) if known and len(known) == len(used) else None
        return self._measured[at]

    def estimate(self, metric: Metric) -> Estimate | None:
        """A metric with its interval."""
        found = self.measured(metric) if not self.why_not else None
        return None if found is None else found.estimate


@dataclass(frozen=True, slots=True)
class Change:
    """How a metric differs from a baseline's. unpaired: half width of the interval without common starts."""

    estimate: Estimate
    unpaired: float
    paired: bool

    @property
    def gain(self) -> float | None:
        """How many times narrower common starts make the interval; None where they leave nothing uncertain."""
        return self.unpaired / self.estimate.half_width if self.estimate.half_width > 0.0 else None


def change(metric: Metric, one: Outcome, other: Outcome, paired: bool = True) -> Change | None:
    """By how much ``one`` exceeds ``other``, on the spins that both have; None where either has no such metric."""
    if one.why_not or other.why_not:
        return None
    n = min(one.spins, other.spins)
    a, b = one.measured(metric, n), other.measured(metric, n)
    if a is None or b is None:
        return None
    same = paired and one.samples[""].rows(slice(n)).content == other.samples[""].rows(slice(n)).content
    if same and metric.variant is None:
        return Change(Estimate(0.0, 0.0, 0.0, n), unpaired_half_width(a, b), True)
    return Change(difference(a, b, paired), unpaired_half_width(a, b), paired)


@dataclass(frozen=True, slots=True)
class Precision:
    """Play on, twice as many spins each time, until a metric's half width is reached, to ``most`` spins."""

    metric: Metric
    half_width: float
    most: int


@dataclass(frozen=True, slots=True)
class Bench:
    """Plays designs: ``spins`` of each, or to a precision. watch: told of every design that is done."""

    source: Source
    shelf: Shelf
    metrics: Sequence[Metric]
    spins: int
    until: Precision | None = None
    watch: Callable[[Outcome], None] = lambda outcome: None

    def outcome(self, design: Design) -> Outcome:
        """Play a design and its variants as far as they are not on the shelf."""
        why_not = self.why_not(design)
        if why_not:
            found = Outcome(design, why_not=why_not)
            self.watch(found)
            return found
        found = Outcome(design, self.source.key(design.overrides))
        for metric in self.metrics:
            if metric.variant is not None:
                found.variants[metric.name] = self._variant(design, metric.variant)
        if any(metric.derived is not None for metric in self.metrics):
            found.scenario = self.source.scenario(design.overrides)
        spins = self.spins
        self._play(found, spins)
        while self.until is not None and spins < self.until.most:
            known = found.estimate(self.until.metric)
            if known is None or known.half_width <= self.until.half_width:
                break
            spins = min(2 * spins, self.until.most)
            self._play(found, spins)
        self.watch(found)
        return found

    def why_not(self, design: Design) -> tuple[str, ...]:
        """Why a design cannot be built; empty where it can."""
        try:
            self.source.key(design.overrides)
        except BadInput as error:
            return tuple(f"{fault.field}: {fault.message}" for fault in error.faults)
        return ()

    def outcomes(self, designs: Iterable[Design]) -> list[Outcome]:
        """Play designs one after another."""
        return [self.outcome(each) for each in designs]

    def _variant(self, design: Design, make: Variant) -> str | None:
        """The override of the first variant that can be built."""
        for override in self.source.variants(design.overrides, make):
            if not self.why_not(Design((*design.overrides, override))):
                return override
        return None

    def _play(self, found: Outcome, spins: int) -> None:
        for override in dict.fromkeys(["", *found.variants.values()]):
            if override is None:
                continue
            overrides = found.design.overrides + ((override,) if override else ())
            key = self.source.key(overrides)
            kept = self.shelf.get(key)
            if kept is None or len(kept) < spins:
                begun = 0 if kept is None else len(kept)
                played = self.source.play(overrides, begun, spins)
                kept = played if kept is None else Sample.joined([kept, played])
                self.shelf.put(key, kept)
            found.samples[override] = kept.rows(slice(spins))


def impossible(reasons: Sequence[str]) -> Impossible:
    """What a source raises for a design that cannot be."""
    return Impossible([Fault(Mark(""), "design", reason) for reason in reasons])
