"""Factors of a study: which values of a scenario change, over which values, and the designs that come of them."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any, Literal

import numpy as np
import yaml
from pydantic import AfterValidator, ConfigDict, Field

from sim.documents.document import Document, Path, shown
from sim.documents.faults import Fault
from sim.scenario.model import Model

_QUANTITY = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)\s*(.*)", re.ASCII)
MOST_DESIGNS = 100_000


class Range(Model):
    """Evenly spaced values from one end to the other, both included."""

    model_config = ConfigDict(populate_by_name=True)

    first: Any = Field(alias="from")
    last: Any = Field(alias="to")
    count: Annotated[int, Field(ge=2, le=1000)] | None = None
    """needed by a grid only"""


def _path(given: str) -> str:
    if not re.fullmatch(r"\w+(\.\w+)*", given):
        raise ValueError(f"must be the path of a value, such as machine.hollow.depth; given {shown(given)}")
    if given == "machine.kind":
        raise ValueError(f"another kind of machine is another base; give another path; given {given!r}")
    return given


class Factor(Model):
    """One value of the scenario: listed values, or a range."""

    path: Annotated[str, AfterValidator(_path)]
    name: Annotated[str, Field(min_length=1, max_length=60)] | None = None
    values: tuple[Any, ...] | None = None
    labels: tuple[Annotated[str, Field(min_length=1, max_length=40)], ...] | None = None
    """what the values are called, one each"""
    range: Range | None = None


class Sampling(Model):
    """How designs are chosen. grid: every combination; list: the values of all factors side by side."""

    method: Literal["grid", "list", "latin_hypercube", "sobol"] = "grid"
    count: Annotated[int, Field(ge=1, le=MOST_DESIGNS)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0


@dataclass(frozen=True, slots=True)
class Axis:
    """A factor as it is sampled.

    unit: of the numbers; "" for bare ones. texts, numbers: its values, none of a range without a count; the numbers of
    values that are no quantities of one unit count from 0. low, high: ends of a range, None of a list. labels: what the
    values are called, where they have names.
    """

    path: str
    name: str
    unit: str
    texts: tuple[str, ...]
    numbers: tuple[float, ...]
    low: float | None = None
    high: float | None = None
    labels: tuple[str, ...] = ()

    def called(self, text: str) -> str:
        """What a value is called: by its label or as it is written."""
        return self.labels[self.texts.index(text)] if self.labels and text in self.texts else text

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of a range."""
        assert self.low is not None and self.high is not None
        return self.low, self.high

    @property
    def is_measured(self) -> bool:
        """Whether the numbers are what the texts say, and not their places in the list."""
        return self.low is not None or all(_number(text) is not None for text in self.texts)

    def text(self, number: float) -> str:
        """A value as a scenario is given it."""
        return f"{number:.12g} {self.unit}".strip()

    @property
    def label(self) -> str:
        """Name and unit, for a heading."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


@dataclass(frozen=True, slots=True)
class Design:
    """One machine of a study. overrides: ``PATH=VALUE`` over the base. numbers, texts: of each axis, in order."""

    overrides: tuple[str, ...]
    numbers: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()


def design(
    axes: tuple[Axis, ...], numbers: tuple[float, ...], texts: tuple[str, ...] | None = None
) -> Design:
    """The design of these numbers, one for each axis."""
    written = tuple(axis.text(x) for axis, x in zip(axes, numbers, strict=True)) if texts is None else texts
    given = tuple(f"{axis.path}={text}" for axis, text in zip(axes, written, strict=True))
    return Design(given, numbers, written)


def axis(document: Document, number: int, factor: Factor) -> tuple[Axis | None, list[Fault]]:
    """The axis of a factor, or what is wrong with it but for its values themselves."""
    at: Path = ("factors", number)
    name = factor.name or factor.path.rpartition(".")[2].replace("_", " ")
    if (factor.values is None) == (factor.range is None):
        return None, [document.fault(at, "must have either values or a range")]
    if factor.labels is not None and len(factor.labels) != len(factor.values or ()):
        message = f"one label for each value; given {len(factor.labels)} of {len(factor.values or ())}"
        return None, [document.fault((*at, "labels"), message)]
    if factor.values is not None:
        if not factor.values:
            return None, [document.fault((*at, "values"), "is empty; at least one value is needed; given []")]
        texts = tuple(_text(value) for value in factor.values)
        if len(set(texts)) < len(texts):
            twice = next(text for text in texts if texts.count(text) > 1)
            return None, [document.fault((*at, "values"), f"each value once; given {twice!r} twice")]
        parted = [_number(text) for text in texts]
        units = {unit for _, unit in filter(None, parted)}
        if None not in parted and len(units) == 1:
            numbers = tuple(each[0] for each in parted if each is not None)
            return Axis(factor.path, name, units.pop(), texts, numbers, labels=factor.labels or ()), []
        counted = tuple(map(float, range(len(texts))))
        return Axis(factor.path, name, "", texts, counted, labels=factor.labels or ()), []
    assert factor.range is not None
    return _of_range(document, (*at, "range"), factor.path, name, factor.range)


def _of_range(
    document: Document, at: Path, path: str, name: str, given: Range
) -> tuple[Axis | None, list[Fault]]:
    first, last = _number(_text(given.first)), _number(_text(given.last))
    faults = []
    for key, ends, value in (("from", first, given.first), ("to", last, given.last)):
        if ends is None:
            message = (
                f"must be a finite quantity with its unit, such as 8 mm, or number; given {shown(value)}"
            )
            faults.append(document.fault((*at, key), message))
    if faults or first is None or last is None:
        return None, faults
    if first[1] != last[1]:
        message = f"must have the unit of from, {first[1] or 'a bare number'!r}; given {last[1] or 'a bare number'!r}"
        return None, [document.fault((*at, "to"), message)]
    if not first[0] < last[0]:
        message = f"is empty: must be above from, {shown(given.first)}; given {shown(given.last)}"
        return None, [document.fault((*at, "to"), message)]
    numbers = np.linspace(first[0], last[0], given.count).tolist() if given.count else []
    texts = tuple(f"{x:.12g} {first[1]}".strip() for x in numbers)
    return Axis(path, name, first[1], texts, tuple(numbers), first[0], last[0]), []


def _text(value: Any) -> str:
    """A value as it is written after ``PATH=``."""
    if isinstance(value, str):
        return value
    return str(yaml.safe_dump(value, default_flow_style=True, width=10**6)).removesuffix("\n...\n").strip()


def _number(text: str) -> tuple[float, str] | None:
    match = _QUANTITY.fullmatch(text.strip())
    if match is None or re.search(r"[\d\[\]{},]", match[2].split("^")[0]) or not isfinite(float(match[1])):
        return None
    return float(match[1]), match[2]


def sampling_faults(document: Document, sampling: Sampling, axes: tuple[Axis, ...]) -> list[Fault]:
    """Why designs cannot be chosen in this way from these axes."""
    at: Path = ("sampling",)
    faults = []
    if sampling.method in ("latin_hypercube", "sobol"):
        if sampling.count is None:
            faults.append(
                document.fault((*at, "count"), f"missing; {sampling.method} needs a number of designs")
            )
        elif sampling.method == "sobol" and sampling.count & (sampling.count - 1):
            message = f"must be a power of two, or Sobol points lose their balance; given {sampling.count}"
            faults.append(document.fault((*at, "count"), message))
        faults += range_faults(document, axes, sampling.method)
        return faults
    if sampling.count is not None:
        faults.append(
            document.fault((*at, "count"), f"a {sampling.method} has as many designs as its factors make")
        )
    faults += [
        document.fault(("factors", i, "range"), "a grid or a list needs the count of its values")
        for i, each in enumerate(axes)
        if not each.texts
    ]
    lengths = {len(each.texts) for each in axes}
    if sampling.method == "list" and len(lengths) > 1:
        message = (
            f"a list needs equally many values of every factor; given {', '.join(map(str, sorted(lengths)))}"
        )
        faults.append(document.fault(("factors",), message))
    most = int(np.prod([max(len(each.texts), 1) for each in axes], dtype=object))
    if sampling.method == "grid" and most > MOST_DESIGNS:
        faults.append(document.fault(("factors",), f"at most {MOST_DESIGNS} designs; given {most}"))
    return faults


def range_faults(document: Document, axes: tuple[Axis, ...], what: str) -> list[Fault]:
    """A fault for every axis that is a list, where only ranges can be sampled."""
    return [
        document.fault(("factors", i), f"{what} needs a range of every factor; given values")
        for i, each in enumerate(axes)
        if each.low is None
    ]


def sampled(sampling: Sampling, axes: tuple[Axis, ...]) -> Iterator[Design]:
    """The designs, in order."""
    if sampling.method in ("latin_hypercube", "sobol"):
        from scipy.stats import qmc

        kind = qmc.LatinHypercube if sampling.method == "latin_hypercube" else qmc.Sobol
        points = kind(len(axes), rng=np.random.default_rng(sampling.seed)).random(sampling.count)
        lows, highs = zip(*(each.ends for each in axes), strict=True)
        for row in qmc.scale(points, lows, highs).tolist():
            yield design(axes, tuple(row))
        return
    rows = (list(zip(each.numbers, each.texts, strict=True)) for each in axes)
    combine = zip if sampling.method == "list" else itertools.product
    for combination in combine(*rows):
        numbers, texts = zip(*combination, strict=True)
        yield design(axes, numbers, texts)
