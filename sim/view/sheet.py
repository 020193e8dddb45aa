"""A contact sheet: the moments of a spin that matter, side by side."""

from collections.abc import Sequence

import pygame

from sim.machines import Machine
from sim.rules.rulebook import Rulebook
from sim.scenario import Scenario
from sim.view.motion import Motion
from sim.view.overlays import shadowed
from sim.view.paint import canvas
from sim.view.stage import Stage, View

COLUMNS, ROWS = 4, 2
_GAP = 6
_GROUND = (16, 20, 18)
_INK = (236, 232, 220)
_TRAIL_S = 0.8


def contact_sheet(
    scenario: Scenario, machine: Machine, rulebook: Rulebook, motion: Motion, size: tuple[int, int]
) -> pygame.Surface:
    """Draw `COLUMNS` times `ROWS` moments of a spin, each with its time and what happens; size in px."""
    sheet = canvas(size)
    sheet.fill(_GROUND)
    text = max(10, size[1] // 48)
    head = round(2.2 * text)
    outcome = motion.outcome
    ended = f": {outcome.symbol or 'void'}" if outcome is not None else ""
    shadowed(
        sheet, f"{scenario.title}{ended}", (_GAP + 4, head / 2), text, _INK, bold=True, most=size[0] - 20
    )
    width = (size[0] - _GAP * (COLUMNS + 1)) // COLUMNS
    height = (size[1] - head - _GAP * ROWS) // ROWS
    stage = Stage(scenario, machine, rulebook, (width, height))
    cell = canvas((width, height))
    for number, (time, words, view) in enumerate(moments(motion)):
        stage.draw(cell, motion.at(time), view)
        shadowed(cell, f"{time:.2f} s  {words}", (6, text), max(10, text - 2), _INK, most=width - 12)
        row, column = divmod(number, COLUMNS)
        sheet.blit(cell, (_GAP + column * (width + _GAP), head + row * (height + _GAP)))
    return sheet


def moments(motion: Motion) -> Sequence[tuple[float, str, View]]:
    """Choose the moments of a contact sheet: time (s since the launch), what happens, and how it is seen."""
    wide = View(trail=_TRAIL_S, timeline=False, caption=False)
    close = View(trail=_TRAIL_S, timeline=False, caption=False, follow=True)
    return _of_ball(motion, wide, close) if motion.of_ball else _of_wheel(motion, wide, close)


def _of_ball(motion: Motion, wide: View, close: View) -> Sequence[tuple[float, str, View]]:
    end = motion.duration
    left, bell = motion.when("rim_exit"), motion.when("band")
    hops = [event.time for event in motion.events if event.kind == "hop" and event.time > (bell or 0.0)]
    entries = [event.time for event in motion.events if event.kind == "hollow_in"]
    exit_at = left if left is not None else 0.3 * end
    bell_at = bell if bell is not None else 0.6 * end
    last = "at rest" if motion.when("rest") is not None else "the end"
    chosen = [
        (0.0, "launch", wide),
        (0.5 * exit_at, "in the groove", wide),
        (exit_at, "leaves the groove", wide),
        (0.5 * (exit_at + bell_at), "on the cone", wide),
        (bell_at, "bell", close),
        (hops[0] if hops else 0.5 * (bell_at + end), "first hop" if hops else "on the band", close),
        (entries[-1] if entries else 0.8 * end, "into the hollow" if entries else "on the band", close),
        (end, last, wide),
    ]
    return sorted(chosen, key=lambda moment: moment[0])


def _of_wheel(motion: Motion, wide: View, close: View) -> Sequence[tuple[float, str, View]]:
    end = motion.duration
    back = motion.phases[1].begin if len(motion.phases) > 1 else end
    last = "at rest" if motion.when("rest") is not None else "the end"
    return [
        (0.0, "pushed", wide),
        (0.25 * back, "turning", wide),
        (0.6 * back, "slower", wide),
        (end, last, wide),
        (0.6 * back, "the clapper strikes", close),
        (0.97 * back, "on the last pegs", close),
        (back, "turns back", close),
        (end, last, close),
    ]
