"""The stage: a machine and what happens on it, drawn on any surface at any time of a spin."""

from dataclasses import dataclass
from typing import Literal

import pygame

from sim.machines import Machine, PlateMachine
from sim.rules.rulebook import Rulebook
from sim.scenario import Scenario
from sim.view.motion import Moment

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class View:
    """What is shown beside the machine itself.

    frame: whose eyes: those of the room, or of the plate or wheel as it turns. follow: close to the ball or clapper.
    trail: s of path kept behind the ball. arrows: velocity and contacts. heights: the strip of the ball's height.
    timeline: phases, events and the time. caption: title, phase and outcome.
    """

    frame: Literal["lab", "plate"] = "lab"
    follow: bool = False
    trail: float = 0.0
    arrows: bool = False
    heights: bool = False
    timeline: bool = True
    caption: bool = True


class Stage:
    """A machine prepared to be drawn at one size, px. Needs no display: it draws on plain surfaces."""

    def __init__(self, scenario: Scenario, machine: Machine, rulebook: Rulebook, size: Size) -> None:
        self.scenario, self.machine, self.rulebook, self.size = scenario, machine, rulebook, size

    def draw(self, surface: pygame.Surface, moment: Moment, view: View | None = None) -> None:
        """Draw a moment over all of ``surface``, which has the stage's size."""
        view = view or View()
        surface.fill((24, 26, 30))
        if moment.ball is not None:
            x, y = self.pixel(moment.ball.place[0], moment.ball.place[1], moment, view)
            pygame.draw.circle(surface, (240, 238, 230), (x, y), 8)

    def pixel(self, x: float, y: float, moment: Moment, view: View | None = None) -> tuple[float, float]:
        """Where a point of the lab (m) is drawn at a moment, px from the upper left corner."""
        reach = self.machine.wall_radius if isinstance(self.machine, PlateMachine) else self.machine.radius
        scale = 0.45 * min(self.size) / reach
        return self.size[0] / 2 + scale * x, self.size[1] / 2 - scale * y
