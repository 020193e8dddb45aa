"""Where the lab's metres fall among a surface's pixels."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Camera:
    """A view along the machine's axis: ``scale`` px to a metre, the axis at pixel ``centre``, y upward."""

    scale: float
    centre: tuple[int, int]

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Where a point (m) is drawn, px from the upper left corner of the surface."""
        return self.centre[0] + self.scale * x, self.centre[1] - self.scale * y

    def point(self, place: tuple[float, float]) -> tuple[float, float]:
        """Which point (m) is drawn at a pixel."""
        return (place[0] - self.centre[0]) / self.scale, (self.centre[1] - place[1]) / self.scale
