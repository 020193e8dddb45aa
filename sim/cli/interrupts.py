"""Ctrl-C ends the program at once, but never within a call that would lose it."""

import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_AGAIN_S = 0.02
# Functions of pymunk, by how their names begin, that compiled code calls: it prints what is raised in them and goes on
# as if nothing had been.
_CALLED_BACK = "ext_cp"
# Its calls into LLVM do not stand an exception halfway: the process crashed.
_NEVER_WITHIN = "llvmlite"


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt on an interrupt, as soon as nothing on the way to whoever waits for it loses it.

    One that Python itself would print and forget, raised in a finalizer or a callback, is raised again. Where
    interrupts are ignored or handled by somebody else, that is left as it is.
    """
    own = threading.current_thread() is threading.main_thread()
    if not own or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    others = sys.unraisablehook

    def forgotten(told: "sys.UnraisableHookArgs") -> None:
        if issubclass(told.exc_type, KeyboardInterrupt):
            _again()
        else:
            others(told)

    signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = forgotten
    try:
        yield
    finally:
        sys.unraisablehook = others
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith(_NEVER_WITHIN) or frame.f_code.co_name.startswith(_CALLED_BACK):
            _again()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def _again() -> None:
    threading.Timer(_AGAIN_S, interrupt_main).start()
