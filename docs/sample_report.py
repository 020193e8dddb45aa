"""The README's picture of an inspection report: two stretches of the sample page, as a browser shows them."""

import sys
import tempfile
from pathlib import Path

from PIL import Image

from docs.examples import ROOT
from docs.pictures import fairwheel

SCENARIO, SPINS, SEED = "spanish-tilted", "2000", "1979"
FORM = ROOT / "docs" / "data" / "inspection-form.yaml"
CHROMIUM = Path("/usr/bin/chromium")
WIDTH, HEIGHT = 860, 1180
COLOURS = 48


def draw_report(target: Path) -> None:
    """Write a PNG of the head of the sample report beside its pictures; without Chromium leave it as it is."""
    if not CHROMIUM.exists():
        print(f"{target.name} is left as it is: no {CHROMIUM}", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as scratch:
        run, page = Path(scratch, "run"), Path(scratch, "report.html")
        fairwheel("batch", SCENARIO, "--spins", SPINS, "--seed", SEED, "--out", str(run))
        found = ["inspect", str(run), "--scenario", SCENARIO, "--form", str(FORM), "--report", str(page)]
        fairwheel(*found, allowed=(0, 1))
        shots = [Path(scratch, f"{name}.png") for name in ("head", "pictures")]
        _photograph(page, *shots)
        whole = Image.new("RGB", (2 * WIDTH, HEIGHT), "white")
        for place, shot in enumerate(shots):
            with Image.open(shot) as image:
                whole.paste(image.convert("RGB"), (place * WIDTH, 0))
        whole.quantize(COLOURS).save(target, optimize=True)


def _photograph(page: Path, head: Path, pictures: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        tab.goto(page.as_uri())
        tab.screenshot(path=head)
        tab.get_by_role("heading", name="Pictures").evaluate("each => each.scrollIntoView()")
        tab.screenshot(path=pictures)
        browser.close()
