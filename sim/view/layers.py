"""The still layers of a machine at one scale, and the disc that turns among them."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pygame

from sim.machines import Machine, PlateMachine
from sim.rules.rulebook import Rulebook
from sim.scenario import PlateScenario, Scenario
from sim.view import paint
from sim.view.camera import Camera
from sim.view.plate_picture import PlatePicture
from sim.view.turning import Disc, turn
from sim.view.wheel_picture import WheelPicture

Picture = PlatePicture | WheelPicture


def picture_of(scenario: Scenario, machine: Machine, rulebook: Rulebook) -> Picture:
    """What a machine looks like."""
    if isinstance(machine, PlateMachine):
        assert isinstance(scenario, PlateScenario)
        return PlatePicture(scenario, machine, rulebook)
    assert not isinstance(scenario, PlateScenario)
    return WheelPicture(scenario, machine, rulebook)


@dataclass(frozen=True, slots=True)
class Layers:
    """A machine painted at ``camera.scale``: what stands still, with its axis at ``camera.centre``, and what turns.

    around: the colour beyond the still layer.
    """

    camera: Camera
    still: pygame.Surface
    disc: Disc
    around: tuple[int, int, int]

    def paint(self, surface: pygame.Surface, camera: Camera, angle: float) -> None:
        """Paint the machine with its disc turned by ``angle``, rad, its axis at ``camera.centre`` of a `canvas`."""
        left = camera.centre[0] - self.camera.centre[0]
        top = camera.centre[1] - self.camera.centre[1]
        if not pygame.Rect((left, top), self.still.get_size()).contains(surface.get_rect()):
            surface.fill(self.around)
        surface.blit(self.still, (left, top))
        x, y = float(camera.centre[0]), float(camera.centre[1])
        disc, target = self.disc, paint.pixels_of(surface)
        turn(disc.colours, disc.slopes, disc.radius, angle, paint.LIGHT, paint.STRENGTH, x, y, target)


def layers_of(picture: Picture, size: tuple[int, int], camera: Camera) -> Layers:
    """Paint a machine's layers for surfaces of ``size``, px, with its axis at ``camera.centre``."""
    still = paint.opaque(picture.still(size, camera.centre, camera.scale))
    return Layers(camera, still, _disc(picture, camera.scale), _beyond(picture, camera.scale))


def _beyond(picture: Picture, scale: float) -> tuple[int, int, int]:
    """The colour of what a picture shows far from its machine."""
    away = round(1.5 * scale * picture.reach)
    red, green, blue, *_ = np.mean(picture.still((24, 24), (12, 12 + away), scale), axis=(0, 1))
    return round(red), round(green), round(blue)


@lru_cache(maxsize=4)
def _disc(picture: Picture, scale: float) -> Disc:
    return picture.disc(scale)
