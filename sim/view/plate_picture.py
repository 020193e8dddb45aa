"""A plate machine from above: the still bowl, and the plate that turns in it with its numbers and hollows."""

from math import atan2, cos, degrees, hypot, pi, sin, tau

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.machines import PlateMachine
from sim.rules.rulebook import Rulebook
from sim.scenario import PlateScenario
from sim.view.inks import STAR, ink_of, on
from sim.view.lettering import letter
from sim.view.paint import Array, Colour, cover, edge, felt, lay, lit, noise, painted, wood
from sim.view.relief import Relief
from sim.view.turning import Disc, disc_of

_BRASS: Colour = (196, 158, 92)
_MAHOGANY: tuple[Colour, Colour] = ((58, 24, 14), (112, 54, 30))
_CONE: tuple[Colour, Colour] = ((92, 52, 26), (158, 102, 56))
_PLATE: tuple[Colour, Colour] = ((150, 108, 62), (204, 166, 110))
_BOSS: tuple[Colour, Colour] = ((64, 36, 20), (108, 66, 38))
_STAVES = 32


class PlatePicture:
    """What a plate machine looks like. Lengths in m, from the spindle; the plate's own frame turns with it.

    reach: half the side of the square that shows all of it.
    """

    def __init__(self, scenario: PlateScenario, machine: PlateMachine, rulebook: Rulebook) -> None:
        self.scenario, self.machine = scenario, machine
        self.relief = Relief(machine)
        table = scenario.machine
        self.wall, self.edge = machine.wall_radius, machine.plate_radius
        self.inner, self.boss = table.band.inner_radius, table.plate.boss_radius
        self.rim = 1.1 * self.wall
        self.frame = 0.5 * table.frame if table.frame is not None else None
        self.reach = max(1.03 * self.rim, self.frame or 0.0)
        self.symbols = table.ring
        self.inks = [ink_of(rulebook, symbol) for symbol in self.symbols]
        self.lone_ring = len(table.hollows.rings) == 1
        mouth = float(np.max(machine.surfaces.mouth))
        self.numbers = max(self.inner - min(1.5 * mouth, 0.4 * self.inner), 1.15 * self.boss)

    def lab(self, pocket: int, turned: float) -> tuple[float, float]:
        """Where a hollow is, lab, m, with the plate at ``turned``, rad."""
        x, y = self.relief.centre[pocket] + np.array(self.relief.off)
        return float(x * cos(turned) - y * sin(turned)), float(x * sin(turned) + y * cos(turned))

    def still(self, size: tuple[int, int], centre: tuple[int, int], scale: float) -> NDArray[np.uint8]:
        """The bowl and what it stands on, shape (height, width, 4), the spindle at ``centre``, ``scale`` px/m."""
        colours, _ = painted(size, centre, scale, lambda x, y: self._bowl(x, y, scale))
        return colours

    def disc(self, scale: float) -> Disc:
        """The plate, ``scale`` px to a metre."""
        side = 2 * int(self.edge * scale + 4)
        layer = self._lettering(side, scale)
        colours, lean = painted(
            (side, side), (side / 2, side / 2), scale, lambda x, y: self._plate(x, y, scale), layer
        )
        return disc_of(colours, lean, self.edge * scale + 1.0)

    # --- the bowl -----------------------------------------------------------------------------------------------

    def _bowl(self, x: Array, y: Array, scale: float) -> tuple[Array, Array, Array]:
        x, y = np.broadcast_arrays(x[None, :], y[:, None])
        r = np.hypot(x, y)
        azimuth = np.arctan2(y, x)
        rgb = felt(x, y)
        self._ground(rgb, x, y, r, scale)
        # The rim, bevelled outward and inward.
        rim = wood(azimuth * self.wall, r, *_MAHOGANY)
        across = (r - self.wall) / (self.rim - self.wall)
        bevel = np.where(across < 0.5, -1.0, 1.0) * np.clip(np.abs(across - 0.5) * 2 - 0.45, 0, 1) * 0.9
        lit(rim, bevel * np.cos(azimuth), bevel * np.sin(azimuth))
        lay(rgb, rim, cover(self.rim - r, scale))
        for line in (0.3, 0.7):
            middle = self.wall + line * (self.rim - self.wall)
            lay(rgb, _BRASS, 0.8 * cover(0.0012 - np.abs(r - middle), scale))
        # The cone in staves, dark where the wall stands over it.
        stave = np.floor((azimuth + pi) / tau * _STAVES)
        cone = wood(r, azimuth * 0.5 * self.wall + stave * 7.3, *_CONE)
        cone *= (0.92 + 0.16 * np.modf(np.sin(stave * 12.9) * 43.7)[0])[..., None]
        joint = np.abs(((azimuth + pi) / tau * _STAVES + 0.5) % 1.0 - 0.5) * tau / _STAVES * r
        lay(cone, _MAHOGANY[0], 0.5 * cover(0.0008 - joint, scale))
        lean = self.relief.stator.lean(r)
        lit(cone, lean * np.cos(azimuth), lean * np.sin(azimuth))
        groove = np.clip(
            (r - self.wall + 2.2 * self.machine.ball_radius) / (2.2 * self.machine.ball_radius), 0, 1
        )
        cone *= (1 - 0.42 * groove**1.5)[..., None]
        lay(rgb, cone, cover(self.wall - r, scale))
        lay(rgb, (20, 10, 6), 0.85 * cover(0.0022 - np.abs(r - self.wall), scale))
        lay(rgb, (14, 9, 6), cover(self.edge + 0.003 - r, scale))
        return rgb, np.ones_like(r), np.zeros((*r.shape, 2), np.float32)

    def _ground(self, rgb: Array, x: Array, y: Array, r: Array, scale: float) -> None:
        """What the bowl stands on: the cloth, or a square frame of wood; the bowl's shadow on it."""
        if self.frame is not None:
            inside = self.frame - np.maximum(np.abs(x), np.abs(y))
            along = np.abs(x) > np.abs(y)
            frame = wood(np.where(along, y, x), np.where(along, x, y), *_MAHOGANY)
            lay(rgb, (8, 10, 10), 0.55 * np.clip(1 + inside / 0.03, 0, 1))
            lay(rgb, frame, cover(inside, scale))
            lay(rgb, _BRASS, 0.7 * cover(0.0015 - np.abs(inside - 0.02), scale))
        shadow = np.hypot(x - 0.025 * self.wall, y + 0.025 * self.wall)
        lay(rgb, (4, 6, 6), 0.6 * np.clip((1.06 * self.rim - shadow) / (0.07 * self.rim), 0, 1))

    # --- the plate ----------------------------------------------------------------------------------------------

    def _plate(self, x: Array, y: Array, scale: float) -> tuple[Array, Array, Array]:
        share = cover(self.edge - np.hypot(x[None, :], y[:, None]), scale)
        x, y = x - np.float32(self.relief.off[0]), y - np.float32(self.relief.off[1])
        axes = x, y
        x, y = np.broadcast_arrays(x[None, :], y[:, None])
        r = np.maximum(np.hypot(x, y), np.float32(1e-9))
        azimuth = np.arctan2(y, x)
        rgb = wood(azimuth * 0.3, r, *_PLATE)
        outward = self.relief.rotor.lean(r).astype(np.float32)
        lean = np.stack((outward * x / r, outward * y / r), axis=-1)
        self._boss(rgb, r, azimuth, scale)
        if self.lone_ring:
            self._sectors(rgb, r, azimuth, scale)
        for line in (self.inner, self.edge - 0.004):
            lay(rgb, _BRASS, 0.8 * cover(0.0011 - np.abs(r - line), scale))
        for index in range(len(self.symbols)):
            self._hollow(rgb, lean, axes, index, scale)
        return rgb, share, lean

    def _boss(self, rgb: Array, r: Array, azimuth: Array, scale: float) -> None:
        """The boss, inlaid with a star so that its turning shows; the spindle's cap."""
        foot = self.numbers if self.lone_ring else self.inner
        lay(rgb, wood(r, azimuth * foot, *_BOSS), cover(foot - r, scale))
        for points, length, ink in ((8, 0.62, (92, 56, 30)), (4, 0.9, (186, 146, 92))):
            tip = np.abs((azimuth / tau * points + 0.5) % 1.0 - 0.5) * 2
            star = length * foot * (0.22 / (0.22 + tip * (1 - 0.22 * tip))) ** 1.1
            lay(rgb, ink, 0.9 * edge(star - r))
        cap = 0.3 * self.boss + 0.006
        lay(rgb, (30, 18, 10), 0.6 * cover(cap + 0.004 - r, scale))
        dome = np.array(_BRASS, np.float32) * (0.72 + 0.4 * noise(r * 900, azimuth * 0.5))[..., None]
        lay(rgb, dome, cover(cap - r, scale))

    def _sectors(self, rgb: Array, r: Array, azimuth: Array, scale: float) -> None:
        """A ring of fields beside the hollows, in the colours of their symbols."""
        count = len(self.symbols)
        field = np.round(azimuth / tau * count).astype(np.int32) % count
        inks = np.array(self.inks, np.float32)[field] * np.float32(0.94)
        inside = np.minimum(r - self.numbers, self.inner - r)
        lay(rgb, inks, cover(inside, scale))
        bounds = np.abs((azimuth / tau * count) % 1.0 - 0.5) * tau / count * r
        lay(rgb, _BRASS, cover(np.minimum(0.0009 - bounds, inside), scale))
        lay(rgb, _BRASS, 0.9 * cover(0.0013 - np.abs(r - self.numbers), scale))

    def _hollow(self, rgb: Array, lean: Array, axes: tuple[Array, Array], index: int, scale: float) -> None:
        """One hollow: the darker the deeper, its rim lit from the side."""
        cx, cy = self.relief.centre[index]
        shape = self.relief.hollows[index]
        outer = float(shape.q[-1])
        columns = slice(*np.searchsorted(axes[0], (cx - outer, cx + outer)))
        rows = slice(*np.searchsorted(-axes[1], (-cy - outer, -cy + outer)))
        x, y = axes[0][None, columns] - np.float32(cx), axes[1][rows, None] - np.float32(cy)
        if x.size == 0 or y.size == 0:
            return
        d = np.maximum(np.hypot(x, y), np.float32(1e-9))
        mouth = float(self.machine.surfaces.mouth[index])
        inside = cover(np.float32(max(mouth, self._lip(index))) - d, scale)
        depth = np.clip(-shape.height(d) / mouth, 0, 1.2).astype(np.float32)
        ink = np.array(self.inks[index], np.float32)
        lining = (
            np.broadcast_to(0.45 * np.array(_BOSS[1], np.float32) + 0.55 * ink, (*d.shape, 3))
            * (1.12 - 0.95 * depth)[..., None]
        )
        there = rgb[rows, columns]
        lay(there, lining, inside)
        lay(there, _BRASS, 0.85 * cover(0.0013 - np.abs(d - np.float32(mouth)), scale))
        outward = shape.lean(d).astype(np.float32) * inside
        lean[rows, columns, 0] = lean[rows, columns, 0] * (1 - inside) + outward * x / d
        lean[rows, columns, 1] = lean[rows, columns, 1] * (1 - inside) + outward * y / d

    def _lip(self, index: int) -> float:
        """How far out a raised lip reaches, m."""
        raised = self.relief.hollows[index]
        above = raised.q[raised.z > 1e-6]
        return float(above[-1]) if len(above) else 0.0

    def _lettering(self, side: int, scale: float) -> pygame.Surface:
        """The symbols: beside the hollows, or in them where there are two rings."""
        layer = pygame.Surface((side, side), pygame.SRCALPHA, 32)
        count = len(self.symbols)
        for index, symbol in enumerate(self.symbols):
            x, y = self.relief.centre[index]
            azimuth = atan2(y, x)
            if self.lone_ring:
                radius, most = 0.5 * (self.numbers + self.inner), tau / count * self.numbers
                height = min(0.62 * (self.inner - self.numbers), 0.72 * most)
            else:
                radius, height = hypot(x, y), 0.95 * float(self.machine.surfaces.mouth[index])
                most = 1.2 * height
            place = (
                side / 2 + scale * (radius * cos(azimuth) + self.relief.off[0]),
                side / 2 - scale * (radius * sin(azimuth) + self.relief.off[1]),
            )
            ink = STAR if symbol == "star" else on(self.inks[index])
            letter(layer, symbol, place, height * scale, 0.86 * most * scale, degrees(azimuth) - 90, ink)
        return layer
