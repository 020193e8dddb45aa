"""An interrupt is raised at once, or as soon as nothing would lose it."""

import signal
import time

import pymunk
import pytest

from sim.cli.interrupts import interruptible


def test_an_interrupt_is_raised_where_it_comes():
    after = []
    with pytest.raises(KeyboardInterrupt), interruptible():
        signal.raise_signal(signal.SIGINT)
        after.append(1)
    assert not after
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_within_a_call_from_a_compiled_library_it_waits_until_the_call_is_over(capfd):
    space, ball = pymunk.Space(), pymunk.Body(1.0, 1.0)
    space.add(ball)
    moved = []

    def carry(body: pymunk.Body, duration: float) -> None:
        signal.raise_signal(signal.SIGINT)
        time.sleep(0.1)
        moved.append(duration)

    ball.position_func = carry
    with pytest.raises(KeyboardInterrupt), interruptible():
        space.step(0.25)
        time.sleep(5.0)
    assert moved == [0.25]
    assert capfd.readouterr().err == ""


def test_in_a_finalizer_it_is_raised_again(capfd):
    class Last:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)
            time.sleep(0.01)

    last = Last()
    with pytest.raises(KeyboardInterrupt), interruptible():
        del last
        time.sleep(5.0)
    assert capfd.readouterr().err == ""


def test_interrupts_that_are_ignored_stay_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interruptible():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_within_llvmlite_it_waits_until_the_call_is_over():
    done = []

    def slowly() -> None:
        signal.raise_signal(signal.SIGINT)
        time.sleep(0.1)
        done.append(1)

    def compiling(inner) -> None:
        inner()

    theirs = type(compiling)(compiling.__code__, {"__name__": "llvmlite.binding.module"})
    with pytest.raises(KeyboardInterrupt), interruptible():
        theirs(slowly)
        time.sleep(5.0)
    assert done == [1]
