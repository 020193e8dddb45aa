"""Figures of how well the engines agree: with each other, with themselves at other steps, capture with settling."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docs.compared import Series, landings
from docs.distances import Estimate, distance, mean_difference, noise, share, share_difference

TILTED = ("level={tilt: 0.3 deg, low_side: 40 deg}",)
Columns = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Row:
    """One figure of the page, its interval, and the bound that it is held to; None where it is only shown."""

    what: str
    count: int
    found: Estimate
    bound: float | None = None
    unit: str = ""

    @property
    def holds(self) -> bool:
        """Whether the figure, its sign aside, is within its bound."""
        return self.bound is None or abs(self.found.value) <= self.bound

    def __str__(self) -> str:
        found, unit = self.found, f" {self.unit}" if self.unit else ""
        within = "" if found.low == found.high else f"{found.low:.3g} to {found.high:.3g}"
        bound = "" if self.bound is None else f"{self.bound:.3g}{unit}"
        verdict = "" if self.bound is None else "holds" if self.holds else "**does not hold**"
        return f"| {self.what} | {self.count} | {found.value:.3g}{unit} | {within} | {bound} | {verdict} |"


HEAD = "| | spins | found | 95 % interval | bound | |\n|---|---:|---:|---:|---:|---|\n"


def exact(value: float) -> Estimate:
    """A figure without an interval."""
    return Estimate(value, value, value)


def spread(found: Columns) -> Columns:
    """Rest offset, settling time and hops of the spins that came to rest in a hollow, NaN for others."""
    rests = found["pocket"] >= 0
    values = {
        "rest offset": found["offset"],
        "settling time": found["duration"] - found["bell_time"],
        "hops": found["hops"],
    }
    return {name: np.where(rests, column, np.nan) for name, column in values.items()}


def compare(one: Columns, other: Columns, ks: float, points: float | None = None) -> Iterator[Row]:
    """Distances of the spreads, held to ``ks``, and difference of the off-pocket shares, held to percentage points.

    On a plate at rest settling times and offsets have lumps, for then most balls go the same way: their means are held
    instead.
    """
    count = len(one["pocket"])
    lumps = not one["plate_turns"].any()
    ours, theirs = spread(one), spread(other)
    for name in ours:
        bound = None if lumps and name != "hops" else ks
        yield Row(f"{name}: KS distance", count, distance(ours[name], theirs[name]), bound)
    for name in ("rest offset", "settling time"):
        mean = float(np.nanmean(ours[name])) / 100
        apart = mean_difference(ours[name] / mean, theirs[name] / mean)
        held = 0.5 if lumps and count >= (500 if name == "settling time" else 20_000) else None
        yield Row(f"{name}: mean difference", count, apart, held, "%")
    found = share_difference(one["pocket"] < 0, other["pocket"] < 0)
    yield Row("off-pocket share: difference", count, _times(found, 100), points, "points")


def same_bits(one: Columns, other: Columns) -> int:
    """In how many spins every column that both engines tell is equal to the bit."""
    told = [name for name in one if not np.isnan(one[name]).all()]
    equal = [(one[name] == other[name]) | (np.isnan(one[name]) & np.isnan(other[name])) for name in told]
    return int(np.all(equal, axis=0).sum())


def rigid_rows(name: str, count: int, paths: int) -> Iterator[Row]:
    """T15 on a plate machine; the path of so many spins."""
    rigid, batch = landings(Series(name, "rigid", count)), landings(Series(name, "batch", count))
    exits = float(np.nanmax(np.abs(rigid["exit_time"] - batch["exit_time"])))
    yield Row("exit from the groove: largest difference", count, exact(exits), 1e-9, "s")
    apart = {column: float(values.max()) for column, values in landings(Series(name, "path", paths)).items()}
    yield Row("path to the bell: largest distance", paths, exact(1e3 * apart["path_apart"]), 1.0, "mm")
    yield Row("bell: largest difference", paths, exact(1e3 * apart["bell_apart"]), None, "ms")
    unlike = count - same_bits(rigid, landings(Series(name, "batch", count, stride=1.0)))
    yield Row("stride 1: spins that differ in any bit", count, exact(unlike), 0)
    yield from compare(rigid, batch, 0.05 if count >= 2000 else noise(count))


def stride_rows(name: str, count: int) -> Iterator[Row]:
    """The default stride against the solver's steps, which are the rigid engine's."""
    one, other = (landings(Series(name, "batch", count, stride=stride)) for stride in (1.0, None))
    yield from compare(one, other, max(0.02, noise(count)), 0.3 if count >= 20_000 else None)


def step_rows(name: str, one: str, other: str, count: int) -> Iterator[Row]:
    """T14: two of the solver's steps, the default stride in both."""
    coarse, fine = (landings(step_series(name, step, count)) for step in (one, other))
    yield from compare(coarse, fine, max(0.02, noise(count)), 0.3 if count >= 20_000 else None)
    for column, text in (("exit_time", "exit from the groove"), ("bell_time", "bell")):
        apart = mean_difference(1e3 * coarse[column], 1e3 * fine[column])
        yield Row(f"{text}: mean difference", count, apart, None, "ms")


def step_series(name: str, step: str, count: int) -> Series:
    """A machine at one of the solver's steps."""
    return Series(name, "batch", count, overrides=(f"solver.step={step}",))


def wheel_rows(name: str, count: int) -> Iterator[Row]:
    """Turns and sections of a pegged wheel."""
    rigid, batch = landings(Series(name, "rigid", count)), landings(Series(name, "batch", count))
    for column, text in (("turns_forward", "forward turns"), ("turns_net", "net turns")):
        apart = 100 * np.abs(batch[column] / rigid[column] - 1.0)
        yield Row(f"{text}: largest relative difference", count, exact(float(apart.max())), 5.0, "%")
        yield Row(f"{text}: median relative difference", count, exact(float(np.median(apart))), None, "%")
    sections = np.abs((batch["section"] - rigid["section"] + 26) % 52 - 26)
    yield Row("equal sections", count, _times(share(int((sections == 0).sum()), count), 100), None, "%")
    yield Row("sections apart at most", count, exact(float(sections.max())), 1)
    yield Row("duration: KS distance", count, distance(rigid["duration"], batch["duration"]), noise(count))


def _times(estimate: Estimate, scale: float) -> Estimate:
    return Estimate(scale * estimate.value, scale * estimate.low, scale * estimate.high)


@dataclass(frozen=True)
class Capture:
    """What a margin decides: of ``count`` spins ``rested`` in a hollow, ``decided`` early, ``wrong`` among these.

    ahead: s, mean from the decision to rest. saved: share of all steps that come after it.
    """

    count: int
    rested: int
    decided: int
    wrong: int
    ahead: float
    saved: float


def capture(found: Columns, margin: float) -> Capture:
    """The first decision of each spin against the hollow that the ball, settled in full, rests in."""
    hollow, time, steps = (
        found[f"{name}_{margin:g}"] for name in ("decided", "decided_time", "decided_steps")
    )
    decided = hollow >= 0
    right = decided & (hollow == found["pocket"])
    return Capture(
        len(hollow),
        int((found["pocket"] >= 0).sum()),
        int(decided.sum()),
        int((decided & ~right).sum()),
        float((found["duration"] - time)[right].mean()),
        float((found["steps"] - steps)[right].sum() / found["steps"].sum()),
    )
