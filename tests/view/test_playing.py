"""What the window shows is what the engine computes."""

import multiprocessing
import os
import signal
import sys
import time
from concurrent.futures import BrokenExecutor

import numpy as np
import pytest

from sim.engines.play import draw, spin
from sim.machines import build
from sim.scenario import load_scenario
from sim.view.playing import TRACE_STEP_S, Dropped, Order, company, computed


def test_a_spin_on_the_screen_is_the_spin_of_the_command_line():
    scenario = load_scenario("macau-boule")
    shown = computed(Order("macau-boule", (), 3, 2))
    assert shown.landing == spin(build(scenario), draw(scenario, 3, 2)).landing


def test_a_chip_changes_nothing_before_it_lands():
    plain = computed(Order("macau-boule", (), 3, 0))
    lands = 17.0
    touched = computed(Order("macau-boule", (), 3, 0, chips=(Dropped(lands, 0.28, 1.0),)))
    before = int(np.searchsorted(plain.trace[:, 0], lands - TRACE_STEP_S))
    assert before > 3000
    assert np.array_equal(plain.trace[:before], touched.trace[:before])
    assert np.isnan(touched.chips[before]).all()
    (event,) = (event for event in touched.events if event.what == "object/plate")
    assert event.time == pytest.approx(lands, abs=0.003)
    after = int(np.searchsorted(touched.trace[:, 0], event.time))
    assert np.hypot(*touched.chips[after, 0]) == pytest.approx(0.28, abs=0.003)


def test_a_chip_is_carried_along_by_the_plate():
    touched = computed(Order("macau-boule", (), 3, 0, chips=(Dropped(2.0, 0.2, 0.0),)))
    rows = touched.trace
    first, last = np.searchsorted(rows[:, 0], (4.0, 5.0))
    places = touched.chips[:, 0]
    turned = np.unwrap(np.arctan2(places[first:last, 1], places[first:last, 0]))
    assert turned[-1] - turned[0] == pytest.approx(rows[last - 1, 4] - rows[first, 4], abs=0.01)


def test_a_weak_push_is_the_same_push_only_weaker():
    strong, weak = (computed(Order("roda-da-sorte", (), 3, 0, weak=weak)) for weak in (False, True))
    assert weak.start.phase == strong.start.phase
    assert 0 < weak.start.speed / strong.start.speed < 1
    assert weak.landing.turns_forward < 3 < strong.landing.turns_forward


@pytest.mark.slow
def test_whoever_computes_stops_at_once_when_let_go():
    with company() as others:
        assert others.submit(abs, -1).result() == 1
        begun = time.monotonic()
        long = others.submit(time.sleep, 300)
        while not long.running():
            time.sleep(0.01)
    assert time.monotonic() - begun < 60
    assert isinstance(long.exception(), BrokenExecutor)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent by a signal")
def test_whoever_computes_leaves_interrupts_to_the_window_from_the_start():
    with company() as others:
        (process,) = multiprocessing.active_children()
        first = others.submit(abs, -1)
        while not first.done():
            os.kill(process.pid, signal.SIGINT)
            time.sleep(0.01)
        assert first.result() == 1
        os.kill(process.pid, signal.SIGINT)
        assert others.submit(abs, -2).result() == 2


@pytest.mark.slow
def test_another_process_computes_the_same():
    order = Order("macau-boule", (), 3, 0)
    with company() as others:
        assert np.array_equal(others.submit(computed, order).result().trace, computed(order).trace)
