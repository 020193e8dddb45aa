"""Whole rounds of each game at the live table, played with synthetic keys and mouse and no screen."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pygame
import pytest

from sim.rules.round import State
from sim.view.sitting import PLAYER
from tests.view.driver import Driver

ROOT = Path(__file__).parents[2]


@pytest.fixture
def opened():
    drivers = []

    def opened(*names, **options):
        drivers.append(Driver(*names, size=(960, 600), **options))
        return drivers[-1]

    yield opened
    for driver in drivers:
        driver.close()


def lit(driver):
    """The chances whose lamps are lit, by the picture itself: the fields with a bright lamp."""
    driver.session.draw()
    window, text = driver.session.window, driver.session.panel.text
    found = set()
    for field in driver.session.panel.cloth.fields:
        x, y = field.rect.right - 0.55 * text, field.rect.top + 0.55 * text
        red, green, *_ = window.get_at((round(x), round(y)))
        if red > 230 and green > 190:
            found.add(field.chance if field.symbols else field.label)
    return found


def test_macau_boule_bet_launch_bell_late_bet_result_payment(opened):
    table = opened("macau-boule")
    sitting = table.sitting
    for label in ("7", "18", "big", "red"):
        table.bet(label)
    assert sitting.purse == 980
    table.launch()
    outcome = table.show.motion.outcome
    table.run_to(outcome.closing - 0.1)
    assert sitting.state is State.OPEN
    assert lit(table) == set()
    table.bet("black")
    assert sitting.purse == 975
    table.run_to(outcome.closing + 0.05)
    assert sitting.state is State.CLOSED
    table.bet("small")  # too late
    assert sitting.purse == 975
    assert sitting.notes[-1].kind == "refused"
    assert sitting.notes[-1].article == "MB-09"
    assert lit(table) == set()  # the lights are switched only when the ball is at rest (MB-10)
    table.run_to(outcome.time + 0.1)
    assert sitting.state is State.PAID
    back = {"number:7": 24, "number:18": 24, "big": 2, "red": 2, "black": 2}
    returned = sum(5 * times for chance, times in back.items() if chance in outcome.chances)
    assert sitting.purse == 975 + returned
    assert sitting.ledger.balances
    assert lit(table) == set(outcome.chances)
    table.key(pygame.K_SPACE)
    assert sitting.state is State.OPEN
    assert lit(table) == set()


def test_macau_boule_void_by_a_chip(opened):
    table = opened("macau-boule")
    sitting = table.sitting
    table.bet("red")
    table.launch()
    table.run_to(9.0)
    before = table.show.spin
    table.key(pygame.K_d)
    assert table.session.falling is not None
    table.session.draw()
    table.run(0.2)
    assert sitting.state is State.OPEN
    table.run(0.5)
    assert table.show.spin is not before
    assert sitting.state is State.VOID
    assert sitting.said.text == "Golpe nulo"
    assert sitting.decided.void.article == "MB-11"
    assert table.show.motion.at(table.session.transport.time).chips
    # Bets made are frozen, new ones are taken (MB-13).
    table.bet("red", button=3)
    assert sitting.purse == 995
    table.bet("7")
    assert sitting.purse == 990
    table.key(pygame.K_END)
    table.key(pygame.K_SPACE)
    table.launch()
    table.key(pygame.K_END)
    table.run(0.1)
    outcome = sitting.decided
    assert sitting.state is (State.PAID if outcome.valid else State.VOID)
    assert sitting.play.spin == 1
    assert sitting.ledger.balances


def test_spanish_boule_says_it_in_spanish(opened):
    table = opened("spanish-boule")
    sitting = table.sitting
    assert sitting.said.text == "Hagan sus apuestas"
    table.bet("odd")
    table.launch()
    outcome = table.show.motion.outcome
    table.run_to(outcome.closing + 0.05)
    assert [note.text for note in sitting.notes if note.kind == "said"][-2:] == [
        "¿Están hechas las apuestas?",
        "No va más",
    ]
    table.bet("5")
    refused = [note for note in sitting.notes if note.kind == "refused"]
    assert [note.article for note in refused] == ["SB-17"]
    table.key(pygame.K_END)
    table.run(0.1)
    assert sitting.purse == (1005 if "odd" in outcome.chances else 995)


def test_roda_da_sorte_bet_push_late_bet_result_payment(opened):
    table = opened("roda-da-sorte")
    sitting = table.sitting
    for label in ("A", "C"):
        table.bet(label)
    assert table.session.panel.bubble is None
    table.click(table.session.panel.button.center)
    table.session.advance(1 / 60)
    assert table.session.transport.time < -1.0
    assert sitting.state is State.OPEN
    table.run(0.5)
    assert sitting.said.text == "Não há mais apostas"
    assert table.show.motion.at(table.session.transport.time).turned == table.show.spin.start.phase
    table.bet("B")
    refused = [note for note in sitting.notes if note.kind == "refused"]
    assert [note.article for note in refused] == ["RS-05"]
    table.key(pygame.K_END)
    table.run(0.1)
    outcome = sitting.decided
    assert outcome.valid
    prizes = {"A": 1, "C": 3 + 2}
    returned = sum(5 * (1 + prize) for symbol, prize in prizes.items() if symbol == outcome.symbol)
    assert sitting.purse == 990 + returned
    assert lit(table) == {f"symbol:{outcome.symbol}"}


def test_roda_da_sorte_pushed_too_weakly_is_void(opened):
    table = opened("roda-da-sorte")
    sitting = table.sitting
    table.bet("A")
    table.key(pygame.K_w)
    table.launch()
    table.key(pygame.K_END)
    table.run(0.1)
    assert sitting.state is State.VOID
    assert sitting.decided.void.code == "MIN_TURNS"
    assert sitting.said.text == "Rotação inválida"
    table.bet("B")  # bets stay closed
    assert sitting.purse == 995
    table.key(pygame.K_w)
    table.key(pygame.K_SPACE)
    table.launch()
    table.key(pygame.K_END)
    table.run(0.1)
    assert sitting.state is State.PAID
    assert sitting.ledger.net(PLAYER) == (5 if sitting.decided.symbol == "A" else -5)


def test_without_a_screen_one_line_says_what_to_do_instead():
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    surroundings = {name: value for name, value in os.environ.items() if name not in hidden}
    if not sys.platform.startswith("linux"):
        pytest.skip("elsewhere there is always a screen")
    done = subprocess.run(
        [sys.executable, str(ROOT / "run_sim.py"), "demo"],
        check=False,
        env=surroundings,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "record" in done.stderr


@pytest.mark.slow
def test_a_window_left_alone_plays_on_until_it_is_interrupted():
    surroundings = {**os.environ, "SDL_VIDEODRIVER": "dummy"}
    surroundings.pop("SDL_AUDIODRIVER", None)  # with a sound device or without
    window = subprocess.Popen(
        [sys.executable, str(ROOT / "run_sim.py"), "demo", "--loop", "--size", "640x400"],
        env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    time.sleep(25)
    assert window.poll() is None
    os.killpg(window.pid, signal.SIGINT)
    _, complaints = window.communicate(timeout=30)
    assert "Traceback" not in complaints
    assert "ALSA" not in complaints
    assert window.returncode == 130


@pytest.mark.slow
def test_memory_is_steady_over_many_launches_and_windows(opened):
    table = opened("macau-boule")
    peak = []
    for launch in range(200):
        table.show.index = (
            launch % 4
        )  # spins are computed in another process, whose memory is not the window's
        table.launch()
        table.session.draw()
        table.key(pygame.K_END)
        table.session.advance(1 / 60)
        table.session.draw()
        table.key(pygame.K_SPACE)
        if launch in (60, 199):
            peak.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    for _ in range(20):
        opened("macau-boule").close()
    peak.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert peak[1] < 1.04 * peak[0]
    assert peak[2] < 1.1 * peak[0]
