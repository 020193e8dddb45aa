"""The page: played, scrubbed and driven by keys in a browser, against the engine's own path."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from sim.cli import main
from sim.cli.runs import draws, play
from sim.cli.table import open_table
from sim.machines import build
from sim.report.page import page
from sim.report.replay import Shown, replay_fragment
from tests.e2e.browser import DESKTOP, PHONE, opened

Table = tuple[Path, list[Shown]]
EXTERNAL = re.compile(r"https?:|url\(|<link|src=|@import|fetch\(|XMLHttp|WebSocket")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Table]:
    kept: dict[tuple[str, int, int], Table] = {}

    def make(name: str, seed: int, spins: int = 1) -> Table:
        if (name, seed, spins) not in kept:
            scenario, rulebook = open_table(name, [])
            machine = build(scenario)
            shown = list(play(scenario, rulebook, machine, draws(scenario, seed, range(spins))))
            file = tmp_path_factory.mktemp("page") / f"{name}.html"
            file.write_text(page(scenario, rulebook, machine, shown), encoding="utf-8")
            kept[name, seed, spins] = file, shown
        return kept[name, seed, spins]

    return make


def seek(page: Page, time: float) -> None:
    page.evaluate("time => document.querySelector('.fw-replay').replay.seek(time)", time)


def until(page: Page, condition: str) -> None:
    """Wait for a condition on the replay; the page's own policy forbids to evaluate it there again and again."""
    for _ in range(200):
        if page.evaluate(f"document.querySelector('.fw-replay').replay.{condition}"):
            return
        page.wait_for_timeout(20)
    raise AssertionError(condition)


def colour(page: Page, x: float, y: float) -> list[int]:
    """The colour of the stage where a point of the lab (m) is drawn."""
    return page.evaluate(
        """([x, y]) => {
          const { eye, canvas } = document.querySelector('.fw-replay').replay;
          const ratio = canvas.width / canvas.clientWidth;
          const [px, py] = eye.point(x, y);
          const copy = document.createElement('canvas');
          const { width, height } = Object.assign(copy, { width: canvas.width, height: canvas.height });
          const reading = copy.getContext('2d', { willReadFrequently: true });
          reading.drawImage(canvas, 0, 0, width, height);
          return [...reading.getImageData(px * ratio, py * ratio, 1, 1).data];
        }""",
        [x, y],
    )


def test_a_spin_plays_pauses_and_ends(browser: Browser, made: Callable[..., Table]) -> None:
    file, shown = made("macau-boule", 1979, 2)
    with opened(browser, file) as watched:
        page = watched.page
        page.get_by_role("button", name="play the spin").click()
        page.get_by_label("speed").select_option("4")
        until(page, "time > 0.5")
        page.get_by_role("button", name="pause", exact=True).click()
        stopped = page.locator(".fw-clock").text_content()
        page.wait_for_timeout(120)
        assert page.locator(".fw-clock").text_content() == stopped
        page.keyboard.press("End")
        landing = shown[0].spin.landing
        assert page.locator(".fw-clock").text_content() == f"{landing.duration:.2f} s"
        assert (
            page.locator(".fw-name").text_content() == f"{shown[0].outcome.symbol} {shown[0].outcome.colour}"
        )
        page.get_by_role("button", name="play", exact=True).click()
        until(page, "time < 5")


def test_the_ball_is_drawn_where_the_engine_has_it(browser: Browser, made: Callable[..., Table]) -> None:
    file, shown = made("macau-boule", 1979, 2)
    rows = shown[0].spin.trace
    assert rows is not None
    with opened(browser, file) as watched:
        for time in np.linspace(0.0, rows[-1, 0], 40).tolist():
            seek(watched.page, time)
            x, y, z, turn = (np.interp(time, rows[:, 0], rows[:, column]) for column in (1, 2, 3, 4))
            state = watched.page.evaluate(
                "t => { const r = document.querySelector('.fw-replay').replay; return r.scene.state(r.spin.path, t); }",
                time,
            )
            assert np.hypot(np.hypot(state["x"] - x, state["y"] - y), state["z"] - z) < 1e-4
            assert abs(state["turn"] - turn) * 0.31 < 1e-4
            assert min(colour(watched.page, x, y)[:3]) > 180, f"no ball at {time} s"
            # The hollow of the star, hollow 0, is white too.
            apart = np.angle(np.exp(1j * (np.arctan2(-y, -x) - turn)))
            if np.hypot(x, y) > 0.4 or abs(apart) > np.pi / 25:
                assert min(colour(watched.page, -x, -y)[:3]) < 180


def test_keys_drive_it(browser: Browser, made: Callable[..., Table]) -> None:
    file, shown = made("macau-boule", 1979, 2)
    with opened(browser, file) as watched:
        page = watched.page
        clock = page.locator(".fw-clock")
        for key, expected in [
            ("ArrowRight", "0.10 s"),
            ("Shift+ArrowRight", "1.10 s"),
            ("ArrowLeft", "1.00 s"),
            (".", "1.02 s"),
            (",", "1.00 s"),
            ("Home", "0.00 s"),
        ]:
            page.keyboard.press(key)
            assert clock.text_content() == expected, key
        page.keyboard.press("-")
        assert page.get_by_label("speed").input_value() == "0.5"
        page.keyboard.press("+")
        page.keyboard.press("f")
        assert page.get_by_role("button", name="plate frame").get_attribute("aria-pressed") == "true"
        page.keyboard.press("z")
        assert page.get_by_role("button", name="close-up").get_attribute("aria-pressed") == "true"
        page.keyboard.press("t")
        assert page.locator(".fw-trail").text_content() == "trail: all"
        page.keyboard.press("?")
        assert page.locator(".fw-help").is_visible()
        page.keyboard.press("n")
        assert page.locator(".fw-chip[aria-pressed=true]").text_content().startswith("spin 1")
        page.keyboard.press(" ")
        until(page, "time > 0.1")
        page.keyboard.press(" ")
        assert not page.evaluate("document.querySelector('.fw-replay').replay.playing")
        assert float(clock.text_content().split()[0]) < shown[1].spin.landing.duration


def test_in_the_plate_frame_the_plate_stands_still(browser: Browser, made: Callable[..., Table]) -> None:
    file, _ = made("macau-boule", 1979, 2)
    of_plate = (
        "() => { const {eye, scene, spin, time} = document.querySelector('.fw-replay').replay; "
        "return eye.turn + scene.state(spin.path, time).turn; }"
    )
    with opened(browser, file) as watched:
        for time in (3.0, 12.0, 25.0):
            seek(watched.page, time)
            assert watched.page.evaluate("document.querySelector('.fw-replay').replay.eye.turn") == 0
        watched.page.keyboard.press("f")
        for time in (3.0, 12.0, 25.0):
            seek(watched.page, time)
            assert watched.page.evaluate(of_plate) == pytest.approx(0)


def test_the_timeline_names_what_happens_and_is_scrubbed(
    browser: Browser, made: Callable[..., Table]
) -> None:
    file, shown = made("macau-boule", 1979, 2)
    bell = next(event.time for event in shown[0].spin.events if event.kind == "band")
    with opened(browser, file, PHONE, touch=True) as watched:
        page = watched.page
        page.get_by_role("button", name="bell").tap()
        assert page.locator(".fw-clock").text_content() == f"{bell:.2f} s"
        assert "campainha" in page.locator(".fw-caption").text_content()
        assert "[(bell)] (MB-09)" in page.locator(".fw-outcome").text_content()
        page.get_by_role("slider").fill("20")
        assert page.get_by_role("slider").get_attribute("aria-valuetext") == "20.00 s, among the hollows"
        box = page.locator(".fw-strip").bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        half = shown[0].spin.landing.duration / 2
        assert float(page.locator(".fw-clock").text_content().split()[0]) == pytest.approx(half, abs=0.3)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


@pytest.mark.slow
def test_a_wheel_turns_and_its_clapper_with_it(browser: Browser, made: Callable[..., Table]) -> None:
    file, shown = made("roda-da-sorte", 3)
    rows = shown[0].spin.trace
    assert rows is not None
    with opened(browser, file) as watched:
        for time in np.linspace(0.0, rows[-1, 0], 60).tolist():
            turn, clapper = (np.interp(time, rows[:, 0], rows[:, column]) for column in (1, 3))
            state = watched.page.evaluate(
                "t => { const r = document.querySelector('.fw-replay').replay; return r.scene.state(r.spin.path, t); }",
                time,
            )
            assert abs(state["turn"] - turn) * 0.75 < 1e-4
            assert abs(state["clapper"] - clapper) * 0.1 < 1e-4
        assert "3 complete turns (RS-10)" in watched.page.locator(".fw-moments").text_content()
        assert "Não há mais apostas" in watched.page.locator(".fw-outcome").text_content()


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize("dark", [False, True])
def test_it_looks_right_in_both_schemes(
    browser: Browser, made: Callable[..., Table], size: tuple[int, int], dark: bool
) -> None:
    file, _ = made("macau-boule", 1979, 2)
    with opened(browser, file, size, dark=dark) as watched:
        background = watched.page.evaluate("getComputedStyle(document.body).backgroundColor")
        bright = sum(map(int, re.findall(r"\d+", background)[:3])) / 3
        assert bright < 60 if dark else bright > 200
        unnamed = watched.page.evaluate(
            """() => [...document.querySelectorAll('button, select, input, canvas')].filter(
              each => !(each.getAttribute('aria-label') || each.textContent.trim())).length"""
        )
        assert unnamed == 0
        assert colour(watched.page, 0.28, 0.0)[3] == 255
        assert watched.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_text_of_a_scenario_stays_text(browser: Browser, tmp_path: Path) -> None:
    title = "</title></script><script>alert(1)</script><img src=x onerror=alert(2)>"
    out = tmp_path / "page.html"
    assert main(["page", "spanish-boule", "--out", str(out), "--set", f'title="{title}"']) == 0
    with opened(browser, out) as watched:
        assert watched.page.locator("h1").text_content() == title


def test_it_asks_for_nothing_and_is_the_same_every_time(made: Callable[..., Table]) -> None:
    file, shown = made("macau-boule", 1979, 2)
    html = file.read_text(encoding="utf-8")
    assert EXTERNAL.search(html) is None
    assert len(html.encode()) < 200_000
    scenario, rulebook = open_table("macau-boule", [])
    machine = build(scenario)
    again = list(play(scenario, rulebook, machine, draws(scenario, 1979, range(2))))
    assert page(scenario, rulebook, machine, again) == html
    for words in (scenario.sha256, "seed 1979, spins 0, 1", "values assumed", "fairwheel 0", "numba"):
        assert words in html
    bare = replay_fragment(scenario, rulebook, machine, shown, with_assets=False)
    assert "<style>" not in bare
    assert "<script>" not in bare
    assert bare.strip() in html


def test_a_page_that_grows_too_large_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.report.page.MOST_BYTES", 50_000)
    assert main(["page", "spanish-boule", "--out", str(tmp_path / "page.html")]) == 2
    error = capsys.readouterr().err
    assert re.match(r"--spins: 1 spins make a page of 0\.\d+ MB; at most 0\.05 MB; show fewer\n", error)
    assert list(tmp_path.iterdir()) == []


def test_two_fragments_in_one_document_go_their_own_ways(
    browser: Browser, made: Callable[..., Table], tmp_path: Path
) -> None:
    parts = []
    for number, (name, seed) in enumerate((("macau-boule", 1979), ("roda-da-sorte", 3))):
        scenario, rulebook = open_table(name, [])
        _, shown = made(name, seed, 2 if number == 0 else 1)
        parts.append(replay_fragment(scenario, rulebook, build(scenario), shown, with_assets=number == 1))
    out = tmp_path / "report.html"
    out.write_text(f"<!doctype html><meta charset=utf-8><title>two</title>{''.join(parts)}", encoding="utf-8")
    with opened(browser, out) as watched:
        page = watched.page
        assert page.locator(".fw-replay[data-ready]").count() == 2
        page.locator(".fw-replay").nth(1).focus()
        page.keyboard.press("Shift+ArrowRight")
        assert page.locator(".fw-clock").all_text_contents() == ["0.00 s", "1.00 s"]
