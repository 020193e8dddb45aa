"""A headless Chromium for tests of pages, and a page that is watched for complaints and requests."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
DESKTOP, PHONE = (1280, 800), (390, 844)


@dataclass(slots=True)
class Watched:
    """An open page, what its console and scripts complained of, and what it asked for beside itself."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"needs Chromium at {CHROMIUM}")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=str(CHROMIUM),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield started
        started.close()


@contextmanager
def opened(
    browser: Browser, file: Path, size: tuple[int, int] = DESKTOP, *, dark: bool = False, touch: bool = False
) -> Iterator[Watched]:
    """Open a file in a window of this size, px."""
    scheme = "dark" if dark else "light"
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, has_touch=touch
    )
    watched = Watched(context.new_page())
    watched.page.on(
        "console",
        lambda message: (
            watched.complaints.append(message.text) if message.type in {"error", "warning"} else None
        ),
    )
    watched.page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    watched.page.on("dialog", lambda dialog: watched.complaints.append(f"dialog: {dialog.message}"))
    watched.page.on("request", lambda request: watched.requests.append(request.url))
    try:
        watched.page.goto(file.resolve().as_uri())
        yield watched
    finally:
        context.close()
    assert watched.complaints == []
    assert watched.requests == [file.resolve().as_uri()]
