"""What tilt does to a machine, by simulation: to pocket counts (F1), drop zone (F4) and predictability (F5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.design.observer import Observer, predictability_of, usual_closing
from sim.design.simulating import Columns, Watch, columns, level_override
from sim.inspection.bias import chi_square_p
from sim.inspection.lab import azimuth
from sim.inspection.noncentral import amplitude, amplitude_interval
from sim.inspection.statistics import Counts, Floats, chi_square

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim.rules.rulebook import Rulebook
    from sim.scenario import Scenario

SEEN = 0.001
"""p below which an effect is taken as shown."""


@dataclass(frozen=True, slots=True)
class Size:
    """An effect with its interval; p of none, None where it is not tested."""

    value: float
    low: float
    high: float
    p: float | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """One tilt (rad) and what it does.

    holes, symbols: F1, rms deviation of a hole's share (a symbol's) from fair, relative; symbols None where each has
    one hole. drops: F4, mean resultant of the drop azimuths; None where no ball dropped. bits: F5, of a spin.
    """

    tilt: float
    spins: int
    holes: Size
    symbols: Size | None
    drops: Size | None
    bits: Size

    def sizes(self) -> dict[str, Size]:
        """By their names: F1, F1.symbols, F4, F5."""
        named = {"F1": self.holes, "F1.symbols": self.symbols, "F4": self.drops, "F5": self.bits}
        return {name: size for name, size in named.items() if size is not None}


@dataclass(frozen=True, slots=True)
class Crossing:
    """The tilt (rad) at which a measure first crosses a bound; None where it does not as far as the curve goes.

    falls: whether it lies above the bound on a level machine, and so falls below it. earliest, latest: where the ends
    of its interval cross.
    """

    measure: str
    bound: float
    falls: bool
    tilt: float | None
    earliest: float | None
    latest: float | None


def curve(
    load: "Callable[[Sequence[str]], Scenario]",
    rulebook: "Rulebook",
    tilts: Sequence[float],
    spins: int,
    seed: int,
    observer: Observer,
    confidence: float,
    progress: Watch | None = None,
) -> Iterator[Point]:
    """Simulate the machine at every tilt, with the same draws, and measure it. load: overrides -> scenario."""
    plain = load([])
    for tilt in tilts:
        machine = load([level_override(plain, tilt)])
        yield measure(
            machine, rulebook, columns(machine, rulebook, seed, spins, progress), tilt, observer, confidence
        )


def measure(
    machine: "Scenario",
    rulebook: "Rulebook",
    spins: Columns,
    tilt: float,
    observer: Observer,
    confidence: float,
) -> Point:
    """The measures of simulated spins."""
    ring = machine.machine.ring
    valid = spins["valid"].astype(bool)
    counts = np.bincount(spins["rest_index"][valid].astype(np.int64), minlength=len(ring))
    symbols = list(dict.fromkeys(ring))
    shared = None
    if len(symbols) < len(ring):
        code = np.array([symbols.index(symbol) for symbol in ring])
        by_symbol = np.bincount(code, weights=counts, minlength=len(symbols)).astype(np.int64)
        shared = _uneven(by_symbol, np.bincount(code) / len(ring), confidence)
    drops = None
    found = azimuth("F4", np.radians(spins["drop_angle_deg"][valid]), confidence, "a drop azimuth").result
    if found.effect is not None and found.interval is not None:
        drops = Size(found.effect, *found.interval, found.p)
    seen = predictability_of(machine, rulebook, spins, observer, usual_closing(machine, rulebook), confidence)
    return Point(
        tilt=tilt,
        spins=len(valid),
        holes=_uneven(counts, np.full(len(ring), 1.0 / len(ring)), confidence),
        symbols=shared,
        drops=drops,
        bits=Size(seen.bits, *seen.bits_interval),
    )


def _uneven(counts: Counts, shares: Floats, confidence: float) -> Size:
    """How uneven counts are: rms deviation of a share from fair, relative."""
    n, df = int(counts.sum()), len(counts) - 1
    if n == 0:
        return Size(0.0, 0.0, 0.0)
    statistic = float(chi_square(counts[None], shares)[0])
    low, high = amplitude_interval(statistic, df, n, confidence)
    return Size(amplitude(statistic, df, n), low, high, float(chi_square_p(counts[None], shares)[0]))


def crossing(points: Sequence[Point], name: str, bound: float) -> Crossing:
    """Where a measure crosses a bound, linear between the tilts. name: of `Point.sizes`."""
    tilts = [point.tilt for point in points if name in point.sizes()]
    sizes = [point.sizes()[name] for point in points if name in point.sizes()]
    falls = bool(sizes) and sizes[0].value > bound
    sign = -1.0 if falls else 1.0
    value, high, low = (
        _first(tilts, [sign * getattr(size, end) for size in sizes], sign * bound)
        for end in ("value", "high", "low")
    )
    return Crossing(name, bound, falls, value, low if falls else high, high if falls else low)


def _first(tilts: Sequence[float], values: Sequence[float], bound: float) -> float | None:
    for i, value in enumerate(values):
        if value > bound:
            if i == 0:
                return tilts[0]
            share = (bound - values[i - 1]) / (value - values[i - 1])
            return tilts[i - 1] + share * (tilts[i] - tilts[i - 1])
    return None


def hides(points: Sequence[Point], machine: "Scenario") -> list[str]:
    """Whether the machine hides a tilt, as the curve shows it, and why; a sentence each."""
    last, angle = points[-1], np.degrees(points[-1].tilt)
    told = []
    shown = last.drops is not None and last.drops.p is not None and last.drops.p < SEEN
    counted = last.holes.p is not None and last.holes.p < SEEN
    if shown and not counted:
        told.append(f"This machine hides tilt from its counts: at {angle:.3g} deg the drops gather, yet F1")
        told.append(f"finds nothing in {last.spins} spins: {_reason(machine)}")
        told.append("Look for tilt in the lab: by drop azimuths, or with a level.")
    if counted:
        told.append(
            f"This machine shows tilt in its counts: at {angle:.3g} deg F1 finds it in {last.spins} spins."
        )
    if last.symbols is not None and counted and last.symbols.high < last.holes.low:
        told.append("Counted by symbol it hides part of it: equal symbols stand apart and even each")
        told.append("other out. Count holes.")
    if not shown and not counted:
        told.append(f"Up to {angle:.3g} deg neither drops nor counts show the tilt in {last.spins} spins.")
    return told


def _reason(machine: "Scenario") -> str:
    """Why counts do not tell a tilt."""
    launch = getattr(machine, "launch", None)
    if launch is not None and float(launch.plate_speed.quantile(np.array([0.5]))[0]) > 0.0:
        return "the plate turns and stands anywhere when the ball comes down."
    return "the ball forgets where it dropped before it rests."
