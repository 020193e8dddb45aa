"""The parts of a study's file, as they are written."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from sim.design.factors import Factor, Sampling
from sim.design.metrics import USUAL_OBSERVER, Metric, seen_by
from sim.design.observer import Closing, Observer
from sim.documents.document import shown
from sim.documents.units import Duration, Length, Ratio
from sim.scenario.model import Model

MOST_SPINS = 10_000_000
FEWEST_SPINS = 100

Spins = Annotated[int, Field(ge=FEWEST_SPINS, le=MOST_SPINS)]
Seed = Annotated[int, Field(ge=0, lt=2**64)]


class Until(Model):
    """Play a design on, twice as many spins each time, until a metric is known well enough."""

    metric: str
    half_width: Annotated[float, Field(gt=0)]
    most: Spins


class Sensitivity(Model):
    """Which factors matter over their ranges (SALib). count: of base points (Sobol) or trajectories (Morris)."""

    method: Literal["sobol", "morris"]
    count: Annotated[int, Field(ge=2, le=100_000)]
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    tornado: bool = True
    """both ends of every factor too, the others as in the base"""

    def block(self, factors: int) -> int:
        """Designs that stand or fall together: a base point and its changes, or a trajectory."""
        return factors + (2 if self.method == "sobol" else 1)

    def designs(self, factors: int) -> int:
        """How many there are, but for the base."""
        return self.count * self.block(factors) + (2 * factors if self.tornado else 0)


class Objective(Model):
    """What is to be made large or small."""

    metric: str
    goal: Literal["minimise", "maximise"]


class Constraint(Model):
    """What a design must keep to."""

    metric: str
    at_least: float | None = None
    at_most: float | None = None


class Optimise(Model):
    """Search in fixed batches. spins of the study are for a trial, final_spins for the front, from fresh starts."""

    objectives: Annotated[tuple[Objective, ...], Field(min_length=1, max_length=4)]
    constraints: tuple[Constraint, ...] = ()
    trials: Annotated[int, Field(ge=2, le=100_000)]
    batch: Annotated[int, Field(ge=1, le=1000)] = 8
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    final_spins: Spins
    final_seed: Seed


class Tolerance(Model):
    """How far a dimension of single hollows strays, normally; and the larger step by which its effect is measured."""

    of: Literal["depth", "mouth_radius", "lip_radius"]
    sd: Annotated[Length, Field(gt=0)]
    step: Annotated[Length, Field(gt=0)]


class Tolerances(Model):
    """From the tolerances of every hollow to the bias of the machines that are made with them."""

    dimensions: Annotated[tuple[Tolerance, ...], Field(min_length=1)]
    machines: Annotated[int, Field(ge=100, le=1_000_000)] = 10_000
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    check_spins: Spins
    """of one machine, drawn and played, against which the whole is held"""


class Observing(Model):
    """Who watches, for the predictability; see `sim.design.observer.Observer`. What is not written is assumed."""

    timing: Annotated[Duration, Field(ge=0, le=10)] = USUAL_OBSERVER.timing
    physics: Annotated[Ratio, Field(ge=0, le=0.5)] = USUAL_OBSERVER.physics
    before: Annotated[Duration, Field(ge=0, le=600)] = USUAL_OBSERVER.before
    closing: Closing | None = None
    """by the rulebook or, where it does not say, the first touch of the band or a wheel's push"""

    @property
    def metric(self) -> Metric:
        """The predictability by this observer."""
        return seen_by(Observer(self.timing, self.physics, self.before), self.closing)

    @property
    def words(self) -> str:
        """Who he is, in a sentence, and what of it is assumed."""
        parts = {
            "timing": f"passes timed to {1e3 * self.timing:g} ms",
            "physics": f"the groove's deceleration known to {100 * self.physics:g} %",
            "before": f"decided {self.before:g} s before bets close",
        }
        told = (
            text + ("" if name in self.model_fields_set else " (assumed)") for name, text in parts.items()
        )
        closing = "as the rulebook says" if self.closing is None else f"at {self.closing}"
        return f"Observer: {', '.join(told)}; bets close {closing}."


def _name(given: str) -> str:
    if not re.fullmatch(r"[\w-]{1,60}", given):
        raise ValueError(f"must be 1 to 60 letters, digits, _ and -; given {shown(given)}")
    return given


class StudyFile(Model):
    """A study as it is written."""

    name: Annotated[str, AfterValidator(_name)]
    title: str
    base: Annotated[str, Field(min_length=1)]
    set: tuple[str, ...] = ()
    """overrides of the base, ``PATH=VALUE``"""
    factors: tuple[Factor, ...] = ()
    sampling: Sampling | None = None
    sensitivity: Sensitivity | None = None
    optimise: Optimise | None = None
    tolerances: Tolerances | None = None
    metrics: Annotated[tuple[str, ...], Field(min_length=1)]
    observer: Observing | None = None
    spins: Spins
    until: Until | None = None
    seed: Seed = 0
    starts: Literal["common", "independent"] = "common"
    """the same launches for every design, or others for each"""

    @property
    def watched_by(self) -> Observing:
        """The observer, written or assumed."""
        return self.observer or Observing()
