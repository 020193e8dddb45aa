"""The report of machines compared: one HTML file that needs nothing beside itself, and its numbers as CSV."""

import base64
from collections.abc import Sequence
from typing import Any

from sim.design.comparing import Compared
from sim.design.contour import contour, svg_path
from sim.report.section import picture
from sim.report.study.page import render
from sim.report.study.tables import ENDS, Row
from sim.report.study.words import figure, shift
from sim.scenario import PlateScenario
from sim.scenario.hollows import Hollow

Plain = dict[str, Any]
_REACH = 50.0


def page(machines: Sequence[Compared], told: Plain) -> str:
    """Return the report; the same machines and spins give the same bytes. told: `comparing.as_plain` of them."""
    names = [each["name"] for each in told["machines"]]
    return render(
        "compare.html.jinja",
        title=f"{names[0]} and {names[1] if len(names) == 2 else f'{len(names) - 1} others'}",
        told=told,
        rows=[_row(each, names) for each in told["metrics"]],
        terms=[(_label(each), each["about"]) for each in told["metrics"]],
        machines=[(each["name"], each["sha256"]) for each in told["machines"]],
        overlay=_overlay(machines),
        sections=[
            (each.machine.name, base64.b64encode(picture(each.machine.scenario, ".svg")).decode())
            for each in machines
        ],
    )


def _label(row: Plain) -> str:
    return f"{row['title']} ({row['unit']})" if row["unit"] else str(row["title"])


def _row(row: Plain, names: Sequence[str]) -> Plain:
    """A metric: its cells, and the intervals of its differences, scaled to `_REACH` about 0."""
    first, *others = row["machines"]
    cells = [(figure(first), False)]
    for other in others:
        text = shift(other["to_first"])
        cells += [(figure(other), False), (text, text.endswith("*"))]
    known = [
        (number, other["to_first"])
        for number, other in enumerate(others, 1)
        if other["to_first"] is not None and other["to_first"]["low"] is not None
    ]
    widest = max((abs(each[end]) for _, each in known for end in ("low", "high")), default=0.0)
    scale = _REACH / widest if widest > 0.0 else 0.0
    strips = [
        {"machine": number, **{end: scale * each[end] for end in ("value", "low", "high")}}
        for number, each in known
    ]
    spoken = "; ".join(f"{names[number]} less {names[0]}: {shift(each)}" for number, each in known)
    return {"label": _label(row), "cells": cells, "strips": strips, "spoken": spoken}


def _overlay(machines: Sequence[Compared]) -> Plain | None:
    """The hollows drawn over one another, in mm, those of faults too; None for pegged wheels."""
    drawn: list[tuple[str, list[Hollow]]] = []
    for each in machines:
        scenario = each.machine.scenario
        if not isinstance(scenario, PlateScenario):
            return None
        single = (scenario.machine.hollow_at(i) for i in range(scenario.machine.hollows.count))
        drawn.append((each.machine.name, list(dict.fromkeys([scenario.machine.hollow, *single]))))
    everyone = [hollow for _, hollows in drawn for hollow in hollows]
    deep = max(-1e3 * hollow.bottom for hollow in everyone)
    end = 1.3e3 * max(hollow.mouth_radius for hollow in everyone)

    def path(hollow: Hollow) -> str:
        mouth = 1e3 * hollow.mouth_radius
        return f"M{-end:.4g} 0H{-mouth:.4g}M{mouth:.4g} 0H{end:.4g}{svg_path(contour(hollow))}"

    shown = [{"name": name, "paths": list(map(path, hollows))} for name, hollows in drawn]
    return {"machines": shown, "box": f"{-end - 2:.4g} -2 {2 * end + 4:.4g} {deep + 4:.4g}"}


def rows(told: Plain) -> list[Row]:
    """A row for each metric of each machine: its value, the ends of its interval and of its difference to the first."""
    made = []
    for each in told["metrics"]:
        for machine, found in zip(told["machines"], each["machines"], strict=True):
            apart = found["to_first"] or {}
            row: Row = {"metric": each["metric"], "unit": each["unit"], "machine": machine["name"]}
            row |= {end: found.get(end) for end in ENDS}
            row |= {f"to_first.{end}": apart.get(end) for end in ENDS}
            made.append(row)
    return made
