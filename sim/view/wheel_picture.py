"""A pegged wheel from the front: the wall behind it, the wheel that turns with its pegs, and the clapper above."""

from math import cos, degrees, hypot, pi, sin, tau

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.machines import WheelMachine
from sim.rules.rulebook import Rulebook
from sim.scenario import WheelScenario
from sim.view.inks import ink_of, on
from sim.view.lettering import letter
from sim.view.paint import Array, Colour, cover, edge, lay, lit, noise, painted, wood
from sim.view.seen import Seen
from sim.view.turning import Disc, disc_of

_BRASS: Colour = (204, 166, 96)
_WALL: tuple[Colour, Colour] = ((30, 34, 44), (44, 50, 62))
_RIM: tuple[Colour, Colour] = ((58, 24, 14), (116, 58, 32))
_HUB: tuple[Colour, Colour] = ((74, 38, 20), (128, 78, 44))
_LEATHER: Colour = (226, 196, 146)
_LETTERS = 0.9  # share of the fields' outer radius at which the symbols stand
_FINE = 4  # the clapper is drawn so many times larger, then made smaller


class WheelPicture:
    """What a pegged wheel looks like. Lengths in m, from its axis.

    reach: half the side of the square that shows all of it.
    """

    def __init__(self, scenario: WheelScenario, machine: WheelMachine, rulebook: Rulebook) -> None:
        self.machine = machine
        self.radius = machine.radius
        self.pivot = (machine.clapper.pivot_x, machine.clapper.pivot_y)
        self.reach = 1.04 * max(self.radius, hypot(*self.pivot) + 0.03)
        self.symbols = scenario.machine.ring
        self.inks = [ink_of(rulebook, symbol) for symbol in self.symbols]
        self.pegs = float(np.max(machine.pegs[:, 1]))
        self.rim = float(np.min(machine.pegs[:, 1] - machine.pegs[:, 2])) - 0.012
        self.hub = 0.34 * self.radius

    def lab(self, section: int, turned: float) -> tuple[float, float]:
        """Where the symbol of a section is, lab, m, with the wheel at ``turned``, rad."""
        row = self.machine.section.index(section)
        begin = self.machine.bounds[row]
        middle = (
            begin + 0.5 * ((self.machine.bounds[(row + 1) % len(self.machine.bounds)] - begin) % tau) + turned
        )
        return _LETTERS * self.rim * cos(middle), _LETTERS * self.rim * sin(middle)

    def still(self, size: tuple[int, int], centre: tuple[int, int], scale: float) -> NDArray[np.uint8]:
        """The wall and the stand, shape (height, width, 4), the axis at ``centre``, ``scale`` px to a metre."""
        return painted(size, centre, scale, lambda x, y: self._wall(x, y, scale))[0]

    def disc(self, scale: float) -> Disc:
        """The wheel, ``scale`` px to a metre."""
        side = 2 * int(self.radius * scale + 4)
        layer = self._lettering(side, scale)
        square, middle = (side, side), (side / 2, side / 2)
        colours, lean = painted(square, middle, scale, lambda x, y: self._wheel(x, y, scale), layer)
        return disc_of(colours, lean, self.radius * scale + 1.0)

    def draw_clapper(self, surface: pygame.Surface, seen: Seen, angle: float) -> None:
        """Draw the clapper deflected by ``angle``, rad: its tip where the engine has it, bent on the way there."""
        clapper, scale = self.machine.clapper, seen.camera.scale
        lean = angle - seen.turned
        side = round(2.6 * (clapper.arm + 0.02) * scale)
        sheet = pygame.Surface((side * _FINE, side * _FINE), pygame.SRCALPHA, 32)
        fine, half = scale * _FINE, 0.5 * side * _FINE
        tip = np.array([sin(lean), cos(lean)]) * clapper.arm * fine
        # A leaf held fast at its pivot: it leaves as it hangs at rest and bends towards the tip.
        held = clapper.rest_angle - seen.turned + 0.25 * (angle - clapper.rest_angle)
        knee = np.array([sin(held), cos(held)]) * 0.55 * clapper.arm * fine
        t = np.linspace(0, 1, 13)[:, None]
        spine = 2 * t * (1 - t) * knee + t * t * tip
        along = np.gradient(spine, axis=0)
        across = np.column_stack((-along[:, 1], along[:, 0])) / np.hypot(*along.T)[:, None]
        width = np.linspace(3.6, 1.0, 13)[:, None] * clapper.radius * fine
        outline = np.vstack((spine + across * width, (spine - across * width)[::-1])) + half
        shadow = np.array([0.012, 0.016]) * fine
        pygame.draw.polygon(sheet, (0, 0, 0, 70), (outline + shadow).tolist())
        pygame.draw.polygon(sheet, _LEATHER, outline.tolist())
        pygame.draw.circle(sheet, _LEATHER, (tip + half).tolist(), clapper.radius * fine)
        pygame.draw.lines(sheet, (150, 112, 70), False, (spine + half).tolist(), max(_FINE // 2, 1))
        for ink, size in (((40, 34, 30), 0.017), (_BRASS, 0.013), ((120, 90, 46), 0.005)):
            pygame.draw.circle(sheet, ink, (half, half), size * fine)
        small = pygame.transform.smoothscale(sheet, (side, side))
        x, y = seen.pixel(*self.pivot)
        surface.blit(small, (round(x - 0.5 * side), round(y - 0.5 * side)))

    def _wall(self, x: Array, y: Array, scale: float) -> tuple[Array, Array, Array]:
        x, y = np.broadcast_arrays(x[None, :], y[:, None])
        r = np.hypot(x, y)
        panel = np.floor(x / 0.21)
        rgb = wood(y, x + panel * 3.1, *_WALL)
        rgb *= np.clip(1.12 - 0.3 * np.hypot(x + 0.3, y - 0.4), 0.45, 1.2)[..., None]
        lay(rgb, (12, 14, 18), 0.5 * cover(0.001 - np.abs((x / 0.21 + 0.5) % 1 - 0.5) * 0.21, scale))
        post = np.float32(0.06) - np.abs(x)
        stand = wood(y, x, *_RIM)
        lit(stand, np.where(x < 0, -1.0, 1.0) * np.clip(np.abs(x) / 0.06 - 0.5, 0, 1), np.zeros_like(x))
        low = cover(np.minimum(post, -y), scale)
        lay(rgb, (0, 0, 0), 0.5 * np.clip(1 + (0.07 - np.abs(x - 0.02)) / 0.03, 0, 1) * (y < 0))
        lay(rgb, stand, low)
        # The bracket that holds the pivot.
        px, py = np.float32(self.pivot[0]), np.float32(self.pivot[1])
        held = np.minimum(np.float32(0.03) - np.abs(x - px), y - (py - np.float32(0.02)))
        lay(rgb, stand, cover(held, scale))
        shadow = np.hypot(x - 0.035 * self.radius, y + 0.045 * self.radius)
        lay(rgb, (4, 5, 8), 0.65 * np.clip((1.05 * self.radius - shadow) / (0.1 * self.radius), 0, 1))
        return rgb, np.ones_like(r), np.zeros((*r.shape, 2), np.float32)

    def _wheel(self, x: Array, y: Array, scale: float) -> tuple[Array, Array, Array]:
        axes = x, y
        x, y = np.broadcast_arrays(x[None, :], y[:, None])
        r = np.maximum(np.hypot(x, y), np.float32(1e-9))
        azimuth = np.arctan2(y, x)
        share = cover(self.radius - r, scale)
        rgb = wood(azimuth * self.radius, r, *_RIM)
        lean = np.zeros((*r.shape, 2), np.float32)
        self._fields(rgb, r, azimuth, scale)
        self._hub(rgb, lean, x, y, r, azimuth, scale)
        bevel = np.clip((r - self.radius + 0.012) / 0.012, 0, 1) * (share > 0) * 0.6
        lean += np.stack((bevel * x / r, bevel * y / r), axis=-1)
        for line in (self.rim, self.hub, self.radius - 0.004):
            lay(rgb, _BRASS, 0.9 * cover(0.0016 - np.abs(r - line), scale))
        for angle, distance, radius in self.machine.pegs.tolist():
            self._peg(rgb, lean, axes, (distance * cos(angle), distance * sin(angle)), radius, scale)
        return rgb, share, lean

    def _fields(self, rgb: Array, r: Array, azimuth: Array, scale: float) -> None:
        """The sections, each in the colour of its symbol; they fade to the middle."""
        bounds = np.array(self.machine.bounds)
        turned = bounds[0] + (azimuth - bounds[0]) % tau
        row = np.searchsorted(bounds, turned, side="right") - 1
        section = np.array(self.machine.section)[row]
        inks = (
            np.array(self.inks, np.float32)[section] * (0.72 + 0.28 * np.clip(r / self.rim, 0, 1))[..., None]
        )
        inks *= (0.96 + 0.06 * noise(r * 60, azimuth * 40))[..., None]
        inside = np.minimum(self.rim - r, r - self.hub)
        lay(rgb, inks, cover(inside, scale))
        after = np.append(bounds[1:], bounds[0] + tau)[row]
        away = np.minimum(turned - bounds[row], after - turned) * r
        lay(rgb, _BRASS, 0.9 * cover(np.minimum(0.0013 - away, inside), scale))

    def _hub(
        self, rgb: Array, lean: Array, x: Array, y: Array, r: Array, azimuth: Array, scale: float
    ) -> None:
        """The middle of the wheel: turned wood with an inlaid star, and the cap of the axle."""
        inside = cover(self.hub - r, scale)
        lay(rgb, wood(r, azimuth * self.hub, *_HUB), inside)
        for points, length, ink in ((12, 0.72, (86, 48, 26)), (6, 0.94, (196, 158, 104))):
            tip = np.abs((azimuth / tau * points + 0.5) % 1.0 - 0.5) * 2
            star = length * self.hub * 0.26 / (0.26 + tip * (1 - 0.2 * tip))
            lay(rgb, ink, 0.92 * edge(star - r))
        cap = 0.17 * self.hub
        lay(rgb, (24, 14, 8), 0.6 * cover(cap + 0.006 - r, scale))
        lay(rgb, _BRASS, cover(cap - r, scale))
        dome = np.clip(r / cap, 0, 1) * (r < cap) * 0.8
        lean += np.stack((dome * x / r, dome * y / r), axis=-1)

    def _peg(
        self,
        rgb: Array,
        lean: Array,
        axes: tuple[Array, Array],
        centre: tuple[float, float],
        radius: float,
        scale: float,
    ) -> None:
        """One peg, a dome of brass with a thin shadow round it."""
        cx, cy = centre
        reach = 2.0 * radius + 2.0 / scale
        columns = slice(*np.searchsorted(axes[0], (cx - reach, cx + reach)))
        rows = slice(*np.searchsorted(-axes[1], (-cy - reach, -cy + reach)))
        x, y = axes[0][None, columns] - np.float32(cx), axes[1][rows, None] - np.float32(cy)
        if x.size == 0 or y.size == 0:
            return
        d = np.maximum(np.hypot(x, y), np.float32(1e-9))
        there = rgb[rows, columns]
        lay(there, (10, 6, 4), 0.6 * np.clip(1.8 - d / np.float32(radius), 0, 1))
        inside = cover(np.float32(radius) - d, scale)
        lay(there, (222, 192, 126), inside)
        dome = np.clip(d / np.float32(radius), 0, 1) * 0.9 * inside
        lean[rows, columns, 0] += dome * x / d
        lean[rows, columns, 1] += dome * y / d

    def _lettering(self, side: int, scale: float) -> pygame.Surface:
        layer = pygame.Surface((side, side), pygame.SRCALPHA, 32)
        bounds = np.array(self.machine.bounds)
        widths = (np.roll(bounds, -1) - bounds) % tau
        for begin, width, section in zip(bounds.tolist(), widths.tolist(), self.machine.section, strict=True):
            middle = begin + 0.5 * width
            radius = _LETTERS * self.rim
            most = 0.8 * width * radius
            place = (side / 2 + scale * radius * cos(middle), side / 2 - scale * radius * sin(middle))
            ink = on(self.inks[section])
            height = min(0.1 * self.rim, most)
            letter(
                layer,
                self.symbols[section],
                place,
                height * scale,
                most * scale,
                degrees(middle - pi / 2),
                ink,
            )
        return layer
