"""Every key and every part of the window that takes the mouse does what the help says."""

import subprocess
import sys

import pygame
import pytest

from sim.cli.demo import Filming
from sim.rules.round import State
from sim.view import arrangement
from sim.view.cloth import VALUES
from sim.view.controls import CONTROLS, deed_of
from sim.view.deeds import DEEDS
from tests.view.driver import Driver

TABLE = "macau-boule"


@pytest.fixture
def window():
    driver = Driver(TABLE)
    yield driver
    driver.close()


@pytest.fixture
def spinning(window):
    window.launch()
    window.run(1.0)
    return window


def test_every_deed_has_a_key_and_every_key_a_deed():
    assert {control.does for control in CONTROLS} == set(DEEDS)
    keys = [(control.key, control.shift) for control in CONTROLS]
    assert len(keys) == len(set(keys))


def test_what_is_typed_finds_the_help_on_every_keyboard():
    assert deed_of(pygame.K_COMMA, shift=True, character="?") == "help"
    assert deed_of(pygame.K_F9, shift=False) is None


def test_space_launches_pauses_goes_on_and_opens_the_next_round(window):
    window.launch()
    assert window.session.transport.running
    window.key(pygame.K_SPACE)
    time = window.session.transport.time
    window.run(0.5)
    assert window.session.transport.time == time
    window.key(pygame.K_SPACE)
    window.run(0.5)
    assert window.session.transport.time == pytest.approx(time + 0.5, abs=0.02)
    window.key(pygame.K_END)
    assert window.session.over
    window.run(0.1)
    window.key(pygame.K_SPACE)
    assert window.session.waiting
    assert window.sitting.play.number == 1


def test_time_is_real_time_by_the_clock_whatever_the_frames(window):
    window.launch()
    begin = window.session.transport.time
    for elapsed in (0.005, 0.1, 0.013, 0.4):
        window.session.advance(elapsed)
    assert window.session.transport.time - begin == pytest.approx(0.518)


def test_slow_motion_by_halves_down_to_a_thirty_second(spinning):
    transport = spinning.session.transport
    speeds = []
    for _ in range(6):
        speeds.append(transport.speed)
        spinning.key(pygame.K_DOWN)
    assert speeds == [1, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32]
    assert transport.speed == 1 / 32
    time = transport.time
    spinning.session.advance(0.32)
    assert transport.time - time == pytest.approx(0.01)
    for _ in range(9):
        spinning.key(pygame.K_UP)
    assert transport.speed == 1


def test_steps_stop_and_move_by_ten_milliseconds_or_a_second(spinning):
    transport = spinning.session.transport
    time = transport.time
    spinning.key(pygame.K_RIGHT)
    assert not transport.running
    assert transport.time == pytest.approx(time + 0.01)
    spinning.key(pygame.K_LEFT)
    spinning.key(pygame.K_LEFT)
    assert transport.time == pytest.approx(time - 0.01)
    spinning.key(pygame.K_RIGHT, shift=True)
    assert transport.time == pytest.approx(time + 0.99)
    spinning.key(pygame.K_LEFT, shift=True)
    assert transport.time == pytest.approx(time - 0.01)
    spinning.key(pygame.K_HOME)
    assert transport.time == 0.0
    assert transport.known == pytest.approx(time + 0.99)


@pytest.mark.parametrize(
    "key, field, others",
    [
        (pygame.K_c, "follow", (False, True)),
        (pygame.K_p, "frame", ("lab", "plate")),
        (pygame.K_t, "trail", (0.9, 0.0)),
        (pygame.K_z, "heights", (False, True)),
        (pygame.K_a, "arrows", (False, True)),
    ],
)
def test_keys_of_the_view_switch_there_and_back(spinning, key, field, others):
    first, second = others
    assert getattr(spinning.session.view, field) == first
    spinning.key(key)
    assert getattr(spinning.session.view, field) == second
    spinning.session.draw()
    spinning.key(key)
    assert getattr(spinning.session.view, field) == first


def test_each_view_changes_the_picture(spinning):
    spinning.key(pygame.K_SPACE)

    plain = spinning.picture()
    for key in (pygame.K_c, pygame.K_p, pygame.K_t, pygame.K_z, pygame.K_a, pygame.K_h):
        spinning.key(key)
        assert spinning.picture() != plain
        spinning.key(key)
    assert spinning.picture() == plain
    spinning.key(pygame.K_QUESTION, typed="?")
    assert spinning.picture() != plain


def test_the_timeline_is_scrubbed_only_as_far_as_it_is_known(spinning):
    spinning.run_to(8.0)
    timeline, motion = spinning.show.stage.timeline, spinning.show.motion
    bar = timeline.bar
    early = bar.left + round(bar.width * 3.0 / motion.duration)
    spinning.press((early, bar.centery))
    assert spinning.session.transport.time == pytest.approx(3.0, abs=0.1)
    assert not spinning.session.transport.running
    spinning.move((bar.right, bar.centery))
    assert spinning.session.transport.time == pytest.approx(spinning.session.transport.known)
    spinning.release((bar.right, bar.centery))
    spinning.move((early, bar.centery))
    assert spinning.session.transport.time == pytest.approx(spinning.session.transport.known)


def test_chips_are_chosen_by_key_and_by_mouse(window):
    window.session.draw()
    window.key(pygame.K_EQUALS)
    assert window.session.value == VALUES[2]
    window.key(pygame.K_MINUS)
    window.key(pygame.K_MINUS)
    window.key(pygame.K_MINUS)
    assert window.session.value == VALUES[0]
    window.click(window.session.panel.value_places[3].center)
    assert window.session.value == VALUES[3]


def test_bets_are_put_down_and_taken_back_with_the_mouse(window):
    window.bet("7")
    window.bet("7")
    window.bet("red")
    assert [slip.wager.chance for slip in window.sitting.on_cloth()] == ["number:7", "number:7", "red"]
    assert window.sitting.purse == 985
    window.bet("7", button=3)
    assert window.sitting.purse == 990
    window.key(pygame.K_BACKSPACE)
    assert [slip.wager.chance for slip in window.sitting.on_cloth()] == ["number:7"]


def test_several_numbers_are_chosen_with_shift(window, monkeypatch):
    window.bet("3 numbers")
    assert not window.sitting.on_cloth()
    assert "3 numbers first" in window.session.told[0]
    with monkeypatch.context() as held:
        held.setattr(pygame.key, "get_mods", lambda: pygame.KMOD_SHIFT)
        for number in ("9", "4", "17"):
            window.bet(number)
    assert not window.sitting.on_cloth()
    window.bet("3 numbers")
    (slip,) = window.sitting.on_cloth()
    assert slip.wager.chance == "numbers:4,9,17"


def test_dragging_the_bubble_tilts_the_next_spin(window):
    bubble = window.session.panel.bubble
    x, y = bubble.centre
    window.press((round(x), round(y)))
    window.move((round(x - 0.39 * bubble.radius), round(y)))
    window.release((round(x - 0.39 * bubble.radius), round(y)))
    level = window.show.scenario.level
    assert level.tilt == pytest.approx(0.3 * 3.14159265 / 180, rel=0.12)
    assert level.low_side == pytest.approx(0.0, abs=0.05)  # the bubble goes up, the ball the other way
    assert window.show.machine.setting.gravity[0] > 0.02
    window.launch()
    assert window.show.order.overrides == window.show.overrides
    window.key(pygame.K_END)
    window.run(0.1)
    window.key(pygame.K_SPACE)
    window.key(pygame.K_l)
    assert window.show.scenario.level.tilt == 0.0


def test_the_help_shows_and_goes(window):
    window.key(pygame.K_QUESTION, typed="?")
    assert window.session.helping
    window.session.draw()
    window.key(pygame.K_ESCAPE)
    assert not window.session.helping
    assert window.session.running
    window.key(pygame.K_ESCAPE)
    assert not window.session.running


def test_a_picture_is_kept(tmp_path):
    driver = Driver(TABLE, folder=tmp_path)
    driver.session.draw()
    driver.key(pygame.K_s)
    driver.key(pygame.K_s)
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == ["fairwheel-macau-boule-1.png", "fairwheel-macau-boule-2.png"]
    assert pygame.image.load(tmp_path / kept[0]).get_size() == (640, 480)
    driver.close()


def test_recording_hands_the_spin_over_and_needs_one(tmp_path):
    asked = []
    driver = Driver(
        TABLE, folder=tmp_path, record=lambda show, folder: asked.append(show.order) or "being recorded"
    )
    driver.key(pygame.K_r)
    assert not asked
    driver.launch()
    driver.key(pygame.K_r)
    assert asked == [driver.show.order]
    assert driver.session.told[0] == "being recorded"
    driver.close()


def test_the_next_scenario_and_the_one_before():
    driver = Driver(program=[("macau-boule",), ("roda-da-sorte",)])
    driver.key(pygame.K_n)
    assert driver.show.name == "roda-da-sorte"
    driver.key(pygame.K_n)
    assert driver.show.name == "macau-boule"
    driver.key(pygame.K_n, shift=True)
    assert driver.show.name == "roda-da-sorte"
    driver.close()


def test_the_window_is_laid_out_anew_when_its_size_changes(window):
    pygame.display.set_mode((500, 700))
    window.session.handle(pygame.event.Event(pygame.VIDEORESIZE, size=(500, 700), w=500, h=700))
    assert window.session.places[0].width == 500
    assert window.session.panel.rect.top == window.session.places[0].bottom
    window.session.draw()


def test_sound_is_switched(window):
    assert window.session.sounds.muted
    window.key(pygame.K_m)
    assert not window.session.sounds.muted


def test_histograms_grow_with_every_spin(window):
    for spins in (1, 2):
        window.launch()
        window.key(pygame.K_END)
        window.run(0.1)
        assert window.show.tallies.spins == spins
        assert window.show.tallies.drops.total() == spins
        window.key(pygame.K_SPACE)
    window.key(pygame.K_h)
    window.session.draw()


def test_side_by_side_both_are_launched_alike():
    driver = Driver("macau-boule", "macau-tilted")
    driver.launch()
    first, second = driver.session.shows
    assert first.spin.start == second.spin.start
    assert first.spin.landing != second.spin.landing
    driver.run_to(20.0)
    driver.session.draw()
    driver.key(pygame.K_d)
    assert not first.changing
    driver.close()


def test_unattended_it_bets_launches_and_goes_on_to_the_next_machine():
    driver = Driver(program=[("macau-boule",), ("roda-da-sorte",)], loop=True)
    driver.run(4.0)
    assert not driver.session.waiting
    assert len(driver.sitting.on_cloth()) == 2
    driver.key(pygame.K_END)
    driver.run(6.0)
    assert driver.show.name == "roda-da-sorte"
    driver.run(4.0)
    assert not driver.session.waiting
    driver.close()


def test_without_a_sound_device_nobody_is_told_that_sound_is_on(window, monkeypatch):
    def missing(*_):
        raise pygame.error("no device")

    monkeypatch.setattr(pygame.mixer, "init", missing)
    for _ in range(2):
        window.key(pygame.K_m)
        assert window.session.sounds.muted
        assert window.session.told[0] == "there is no sound device"


def test_a_chip_that_would_land_after_the_end_is_let_go(spinning):
    session = spinning.session
    spinning.run_to(session.end - 0.2)
    spinning.key(pygame.K_d)
    assert session.falling is not None
    spinning.run(1.0)
    assert session.over
    assert session.falling is None
    assert "before the chip landed" in session.told[0]
    assert spinning.sitting.decided.valid


def test_a_void_spin_is_stopped_by_the_button_and_launched_again(spinning):
    session = spinning.session
    spinning.run_to(6.0)
    spinning.key(pygame.K_d)
    spinning.run(1.0)
    assert spinning.sitting.state is State.VOID
    assert not session.over
    assert arrangement.button(session) == "stop, launch again"
    spinning.click(session.panel.button.center)
    assert session.waiting
    spinning.launch()
    assert spinning.sitting.play.number == 0
    assert spinning.sitting.play.spin == 1


def test_side_by_side_what_needs_a_single_table_says_so():
    driver = Driver(TABLE, "macau-tilted")
    tilts = [show.scenario.level.tilt for show in driver.session.shows]
    for key in (pygame.K_l, pygame.K_h, pygame.K_d):
        driver.session.tell("")
        driver.key(key)
        assert driver.session.told[0]
    driver.session.draw()
    assert [show.scenario.level.tilt for show in driver.session.shows] == tilts
    assert not driver.session.tallied
    driver.close()


@pytest.mark.parametrize("code, told", [(0, "kept as"), (1, "could not be kept")])
def test_how_a_film_ended_is_told(tmp_path, code, told):
    process = subprocess.Popen([sys.executable, "-c", f"raise SystemExit({code})"])
    film = Filming(tmp_path / "film.mp4", process)
    driver = Driver(TABLE, folder=tmp_path, record=lambda show, folder: film)
    driver.launch()
    driver.key(pygame.K_r)
    assert driver.session.told[0] == "being filmed: film.mp4"
    process.wait()
    driver.session.advance(0.01)
    assert driver.session.told[0].startswith(told)
    assert driver.session.errands == []
    driver.close()


@pytest.mark.parametrize("name", ["../../x", "a/b\\c:d", "…", "x" * 100, "roda da sorte"])
def test_a_scenario_of_any_name_gives_a_file_in_the_folder(tmp_path, name):
    driver = Driver(TABLE, folder=tmp_path)
    driver.show.scenario = driver.show.scenario.model_copy(update={"name": name})
    driver.key(pygame.K_s)
    (kept,) = tmp_path.iterdir()
    assert kept.name.startswith("fairwheel-")
    assert kept.suffix == ".png"
    driver.close()
