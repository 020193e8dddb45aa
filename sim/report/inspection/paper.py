"""Figures drawn as vectors on a page of a PDF: a renderer of matplotlib on a canvas of reportlab."""

from typing import Any

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.transforms import Transform
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from sim.report.inspection.blocks import Picture
from sim.report.inspection.lettering import lettered

_CAPS = {"butt": 0, "round": 1, "projecting": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
POINTS = 72.0


class PaperRenderer(RendererBase):
    """Draws paths on a canvas, in points from its origin; letters are paths too."""

    def __init__(self, canvas: Canvas, width: float, height: float) -> None:
        super().__init__()
        self._canvas = canvas
        self._size = (width, height)

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Points."""
        return self._size

    def flipy(self) -> bool:
        """Whether y runs downwards: on paper it does not."""
        return False

    def points_to_pixels(self, points: Any) -> Any:
        """One pixel is one point."""
        return points

    def draw_path(
        self,
        gc: GraphicsContextBase,
        path: Path,
        transform: Transform,
        rgbFace: Any = None,
    ) -> None:
        """Fill and stroke a path."""
        canvas = self._canvas
        fill = rgbFace is not None
        stroke = gc.get_linewidth() > 0 and gc.get_rgb()[3] > 0
        if not fill and not stroke:
            return
        canvas.saveState()
        self._clip(gc)
        alpha = gc.get_alpha() if gc.get_forced_alpha() else None
        if fill:
            red, green, blue, opacity = to_rgba(rgbFace)
            canvas.setFillColorRGB(red, green, blue)
            canvas.setFillAlpha(opacity if alpha is None else alpha)
        if stroke:
            self._pen(gc, alpha)
        canvas.drawPath(self._outline(path, transform), stroke=int(stroke), fill=int(fill))
        canvas.restoreState()

    def _clip(self, gc: GraphicsContextBase) -> None:
        box = gc.get_clip_rectangle()
        if box is not None:
            outline = self._canvas.beginPath()
            outline.rect(box.x0, box.y0, box.width, box.height)
            self._canvas.clipPath(outline, stroke=0, fill=0)
        path, transform = gc.get_clip_path()
        if path is not None:
            self._canvas.clipPath(self._outline(path, transform), stroke=0, fill=0)

    def _pen(self, gc: GraphicsContextBase, alpha: float | None) -> None:
        canvas = self._canvas
        red, green, blue, opacity = gc.get_rgb()
        canvas.setStrokeColorRGB(red, green, blue)
        canvas.setStrokeAlpha(opacity if alpha is None else alpha)
        canvas.setLineWidth(gc.get_linewidth())
        canvas.setLineCap(_CAPS[str(gc.get_capstyle())])
        canvas.setLineJoin(_JOINS[str(gc.get_joinstyle())])
        offset, dashes = gc.get_dashes()
        if dashes is not None:
            canvas.setDash(np.asarray(dashes, float).tolist(), float(offset or 0.0))

    def _outline(self, path: Any, transform: Transform | None) -> Any:
        outline = self._canvas.beginPath()
        at = (0.0, 0.0)
        for points, code in path.iter_segments(transform, simplify=False):
            if code == Path.MOVETO:
                outline.moveTo(*points)
            elif code == Path.LINETO:
                outline.lineTo(*points)
            elif code == Path.CURVE3:
                x1, y1, x2, y2 = points
                first = (at[0] + 2 * (x1 - at[0]) / 3, at[1] + 2 * (y1 - at[1]) / 3)
                outline.curveTo(*first, x2 + 2 * (x1 - x2) / 3, y2 + 2 * (y1 - y2) / 3, x2, y2)
            elif code == Path.CURVE4:
                outline.curveTo(*points)
            elif code == Path.CLOSEPOLY:
                outline.close()
            if code != Path.CLOSEPOLY:
                at = (float(points[-2]), float(points[-1]))
        return outline


class Drawn(Flowable):  # type: ignore[misc]
    """A picture of a report, as wide as it is told."""

    def __init__(self, picture: Picture, width: float) -> None:
        super().__init__()
        with lettered():
            self._figure: Figure = picture.draw()
        across, up = self._figure.get_size_inches()
        self._scale = width / (POINTS * across)
        self.width, self.height = width, self._scale * POINTS * up

    def wrap(self, *_: float) -> tuple[float, float]:
        """Width and height, points."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw the figure at the canvas's origin."""
        figure = self._figure
        across, up = figure.get_size_inches()
        self.canv.saveState()
        self.canv.scale(self._scale, self._scale)
        with lettered():
            figure.set_dpi(POINTS)
            figure.patch.set_visible(False)
            figure.draw(PaperRenderer(self.canv, POINTS * across, POINTS * up))
        self.canv.restoreState()
