"""What every part of a scenario is: frozen, strict, without unknown fields; and the bounded quantities."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from sim.documents.units import Angle, Length, Ratio


class Model(BaseModel):
    """A frozen part of a scenario. All values are SI."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


PositiveLength = Annotated[Length, Field(gt=0)]
"""m, > 0"""
Size = Annotated[Length, Field(ge=0)]
"""m, >= 0"""
Incline = Annotated[Angle, Field(gt=0, lt=1.5)]
"""rad, > 0 and well below upright"""
Share = Annotated[Ratio, Field(ge=0, le=1)]
"""a bare number from 0 to 1"""
Coefficient = Annotated[Ratio, Field(ge=0)]
"""a bare number, >= 0"""
