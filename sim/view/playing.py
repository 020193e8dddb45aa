"""Spins computed for the screen: in a process of their own, ahead of being shown, by the rigid engine alone."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, pi, sin
from multiprocessing import connection
from multiprocessing.connection import Connection
from threading import Thread

import numpy as np
from numpy.typing import NDArray

from sim.engines.play import draw, spin
from sim.engines.rigid import Spin
from sim.landing import Push, Start
from sim.machines import Machine, PlateMachine, build
from sim.scenario import PlateScenario, Scenario, load_scenario
from sim.scenario.scenario import Chip

TRACE_STEP_S = 0.002
CHIP_DIAMETER = 0.039
"""Of a chip that is dropped, m."""
WEAK = 0.4
"""A push too weak is this share of the one that was drawn."""


@dataclass(frozen=True, slots=True)
class Order:
    """Which spin to compute: scenario and overrides, run seed, index; a weak push; chips dropped, in any order."""

    scenario: str
    overrides: tuple[str, ...]
    seed: int
    index: int
    weak: bool = False
    chips: tuple["Dropped", ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A chip that somebody drops: it lands ``time`` s after the launch at (radius, azimuth) in the lab, m and rad."""

    time: float
    radius: float
    azimuth: float


@contextmanager
def company() -> Iterator[Executor]:
    """Whoever computes spins: one process beside the one that draws; it stops at once when it is let go.

    An interrupt from the keyboard reaches every process of the terminal; this one leaves it to the one that draws.
    """
    context = multiprocessing.get_context("spawn")
    heard, told = context.Pipe(duplex=False)
    spinning = ProcessPoolExecutor(1, mp_context=context, initializer=_leave_with_window, initargs=(heard,))
    try:
        # The first task starts the process, which is deaf to interrupts from its first instruction on.
        with _interrupts_held():
            spinning.submit(int)
        yield spinning
    finally:
        told.close()
        spinning.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold interrupts back; a process that is started meanwhile never gets any. Windows has no such mask."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_with_window(heard: Connection) -> None:
    """End this process when the one that draws lets it go, or has gone, however it went, and for no other reason."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    window = multiprocessing.parent_process()
    assert window is not None

    def wait() -> None:
        connection.wait([window.sentinel, heard])
        os._exit(0)

    Thread(target=wait, daemon=True).start()


def computed(order: Order) -> Spin:
    """Compute a spin, with its trace. The same order gives the same spin; chips change nothing before they land."""
    scenario, machine = machine_of(order.scenario, order.overrides)
    if order.chips:
        assert isinstance(scenario, PlateScenario)
        chips = (*scenario.objects, *(_chip(chip) for chip in order.chips))
        scenario = scenario.model_copy(update={"objects": chips})
        machine = build(scenario)
    return spin(machine, start_of(scenario, order), TRACE_STEP_S)


def start_of(scenario: Scenario, order: Order) -> Start | Push:
    """What decides an ordered spin beside the machine."""
    start = draw(scenario, order.seed, order.index)
    return replace(start, speed=WEAK * start.speed) if order.weak and isinstance(start, Push) else start


@lru_cache(maxsize=8)
def machine_of(name: str, overrides: tuple[str, ...]) -> tuple[Scenario, Machine]:
    """A scenario and its machine, kept for the spins to come."""
    scenario = load_scenario(name, overrides)
    return scenario, build(scenario)


def _chip(dropped: Dropped) -> Chip:
    return Chip.model_validate(
        {
            "kind": "chip",
            "diameter": f"{CHIP_DIAMETER} m",
            "thickness": "3.3 mm",
            "mass": "10 g",
            "friction": 0.3,
            "restitution": 0.4,
            "time": f"{dropped.time!r} s",
            "radius": f"{dropped.radius!r} m",
            "azimuth": f"{dropped.azimuth!r} rad",
        }
    )


def standing(machine: Machine, start: Start | Push) -> NDArray[np.float64]:
    """The rows of a machine that waits for its launch, as a trace has them: two, a millisecond apart."""
    if isinstance(machine, PlateMachine):
        assert isinstance(start, Start)
        radius, height = machine.rim.radius, machine.groove_height + start.release_height
        x, y = radius * cos(start.ball_azimuth), radius * sin(start.ball_azimuth)
        row = [0.0, x, y, height, start.plate_phase, *[0.0] * 6]
    else:
        assert isinstance(start, Push)
        row = [0.0, start.phase % (2 * pi), 0.0, machine.clapper.rest_angle, 0.0]
    return np.array([row, [0.001, *row[1:]]])
