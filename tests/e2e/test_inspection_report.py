"""The inspection report in a browser: asks for nothing, complains of nothing, prints on A4, fits a phone."""

import re
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser
from pyarrow import csv

from sim.cli import main
from tests.e2e.browser import DESKTOP, PHONE, opened

HOSTILE = ('<script>alert(1)</script>" onmouseover="alert(2)', "</table><img src=x onerror=alert(3)>")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    log, out = folder / "<img src=x onerror=alert(4)>.csv", folder / "report.html"
    random = np.random.default_rng(4)
    names = [each.replace('"', '""') for each in HOSTILE]
    rows = [
        f'{i + 1},"{names[i % 2]}",{random.uniform(0, 360):.1f},{random.integers(1, 25)}' for i in range(500)
    ]
    log.write_text("spin_no,thrower_id,drop_angle_deg,symbol\n" + "\n".join(rows) + "\n", encoding="utf-8")
    form = folder / "form.yaml"
    form.write_text("report: {id: '7\"}</style><script>alert(5)</script>'}\n", encoding="utf-8")
    words = ["inspect", str(log), "--rules", "macau-boule-1979", "--form", str(form), "--report", str(out)]
    assert main(words) in {0, 1}
    return out


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_it_asks_for_nothing_and_fits(browser: Browser, page: Path, size: tuple[int, int]) -> None:
    with opened(browser, page, size) as watched:
        shown = watched.page
        assert shown.locator("h1").text_content() == "Inspection report"
        assert shown.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert shown.locator("figure svg").count() >= 4
        for index in range(shown.locator("figure svg").count()):
            box = shown.locator("figure svg").nth(index).bounding_box()
            assert box is not None
            assert box["height"] > 60
        assert shown.locator("script, img, iframe, object, link").count() == 0
        for name in HOSTILE:
            assert name in (shown.locator("main").text_content() or "")


def test_every_reference_leads_somewhere(browser: Browser, page: Path) -> None:
    with opened(browser, page) as watched:
        lost, twice = watched.page.evaluate(
            """() => {
              const ids = [...document.querySelectorAll('[id]')].map(each => each.id);
              const all = (what, name) => [...document.querySelectorAll(what)].map(each => each.getAttribute(name));
              const used = all('use', 'xlink:href'), links = all('a', 'href');
              const clips = all('[clip-path]', 'clip-path').map(each => each.slice(4, -1));
              const wanted = [...used, ...clips, ...links].map(each => each.slice(1));
              return [wanted.filter(each => !ids.includes(each)), ids.filter((each, at) => ids.indexOf(each) !== at)];
            }"""
        )
        assert lost == []
        assert twice == []


def test_it_prints_on_a4(browser: Browser, page: Path) -> None:
    with opened(browser, page) as watched:
        paper = watched.page.pdf(prefer_css_page_size=True)
    sizes = {tuple(map(float, each)) for each in re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", paper)}
    assert sizes
    for width, height in sizes:
        assert width == pytest.approx(595.3, abs=1)
        assert height == pytest.approx(841.9, abs=1)


@pytest.mark.slow
def test_a_scenario_turns_the_drop_zone_into_a_tilt(tmp_path: Path) -> None:
    run, form, out = tmp_path / "run", tmp_path / "form.yaml", tmp_path / "report.html"
    assert main(["batch", "macau-tilted", "--spins", "400", "--seed", "2", "--out", str(run)]) == 0
    logged = pq.read_table(next(run.glob("*.parquet"))).select(["drop_angle_deg", "symbol", "ball_dir"])
    log = tmp_path / "observed.csv"
    csv.write_csv(logged.filter(pc.is_valid(logged["symbol"])), log)
    words = ["inspect", str(log), "--report", str(out)]
    assert main([*words, "--rules", "macau-boule-1979"]) == 1
    assert "Level by the drop zone" not in out.read_text(encoding="utf-8")
    assert main([*words, "--scenario", "macau-boule"]) == 1
    text = re.sub(r"<[^>]+>", " ", out.read_text(encoding="utf-8"))
    found = r"from \d+ drops and the rim law of the scenario: ([\d.]+) ± ([\d.]+) deg, low side at (\d+) deg"
    bubble = re.search(found, text)
    assert bubble is not None
    tilt, spread, side = map(float, bubble.groups())
    assert abs(tilt - 0.3) < 1.5 * spread
    assert spread < 0.15
    assert abs((side - 40.0 + 180) % 360 - 180) < 30
    assert "Simulated with" not in text
    joined = re.search(r"gather is not that of the low side.* low at (\d+) ± (\d+) deg", text)
    assert joined is not None
    assert joined[1] == bubble[3]
    form.write_text("level: {tilt: 0.05 deg, low_side: 220 deg, uncertainty: 0.01 deg}\n", encoding="utf-8")
    assert main([*words, "--scenario", "macau-boule", "--form", str(form)]) == 1
    text = re.sub(r"<[^>]+>", " ", out.read_text(encoding="utf-8"))
    assert re.search(r"measured by the inspector: 0.050* ± 0.010* deg, low side at 220 deg", text)
    assert "Tilt that explains them" in text
