"""A window without a screen, driven by synthetic keys and mouse; nothing in it runs by the wall clock."""

import os
from concurrent.futures import Executor, Future
from pathlib import Path

import pygame

from sim.cli.table import open_table
from sim.engines.rigid import Spin
from sim.view.playing import Order, computed
from sim.view.session import Options, Session

SPINS: dict[Order, Spin] = {}


class AtOnce(Executor):
    """Computes what it is asked for before it answers, and every order once in a run of the tests."""

    def submit(self, function, *arguments, **named):
        done = Future()
        (order,) = arguments
        assert function is computed
        if order not in SPINS:
            SPINS[order] = computed(order)
        done.set_result(SPINS[order])
        return done


class Driver:
    """A session and what a visitor does to it."""

    def __init__(self, *names: str, size=(640, 480), seed: int = 7, folder: Path | None = None, **options):
        os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
        program = options.pop("program", None) or [names]
        chosen = Options(program, seed=seed, size=size, muted=True, folder=folder or Path(), **options)
        self.session = Session(chosen, open_table, AtOnce())

    @property
    def show(self):
        return self.session.shows[0]

    @property
    def sitting(self):
        return self.show.sitting

    def key(self, key: int, *, shift: bool = False, typed: str = "") -> None:
        mod = pygame.KMOD_SHIFT if shift else 0
        self.session.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=typed))

    def press(self, place, button: int = 1) -> None:
        self.session.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=place, button=button))

    def move(self, place) -> None:
        self.session.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=place, rel=(0, 0), buttons=(1, 0, 0)))

    def release(self, place, button: int = 1) -> None:
        self.session.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=place, button=button))

    def click(self, place, button: int = 1) -> None:
        self.press(place, button)
        self.release(place, button)

    def field(self, label: str):
        cloth = self.session.panel.cloth
        return next(field for field in cloth.fields if label in (field.label, field.bet.head))

    def bet(self, label: str, button: int = 1) -> None:
        self.click(self.field(label).rect.center, button)

    def run(self, seconds: float, frame: float = 1 / 60) -> None:
        """Let time pass, a frame at a time."""
        for _ in range(round(seconds / frame)):
            self.session.advance(frame)

    def run_to(self, time: float) -> None:
        """Let time pass until the spin has come to ``time`` s."""
        while self.session.transport.time < time and not self.session.over:
            self.session.advance(1 / 60)

    def launch(self) -> None:
        self.key(pygame.K_SPACE)
        self.session.advance(1 / 60)
        assert not self.session.waiting

    def picture(self) -> bytes:
        """The window as it is once everything is painted and nothing more is told."""
        self.session.draw()
        if self.session.painter is not None:
            self.session.painter.join()
        self.session.told = ("", 0.0)
        self.session.draw()
        return pygame.image.tobytes(self.session.window, "RGB")

    def close(self) -> None:
        self.session.close()
