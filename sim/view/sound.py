"""What is heard: rolling, knocks, pegs and the bell, driven by the contacts of the spin that is shown."""

from math import hypot

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.documents.resources import shipped
from sim.machines import Machine, WheelMachine
from sim.view.hushed import hushed
from sim.view.motion import Moment, Motion

NAMES = ("rolling", "knock", "lip", "peg", "bell", "chip")
RATE = 22050
_LOUD_M_S = 1.5  # an impact of this speed is as loud as any
_SILENT = pygame.error


class Sounds:
    """The sounds of one window; silent where there is no sound device."""

    def __init__(self, *, muted: bool) -> None:
        self.muted = True
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        self._pegs: tuple[Motion, NDArray[np.float64]] | None = None
        if not muted:
            self.toggle()

    def toggle(self) -> str:
        """Sound on or off; returns what to tell."""
        if not self._sounds and not self._open():
            return "there is no sound device"
        self.muted = not self.muted
        return "sound off" if self.muted else "sound on"

    def _open(self) -> bool:
        """Open the sound device; whether there is one."""
        try:
            with hushed():
                pygame.mixer.init(RATE, -16, 1, 512)
        except _SILENT:
            return False
        pygame.mixer.set_num_channels(16)
        for name in NAMES:
            path = shipped("assets/sounds") / f"{name}.wav"
            if path.is_file():
                self._sounds[name] = pygame.mixer.Sound(path)
        self.rolling = pygame.mixer.Channel(0)
        pygame.mixer.set_reserved(1)
        return True

    def close(self) -> None:
        """Let go of the sound device."""
        self._sounds.clear()
        if pygame.mixer.get_init():
            pygame.mixer.quit()

    def play(self, name: str, volume: float = 1.0) -> None:
        """Let one sound be heard."""
        sound = self._sounds.get(name)
        if sound is not None and not self.muted:
            channel = sound.play()
            if channel is not None:
                channel.set_volume(min(max(volume, 0.0), 1.0))

    def follow(self, motion: Motion, machine: Machine, before: float, after: float, *, running: bool) -> None:
        """Let be heard what happened between two times of a spin, s."""
        if not self._sounds:
            return
        moment = motion.at(after)
        self._roll(moment, running=running and not self.muted)
        if not running or self.muted:
            return
        bell = motion.outcome.closing if motion.outcome is not None else None
        if bell is not None and bell >= 0.0 and before < bell <= after:
            self.play("bell")
        if isinstance(machine, WheelMachine):
            passed = self._passages(motion, machine)
            first, last = np.searchsorted(passed, (before, after), side="right")
            if last > first:
                self.play("peg", 0.35 + 0.1 * abs(moment.turning_speed))
            return
        for event in motion.events:
            if before < event.time <= after and event.kind == "contact":
                name = "chip" if "object" in event.what else "lip" if "hollow" in event.what else "knock"
                self.play(name, 0.15 + event.speed / _LOUD_M_S)

    def _roll(self, moment: Moment, *, running: bool) -> None:
        """The sound of rolling, the louder the faster; none in the air, none in a wheel."""
        ball = moment.ball
        speed = hypot(*ball.velocity[:2]) if ball is not None and not moment.over else 0.0
        if not running or speed < 0.05 or "rolling" not in self._sounds:
            self.rolling.stop()
            return
        if not self.rolling.get_busy():
            self.rolling.play(self._sounds["rolling"], loops=-1)
        self.rolling.set_volume(min(0.08 + 0.17 * speed, 0.8))

    def _passages(self, motion: Motion, machine: WheelMachine) -> NDArray[np.float64]:
        """When pegs passed the clapper, s."""
        if self._pegs is None or self._pegs[0] is not motion:
            angle = motion.rows[:, 1]
            tip = machine.bearing_of_tip(machine.clapper.rest_angle)
            pegs = np.sort((tip - machine.pegs[:, 0]) % (2 * np.pi))
            passed = len(pegs) * np.floor(angle / (2 * np.pi)) + np.searchsorted(pegs, angle % (2 * np.pi))
            self._pegs = motion, motion.rows[1:, 0][np.diff(passed) != 0]
        return self._pegs[1]
