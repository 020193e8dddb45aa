"""The report of a study: one HTML file that needs nothing beside itself."""

import base64
from collections.abc import Sequence
from math import isfinite
from typing import Any

from sim.design.analyses import Analysed
from sim.design.contour import contour, svg_path
from sim.report.replay import asset, templates
from sim.report.study.figures import Picture, label
from sim.report.study.replays import Thrown
from sim.report.study.words import brief, enlarged, figure, shift
from sim.report.versions import versions
from sim.scenario import PlateScenario, load_scenario

Plain = dict[str, Any]


def page(analysed: Analysed, pictures: Sequence[Picture], thrown: Thrown | None = None) -> str:
    """Return the report; the same study gives the same bytes. thrown: machines of it that play in the report."""
    found, told = analysed.found, analysed.told
    study = found.study
    return render(
        "study.html.jinja",
        title=study.file.title,
        study=study.file,
        told=told,
        metrics=[(metric, label(metric)) for metric in found.metrics],
        terms=[(label(metric), metric.about) for metric in found.metrics],
        machines=[(told["base"]["name"], told["base"]["sha256"])],
        factors=_factors(analysed),
        table=_table(analysed),
        front=_front(analysed),
        figures=[(each, base64.b64encode(each.svg).decode()) for each in pictures],
        thrown=thrown,
        text=study.text,
        figure=figure,
        shift=shift,
        brief=brief,
        enlarged=enlarged,
    )


def render(template: str, **values: Any) -> str:
    """A page in the style of design reports."""
    return (
        templates()
        .get_template(template)
        .render(
            style=asset("page.css") + asset("study.css"),
            script=asset("study.js"),
            versions=versions(),
            **values,
        )
    )


def _factors(analysed: Analysed) -> list[str]:
    """What tells the designs apart: the factors, or one description where there are none."""
    return [axis.name for axis in analysed.found.axes] or ["machine"]


def _table(analysed: Analysed) -> list[Plain]:
    """A row for each design: what is shown in a cell, and by what it is sorted."""
    found, told = analysed.found, analysed.told
    rows = []
    outcomes = [found.base, *found.outcomes]
    for each, outcome in zip([told["base_design"], *told["designs"]], outcomes, strict=True):
        cells = [(str(each["design"]), each["design"])]
        numbers = outcome.design.numbers
        for i in range(len(_factors(analysed))):
            called = brief(each["called"][i]) if each["called"] else "base"
            cells.append((called, numbers[i] if numbers else -1e300))
        for metric in found.metrics:
            known = each.get("metrics", {}).get(metric.name)
            value = (known or {}).get("value")
            cells.append((figure(known), -1e300 if value is None else value))
            apart = (known or {}).get("to_base")
            change = (apart or {}).get("value")
            cells.append((shift(apart) if apart else "", -1e300 if change is None else change))
        called = ", ".join(map(brief, each["called"]))
        rows.append({"cells": cells, "called": called, "impossible": "; ".join(each.get("impossible", ()))})
    return rows


def _front(analysed: Analysed) -> Plain | None:
    """The front of a search as points of a picture with their intervals, each with its cross-section; the base too."""
    given = analysed.found.study.file.optimise
    if given is None or analysed.front is None or not analysed.told["front"]:
        return None
    names = [each.metric for each in given.objectives][:2]
    names = names if len(names) == 2 else [names[0], names[0]]
    rows = [(row, row["metrics"]) for row in analysed.told["front"]]
    known = [_point(row, [metrics[name] for name in names]) for row, metrics in rows]
    base = _point(None, [analysed.told["front_base"][name] for name in names])
    points = [point for point in known if point is not None]
    if not points:
        return None
    everyone = [*points, base] if base is not None else points
    ends = [(min(p[axis][1] for p in everyone), max(p[axis][2] for p in everyone)) for axis in ("x", "y")]
    for point in everyone:
        for axis, (low, high), start, length in (("x", ends[0], 70, 500), ("y", ends[1], 340, -300)):
            shares = [(x - low) / (high - low) if high > low else 0.5 for x in point[axis]]
            point[f"{axis}_at"] = [start + length * share for share in shares]
    sections = [_section(analysed, point["row"]) for point in points]
    deepest = max((depth for depth, _ in sections), default=0.0)
    for point, (_, path) in zip(points, sections, strict=True):
        point["section"] = path
    metrics = [analysed.found.study.metric(name) for name in names]
    labels = [label(metric) for metric in metrics]
    return {"points": points, "base": base, "ends": ends, "labels": labels, "deepest": deepest}


def _point(row: Plain | None, known: list[Plain]) -> Plain | None:
    """Value and ends of the interval of both metrics; None where one has no value."""
    axes = []
    for each in known:
        value = each["value"]
        if value is None or not isfinite(value):
            return None
        ends = [value if each.get(end) is None else each[end] for end in ("low", "high")]
        axes.append((value, min(value, ends[0]), max(value, ends[1])))
    return {"x": axes[0], "y": axes[1], "row": row}


def _section(analysed: Analysed, row: Plain) -> tuple[float, str]:
    """Depth and path of the hollow of a design, in mm; 0 and empty for a pegged wheel."""
    study = analysed.found.study
    overrides = [f"{path}={text}" for path, text in row["factors"].items()]
    machine = load_scenario(study.base, [*study.file.set, *overrides])
    if not isinstance(machine, PlateScenario):
        return 0.0, ""
    return -1e3 * machine.machine.hollow.bottom, svg_path(contour(machine.machine.hollow))
