"""What is drawn over the machine: path, arrows, contacts, chips, the winner, the caption."""

from functools import lru_cache
from math import cos, hypot, sin, tau

import numpy as np
import pygame

from sim.rules.round import announcement
from sim.rules.rulebook import Rulebook
from sim.scenario import Scenario
from sim.view.motion import Moment
from sim.view.plate_picture import PlatePicture
from sim.view.seen import Seen
from sim.view.text import Colour, folded, lettered, width_of, write
from sim.view.wheel_picture import WheelPicture

_PATH, _ARROW, _HIT, _GOLD = (255, 226, 150), (110, 214, 255), (255, 138, 90), (255, 206, 84)
_LEVELS = 16
_LEADING = 1.45
_ARROW_S = 0.12  # an arrow is as long as the way in this time


def trail(surface: pygame.Surface, seen: Seen, moment: Moment, duration: float) -> None:
    """The ball's path of the last ``duration`` s, fading into the past."""
    rows = moment.trail(duration)
    if len(rows) < 2:
        return
    path = seen.path(rows[:, 1], rows[:, 2], rows[:, 4])
    radius = max(1.2, 0.0022 * seen.camera.scale)
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))))
    spots = np.arange(0.0, along[-1], max(0.9 * radius, along[-1] / 2500 if along[-1] > 0 else 1.0))
    if len(spots) == 0:
        return
    x, y = np.interp(spots, along, path[:, 0]), np.interp(spots, along, path[:, 1])
    age = (moment.time - np.interp(spots, along, rows[:, 0])) / duration
    level = np.clip((1.0 - age) * _LEVELS, 0, _LEVELS - 1).astype(int)
    dots = [_dot(round(radius * 4) / 4, step) for step in range(_LEVELS)]
    half = 0.5 * dots[0].get_width()
    places = zip(np.rint(x - half).astype(int).tolist(), np.rint(y - half).astype(int).tolist(), strict=True)
    surface.blits(
        [(dots[step], place) for step, place in zip(level.tolist(), places, strict=True)], doreturn=False
    )


@lru_cache(maxsize=128)
def _dot(radius: float, level: int) -> pygame.Surface:
    """A soft dot of the path, the more solid the higher its level."""
    side = 2 * int(radius + 1.5)
    axis = np.arange(side) + 0.5 - 0.5 * side
    share = np.clip(radius + 0.5 - np.hypot(axis[:, None], axis[None, :]), 0, 1)
    dot = pygame.Surface((side, side), pygame.SRCALPHA, 32)
    dot.fill((*_PATH, 0))
    pygame.surfarray.pixels_alpha(dot)[:] = (150 * share * ((level + 1) / _LEVELS) ** 1.5).astype(np.uint8)
    return dot


def ball_arrows(surface: pygame.Surface, seen: Seen, moment: Moment, text: int) -> None:
    """The ball's velocity, and what it touches."""
    ball = moment.ball
    assert ball is not None
    x, y, _ = ball.place
    place = seen.pixel(x, y)
    vx, vy, _ = ball.velocity
    if seen.turned:  # as the plate sees it
        vx, vy = vx + moment.turning_speed * y, vy - moment.turning_speed * x
    speed = hypot(vx, vy)
    dx, dy = seen.direction(vx * _ARROW_S, vy * _ARROW_S)
    tip = arrow(surface, place, (dx * seen.camera.scale, dy * seen.camera.scale), _ARROW, text)
    if speed > 0.02:
        tag(surface, f"{speed:.2f} m/s", (tip[0] + text, tip[1] - text), text, _ARROW)
    for event in moment.contacts:
        if "ball" in event.what:
            reach = seen.camera.scale * 0.03 * (1.0 + 6.0 * (moment.time - event.time))
            pygame.draw.circle(surface, _HIT, place, reach, max(text // 7, 1))
            words = f"{event.what.replace('/', ' on ')} {event.speed:.2f} m/s"
            tag(surface, words, (place[0] + text, place[1] + 2.2 * text), text, _HIT)


def wheel_arrows(
    surface: pygame.Surface, seen: Seen, moment: Moment, picture: WheelPicture, text: int
) -> None:
    """The speed of the rim at the top, that of the tip, and the peg that is touched."""
    clapper, machine = moment.clapper, picture.machine
    assert clapper is not None
    rim = moment.turning_speed * picture.pegs
    top = seen.pixel(0.0, picture.rim)
    dx, dy = seen.direction(-rim * _ARROW_S, 0.0)
    arrow(surface, top, (dx * seen.camera.scale, dy * seen.camera.scale), _ARROW, text)
    x, y = seen.pixel(0.0, -0.5 * picture.hub)
    tag(surface, f"pegs {abs(rim):.2f} m/s", (x - 4 * text, y), text, _ARROW)
    x, y = picture.pivot
    arm = machine.clapper.arm
    end = seen.pixel(x + arm * sin(clapper.angle), y - arm * cos(clapper.angle))
    for event in moment.contacts:
        pygame.draw.circle(surface, _HIT, end, 0.02 * seen.camera.scale, max(text // 7, 1))
        tag(
            surface,
            f"peg {event.pocket} {event.speed:.2f} m/s",
            (end[0] + 2 * text, end[1] - text),
            text,
            _HIT,
        )


def arrow(
    surface: pygame.Surface, place: tuple[float, float], way: tuple[float, float], colour: Colour, text: int
) -> tuple[float, float]:
    """An arrow from a place along a way, px; returns its tip."""
    tip = place[0] + way[0], place[1] + way[1]
    length = hypot(*way)
    if length < 2:
        return tip
    ux, uy = way[0] / length, way[1] / length
    thick, head = max(text / 8, 1.5), min(0.8 * text, 0.6 * length)
    neck = tip[0] - head * ux, tip[1] - head * uy
    shaft = [
        (place[0] - thick * uy, place[1] + thick * ux),
        (neck[0] - thick * uy, neck[1] + thick * ux),
        (neck[0] - 0.45 * head * uy, neck[1] + 0.45 * head * ux),
        tip,
        (neck[0] + 0.45 * head * uy, neck[1] - 0.45 * head * ux),
        (neck[0] + thick * uy, neck[1] - thick * ux),
        (place[0] + thick * uy, place[1] - thick * ux),
    ]
    pygame.draw.polygon(surface, colour, shaft)
    pygame.draw.aalines(surface, (20, 40, 50), True, shaft)
    return tip


def tag(surface: pygame.Surface, words: str, place: tuple[float, float], text: int, colour: Colour) -> None:
    """A few words on a dark ground, kept within the surface."""
    line = lettered(words, text, colour)
    box = line.get_rect(midleft=(round(place[0]), round(place[1]))).inflate(text, text // 3)
    box.clamp_ip(surface.get_rect())
    ground(surface, box)
    surface.blit(line, line.get_rect(center=box.center))


def ground(surface: pygame.Surface, box: pygame.Rect, alpha: int = 170) -> None:
    """Darken a box, so that what is written on it can be read."""
    surface.blit(_shade(box.size, alpha), box)


@lru_cache(maxsize=64)
def _shade(size: tuple[int, int], alpha: int) -> pygame.Surface:
    shade = pygame.Surface(size, pygame.SRCALPHA, 32)
    pygame.draw.rect(shade, (8, 12, 14, alpha), shade.get_rect(), border_radius=min(6, min(size) // 4))
    return shade


def chips(surface: pygame.Surface, seen: Seen, moment: Moment) -> None:
    """The chips that lie on the plate."""
    for (x, y), diameter in zip(moment.chips, moment.motion.chip_sizes, strict=False):
        place = seen.pixel(x, y)
        radius = 0.5 * diameter * seen.camera.scale
        pygame.draw.circle(surface, (10, 10, 12), (place[0] + 0.15 * radius, place[1] + 0.2 * radius), radius)
        draw_chip(surface, place, radius, (186, 40, 62))


def draw_chip(surface: pygame.Surface, place: tuple[float, float], radius: float, colour: Colour) -> None:
    """A chip from above."""
    surface.blit(
        _chip(max(round(radius), 3), colour), (round(place[0] - radius - 1), round(place[1] - radius - 1))
    )


@lru_cache(maxsize=64)
def _chip(radius: int, colour: Colour) -> pygame.Surface:
    side, fine = 2 * radius + 2, 4
    sheet = pygame.Surface((side * fine, side * fine), pygame.SRCALPHA, 32)
    middle, r = side * fine / 2, radius * fine
    pygame.draw.circle(sheet, (18, 16, 16), (middle, middle), r)
    pygame.draw.circle(sheet, colour, (middle, middle), 0.95 * r)
    for spoke in range(8):
        angle = tau * spoke / 8
        corners = [
            (middle + reach * r * cos(angle + side_way), middle + reach * r * sin(angle + side_way))
            for reach, side_way in ((0.7, -0.16), (0.95, -0.16), (0.95, 0.16), (0.7, 0.16))
        ]
        pygame.draw.polygon(sheet, (240, 236, 226), corners)
    pygame.draw.circle(sheet, (240, 236, 226), (middle, middle), 0.66 * r, max(round(0.06 * r), 1))
    return pygame.transform.smoothscale(sheet, (side, side))


def winner(surface: pygame.Surface, seen: Seen, moment: Moment, picture: PlatePicture | WheelPicture) -> None:
    """A ring of light round the pocket that has won."""
    outcome = moment.outcome
    if outcome is None or not outcome.valid:
        return
    pocket = next((event.pocket for event in moment.motion.events if event.kind == "rest"), None)
    if pocket is None:
        return
    if isinstance(picture, PlatePicture):
        x, y = picture.lab(pocket, moment.turned)
        radius = 1.12 * float(picture.machine.surfaces.mouth[pocket])
    else:
        x, y = picture.lab(pocket, moment.turned)
        radius = 0.055 * picture.radius
    glow = round(radius * seen.camera.scale)
    px, py = seen.pixel(x, y)
    surface.blit(_glow(glow), (round(px) - 2 * glow, round(py) - 2 * glow))


@lru_cache(maxsize=8)
def _glow(radius: int) -> pygame.Surface:
    side = 4 * radius
    axis = np.arange(side) + 0.5 - 0.5 * side
    d = np.hypot(axis[:, None], axis[None, :])
    ring = np.exp(-(((d - radius) / (0.22 * radius)) ** 2)) + np.clip(
        1.2 - np.abs(d - radius) / (0.05 * radius), 0, 1
    )
    sheet = pygame.Surface((side, side), pygame.SRCALPHA, 32)
    sheet.fill((*_GOLD, 0))
    pygame.surfarray.pixels_alpha(sheet)[:] = np.minimum(235 * ring, 235).astype(np.uint8)
    return sheet


def caption(
    surface: pygame.Surface, text: int, moment: Moment, scenario: Scenario, rulebook: Rulebook
) -> None:
    """In the corner above: what is seen, its phase, and how it came out."""
    pad, small = 0.7 * text, max(round(0.85 * text), 9)
    words: list[tuple[str, int, Colour, bool]] = [
        (scenario.title.partition(" (")[0], text, (236, 232, 220), True)  # without its law in brackets
    ]
    state = "" if moment.motion.still else "at rest" if moment.over else moment.phase.name
    words.append((state, text, (196, 206, 200), False))
    outcome = moment.outcome
    if outcome is not None and outcome.void is not None:
        by = outcome.void.article or "no article, inferred"
        words.append((f"void: {outcome.void.reason} ({by})", text, (255, 150, 110), True))
        key = outcome.void.announcement
    else:
        key = "result" if outcome is not None else None
        if outcome is not None:
            words.append((f"{outcome.symbol} wins", round(1.5 * text), _GOLD, True))
    spoken = announcement(rulebook, key, outcome) if key is not None else None
    if spoken is not None:
        translated = f"  {spoken.english}" if spoken.english != spoken.text else ""
        words.append((f"“{spoken.text}”{translated}", small, (236, 232, 220), False))
    # Narrower than half the picture: a wheel's pointer stands in the middle.
    most = round(0.46 * surface.get_width() - 2 * pad)
    lines = [
        (line, height, colour, bold)
        for told, height, colour, bold in words
        for line in folded(told, height, most, bold=bold)
    ]
    wide = min(most, max(width_of(line, height, bold=bold) for line, height, _, bold in lines))
    high = sum(_LEADING * height for _, height, *_ in lines)
    surface.blit(_ground((round(wide + 1.4 * pad), round(high + 0.7 * pad))), (0.3 * pad, 0.3 * pad))
    y = 0.65 * pad
    for line, height, colour, bold in lines:
        y += 0.5 * _LEADING * height
        shadowed(surface, line, (pad, y), height, colour, bold=bold, most=most)
        y += 0.5 * _LEADING * height


@lru_cache(maxsize=8)
def _ground(size: tuple[int, int]) -> pygame.Surface:
    """A dark pane, half transparent, on which a caption stands; not to be drawn upon."""
    pane = pygame.Surface(size, pygame.SRCALPHA)
    pygame.draw.rect(pane, (8, 11, 13, 130), pane.get_rect(), border_radius=max(size[1] // 12, 4))
    return pane


def shadowed(
    surface: pygame.Surface,
    words: str,
    place: tuple[float, float],
    height: int,
    colour: Colour,
    *,
    bold: bool = False,
    most: int | None = None,
) -> None:
    """A line that can be read on any ground."""
    write(surface, words, (place[0] + 1, place[1] + 1), height, (6, 8, 10), bold=bold, most=most)
    write(surface, words, place, height, colour, bold=bold, most=most)
