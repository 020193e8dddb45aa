"""What a design is judged by. Each metric is one function; its docstring says what it is, its unit stands beside it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import degrees, log, nan, pi, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from sim.design.estimates import Measure, Measured, Vector, measured
from sim.design.observer import Closing, Observer, information_of
from sim.design.sample import Floats, Sample
from sim.inspection.predictability import FEWEST
from sim.scenario import PlateScenario
from sim.scenario.hollows import Points

if TYPE_CHECKING:
    from sim.scenario import Scenario

Kind = Literal["plate", "pegged"]
Variant = Callable[["Scenario"], Sequence[str]]
"""Overrides of which the first that can be built makes a design's variant; none where the machine has no such thing."""
Derived = Callable[["Scenario", Sample], Floats]
"""A value of each spin, (n,), from the machine and all of its spins."""
USUAL_OBSERVER = Observer(timing=0.02, physics=0.03)
"""Assumed where a study names no other."""

Value = float | Floats | Vector

TILT_STEP = 0.3
"""deg"""
HOLLOW_STEP = 1.0
"""mm"""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric.

    variant: another machine to be played beside the design's own, from the same starts. derived: a value of each spin
    that takes the machine and all of its spins; the measure finds it as a column of the metric's name. fewest: spins.
    """

    name: str
    title: str
    unit: str
    kinds: tuple[Kind, ...]
    about: str
    measure: Measure
    share: bool = False
    variant: Variant | None = None
    derived: Derived | None = None
    fewest: int = 0

    @property
    def is_costly(self) -> bool:
        """Whether it takes as long as the spins themselves, so that it is worked out only where it is asked for."""
        return self.derived is not None

    def of(self, samples: Sequence[Sample]) -> Measured:
        """The metric of a design's spins, followed by those of its variant where there is one."""
        return measured(self.measure, samples, self.share)


METRICS: dict[str, Metric] = {}
_BOTH: tuple[Kind, ...] = ("plate", "pegged")
_PLATE: tuple[Kind, ...] = ("plate",)
_WHEEL: tuple[Kind, ...] = ("pegged",)


def _metric(
    title: str, unit: str, kinds: tuple[Kind, ...], share: bool = False, variant: Variant | None = None
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Enter a function of the spins of a design (and of its variant) into METRICS."""

    def enter(function: Callable[..., Value]) -> Callable[..., Value]:
        name, about = function.__name__, " ".join(str(function.__doc__).split())

        def measure(samples: Sequence[Sample]) -> Value:
            return function(*samples)

        METRICS[name] = Metric(name, title, unit, kinds, about, measure, share, variant)
        return function

    return enter


def of_kind(kind: Kind) -> Mapping[str, Metric]:
    """The metrics of a kind of machine."""
    return {name: metric for name, metric in METRICS.items() if kind in metric.kinds}


def _quantile(values: Floats, share: float) -> float:
    return float(np.quantile(values, share)) if len(values) else nan


# --- plate machines ---------------------------------------------------------------------------------------------------


@_metric("Off-pocket share", "", _PLATE, share=True)
def off_pocket(spins: Sample) -> Floats:
    """Share of all spins in which the ball rests in no hollow."""
    return spins["off_pocket"]


@_metric("Settling, median", "s", _PLATE)
def settling_median(spins: Sample) -> float:
    """Median time from the first touch of the band to rest."""
    return _quantile(spins.known("settling_s"), 0.5)


@_metric("Settling, 95 %", "s", _PLATE)
def settling_95(spins: Sample) -> float:
    """Time from the first touch of the band to rest that 95 % of the spins stay below."""
    return _quantile(spins.known("settling_s"), 0.95)


@_metric("Hops", "per spin", _PLATE)
def hops(spins: Sample) -> Floats:
    """Mean number of flights between two contacts that last at least the scenario's hop time."""
    return spins["hops"]


@_metric("Scatter", "pockets", _PLATE)
def scatter(spins: Sample) -> float:
    """Circular standard deviation, sqrt(-2 ln R), of the pockets travelled on the plate from first touch to rest."""
    length = _resultant(spins)
    return spins.facts["cells"] / (2.0 * pi) * sqrt(-2.0 * log(length)) if 0.0 < length <= 1.0 else nan


@_metric("Scatter, resultant", "", _PLATE)
def scatter_resultant(spins: Sample) -> float:
    """Mean resultant length R of the way on the plate from first touch to rest: 1 always the same, 0 any alike."""
    return _resultant(spins)


@_metric("Scatter, entropy", "bits", _PLATE)
def scatter_entropy(spins: Sample) -> float:
    """Entropy of the pockets travelled from first touch to rest, with Miller and Madow's correction for few spins."""
    cells = int(spins.facts["cells"])
    places = np.round(spins.known("travel")).astype(np.int64) % cells
    counts = np.bincount(places, minlength=cells)
    shares = counts[counts > 0] / max(len(places), 1)
    return float(
        -(shares * np.log2(shares)).sum() + (len(shares) - 1) / (2.0 * log(2.0) * max(len(places), 1))
    )


@_metric("Decided by the first hollow", "", _PLATE, share=True)
def first_hollow(spins: Sample) -> Floats:
    """Share of all spins in which the ball rests in the first hollow that it was in."""
    return np.asarray(spins["first_hollow"] == spins["rest_index"], dtype=np.float64)


@_metric("Impacts", "J per spin", _PLATE)
def impact_energy(spins: Sample) -> Floats:
    """Mean energy of all impacts of a spin, half the ball's mass times the square of the approach: wear."""
    return np.asarray(spins.facts["ball_kg"] * spins["impact_j_kg"])


@_metric("Hardest impact, 99 %", "J", _PLATE)
def hardest_impact(spins: Sample) -> float:
    """Energy of a spin's hardest impact that 99 % of the spins stay below: what a lip has to bear."""
    return _quantile(spins.facts["ball_kg"] * spins.known("max_impact_j_kg"), 0.99)


def _tilted(scenario: "Scenario") -> Sequence[str]:
    """The machine out of level by `TILT_STEP` more, towards its own low side."""
    if not isinstance(scenario, PlateScenario):
        return ()
    tilt, side = degrees(scenario.level.tilt) + TILT_STEP, degrees(scenario.level.low_side)
    return (f"level={{tilt: {tilt!r} deg, low_side: {side!r} deg}}",)


@_metric("Drop zone by tilt", "per 0.1 deg", _PLATE, variant=_tilted)
def tilt_drop(spins: Sample, tilted: Sample) -> Vector:
    """Change of the drop azimuths' mean vector (length 0 to 1) by a tilt of 0.3 deg, over 3, less chance."""
    return _moved(spins["drop_angle_deg"] / 360.0, tilted["drop_angle_deg"] / 360.0)


@_metric("Pockets by tilt", "per 0.1 deg", _PLATE, variant=_tilted)
def tilt_pocket(spins: Sample, tilted: Sample) -> Vector:
    """Change of the mean vector (length 0 to 1) of the pockets round the ring by a tilt of 0.3 deg, over 3: its length,
    less chance.
    """
    cells = spins.facts["cells"]
    return _moved(spins["rest_index"] / cells, tilted["rest_index"] / cells)


def _one_hollow(name: str) -> Variant:
    """Hollow 0 larger by `HOLLOW_STEP` or, where that cannot be built, as much smaller."""

    def variant(scenario: "Scenario") -> Sequence[str]:
        if not isinstance(scenario, PlateScenario) or isinstance(scenario.machine.hollow, Points):
            return ()
        if scenario.machine.hollows.faults:
            return ()
        size = 1e3 * getattr(scenario.machine.hollow, name)
        sizes = (size + HOLLOW_STEP, size - HOLLOW_STEP)
        return [f"machine.hollows.faults=[{{hollow: 0, {name}: {each!r} mm}}]" for each in sizes]

    return variant


@_metric("One hollow deeper", "relative per 0.1 mm", _PLATE, variant=_one_hollow("depth"))
def one_deeper(spins: Sample, other: Sample) -> Floats:
    """Change of the share of a hollow made 1 mm deeper, over its fair share, scaled to 0.1 mm."""
    return _gain(spins, other, "first_depth_mm")


@_metric("One hollow wider", "relative per 0.1 mm", _PLATE, variant=_one_hollow("mouth_radius"))
def one_wider(spins: Sample, other: Sample) -> Floats:
    """Change of the share of a hollow whose mouth radius is made 1 mm larger (smaller, where that cannot be built),
    over its fair share, scaled to 0.1 mm larger.
    """
    return _gain(spins, other, "first_mouth_mm")


def _gain(spins: Sample, other: Sample, size: str) -> Floats:
    change = (other["rest_index"] == 0).astype(np.float64) - (spins["rest_index"] == 0)
    return np.asarray(change * spins.facts["cells"] * 0.1 / (other.facts[size] - spins.facts[size]))


def _moved(turns: Floats, others: Floats) -> Vector:
    """The mean of exp(2 pi i others) - exp(2 pi i turns), by 0.1 deg of the tilt."""
    both = np.isfinite(turns) & np.isfinite(others)
    change = np.exp(2j * pi * others[both]) - np.exp(2j * pi * turns[both])
    moved = complex(change.mean()) * 0.1 / TILT_STEP if len(change) else complex(nan, nan)
    return Vector(np.array([moved.real, moved.imag]), 2)


def _resultant(spins: Sample) -> float:
    travel = spins.known("travel")
    return float(abs(np.exp(2j * pi * travel / spins.facts["cells"]).mean())) if len(travel) else nan


# --- pegged wheels ----------------------------------------------------------------------------------------------------


@_metric("Turns, median", "turns", _WHEEL)
def turns_median(spins: Sample) -> float:
    """Median number of turns up to the wheel's first reversal."""
    return _quantile(spins.known("turns"), 0.5)


@_metric("Energy per peg", "J", _WHEEL)
def peg_energy(spins: Sample) -> Floats:
    """Mean energy that the clapper takes at each peg: the push's less the bearing's share, over the pegs passed."""
    return spins["peg_energy_j"]


@_metric("On a peg", "", _WHEEL, share=True)
def on_peg(spins: Sample) -> Floats:
    """Share of all spins in which the indicator rests on a peg."""
    return spins["on_peg"]


@_metric("Roll-back, median", "deg", _WHEEL)
def roll_back(spins: Sample) -> float:
    """Median angle by which the wheel turns back before it rests."""
    return _quantile(spins.known("roll_back_deg"), 0.5)


@_metric("Total rotation, resultant", "", _WHEEL)
def rotation_resultant(spins: Sample) -> float:
    """Mean resultant length of the turns from push to rest, whole turns left out: 0 all places alike, 1 one place."""
    return float(abs(np.exp(2j * pi * spins.known("turns_net")).mean()))


# --- both -------------------------------------------------------------------------------------------------------------


@_metric("Void share", "", _BOTH, share=True)
def void(spins: Sample) -> Floats:
    """Share of all spins that the rulebook gives no result, whatever the reason."""
    return spins["void"]


@_metric("Duration, median", "s", _BOTH)
def duration_median(spins: Sample) -> float:
    """Median time from launch to rest."""
    return _quantile(spins.known("duration_s"), 0.5)


@_metric("Duration, 95 %", "s", _BOTH)
def duration_95(spins: Sample) -> float:
    """Time from launch to rest that 95 % of the spins stay below."""
    return _quantile(spins.known("duration_s"), 0.95)


@_metric("Unevenness", "", _BOTH)
def unevenness(spins: Sample) -> Vector:
    """Root mean square of the pockets' relative excess over an equal share, less what chance adds; never below 0."""
    cells, rest = int(spins.facts["cells"]), spins.known("rest_index").astype(np.int64)
    shares = np.bincount(rest, minlength=cells) / len(rest) if len(rest) else np.full(cells, nan)
    return Vector(np.asarray((cells * shares - 1.0) / sqrt(cells)), cells - 1)


def _informed(observer: Observer, closing: Closing | None) -> Derived:
    return lambda scenario, spins: information_of(scenario, spins, observer, closing)


@_metric("Predictability", "bits", _BOTH)
def predictability(spins: Sample) -> Floats:
    """Mean information of an observer who times ball and plate, when bets close, on spins that he has not learnt from;
    below 0 where chance misled him.
    """
    return spins["predictability"]


def seen_by(observer: Observer, closing: Closing | None = None) -> Metric:
    """Predictability by this observer. closing: None for the usual one."""
    return replace(METRICS[PREDICTABILITY], derived=_informed(observer, closing), fewest=FEWEST)


PREDICTABILITY = predictability.__name__
METRICS[PREDICTABILITY] = seen_by(USUAL_OBSERVER)
