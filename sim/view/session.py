"""The window: a loop that takes what the visitor does, lets time pass, and draws."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path
from threading import Thread
from typing import Protocol

import pygame

from sim.rules.round import State
from sim.view import arrangement, deeds, unattended
from sim.view.cloth import VALUES, Field
from sim.view.controls import deed_of
from sim.view.panel import Panel
from sim.view.show import Opener, Show
from sim.view.sound import Sounds
from sim.view.stage import Stage, View
from sim.view.text import write
from sim.view.transport import Transport

FRAMES = 60
CALL_S = 1.2  # between the announcement that closes the bets and the push
_TOLD_S = 4.0


class Errand(Protocol):
    """Something that goes on beside the window, and what to tell once it is done."""

    @property
    def done(self) -> bool:
        """Whether it is over."""

    @property
    def result(self) -> str:
        """What to tell then."""

    @property
    def begun(self) -> str:
        """What to tell while it goes on."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a window is opened.

    program: what is shown in turn, one scenario or two side by side each. seed: run seed of the spins. loop: run
    unattended. folder: where pictures and films are kept. record: what makes a film of a show, where there is one; it
    returns why not, where it does not.
    """

    program: Sequence[tuple[str, ...]]
    seed: int = 0
    size: tuple[int, int] = (1280, 720)
    muted: bool = False
    loop: bool = False
    full_screen: bool = False
    folder: Path = field(default_factory=Path)
    record: Callable[[Show, Path], Errand | str] | None = None


class Session:
    """Everything behind one window.

    waiting: whether bets are placed and nothing moves; otherwise a spin is shown. told: a line for the visitor, and
    for how long yet.
    """

    def __init__(self, options: Options, open_table: Opener, company: Executor) -> None:
        self.options, self.open_table, self.company = options, open_table, company
        self.view = View(trail=0.9, caption=True)
        self.drawn = self.view
        self.transport: Transport = Transport()
        self.number = 0
        self.value = VALUES[1]
        self.running = self.waiting = True
        self.launching = self.helping = self.scrubbing = self.tallied = False
        self.idle = 0.0
        self.told = ("", 0.0)
        self.falling: tuple[float, float, float] | None = None
        self.places: list[pygame.Rect] = []
        self.errands: list[Errand] = []
        self.panel: Panel | None = None
        self.painter: Thread | None = None
        self._open_window()
        self.sounds = Sounds(muted=options.muted)
        self.clock = pygame.time.Clock()
        self.raise_curtain()

    def run(self) -> None:
        """Until the visitor leaves: take what is done, let time pass, draw."""
        try:
            while self.running:
                elapsed = self.clock.tick(FRAMES) / 1000
                for event in pygame.event.get():
                    self.handle(event)
                self.advance(elapsed)
                self.draw()
                pygame.display.flip()
        finally:
            self.close()

    def handle(self, event: pygame.event.Event) -> None:
        """Obey one event of the window."""
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.VIDEORESIZE:
            self.arrange()
        elif event.type == pygame.KEYDOWN:
            deed = deed_of(event.key, shift=bool(event.mod & pygame.KMOD_SHIFT), character=event.unicode)
            if deed is not None:
                deeds.DEEDS[deed](self)
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION):
            deeds.mouse(self, event)

    def advance(self, elapsed: float) -> None:
        """Let ``elapsed`` s of the wall clock pass."""
        self.idle += elapsed
        self.told = self.told[0], self.told[1] - elapsed
        for errand in [errand for errand in self.errands if errand.done]:
            self.errands.remove(errand)
            self.tell(errand.result)
        ready = [show.ready for show in self.shows]
        if self.launching and all(ready):
            self.launch()
        if not self.waiting:
            self._advance_spin(elapsed)
        if self.options.loop:
            unattended.attend(self)

    def _advance_spin(self, elapsed: float) -> None:
        transport, before = self.transport, self.transport.time
        if all(show.settle_change() for show in self.shows):
            transport.hold = None
        transport.advance(elapsed, self.end)
        for show in self.shows:
            show.sitting.advance(transport.known)
            if transport.known >= show.motion.duration:
                show.count()
        first = self.shows[0]
        running = transport.running and transport.speed >= 1 / 8
        self.sounds.follow(first.motion, first.machine, before, transport.time, running=running)
        if self.falling is not None and transport.time >= self.falling[0]:
            self.falling = None
        elif self.falling is not None and self.over and transport.hold is None:
            self.falling = None
            self.tell("all was at rest before the chip landed")

    def draw(self) -> None:
        """Draw the window."""
        view = self.view
        if not self.waiting:
            view = replace(view, known=self.transport.known)
        if not all(show.stage.ready(view) for show in self.shows):
            last = replace(view, follow=self.drawn.follow, heights=self.drawn.heights)
            if all(show.stage.ready(last) for show in self.shows):
                self._paint_aside(view)
                view = last
        self.drawn = view
        arrangement.draw(self, view)

    # --- what is shown ---------------------------------------------------------------------------------------------

    @property
    def end(self) -> float:
        """When the last of the spins that are shown ends, s."""
        return max(show.motion.duration for show in self.shows)

    @property
    def over(self) -> bool:
        """Whether the spin that is shown has been seen to its end."""
        return not self.waiting and self.transport.time >= self.end

    @property
    def stopped(self) -> bool:
        """Whether the croupier stops the spin under way, which is void already."""
        return not self.waiting and self.shows[0].sitting.state is State.VOID and not self.over

    @property
    def hover(self) -> Field | None:
        """The field of the cloth under the mouse."""
        return self.panel.cloth.at(pygame.mouse.get_pos()) if self.panel is not None else None

    def raise_curtain(self) -> None:
        """Show the next of the program from its beginning."""
        names = self.options.program[self.number % len(self.options.program)]
        self.shows = [Show(name, self.options.seed, self.open_table, self.company) for name in names]
        self.await_bets()
        self.arrange()

    def await_bets(self) -> None:
        """Wait for bets and the next launch."""
        self.waiting, self.idle, self.falling = True, 0.0, None
        self.transport.start(0.0)
        self.transport.running = False
        for show in self.shows:
            show.sitting.wait()
            if show.sitting.state is State.PAID:
                show.sitting.next_round()
            show.stand()
        self.arrange()

    def ask_launch(self) -> None:
        """Launch as soon as the spin is computed."""
        self.launching = True

    def launch(self) -> None:
        """Begin the spins, all alike; where bets close before the push, that is said first."""
        self.launching, self.waiting, self.idle = False, False, 0.0
        for show in self.shows:
            show.begin()
        closing = self.shows[0].rulebook.closing
        early = closing is not None and closing.when == "before_push"
        self.transport.start(min(0.0, closing.delay_s) - 0.2 if early and closing is not None else 0.0)

    def tell(self, words: str) -> None:
        """Show a line for a few seconds."""
        self.told = words, _TOLD_S

    # --- the window itself -------------------------------------------------------------------------------------------

    def _open_window(self) -> None:
        pygame.display.init()
        pygame.display.set_caption("fairwheel")
        pygame.key.set_repeat(300, 60)
        flags = pygame.FULLSCREEN if self.options.full_screen else pygame.RESIZABLE
        self.window = pygame.display.set_mode(self.options.size, flags)
        self.window.fill((24, 29, 32))  # the first time, painting and compiling take a while
        text = max(self.window.get_height() // 36, 11)
        middle = self.window.get_rect().center
        write(self.window, "the table is being set up ...", middle, text, (234, 232, 222), anchor="centre")
        pygame.display.flip()

    def arrange(self) -> None:
        """Lay the window out for its size and what is shown."""
        self.window = pygame.display.get_surface() or self.window
        self.panel = None
        arrangement.lay_out(self)

    def _paint_aside(self, view: View) -> None:
        """Paint what a view needs without stopping the window, which shows the last one meanwhile."""
        if self.painter is None or not self.painter.is_alive():
            self.tell("painting ...")
            stages = [show.stage for show in self.shows]
            self.painter = Thread(target=_paint_all, args=(stages, view), daemon=True)
            self.painter.start()

    def close(self) -> None:
        """Let go of window and sound; what is being computed is left alone."""
        self.sounds.close()
        pygame.display.quit()


def _paint_all(stages: Sequence[Stage], view: View) -> None:
    for stage in stages:
        stage.prepare(view)


def program_of(first: str, others: Sequence[str]) -> list[tuple[str, ...]]:
    """What is shown in turn, beginning with one of it."""
    names = list(dict.fromkeys([first, *others]))
    return [(name,) for name, _ in zip(cycle(names), names, strict=False)]
