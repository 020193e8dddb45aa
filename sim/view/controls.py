"""What keys do, as data: the window obeys this table and shows it."""

from dataclasses import dataclass
from typing import Literal

import pygame

Deed = Literal[
    "go", "step", "step_back", "second", "second_back", "faster", "slower", "rewind", "result", "follow", "frame",
    "trail", "heights", "arrows", "histograms", "chip", "weak", "level", "take_back", "less", "more", "scenario",
    "scenario_back", "mute", "record", "screenshot", "full_screen", "help", "leave",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Control:
    """A key (with or without shift), what it does, and how the window tells it; shown: the key's name."""

    key: int
    does: Deed
    shown: str = ""
    told: str = ""
    shift: bool = False


CONTROLS: tuple[Control, ...] = (
    Control(pygame.K_SPACE, "go", "space", "launch; pause and go on; after the result, next round"),
    Control(pygame.K_END, "result", "end", "fast forward to the result"),
    Control(pygame.K_HOME, "rewind", "home", "back to the launch"),
    Control(pygame.K_RIGHT, "step", "right, left", "step on or back by 10 ms"),
    Control(pygame.K_LEFT, "step_back"),
    Control(pygame.K_RIGHT, "second", "shift right, left", "on or back by a second", shift=True),
    Control(pygame.K_LEFT, "second_back", shift=True),
    Control(pygame.K_DOWN, "slower", "down, up", "slow motion 1/2 to 1/32, and back"),
    Control(pygame.K_UP, "faster"),
    Control(pygame.K_c, "follow", "c", "close: follow the ball, or the clapper"),
    Control(pygame.K_p, "frame", "p", "see it as the plate or wheel does, turning with it"),
    Control(pygame.K_t, "trail", "t", "path behind the ball"),
    Control(pygame.K_z, "heights", "z", "strip of heights, or of speeds"),
    Control(pygame.K_a, "arrows", "a", "velocity and contacts"),
    Control(pygame.K_h, "histograms", "h", "where balls left the groove and came to rest so far"),
    Control(pygame.K_d, "chip", "d", "drop a chip on the plate, where the mouse points"),
    Control(pygame.K_w, "weak", "w", "pegged wheel: push the next spin too weakly"),
    Control(pygame.K_l, "level", "l", "level the table again (drag the bubble to tilt it)"),
    Control(pygame.K_BACKSPACE, "take_back", "backspace", "take the last bet back"),
    Control(pygame.K_MINUS, "less", "-, +", "smaller or larger chips"),
    Control(pygame.K_PLUS, "more"),
    Control(pygame.K_EQUALS, "more"),
    Control(pygame.K_KP_MINUS, "less"),
    Control(pygame.K_KP_PLUS, "more"),
    Control(pygame.K_n, "scenario", "n, shift n", "next scenario, or the one before"),
    Control(pygame.K_n, "scenario_back", shift=True),
    Control(pygame.K_m, "mute", "m", "sound off or on"),
    Control(pygame.K_r, "record", "r", "record this spin as a film"),
    Control(pygame.K_s, "screenshot", "s", "keep this picture"),
    Control(pygame.K_f, "full_screen", "f", "full screen"),
    Control(pygame.K_F11, "full_screen"),
    Control(pygame.K_QUESTION, "help", "?", "show or hide these keys"),
    Control(pygame.K_SLASH, "help", shift=True),
    Control(pygame.K_F1, "help"),
    Control(pygame.K_ESCAPE, "leave", "esc", "leave"),
    Control(pygame.K_q, "leave"),
)

MOUSE: tuple[tuple[str, str], ...] = (
    ("click on the cloth", "put the chosen chip there; right click takes it back"),
    ("shift click on numbers", "choose several, then click the bet on so many numbers"),
    ("drag on the timeline", "scrub through what has been shown"),
    ("drag the bubble", "tilt the table for the next spin"),
)


def deed_of(key: int, *, shift: bool, character: str = "") -> Deed | None:
    """What a key does; ``character`` is what it types, which finds ``?`` on every keyboard."""
    if character == "?":
        return "help"
    matching = [control for control in CONTROLS if control.key == key]
    exact = next((control for control in matching if control.shift == shift), None)
    chosen = exact or next((control for control in matching if not control.shift), None)
    return chosen.does if chosen is not None else None
