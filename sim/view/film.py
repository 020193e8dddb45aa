"""Films of a spin: frames drawn at fixed times, written as .mp4 or .gif, whole or not at all."""

import os
import secrets
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import pygame
from PIL import Image

from sim.documents.faults import BadInput, Fault, Mark
from sim.view.motion import Motion
from sim.view.paint import canvas
from sim.view.stage import Stage, View

HOLD_S = 1.5
"""For how long a film that runs to the end shows it."""
GIF_FPS = (5, 10, 20, 25, 50)
"""Rates that a GIF can hold: its frames last whole hundredths of a second."""
GIF_MOST_FRAMES = 400
GIF_MOST_PX = 960 * 540
_COLOURS = 255
_SAMPLES = 8


@dataclass(frozen=True, slots=True)
class Cut:
    """Which part of a spin is filmed, and how.

    begin, end: s since the launch. fps: frames in a second. slow: seconds of film for a second of the spin.
    """

    begin: float
    end: float
    fps: int
    slow: int = 1

    @property
    def frames(self) -> int:
        """How many frames there are."""
        return ceil((self.end - self.begin) * self.slow * self.fps) + 1

    def times(self) -> Iterator[float]:
        """The time of every frame, s since the launch."""
        for number in range(self.frames):
            yield min(self.begin + number / (self.fps * self.slow), self.end)

    def samples(self) -> Iterator[float]:
        """A few times from beginning to end."""
        for number in range(_SAMPLES):
            yield self.begin + (self.end - self.begin) * number / (_SAMPLES - 1)


def frames(stage: Stage, motion: Motion, times: Iterable[float], view: View) -> Iterator[pygame.Surface]:
    """Draw a spin at these times, s since the launch; each picture is good until the next is asked for."""
    surface = canvas(stage.size)
    for time in times:
        stage.draw(surface, motion.at(time), view)
        yield surface


def write_film(
    path: Path,
    pictures: Iterable[pygame.Surface],
    size: tuple[int, int],
    fps: int,
    samples: Iterable[pygame.Surface] = (),
) -> None:
    """Write frames as a film; the same frames give the same bytes.

    path: ends in ``.mp4`` (both sides of `size` even) or ``.gif`` (fps one of `GIF_FPS`). samples: frames that a GIF's
    palette is made for, at least one. Written beside its target and renamed. Raises BadInput when it cannot be written
    or the encoder stops before the end.
    """
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        if path.suffix.lower() == ".gif":
            _write_gif(beside, pictures, size, fps, samples)
        else:
            _write_mp4(beside, pictures, size, fps)
        beside.replace(target)
    except (OSError, _Stopped) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadInput([Fault(Mark(str(path)), "--out", f"cannot be written: {reason}")]) from None
    finally:
        with suppress(OSError):
            beside.unlink()


def _image(picture: pygame.Surface) -> Image.Image:
    return Image.frombytes("RGB", picture.get_size(), pygame.image.tobytes(picture, "RGB"))


class _Stopped(Exception):  # noqa: N818
    """The encoder stopped; the message says why."""


def _write_mp4(path: Path, pictures: Iterable[pygame.Surface], size: tuple[int, int], fps: int) -> None:
    """Feed the frames to ffmpeg: H.264 that plays everywhere, nothing in it of when or where it was made."""
    from imageio_ffmpeg import get_ffmpeg_exe

    given = ["-f", "rawvideo", "-pix_fmt", "bgr0", "-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "-"]
    wanted = ["-an", "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p"]
    same = ["-threads", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-movflags", "+faststart"]
    command = [get_ffmpeg_exe(), "-loglevel", "error", "-y", *given, *wanted, *same, "-f", "mp4", str(path)]
    with tempfile.TemporaryFile() as told:
        encoder = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=told,
            start_new_session=True,  # an interrupt from the keyboard is for this process
        )
        assert encoder.stdin is not None
        try:
            for picture in pictures:
                encoder.stdin.write(pygame.image.tobytes(picture, "BGRA"))
            encoder.stdin.close()
        except BrokenPipeError:
            pass  # why it left is told below
        except BaseException:
            encoder.kill()
            raise
        finally:
            with suppress(OSError):
                encoder.stdin.close()
            code = encoder.wait()
        if code:
            told.seek(0)
            lines = told.read().decode(errors="replace").split("\n")
            last = next((line.strip() for line in lines if line.strip()), "")
            why = f"it was killed by signal {-code}" if code < 0 else last or f"it ended with code {code}"
            raise _Stopped(f"ffmpeg stopped before the film was whole: {why}")


def _write_gif(
    path: Path,
    pictures: Iterable[pygame.Surface],
    size: tuple[int, int],
    fps: int,
    samples: Iterable[pygame.Surface],
) -> None:
    """Write a looping GIF whose frames share one palette."""
    seen = [_image(picture) for picture in samples]
    together = Image.new("RGB", (size[0], size[1] * len(seen)))
    for number, image in enumerate(seen):
        together.paste(image, (0, number * size[1]))
    palette = together.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    reduced = (_image(picture).quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures)
    with path.open("xb") as stream:
        next(reduced).save(
            stream,
            "GIF",
            save_all=True,
            append_images=reduced,
            duration=1000 // fps,
            loop=0,
            optimize=False,
        )
        stream.flush()
        os.fsync(stream.fileno())
