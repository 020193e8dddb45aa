"""What the visitor can do to a session: one function for every deed of the controls, and the mouse."""

import io
from collections.abc import Callable
from dataclasses import replace
from math import atan2, hypot
from typing import TYPE_CHECKING

import pygame

from sim.documents.faults import BadInput
from sim.documents.writing import write_atomically
from sim.machines import PlateMachine
from sim.view.cloth import VALUES, Field
from sim.view.controls import Deed

if TYPE_CHECKING:
    from sim.view.session import Session

STEP_S = 0.01


def go(session: "Session") -> None:
    """Launch; pause or go on; after the result, the next round."""
    if session.waiting:
        session.ask_launch()
    elif session.over:
        session.await_bets()
    else:
        session.transport.running = not session.transport.running


def button(session: "Session") -> None:
    """What the large button says."""
    if session.waiting or session.over:
        go(session)
    elif session.stopped:
        session.await_bets()
    else:
        result(session)


def result(session: "Session") -> None:
    """Fast forward to the end of the spin."""
    if session.waiting:
        session.tell("the spin is being computed" if session.launching else "nothing has been launched")
        return
    session.transport.seek(session.end, session.end)
    session.transport.running = session.transport.hold is not None


def rewind(session: "Session") -> None:
    """Back to the launch."""
    _seek(session, session.transport.begin)


def step(session: "Session", duration: float) -> None:
    """Stop, and show what was or will be a little later or earlier."""
    if not session.waiting:
        session.transport.running = False
        _seek(session, session.transport.time + duration)


def _seek(session: "Session", time: float) -> None:
    if not session.waiting:
        session.transport.seek(time, session.end)


def see(session: "Session", name: str) -> None:
    """Switch something of the view on or off."""
    view = session.view
    if name == "frame":
        session.view = replace(view, frame="lab" if view.frame == "plate" else "plate")
    elif name == "trail":
        session.view = replace(view, trail=0.0 if view.trail else 0.9)
    elif name == "follow":
        session.view = replace(view, follow=not view.follow)
    elif name == "heights":
        session.view = replace(view, heights=not view.heights)
    else:
        session.view = replace(view, arrows=not view.arrows)


def chip(session: "Session") -> None:
    """Drop a chip on the plate, where the mouse points if that is there."""
    show = session.shows[0]
    if (
        session.waiting
        or session.over
        or len(session.shows) > 1
        or not isinstance(show.machine, PlateMachine)
    ):
        ball = isinstance(show.machine, PlateMachine)
        session.tell(
            "a chip falls while a ball runs on a single table"
            if ball
            else "there is no plate to drop a chip on"
        )
        return
    if show.changing is not None:
        return
    transport = session.transport
    transport.seek(transport.known, session.end)
    place = session.places[0]
    mouse = pygame.mouse.get_pos()
    seen = show.stage.seen(show.motion.at(transport.time), session.view)
    x, y = seen.camera.point((mouse[0] - place.left, mouse[1] - place.top))
    if not 0.02 < hypot(x, y) < show.machine.plate_radius:
        x, y = 0.4 * show.machine.plate_radius, -0.7 * show.machine.plate_radius
    radius, azimuth = min(hypot(x, y), show.machine.plate_radius - 0.02), atan2(y, x)
    lands = show.drop_chip(transport.time, radius, azimuth)
    session.falling = lands, x, y
    transport.hold = lands
    session.sounds.play("chip", 0.4)


def weak(session: "Session") -> None:
    """Push the next spin of a pegged wheel too weakly, or not."""
    for show in session.shows:
        if isinstance(show.machine, PlateMachine):
            session.tell("only a pegged wheel is pushed")
            return
        show.weak = not show.weak
    if session.waiting:
        for show in session.shows:
            show.stand()


def level(session: "Session") -> None:
    """Level the table again."""
    if len(session.shows) > 1:
        session.tell("side by side, both stand as they were")
        return
    tilt(session, ("level={tilt: 0 deg, low_side: 0 deg}",))


def tilt(session: "Session", overrides: tuple[str, ...]) -> None:
    """Let the table stand as overrides say, from the next spin on."""
    show = session.shows[0]
    if not show.tilts:
        session.tell("a wheel that hangs has no level")
        return
    show.rebuild(overrides)
    session.arrange()
    if not session.waiting:
        session.tell("the table stands like this from the next spin on")


def take_back(session: "Session") -> None:
    """Take the last bet back."""
    show = session.shows[0]
    if not show.sitting.take_back():
        session.tell(
            "nothing to take back" if not show.sitting.on_cloth() else "the bets can no longer be moved"
        )


def change_value(session: "Session", by: int) -> None:
    """Choose larger or smaller chips."""
    session.value = VALUES[min(max(VALUES.index(session.value) + by, 0), len(VALUES) - 1)]


def turn_page(session: "Session", by: int) -> None:
    """Show another scenario of the program."""
    session.number += by
    session.raise_curtain()


def mute(session: "Session") -> None:
    """Sound off or on."""
    session.tell(session.sounds.toggle())


def record(session: "Session") -> None:
    """Make a film of the spin that is shown."""
    show = session.shows[0]
    if session.waiting or show.order is None:
        session.tell("launch first; the spin that is shown is recorded")
    elif session.options.record is None:
        session.tell("run_sim.py record makes films")
    else:
        errand = session.options.record(show, session.options.folder)
        if isinstance(errand, str):
            session.tell(errand)
        else:
            session.errands.append(errand)
            session.tell(errand.begun)


def screenshot(session: "Session") -> None:
    """Keep the picture in the window as a file."""
    show = session.shows[0]
    number = 1
    while (path := session.options.folder / f"{show.file_name}-{number}.png").exists():
        number += 1
    picture = io.BytesIO()
    pygame.image.save(session.window, picture, "picture.png")
    try:
        write_atomically(path, picture.getvalue(), "screenshot")
    except BadInput as error:
        session.tell(error.faults[0].message)
        return
    session.tell(f"kept as {path.name}")


def full_screen(session: "Session") -> None:
    """Fill the screen, or go back into a window."""
    full = bool(session.window.get_flags() & pygame.FULLSCREEN)
    size = session.options.size if full else (0, 0)
    pygame.display.set_mode(size, pygame.RESIZABLE if full else pygame.FULLSCREEN)
    session.arrange()


def help_(session: "Session") -> None:
    """Show or hide the keys."""
    session.helping = not session.helping


def tallies(session: "Session") -> None:
    """Show or hide the histograms."""
    if session.panel is None:
        session.tell("the histograms stand beside a single machine")
        return
    session.tallied = not session.tallied
    session.arrange()


def leave(session: "Session") -> None:
    """Close the help, or the window."""
    if session.helping:
        session.helping = False
    else:
        session.running = False


DEEDS: dict[Deed, Callable[["Session"], None]] = {
    "go": go,
    "result": result,
    "rewind": rewind,
    "step": lambda session: step(session, STEP_S),
    "step_back": lambda session: step(session, -STEP_S),
    "second": lambda session: step(session, 1.0),
    "second_back": lambda session: step(session, -1.0),
    "slower": lambda session: session.transport.slower(),
    "faster": lambda session: session.transport.faster(),
    "follow": lambda session: see(session, "follow"),
    "frame": lambda session: see(session, "frame"),
    "trail": lambda session: see(session, "trail"),
    "heights": lambda session: see(session, "heights"),
    "arrows": lambda session: see(session, "arrows"),
    "histograms": tallies,
    "chip": chip,
    "weak": weak,
    "level": level,
    "take_back": take_back,
    "less": lambda session: change_value(session, -1),
    "more": lambda session: change_value(session, 1),
    "scenario": lambda session: turn_page(session, 1),
    "scenario_back": lambda session: turn_page(session, -1),
    "mute": mute,
    "record": record,
    "screenshot": screenshot,
    "full_screen": full_screen,
    "help": help_,
    "leave": leave,
}


# --- the mouse -----------------------------------------------------------------------------------------------------


def mouse(session: "Session", event: pygame.event.Event) -> None:
    """Obey the mouse: the timeline, the bubble, the cloth, the chips, the button."""
    if event.type == pygame.MOUSEBUTTONDOWN:
        _pressed(session, event)
    elif event.type == pygame.MOUSEMOTION:
        if session.scrubbing:
            _scrub(session, event.pos)
        bubble = session.panel.bubble if session.panel is not None else None
        if bubble is not None and bubble.dragged:
            bubble.drag(event.pos)
    else:
        session.scrubbing = False
        bubble = session.panel.bubble if session.panel is not None else None
        if bubble is not None and bubble.dragged:
            bubble.dragged = False
            tilt(session, bubble.override())


def _pressed(session: "Session", event: pygame.event.Event) -> None:
    if session.helping:
        session.helping = False
        return
    place = session.places[0]
    within = event.pos[0] - place.left, event.pos[1] - place.top
    if not session.waiting and session.shows[0].stage.timeline.rect.collidepoint(within):
        session.scrubbing = True
        session.transport.running = False
        _scrub(session, event.pos)
        return
    panel = session.panel
    if panel is None:
        return
    if panel.bubble is not None and panel.bubble.touches(event.pos):
        panel.bubble.dragged = True
        panel.bubble.drag(event.pos)
    elif panel.button.collidepoint(event.pos):
        button(session)
    for value, rect in zip(VALUES, panel.value_places, strict=False):
        if rect.collidepoint(event.pos):
            session.value = value
    field = panel.cloth.at(event.pos)
    if field is not None:
        _touch(session, field, event.button)


def _scrub(session: "Session", place: tuple[int, int]) -> None:
    left = session.places[0].left
    time = session.shows[0].stage.timeline.time_at((place[0] - left, place[1]), session.shows[0].motion)
    session.transport.seek(min(time, session.transport.known), session.end)


def _touch(session: "Session", field: Field, pressed: int) -> None:
    """A click on a field of the cloth."""
    assert session.panel is not None
    cloth, sitting = session.panel.cloth, session.shows[0].sitting
    if pressed == 3:
        chance = field.chance if field.symbols else None
        if not sitting.take_back(chance):
            session.tell("no bet of yours lies there")
        return
    if pressed != 1:
        return
    if pygame.key.get_mods() & pygame.KMOD_SHIFT:
        cloth.choose(field)
        return
    wager = cloth.wager(field, session.value)
    if isinstance(wager, str):
        session.tell(wager)
        return
    if session.over and not session.waiting:
        session.await_bets()
    if sitting.bet(wager):
        cloth.chosen = [] if len(field.symbols) == 0 else cloth.chosen
        session.sounds.play("chip", 0.5)
