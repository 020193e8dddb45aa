"""The sounds of the live table, synthesised: ``python -m docs.sounds`` writes assets/sounds anew, always the same."""

import io
import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docs.examples import ROOT

RATE = 22050
Wave = NDArray[np.float64]


def write_all(folder: Path) -> None:
    """Write every sound as 16-bit mono."""
    folder.mkdir(exist_ok=True)
    made = {
        "rolling": rolling(),
        "knock": struck(0.16, ((310, 40, 1.0), (710, 60, 0.5), (1480, 90, 0.25)), hiss=0.25),
        "lip": struck(0.12, ((540, 60, 1.0), (1220, 80, 0.55), (2600, 120, 0.3)), hiss=0.2),
        "peg": struck(0.05, ((1850, 130, 1.0), (3100, 180, 0.6)), hiss=0.5),
        "bell": struck(
            1.6, ((1318, 2.6, 1.0), (2637, 4.0, 0.55), (3520, 6.0, 0.35), (5274, 9.0, 0.2)), hiss=0.0
        ),
        "chip": struck(0.10, ((2400, 70, 1.0), (4100, 110, 0.7)), hiss=0.15),
    }
    for name, sound in made.items():
        (folder / f"{name}.wav").write_bytes(packed(sound))


def rolling(seconds: float = 1.5) -> Wave:
    """A ball on wood: noise with most of it below 500 Hz; its end runs on into its beginning."""
    count = int(seconds * RATE)
    spectrum = np.fft.rfft(np.random.Generator(np.random.PCG64(7)).standard_normal(count))
    pitch = np.fft.rfftfreq(count, 1 / RATE)
    shape = (pitch / 60) / (1 + (pitch / 60) ** 2) ** 0.5 / (1 + (pitch / 420) ** 2)
    sound = np.fft.irfft(spectrum * shape, count)
    return 0.7 * sound / np.max(np.abs(sound))


def struck(seconds: float, tones: tuple[tuple[float, float, float], ...], hiss: float) -> Wave:
    """Something struck: tones (Hz, decay 1/s, share) that die away, and a short hiss of the impact."""
    time = np.arange(int(seconds * RATE)) / RATE
    sound = sum(
        share * np.exp(-decay * time) * np.sin(2 * np.pi * pitch * time) for pitch, decay, share in tones
    )
    noise = np.random.Generator(np.random.PCG64(11)).standard_normal(len(time))
    sound = sound + hiss * noise * np.exp(-260 * time)
    sound *= np.minimum(time / 0.0008, 1.0) * np.minimum((time[-1] - time) / 0.01, 1.0)
    return 0.85 * sound / np.max(np.abs(sound))


def packed(sound: Wave) -> bytes:
    """A sound, -1 to 1, as the bytes of a WAV file."""
    stream = io.BytesIO()
    with wave.open(stream, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((sound * 32767).astype("<i2").tobytes())
    return stream.getvalue()


if __name__ == "__main__":
    write_all(ROOT / "assets" / "sounds")
