"""Open pages of benchlab in Chromium, check them and take screenshots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.browser.visual_check.faults import FACTS, READY, faults
from tests.browser.visual_check.screens import SCREENS, Screen

TIMEOUT_MS = 60_000
"""Enough for an archive of a million tests on two slow cores."""
SETTLE_MS = 600
"""Time for charts to adapt to the width of the page."""
HEIGHT = 900
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")


class VisualCheckError(Exception):
    """The check cannot run; the message contains the reason."""


@dataclass(frozen=True)
class CheckedPage:
    """A page on a screen, its screenshot and its faults."""

    view: str
    screen: Screen
    screenshot: Path
    faults: tuple[str, ...]


@contextmanager
def logged_in_page(address: str, user: str, password: str, executable: str) -> Iterator[Any]:
    """Yield a browser page with a session.

    Raises:
        VisualCheckError: benchlab is unreachable or refuses the login.
    """
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        try:
            page = browser.new_page(base_url=address, locale="en-GB", reduced_motion="reduce")
            page.set_default_timeout(TIMEOUT_MS)
            try:
                page.goto("/login/?next=/")
            except Error as error:
                raise VisualCheckError(f"No response from {address}: {error.message}") from error
            page.fill("input[name=username]", user)
            page.fill("input[name=password]", password)
            page.click("form button[type=submit]")
            if "/login/" in page.url:
                raise VisualCheckError("The login was refused.")
            yield page
        finally:
            browser.close()


def api_json(page: Any, path: str) -> Any:
    """Return the JSON of an API path; None after an error."""
    response = page.request.get(f"/api/v1/{path}")
    return response.json() if response.ok else None


def check_pages(page: Any, addresses: Mapping[str, str], folder: Path) -> Iterator[CheckedPage]:
    """Yield every page on every screen; write screenshots to `folder`."""
    errors: list[str] = []
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    folder.mkdir(parents=True, exist_ok=True)
    for view, address in addresses.items():
        before = None
        for screen in SCREENS:
            errors.clear()
            if before is None or not screen.differs_in_theme_alone(before):
                _open(page, address, screen)
            else:
                _switch(page, screen)
            before = screen
            found = tuple(faults(view, page.evaluate(FACTS), errors))
            screenshot = folder / f"{view}-{screen.name}.png"
            page.screenshot(path=screenshot, full_page=True)
            yield CheckedPage(view, screen, screenshot, found)


def _open(page: Any, address: str, screen: Screen) -> None:
    """Open the page in the width and theme of the screen; wait for its charts."""
    page.set_viewport_size({"width": screen.width, "height": HEIGHT})
    page.emulate_media(color_scheme=screen.theme, media="screen")
    response = page.goto(address)
    if response is None or not response.ok:
        raise VisualCheckError(f"{address} returned {response and response.status}.")
    page.wait_for_function(READY)
    if screen.media == "print":
        page.emulate_media(color_scheme=screen.theme, media="print")
    page.wait_for_timeout(SETTLE_MS)


def _switch(page: Any, screen: Screen) -> None:
    """Switch the theme of the open page; its charts are drawn again."""
    page.emulate_media(color_scheme=screen.theme, media=screen.media)
    page.wait_for_selector(f"html[data-bs-theme={screen.theme}]", state="attached")
    page.wait_for_function(READY)
    page.wait_for_timeout(SETTLE_MS)
