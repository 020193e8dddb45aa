"""The inspection report in a browser: asks for nothing, complains of nothing, prints on A4, fits a phone."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

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
