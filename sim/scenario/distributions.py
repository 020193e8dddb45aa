"""Distributions of what a launch draws, each by the inverse transform of a uniform number."""

import math
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar, Union, overload

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    PlainSerializer,
    Tag,
    model_validator,
)

from sim.scenario.model import Model

Q = TypeVar("Q", bound=float)
Of = TypeVar("Of", bound=float)
FloatArray = NDArray[np.float64]

FAR = 6.0
"""Standard deviations beyond which an unbounded normal is taken to end, for bounds."""


class _Distribution(Model):
    """Common to all: `quantile` gives a scalar for a scalar, an array for an array, and the same values."""

    @overload
    def quantile(self, u: float) -> float: ...
    @overload
    def quantile(self, u: FloatArray) -> FloatArray: ...
    def quantile(self, u: float | FloatArray) -> float | FloatArray:
        """The values below which the shares ``u``, in (0, 1), of all draws lie; SI; same shape as ``u``."""
        values = self._quantile(np.asarray(u, dtype=np.float64))
        return values if isinstance(u, np.ndarray) else float(values)

    def _quantile(self, u: FloatArray) -> FloatArray:
        raise NotImplementedError

    @property
    def lowest(self) -> float:
        """Lower end, SI; that of an unbounded normal is taken at `FAR` standard deviations."""
        raise NotImplementedError

    @property
    def highest(self) -> float:
        """Upper end, SI; that of an unbounded normal is taken at `FAR` standard deviations."""
        raise NotImplementedError


class Constant(_Distribution, Generic[Q]):
    """Always the same value."""

    value: Q

    @model_validator(mode="before")
    @classmethod
    def _wrap(cls, given: Any) -> Any:
        return {"value": given}

    def _quantile(self, u: FloatArray) -> FloatArray:
        return np.full(u.shape, self.value)

    @property
    def lowest(self) -> float:
        """The value, SI."""
        return self.value

    @property
    def highest(self) -> float:
        """The value, SI."""
        return self.value


class Normal(_Distribution, Generic[Q]):
    """Normal of given mean and standard deviation before it is cut to [min, max], each end optional."""

    mean: Q
    sd: Annotated[Q, Field(gt=0)]
    min: Q | None = None
    max: Q | None = None

    @model_validator(mode="before")
    @classmethod
    def _unwrap(cls, given: Any) -> Any:
        return given["normal"]

    @model_validator(mode="after")
    def _check(self) -> "Normal[Q]":
        low, high = self._cut(self.min, -math.inf), self._cut(self.max, math.inf)
        if low >= high:
            raise ValueError(f"min must be below max; given {self.min:g} and {self.max:g} (SI)")
        if low >= FAR or high <= -FAR:
            raise ValueError(f"min and max leave nothing within {FAR:g} sd of the mean, {self.mean:g} (SI)")
        return self

    def _quantile(self, u: FloatArray) -> FloatArray:
        from scipy.special import ndtr, ndtri

        low, high = self._cut(self.min, -math.inf), self._cut(self.max, math.inf)
        # In the upper tail the normal is drawn mirrored, where its distribution function keeps its digits.
        mirrored = low > 0
        if mirrored:
            low, high, u = -high, -low, 1 - u
        below, above = ndtr(low), ndtr(high)
        z = ndtri(below + u * (above - below))
        values = self.mean + self.sd * (-z if mirrored else z)
        return np.asarray(np.clip(values, self.min, self.max) if self._is_cut else values)

    def _cut(self, end: float | None, default: float) -> float:
        return default if end is None else (end - self.mean) / self.sd

    @property
    def _is_cut(self) -> bool:
        return self.min is not None or self.max is not None

    @property
    def lowest(self) -> float:
        """Lower end, SI; `FAR` standard deviations below the mean where there is none."""
        return self.mean - FAR * self.sd if self.min is None else self.min

    @property
    def highest(self) -> float:
        """Upper end, SI; `FAR` standard deviations above the mean where there is none."""
        return self.mean + FAR * self.sd if self.max is None else self.max


class Uniform(_Distribution, Generic[Q]):
    """Uniform from min to max."""

    min: Q
    max: Q

    @model_validator(mode="before")
    @classmethod
    def _unwrap(cls, given: Any) -> Any:
        return given["uniform"]

    @model_validator(mode="after")
    def _check(self) -> "Uniform[Q]":
        if self.min >= self.max:
            raise ValueError(f"min must be below max; given {self.min:g} to {self.max:g} (SI)")
        return self

    def _quantile(self, u: FloatArray) -> FloatArray:
        return np.minimum(self.min + u * (self.max - self.min), self.max)

    @property
    def lowest(self) -> float:
        """Lower end, SI."""
        return self.min

    @property
    def highest(self) -> float:
        """Upper end, SI."""
        return self.max


def _well_formed(given: Any) -> Any:
    """The text of a quantity, or a mapping that holds one form and nothing else."""
    if isinstance(given, dict) and set(given) not in ({"normal"}, {"uniform"}):
        raise ValueError(
            "must be a quantity, {normal: {mean, sd, min, max}} or {uniform: {min, max}}; "
            f"given {' and '.join(given) or 'an empty mapping'}"
        )
    return given


def _form(given: Any) -> str:
    """The form in which a distribution is written."""
    return next(iter(given)) if isinstance(given, dict) else "constant"


def _written(distribution: _Distribution) -> dict[str, Any]:
    return {type(distribution).__name__.lower(): distribution.model_dump()}


if TYPE_CHECKING:
    Distribution = Constant[Of] | Normal[Of] | Uniform[Of]
else:

    class Distribution:
        """``Distribution[Speed]``: a speed, ``{normal: {mean, sd, min, max}}`` or ``{uniform: {min, max}}``.

        The result is `Constant`, `Normal` or `Uniform` of floats: their parametrised classes, which convert
        the units, cannot be pickled.
        """

        def __class_getitem__(cls, of: Any) -> Any:
            members = [
                Annotated[
                    kind[of],
                    AfterValidator(lambda written, kind=kind: kind.model_construct(**dict(written))),
                    Tag(kind.__name__.lower()),
                ]
                for kind in (Constant, Normal, Uniform)
            ]
            return Annotated[
                Union[tuple(members)],  # noqa: UP007  (built from a list)
                Discriminator(_form),
                BeforeValidator(_well_formed),
                PlainSerializer(_written),
            ]
