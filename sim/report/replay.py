"""A spin that plays in a browser: what is embedded in a page, and the fragment of HTML that shows it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import degrees, pi
from typing import TYPE_CHECKING, Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from sim.documents.resources import shipped
from sim.landing import Event, Landing, Start
from sim.machines import Machine, PlateMachine
from sim.report.drawing import machine_data
from sim.report.packing import angle, lengths, pack
from sim.rules.outcome import Outcome
from sim.rules.round import announcement
from sim.scenario import Scenario, WheelScenario
from sim.view.motion import Motion

if TYPE_CHECKING:
    from sim.engines.rigid import Spin
    from sim.rules.rulebook import Rulebook

_MARKS = {
    "rim_exit": "leaves the groove",
    "band": "bell: first touch of the band",
    "hop": "hop",
    "hollow_in": "into a hollow",
    "rest": "at rest",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A spin to be shown, with its trace, and what the rulebook made of it.

    why: what it was chosen for. facts: names and values beyond those that every spin has.
    """

    spin: "Spin"
    outcome: Outcome
    why: str = ""
    facts: tuple[tuple[str, str], ...] = ()


@cache
def templates() -> Environment:
    """Return the templates of `assets/report`; whatever is put into them is escaped."""
    return Environment(
        loader=FileSystemLoader(shipped("assets/report")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def asset(name: str) -> Markup:
    """Return a style sheet or a script of `assets/report`, to stand in a page as it is."""
    return Markup((shipped("assets/report") / name).read_text(encoding="utf-8"))


def replay_fragment(
    scenario: Scenario,
    rulebook: "Rulebook",
    machine: Machine,
    spins: Sequence[Shown],
    *,
    with_assets: bool = True,
    light: bool = False,
) -> Markup:
    """Return HTML that replays the spins on a canvas; several make a picker.

    spins: at least one, each with a trace. with_assets: whether style and script are in it; a document with several
    fragments needs them once, in the last. light: whether it is light wherever it is shown, as on a page that is
    always white. Nothing in it asks for anything outside the document.
    """
    return render_replay(
        replay_data(scenario, rulebook, machine, spins), with_assets=with_assets, light=light
    )


def render_replay(data: dict[str, Any], *, with_assets: bool = True, light: bool = False) -> Markup:
    """Return the fragment of what `replay_data` returned."""
    assets = {"style": asset("replay.css"), "script": asset("replay.js")} if with_assets else None
    return Markup(templates().get_template("replay.html.jinja").render(data=data, assets=assets, light=light))


def replay_data(
    scenario: Scenario, rulebook: "Rulebook", machine: Machine, spins: Sequence[Shown]
) -> dict[str, Any]:
    """Return what a fragment embeds, as plain data: lengths in m, angles in rad, times in s."""
    return {
        "title": scenario.title,
        "language": rulebook.language,
        "machine": machine_data(scenario, machine, rulebook.colours),
        "spins": [_spin(scenario, rulebook, machine, shown) for shown in spins],
    }


def _spin(scenario: Scenario, rulebook: "Rulebook", machine: Machine, shown: Shown) -> dict[str, Any]:
    spin, outcome = shown.spin, shown.outcome
    assert spin.trace is not None
    motion = Motion(spin.trace, spin.events, outcome)
    if isinstance(machine, PlateMachine):
        channels = (lengths(1, 2, 3), angle(4, machine.plate_radius))
    else:
        channels = (angle(1, machine.radius), angle(3, machine.clapper.arm))
    return {
        "seed": str(spin.start.seed),
        "index": spin.start.index,
        "duration": spin.landing.duration,
        "track": pack(spin.trace, channels),
        "chips": list(_chips(scenario, spin)),
        "phases": [{"name": each.name, "from": each.begin, "to": each.end} for each in motion.phases],
        "marks": sorted(
            [*_marks(spin.events, scenario.machine.ring), *_turns(rulebook, spin, motion)],
            key=lambda mark: mark["time"],
        ),
        "said": list(_said(rulebook, outcome)),
        "outcome": _outcome(outcome),
        "why": shown.why,
        "facts": [*_facts(scenario, spin), *shown.facts],
    }


def _chips(scenario: Scenario, spin: "Spin") -> Iterator[dict[str, Any]]:
    """Yield the chips that fell, each with its radius and where it lay from then on."""
    if spin.chips is None or spin.trace is None:
        return
    fallen = sorted(getattr(scenario, "objects", ()), key=lambda chip: chip.time)
    for number, chip in enumerate(fallen):
        lies = np.isfinite(spin.chips[:, number, 0])
        if lies.sum() > 1:
            rows = np.column_stack([spin.trace[lies, 0], spin.chips[lies, number]])
            yield {
                "from": float(rows[0, 0]),
                "radius": 0.5 * chip.diameter,
                "track": pack(rows, (lengths(1, 2),)),
            }


def _marks(events: Sequence[Event], ring: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the events that a timeline shows."""
    for event in events:
        if event.what == "object/plate":
            yield {"time": event.time, "kind": "object", "label": "an object falls on the plate"}
        elif event.kind in _MARKS:
            where = f" {ring[event.pocket]}" if event.pocket is not None else ""
            label = f"into hollow{where}" if event.kind == "hollow_in" else _MARKS[event.kind]
            if event.kind == "rest":
                label += " on a peg" if event.what == "clapper/peg" else f" in{where}" if where else ""
            yield {"time": event.time, "kind": event.kind, "label": label}


def _turns(rulebook: "Rulebook", spin: "Spin", motion: Motion) -> Iterator[dict[str, Any]]:
    """Yield what a timeline shows of a pegged wheel: the least turns of the rulebook, the first reversal."""
    if motion.of_ball:
        return
    turned = np.abs(motion.rows[:, 1] - motion.rows[0, 1]) / (2 * pi)
    rule = rulebook.void("MIN_TURNS")
    if rule is not None and rule.turns is not None and rule.turns <= (spin.landing.turns_forward or 0.0):
        at = float(motion.rows[int(np.argmax(turned >= rule.turns)), 0])
        yield {
            "time": at,
            "kind": "turns",
            "label": f"{rule.turns} complete turns ({rule.article or 'inferred'})",
        }
    if len(motion.phases) > 1:
        yield {"time": motion.phases[1].begin, "kind": "reversal", "label": "turns back"}


def _said(rulebook: "Rulebook", outcome: Outcome) -> Iterator[dict[str, Any]]:
    """Yield what is announced at the table, and when."""
    keys: list[tuple[float, str]] = []
    if rulebook.closing is not None and outcome.closing is not None:
        keys.append((outcome.closing, rulebook.closing.announcement))
    if outcome.valid:
        keys.append((outcome.time, "result"))
    elif outcome.void is not None and outcome.void.announcement is not None:
        keys.append((outcome.time, outcome.void.announcement))
    for time, key in keys:
        spoken = announcement(rulebook, key, outcome)
        if spoken is not None:
            yield {"time": time, "text": spoken.text, "english": spoken.english, "article": spoken.article}


def _outcome(outcome: Outcome) -> dict[str, Any]:
    void = outcome.void
    return {
        "time": outcome.time,
        "symbol": outcome.symbol,
        "colour": outcome.colour,
        "chances": list(outcome.chances),
        "article": outcome.article,
        "void": void and {"code": void.code, "reason": void.reason, "article": void.article},
        "remarks": [{"text": remark.text, "article": remark.article} for remark in outcome.remarks],
    }


def _facts(scenario: Scenario, spin: "Spin") -> Iterator[tuple[str, str]]:
    """Yield what a reader wants to know of a spin: names and values with their units."""
    start, landing = spin.start, spin.landing
    if isinstance(start, Start):
        yield "ball thrown", f"{start.ball_speed:.2f} m/s, {_way(start.ball_direction)}"
        rpm = abs(start.plate_speed) * 30 / pi
        plate = f"{rpm:.1f} rpm, {_way(landing.plate_direction)}" if landing.plate_direction else "still"
        yield "plate at launch", plate
        yield from _ball_facts(landing)
    else:
        assert isinstance(scenario, WheelScenario)
        yield "pushed by", scenario.push.active[start.croupier].name
        yield "push", f"{abs(start.speed):.2f} rad/s, {_way(landing.plate_direction)}"
        yield "turns forward", f"{landing.turns_forward or 0.0:.2f}"
        yield "turns net", f"{landing.turns_net or 0.0:.2f}"
    yield "peak speed", f"{landing.peak_speed:.2f} m/s"
    yield "whole spin", f"{landing.duration:.2f} s"


def _ball_facts(landing: Landing) -> Iterator[tuple[str, str]]:
    yield "turns of the ball", f"{landing.ball_turns:.2f}"
    if landing.drop_azimuth is not None:
        yield "left groove at", f"{degrees(landing.drop_azimuth):.0f}°"
    if landing.band_azimuth is not None:
        yield "met band at", f"{degrees(landing.band_azimuth):.0f}°"
    yield "hops", str(landing.hops)
    if landing.settling_time is not None:
        yield "bell to rest", f"{landing.settling_time:.2f} s"


def _way(direction: int) -> str:
    return "counter-clockwise" if direction > 0 else "clockwise"
