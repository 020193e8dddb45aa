"""The stage: a machine and what happens on it, drawn on any surface at any time of a spin."""

from math import cos, sin

import numpy as np
import pygame

from sim.machines import Machine
from sim.rules.rulebook import Rulebook
from sim.scenario import Scenario
from sim.view import overlays
from sim.view.ball import draw_ball, draw_shadow
from sim.view.camera import Camera
from sim.view.layers import Layers, layers_of, picture_of
from sim.view.motion import Moment
from sim.view.plate_picture import PlatePicture
from sim.view.seen import Seen, View
from sim.view.strips import Strip
from sim.view.timeline import Timeline
from sim.view.wheel_picture import WheelPicture

__all__ = ["Stage", "View"]

Size = tuple[int, int]

_CLOSE = 2.6  # how much larger things are drawn when followed
_LARGEST = 2600  # px, side of what is painted to be followed


class Stage:
    """A machine prepared to be drawn at one size, px. Needs no display: it draws on plain surfaces."""

    def __init__(self, scenario: Scenario, machine: Machine, rulebook: Rulebook, size: Size) -> None:
        self.scenario, self.machine, self.rulebook, self.size = scenario, machine, rulebook, size
        self.picture = picture_of(scenario, machine, rulebook)
        self.text = max(11, round(min(size[1], 0.75 * size[0]) / 48))
        self.timeline = Timeline(size, self.text)
        self.strip = Strip(size, self.text, self.timeline.rect.top)
        self._wide: dict[Camera, Layers] = {}
        self._close: Layers | None = None

    def draw(self, surface: pygame.Surface, moment: Moment, view: View | None = None) -> None:
        """Draw a moment over all of ``surface``, a `canvas` of the stage's size."""
        view = view or View()
        seen = self.seen(moment, view)
        self._layers(view).paint(surface, seen.camera, moment.turned - seen.turned)
        if isinstance(self.picture, PlatePicture):
            self._draw_ball(surface, moment, view, seen, self.picture)
        else:
            self._draw_clapper(surface, moment, view, seen, self.picture)
        overlays.winner(surface, seen, moment, self.picture)
        if view.heights:
            self.strip.draw(surface, moment, view)
        if view.timeline:
            self.timeline.draw(surface, moment, view)
        if view.caption:
            overlays.caption(surface, self.text, moment, self.scenario, self.rulebook)

    def pixel(self, x: float, y: float, moment: Moment, view: View | None = None) -> tuple[float, float]:
        """Where a point of the lab (m) is drawn at a moment, px from the upper left corner."""
        return self.seen(moment, view or View()).pixel(x, y)

    def seen(self, moment: Moment, view: View) -> Seen:
        """Whence the machine is seen at a moment."""
        turned = moment.turned if view.frame == "plate" else 0.0
        wide = self._camera(view)
        if not view.follow:
            return Seen(wide, turned)
        scale = self._layers(view).camera.scale
        x, y = self._followed(moment)
        x, y = x * cos(turned) + y * sin(turned), y * cos(turned) - x * sin(turned)
        centre = round(wide.centre[0] - scale * x), round(wide.centre[1] + scale * y)
        return Seen(Camera(scale, centre), turned)

    def _camera(self, view: View) -> Camera:
        """The whole machine in what the strips leave of the stage."""
        width, height = self.size
        bottom = self.strip.rect.top if view.heights else self.timeline.rect.top if view.timeline else height
        return Camera(0.5 * min(width, bottom) / self.picture.reach, (width // 2, bottom // 2))

    def _layers(self, view: View) -> Layers:
        """The layers for a view, painted when they are first needed."""
        wide = self._camera(view)
        if not view.follow:
            if wide not in self._wide:
                self._wide[wide] = layers_of(self.picture, self.size, wide)
            return self._wide[wide]
        if self._close is None:
            scale = min(_CLOSE * wide.scale, max(0.5 * _LARGEST / self.picture.reach, wide.scale))
            half = round(scale * self.picture.reach)
            size, centre = (2 * half, 2 * half), (half, half)
            if isinstance(self.picture, WheelPicture):  # the clapper stays where it is
                x, y = self._beside_clapper(self.picture)
                size, centre = (
                    self.size,
                    (round(wide.centre[0] - scale * x), round(wide.centre[1] + scale * y)),
                )
            self._close = layers_of(self.picture, size, Camera(scale, centre))
        return self._close

    def ready(self, view: View) -> bool:
        """Whether a view can be drawn at once; otherwise its first drawing takes seconds, or `prepare` does."""
        return self._close is not None if view.follow else self._camera(view) in self._wide

    def prepare(self, view: View) -> None:
        """Paint what a view needs, if it is not there yet; may be called from another thread."""
        self._layers(view)

    def _followed(self, moment: Moment) -> tuple[float, float]:
        """What is looked at closely, lab, m: the ball, or where the clapper meets the pegs."""
        if moment.ball is not None:
            return moment.ball.place[:2]
        assert isinstance(self.picture, WheelPicture)
        return self._beside_clapper(self.picture)

    @staticmethod
    def _beside_clapper(picture: WheelPicture) -> tuple[float, float]:
        x, y = picture.pivot
        return x, y - 0.9 * picture.machine.clapper.arm

    def _draw_ball(
        self, surface: pygame.Surface, moment: Moment, view: View, seen: Seen, picture: PlatePicture
    ) -> None:
        """The chips, the trail, the ball with its shadow, and the arrows."""
        ball = moment.ball
        assert ball is not None
        scale, (x, y, z) = seen.camera.scale, ball.place
        overlays.chips(surface, seen, moment)
        if view.trail > 0.0:
            overlays.trail(surface, seen, moment, view.trail)
        place, radius = seen.pixel(x, y), picture.machine.ball_radius
        below = max(z - radius - picture.relief.height(x, y, moment.turned), 0.0)
        draw_shadow(surface, place, radius * scale, below * scale)
        back = np.array(
            [[cos(seen.turned), sin(seen.turned), 0], [-sin(seen.turned), cos(seen.turned), 0], [0, 0, 1]]
        )
        draw_ball(surface, place, radius * scale, back @ moment.orientation)
        if view.arrows:
            overlays.ball_arrows(surface, seen, moment, self.text)

    def _draw_clapper(
        self, surface: pygame.Surface, moment: Moment, view: View, seen: Seen, picture: WheelPicture
    ) -> None:
        clapper = moment.clapper
        assert clapper is not None
        picture.draw_clapper(surface, seen, clapper.angle)
        if view.arrows:
            overlays.wheel_arrows(surface, seen, moment, picture, self.text)
