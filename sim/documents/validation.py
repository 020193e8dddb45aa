"""A document checked against a pydantic model, every fault at once, in our words and with its place."""

import json
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, Tag, ValidationError
from pydantic_core import ErrorDetails

from sim.documents.document import Document, Path, dotted, near, shown
from sim.documents.faults import BadInput, Fault

M = TypeVar("M", bound=BaseModel)

_KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
    "finite_number": "a finite number",
}
_BOUNDS = {
    "greater_than": ("gt", "greater than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
    "multiple_of": ("multiple_of", "a multiple of"),
}


def validate(document: Document, model: type[M], context: Mapping[str, Any] | None = None) -> M:
    """Build a model from a document's data.

    The data is read as JSON, so a strict model takes lists for tuples and sets, and nothing else is coerced.
    A ``ValueError`` raised in a validator becomes a fault with its text; say in it what is wrong, what is
    allowed and what was given. Raises BadInput with a fault for each error, at the nearest place written.
    """
    try:
        return model.model_validate_json(
            json.dumps(document.data, allow_nan=False), context=dict(context or {})
        )
    except ValidationError as error:
        details = error.errors(include_url=False)
        faults = [_fault(document, model, each) for each in details if not _follows(document, each)]
        raise BadInput(faults) from None


def _follows(document: Document, detail: ErrorDetails) -> bool:
    """Whether a list only seems too short, because items with faults of their own were not counted."""
    given = document.get(_written(document, detail)) if detail["type"] == "too_short" else None
    return isinstance(given, list) and len(given) >= detail["ctx"]["min_length"]


def _fault(document: Document, model: type[BaseModel], detail: ErrorDetails) -> Fault:
    path = _written(document, detail)
    kind = detail["type"]
    if kind == "extra_forbidden":
        allowed = _allowed(model, detail["loc"][:-1])
        message = f"unknown field; allowed: {', '.join(allowed) or 'none'}{near(str(path[-1]), allowed)}"
        return document.fault(path, message, key=True)
    return Fault(document.mark(path), dotted(path) or "document", _message(detail, document.get(path)))


def _written(document: Document, detail: ErrorDetails) -> Path:
    """The path of an error in the document: its location less the names of union members."""
    value: Any = document.data
    path: Path = ()
    for step in detail["loc"]:
        if isinstance(value, dict) and str(step) in value:
            path, value = (*path, str(step)), value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            path, value = (*path, step), value[step]
    if detail["type"] == "missing":
        return (*path, str(detail["loc"][-1]))
    if detail["type"] == "union_tag_invalid":
        return (*path, detail["ctx"]["discriminator"].strip("'"))
    return path


def _message(detail: ErrorDetails, given: Any) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "missing":
        return "missing; it must be given"
    if kind in ("value_error", "assertion_error"):
        return str(context["error"])
    if kind in _BOUNDS:
        bound, words = _BOUNDS[kind]
        wrong = f"must be {words} {context[bound]:g}"
    elif kind in ("literal_error", "enum"):
        allowed = [word.strip(" '") for word in context["expected"].replace(" or ", ", ").split(",")]
        return f"must be {context['expected']}; given {shown(given)}{near(str(given), allowed)}"
    elif kind == "union_tag_invalid":
        allowed = [word.strip(" '") for word in context["expected_tags"].split(",")]
        return f"must be one of {', '.join(allowed)}; given {shown(given)}{near(str(given), allowed)}"
    elif kind == "union_tag_not_found":
        wrong = f"must say its {context['discriminator'].strip(chr(39))}"
    elif kind in ("too_short", "too_long"):
        limit = (
            f"at least {context['min_length']}" if kind == "too_short" else f"at most {context['max_length']}"
        )
        return f"must have {limit} items; given {context['actual_length']}"
    elif kind in ("string_too_short", "string_too_long"):
        limit = (
            f"at least {context['min_length']}"
            if kind == "string_too_short"
            else f"at most {context['max_length']}"
        )
        wrong = f"must have {limit} characters"
    elif kind == "string_pattern_mismatch":
        wrong = f"must match {context['pattern']}"
    elif kind in _KINDS:
        wrong = f"must be {_KINDS[kind]}"
    else:
        wrong = detail["msg"][:1].lower() + detail["msg"][1:]
    return f"{wrong}; given {shown(given)}"


def _allowed(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """Names of the fields that the mapping at a location may have."""
    candidates: list[_Candidate] = [(None, model)]
    for step in location:
        fields = [
            _fields(each)[step] for _, each in candidates if isinstance(step, str) and step in _fields(each)
        ]
        if fields:
            candidates = [each for annotation in fields for each in _candidates(annotation)]
        else:
            candidates = [each for each in candidates if _is_member(each, step)] or candidates
    return list(dict.fromkeys(name for _, each in candidates for name in _fields(each)))


_Candidate = tuple[str | None, type[BaseModel]]
"""A model, and its tag where it is a tagged member of a union."""


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    return {info.alias or name: info.annotation for name, info in model.model_fields.items()}


def _is_member(candidate: _Candidate, tag: int | str) -> bool:
    """Whether a model is the union member that the tag names."""
    own, model = candidate
    literals = [each for each in _fields(model).values() if get_origin(each) is Literal]
    return tag == own or any(tag in get_args(each) for each in literals)


def _candidates(annotation: Any, tag: str | None = None) -> list[_Candidate]:
    """All models that an annotation mentions."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [(tag, annotation)]
    parts = get_args(annotation)
    tag = next((part.tag for part in parts if isinstance(part, Tag)), tag)
    return [each for part in parts for each in _candidates(part, tag)]
