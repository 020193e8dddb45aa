"""A source whose spins are a function of the factors: what every study must find in it is known."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sim.design.analyses import Analysed, analyse
from sim.design.bench import Shelf, impossible
from sim.design.metrics import Metric
from sim.design.sample import Sample
from sim.design.study_file import Study
from sim.design.study_model import StudyFile
from sim.scenario import load_scenario

Function = Callable[[dict[str, float]], float]


def mean_of(name: str, share: bool = False) -> Metric:
    return Metric(name, name, "", ("plate",), "Mean.", lambda samples: samples[0][name], share)


class Synthetic:
    """Spin i of a design has y = f(factors) + noise of its start; a start is (seed, i), common to all designs."""

    def __init__(self, functions: dict[str, Function], noise: float = 0.0, seed: int = 0, limit=None) -> None:
        self.functions, self.noise, self.seed, self.limit = functions, noise, seed, limit
        self.played = 0

    def values(self, overrides: tuple[str, ...]) -> dict[str, float]:
        parted = (each.partition("=") for each in overrides)
        return {path: float(text.partition(" ")[0]) for path, _, text in parted if text[0] not in "{["}

    def key(self, overrides: tuple[str, ...]) -> str:
        if self.limit is not None and not self.limit(self.values(overrides)):
            raise impossible(["beyond the limit"])
        return hashlib.sha256(f"{self.seed} {sorted(overrides)}".encode()).hexdigest()

    def play(self, overrides: tuple[str, ...], first: int, last: int) -> Sample:
        self.played += last - first
        given = self.values(overrides)
        noise = self.noise * np.random.default_rng(self.seed).standard_normal(10**5)[first:last]
        return Sample({name: f(given) + noise for name, f in self.functions.items()})

    def variants(self, overrides: tuple[str, ...], make) -> tuple[str, ...]:
        return ()


def study(axes, metrics, **parts) -> Study:
    """A study of axes that no scenario has."""
    given = {"name": "synthetic", "title": "", "base": "macau-boule", "metrics": [m.name for m in metrics]}
    file = StudyFile.model_validate_json(json.dumps({**given, "spins": 100, **parts}))
    made = Study(file, "", "macau-boule", load_scenario("macau-boule"), tuple(axes), tuple(metrics))
    return replace(made)


def analysed(made: Study, source: Synthetic, fresh: Synthetic | None = None) -> Analysed:
    def sources(seed: int) -> Synthetic:
        return source if seed == made.file.seed or fresh is None else fresh

    return analyse(made, sources, Shelf(), lambda outcome: None)
