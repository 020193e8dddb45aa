"""What is shown of a moment, and whence it is seen."""

from dataclasses import dataclass
from math import cos, sin
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sim.view.camera import Camera


@dataclass(frozen=True, slots=True)
class View:
    """What is shown beside the machine itself.

    frame: whose eyes: those of the room, or of the plate or wheel as it turns. follow: close to the ball or clapper.
    trail: s of path kept behind the ball. arrows: velocity and contacts. heights: the strip of the ball's height, or
    of the wheel's speed. timeline: phases and events. caption: title, phase, time and outcome. known: s since the
    launch up to which timeline and strip show what happened; None for all of it.
    """

    frame: Literal["lab", "plate"] = "lab"
    follow: bool = False
    trail: float = 0.0
    arrows: bool = False
    heights: bool = False
    timeline: bool = True
    caption: bool = True
    known: float | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A camera, and by how much what it sees is turned back: 0 in the room, the plate's angle on the plate, rad."""

    camera: Camera
    turned: float

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the lab (m) is drawn, px."""
        cosine, sine = cos(self.turned), sin(self.turned)
        return self.camera.pixel(x * cosine + y * sine, y * cosine - x * sine)

    def direction(self, x: float, y: float) -> tuple[float, float]:
        """A direction of the lab as the surface has it, y downward, of the same length."""
        cosine, sine = cos(self.turned), sin(self.turned)
        return x * cosine + y * sine, x * sine - y * cosine

    def path(
        self, x: NDArray[np.float64], y: NDArray[np.float64], turned: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Where points of the lab (m) are drawn, each at the time when the plate stood at ``turned``, shape (n, 2)."""
        back = turned if self.turned else np.zeros_like(turned)
        cosine, sine = np.cos(back), np.sin(back)
        (cx, cy), scale = self.camera.centre, self.camera.scale
        return np.column_stack((cx + scale * (x * cosine + y * sine), cy - scale * (y * cosine - x * sine)))
