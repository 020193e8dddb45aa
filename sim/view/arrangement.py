"""How the window is divided between stages and panel, and what lies over them."""

from typing import TYPE_CHECKING

import pygame

from sim.rules.round import State
from sim.view.controls import CONTROLS, MOUSE
from sim.view.overlays import draw_chip, ground
from sim.view.panel import Panel
from sim.view.plate_picture import PlatePicture
from sim.view.playing import CHIP_DIAMETER
from sim.view.seen import View
from sim.view.show import FALL_S
from sim.view.text import Colour, write

if TYPE_CHECKING:
    from sim.view.session import Session

_LEAST = (320, 240)


def lay_out(session: "Session") -> None:
    """Place the stages and, with a single machine, the panel: beside the stage, or below it in a tall window."""
    width, height = (max(side, least) for side, least in zip(session.window.get_size(), _LEAST, strict=True))
    if len(session.shows) > 1:
        share = width // len(session.shows)
        session.places = [
            pygame.Rect(number * share, 0, share, height) for number in range(len(session.shows))
        ]
    elif width >= 1.15 * height:
        stage = min(round(0.64 * width), max(height, round(0.58 * width)))
        session.places = [pygame.Rect(0, 0, stage, height)]
        panel = pygame.Rect(stage, 0, width - stage, height)
        session.panel = Panel(session.shows[0], panel, tallied=session.tallied)
    else:
        stage = round(0.52 * height)
        session.places = [pygame.Rect(0, 0, width, stage)]
        panel = pygame.Rect(0, stage, width, height - stage)
        session.panel = Panel(session.shows[0], panel, tallied=session.tallied)
    for show, place in zip(session.shows, session.places, strict=True):
        show.fit(place.size)


def draw(session: "Session", view: View) -> None:
    """Draw stages, panel, and what is told."""
    window = session.window
    for show, place in zip(session.shows, session.places, strict=True):
        window.blit(show.draw(session.transport.time, view), place)
        if len(session.shows) > 1 and place.left:
            pygame.draw.line(window, (8, 10, 12), place.topleft, place.bottomleft, 3)
    _falling_chip(session, view)
    text = session.shows[0].stage.text
    if session.panel is not None:
        session.panel.draw(window, session.hover, session.value, button(session), _waiting(session))
    _status(session, view, text)
    if session.helping:
        _help(session, text)


def button(session: "Session") -> str:
    """What the large button does now."""
    if session.waiting:
        pushed = "push the wheel" if session.shows[0].motion.of_ball is False else "launch the ball"
        weak = " (too weakly)" if session.shows[0].weak else ""
        return f"{pushed}{weak} · space"
    if session.over:
        again = session.shows[0].sitting.state is State.VOID
        return "once more · space" if again else "next round · space"
    if session.stopped:
        return "stop, launch again"
    return "to the result · end"


def _waiting(session: "Session") -> str:
    if session.launching:
        return "the spin is being computed ..."
    if session.transport.hold is not None and session.transport.time >= session.transport.hold:
        return "what the chip does is being computed ..."
    return ""


def _status(session: "Session", view: View, text: int) -> None:
    """In the corner of the stage: speed, pause, frame; what is told above the timeline."""
    place, transport = session.places[0], session.transport
    stage = session.shows[0].stage
    bottom = place.bottom
    if view.timeline:
        bottom = place.top + (stage.strip.rect.top if view.heights else stage.timeline.rect.top)
    words = []
    if not session.waiting:
        if transport.speed < 1:
            words.append(f"slow motion 1/{round(1 / transport.speed)}")
        if not transport.running and not session.over:
            words.append("paused: space goes on")
        if transport.time < transport.known:
            words.append("seen again")
    if view.frame == "plate":
        words.append("seen from the plate" if session.shows[0].motion.of_ball else "seen from the wheel")
    if session.panel is None and session.waiting:
        words.append("space launches")
    words.append("? keys")
    left, most = place.left + 0.7 * text, place.width - text
    _shaded(session.window, "   ·   ".join(words), (left, bottom - text), text, (236, 232, 200), most)
    if session.told[1] > 0.0:
        told = left, bottom - 2.7 * text
        _shaded(session.window, session.told[0], told, round(1.15 * text), (255, 216, 96), most)


def _shaded(
    window: pygame.Surface, line: str, place: tuple[float, float], text: int, ink: Colour, most: int
) -> None:
    """A line that can be read on anything."""
    box = write(window, line, place, text, (6, 8, 10), most=most)
    write(window, line, (box.left - 1, box.centery - 1), text, ink, most=most)


def _falling_chip(session: "Session", view: View) -> None:
    """A chip on its way down, above the place where it will land."""
    if session.falling is None:
        return
    show, place = session.shows[0], session.places[0]
    lands, x, y = session.falling
    if not isinstance(show.stage.picture, PlatePicture):
        return
    seen = show.stage.seen(show.motion.at(session.transport.time), view)
    px, py = seen.pixel(x, y)
    left = min(max((lands - session.transport.time) / FALL_S, 0.0), 1.0)
    radius = 0.5 * CHIP_DIAMETER * seen.camera.scale
    centre = place.left + px, place.top + py
    shadow = pygame.Surface((round(2 * radius) + 2,) * 2, pygame.SRCALPHA)
    pygame.draw.circle(shadow, (0, 0, 0, 110), (radius + 1, radius + 1), radius)
    session.window.blit(
        shadow, (centre[0] - radius + 3 * radius * left, centre[1] - radius + 3 * radius * left)
    )
    draw_chip(session.window, centre, radius * (1 + 1.2 * left), (186, 40, 62))


def _help(session: "Session", text: int) -> None:
    """All keys and what the mouse does, from the table that the window obeys."""
    lines = [(control.shown, control.told) for control in CONTROLS if control.shown] + list(MOUSE)
    window = session.window.get_rect()
    height = min(text, int(0.94 * window.height / (1.55 * (len(lines) + 2))))
    wide = min(46 * height, window.width - 8)
    box = pygame.Rect(0, 0, wide, round(1.55 * height * (len(lines) + 2)))
    box.center = window.center
    ground(session.window, box, 225)
    y = box.top + 1.4 * height
    write(session.window, "keys and mouse", (box.left + height, y), height, (255, 226, 150), bold=True)
    for shown, told in lines:
        y += 1.55 * height
        write(session.window, shown, (box.left + height, y), height, (150, 210, 255), most=round(0.3 * wide))
        write(
            session.window,
            told,
            (box.left + round(0.34 * wide), y),
            height,
            (236, 232, 220),
            most=round(0.64 * wide),
        )
