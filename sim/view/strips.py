"""The strip below the table: the ball's height against time, or the wheel's speed and the clapper's angle."""

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.view.motion import Moment, Motion
from sim.view.seen import View
from sim.view.text import write

_GROUND, _LINE, _SECOND, _INK = (14, 18, 20), (122, 190, 240), (236, 186, 96), (190, 196, 200)


class Strip:
    """A curve over the whole spin, as wide as the stage; drawn once for each spin."""

    def __init__(self, size: tuple[int, int], text: int, bottom: int) -> None:
        height = round(max(0.13 * size[1], 5 * text))
        self.rect = pygame.Rect(0, bottom - height, size[0], height)
        self.text = text
        self._drawn: tuple[Motion, pygame.Surface] | None = None

    def draw(self, surface: pygame.Surface, moment: Moment, view: View) -> None:
        """Draw the curve, as far as it is known, and where it stands now."""
        motion = moment.motion
        if motion.still:
            pygame.draw.rect(surface, _GROUND, self.rect)
            return
        if self._drawn is None or self._drawn[0] is not motion:
            self._drawn = motion, self._curve(motion)
        share = 1.0 if view.known is None else min(max(view.known / motion.duration, 0.0), 1.0)
        inner = round(share * self.rect.width)
        pygame.draw.rect(surface, _GROUND, self.rect)
        surface.blit(self._drawn[1], self.rect, (0, 0, inner, self.rect.height))
        now = round(self.rect.width * min(max(moment.time / motion.duration, 0.0), 1.0))
        pygame.draw.line(surface, (240, 240, 240), (now, self.rect.top), (now, self.rect.bottom - 1))
        pad = 0.5 * self.text
        if motion.of_ball:
            mm = 1000 * moment.ball.place[2] if moment.ball is not None else 0.0
            write(
                surface, f"height of the ball {mm:.1f} mm", (pad, self.rect.top + self.text), self.text, _LINE
            )
        else:
            words = f"wheel {moment.turning_speed:+.2f} rad/s"
            at = write(surface, words, (pad, self.rect.top + self.text), self.text, _LINE)
            bent = np.degrees(moment.clapper.angle) if moment.clapper is not None else 0.0
            place = at.right + 2 * pad, self.rect.top + self.text
            write(surface, f"clapper {bent:+.1f} deg", place, self.text, _SECOND)

    def _curve(self, motion: Motion) -> pygame.Surface:
        sheet = pygame.Surface(self.rect.size, 0, 32)
        sheet.fill(_GROUND)
        pygame.draw.line(sheet, (70, 78, 82), (0, 0), (self.rect.width, 0))
        if motion.of_ball:
            self._plot(sheet, motion.rows[:, 0], motion.rows[:, 3], _LINE)
        else:
            self._plot(sheet, motion.rows[:, 0], motion.rows[:, 3], _SECOND)
            self._plot(sheet, motion.rows[:, 0], motion.rows[:, 2], _LINE)
        return sheet

    def _plot(
        self,
        sheet: pygame.Surface,
        time: NDArray[np.float64],
        value: NDArray[np.float64],
        ink: tuple[int, int, int],
    ) -> None:
        """One curve; every column shows all that happened in its time, so that no bounce is lost."""
        width, height = self.rect.size
        low, high = float(np.min(value)), float(np.max(value))
        span = high - low or 1.0
        top, room = 2.0 * self.text, height - 2.6 * self.text
        y = top + room * (high - value) / span
        column = np.minimum((time / time[-1] * width).astype(int), width - 1)
        starts = np.unique(column, return_index=True)[1]
        least, most = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
        for x, first, last in zip(column[starts].tolist(), least.tolist(), most.tolist(), strict=True):
            pygame.draw.line(sheet, ink, (x, first), (x, last))
        pygame.draw.aalines(
            sheet, ink, False, np.column_stack((column[starts], 0.5 * (least + most))).tolist()
        )
