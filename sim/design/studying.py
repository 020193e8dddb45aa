"""A study carried out: which designs, what each came to, and how they differ from the base."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sim.design.bench import Bench, Outcome, Precision, Shelf, Source, change
from sim.design.estimates import plain
from sim.design.factors import Axis, Design, Sampling, sampled
from sim.design.metrics import PREDICTABILITY, Metric
from sim.design.study_file import Study
from sim.design.study_model import Observing

Watch = Callable[[Outcome], None]
INTERVAL = "95 %; shares: Wilson, of differences Agresti & Min; others: jackknife over 50 blocks, paired"


@dataclass(frozen=True)
class Found:
    """What a study came to. base: the base itself. outcomes: of the designs, in order. paired: starts were common."""

    study: Study
    base: Outcome
    outcomes: list[Outcome]
    paired: bool

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The factors."""
        return self.study.axes

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order of the file."""
        return self.study.metrics


def designs_of(study: Study) -> list[Design]:
    """The designs of a study that samples its factors."""
    return list(sampled(study.file.sampling or Sampling(), study.axes))


def bench_of(study: Study, source: Source, shelf: Shelf, watch: Watch) -> Bench:
    """The bench on which a study's designs are played."""
    until = study.file.until
    precision = None if until is None else Precision(study.metric(until.metric), until.half_width, until.most)
    return Bench(source, shelf, study.metrics, study.file.spins, precision, watch)


def carry_out(study: Study, bench: Bench, designs: Sequence[Design]) -> Found:
    """Play the base and the designs."""
    return Found(study, bench.outcome(Design(())), bench.outcomes(designs), study.file.starts == "common")


def row(found: Found, number: int, outcome: Outcome) -> dict[str, Any]:
    """A design as plain data: its factors, its metrics, and their differences to the base."""
    factors = dict(zip((axis.path for axis in found.axes), outcome.design.texts, strict=False))
    called = [axis.called(text) for axis, text in zip(found.axes, outcome.design.texts, strict=False)]
    told: dict[str, Any] = {"design": number, "factors": factors, "called": called, "spins": outcome.spins}
    if outcome.why_not:
        return told | {"impossible": list(outcome.why_not)}
    metrics: dict[str, Any] = {}
    for metric in found.metrics:
        estimate = outcome.estimate(metric)
        if estimate is None:
            metrics[metric.name] = None
            continue
        differs = change(metric, outcome, found.base, found.paired)
        told_change: dict[str, Any] | None = None
        if differs is not None and outcome is not found.base:
            told_change = {
                **plain(differs.estimate),
                "unpaired_half_width": differs.unpaired,
                "narrower": differs.gain,
            }
        metrics[metric.name] = {**plain(estimate), "to_base": told_change}
    return told | {"metrics": metrics}


def as_plain(found: Found) -> dict[str, Any]:
    """A sampled study as one JSON document."""
    return {
        "study": found.study.file.name,
        "base": {"name": found.study.scenario.name, "sha256": found.study.scenario.sha256},
        "seed": found.study.file.seed,
        "starts": found.study.file.starts,
        "interval": INTERVAL,
        "assumed": len(found.study.scenario.assumed),
        "metrics": {m.name: {"title": m.title, "unit": m.unit, "about": m.about} for m in found.metrics},
        "base_design": row(found, 0, found.base),
        "designs": [row(found, i, each) for i, each in enumerate(found.outcomes, 1)],
        "neighbours": neighbours(found),
        **watched(found.metrics, found.study.file.watched_by),
        **_precision(found),
    }


def _precision(found: Found) -> dict[str, Any]:
    """Which designs are not known as well as was asked for; 0 is the base."""
    until = found.study.file.until
    if until is None:
        return {}
    metric = found.study.metric(until.metric)
    known = ((i, each.estimate(metric)) for i, each in enumerate([found.base, *found.outcomes]))
    short = [
        i for i, estimate in known if estimate is not None and not estimate.half_width <= until.half_width
    ]
    words = f"{metric.title} to {until.half_width:g} {metric.unit}".rstrip()
    return {"precision": {"asked": words, "most": until.most, "not_reached": short}}


def watched(metrics: Sequence[Metric], observer: Observing) -> dict[str, str]:
    """Who watches, where a metric takes an observer."""
    return {"observer": observer.words} if any(each.name == PREDICTABILITY for each in metrics) else {}


def neighbours(found: Found) -> dict[str, Any]:
    """How many times narrower common starts make the interval of a difference between neighbours of a grid.

    Neighbours differ in one factor by one step. Medians over all pairs; null where there are none.
    """
    told: dict[str, Any] = {}
    places = [{x: i for i, x in enumerate(sorted(set(axis.numbers)))} for axis in found.axes]
    if found.study.kind != "sampling" or not found.paired or not all(places):
        return told
    steps = {
        tuple(place.get(x, -1) for place, x in zip(places, each.design.numbers, strict=True)): each
        for each in found.outcomes
        if not each.why_not and each.design.numbers
    }
    for metric in found.metrics:
        gains = []
        for at, one in steps.items():
            for i in range(len(at)):
                other = steps.get((*at[:i], at[i] + 1, *at[i + 1 :]))
                differs = None if other is None else change(metric, other, one)
                if differs is not None and differs.gain is not None:
                    gains.append(differs.gain)
        gains.sort()
        told[metric.name] = {"pairs": len(gains), "narrower": gains[len(gains) // 2] if gains else None}
    return told
