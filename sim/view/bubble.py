"""A bubble level: shows how a table stands, and tilts it when its bubble is dragged."""

from math import atan2, cos, degrees, hypot, pi, sin

import pygame

from sim.view.text import write

MOST = 0.6  # deg, at the edge of the glass


class Bubble:
    """A round level, seen from above; its bubble goes to the high side. Angles in rad."""

    def __init__(self, rect: pygame.Rect, text: int) -> None:
        self.rect, self.text = rect, text
        self.radius = 0.5 * min(rect.width, rect.height - 1.6 * text)
        self.centre = (rect.left + self.radius, rect.top + self.radius)
        self.tilt, self.low_side = 0.0, 0.0
        self.dragged = False

    def set(self, tilt: float, low_side: float) -> None:
        """Show a tilt towards an azimuth."""
        self.tilt, self.low_side = tilt, low_side

    def touches(self, place: tuple[int, int]) -> bool:
        """Whether a place lies on the glass."""
        return hypot(place[0] - self.centre[0], place[1] - self.centre[1]) <= self.radius

    def drag(self, place: tuple[int, int]) -> None:
        """Move the bubble to a place: the table rises there."""
        dx, dy = place[0] - self.centre[0], self.centre[1] - place[1]
        share = min(hypot(dx, dy) / (0.78 * self.radius), 1.0)
        steps = round(share * MOST / 0.02)
        self.tilt = 0.02 * steps * pi / 180
        self.low_side = (atan2(-dy, -dx) % (2 * pi)) if steps else 0.0

    def override(self) -> tuple[str, ...]:
        """The overrides of a scenario that stands like this."""
        return (f"level={{tilt: {degrees(self.tilt):.2f} deg, low_side: {degrees(self.low_side):.1f} deg}}",)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the glass, its ring and its bubble."""
        radius = self.radius
        pygame.draw.circle(surface, (54, 62, 66), self.centre, radius)
        pygame.draw.circle(surface, (150, 176, 52), self.centre, 0.92 * radius)
        pygame.draw.circle(
            surface, (172, 198, 70), (self.centre[0], self.centre[1] - 0.06 * radius), 0.8 * radius
        )
        for ring in (0.28, 0.62):
            pygame.draw.circle(surface, (52, 66, 20), self.centre, ring * radius, 1)
        away = 0.78 * radius * min(degrees(self.tilt) / MOST, 1.0)
        x = self.centre[0] - away * cos(self.low_side)
        y = self.centre[1] + away * sin(self.low_side)
        pygame.draw.circle(surface, (84, 104, 26), (x + 1, y + 2), 0.2 * radius)
        pygame.draw.circle(surface, (226, 240, 150), (x, y), 0.2 * radius)
        pygame.draw.circle(surface, (250, 255, 220), (x - 0.06 * radius, y - 0.07 * radius), 0.07 * radius)
        tilted = f"{degrees(self.tilt):.2f}°, low at {degrees(self.low_side):.0f}°"
        words = tilted if self.tilt > 0 else "level: drag to tilt"
        place = self.rect.left, self.centre[1] + radius + 0.9 * self.text
        write(surface, words, place, max(round(0.85 * self.text), 9), (206, 214, 208), most=self.rect.width)
