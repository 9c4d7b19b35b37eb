"""Opening pages of a benchlab in Chromium and taking their pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.browser.look.judging import FACTS, READY, faults
from tests.browser.look.screens import SCREENS, Screen

PATIENCE = 60_000
"""ms: an archive of a million tests, on two slow cores."""
SETTLED = 600
"""ms for charts to take the width that the page has found."""
HEIGHT = 900
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")


class CannotLook(Exception):
    """Nothing can be looked at; the message says why."""


@dataclass(frozen=True)
class Seen:
    """A page on a screen, its picture, and what is wrong with it."""

    view: str
    screen: Screen
    picture: Path
    faults: tuple[str, ...]


@contextmanager
def visiting(address: str, user: str, password: str, executable: str) -> Iterator[Any]:
    """A page of a browser that is logged in. Raises CannotLook."""
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        try:
            page = browser.new_page(base_url=address, locale="en-GB", reduced_motion="reduce")
            page.set_default_timeout(PATIENCE)
            try:
                page.goto("/login/?next=/")
            except Error as error:
                raise CannotLook(f"Nothing answers at {address}: {error.message}") from error
            page.fill("input[name=username]", user)
            page.fill("input[name=password]", password)
            page.click("form button[type=submit]")
            if "/login/" in page.url:
                raise CannotLook("The login was refused.")
            yield page
        finally:
            browser.close()


def asked(page: Any, path: str) -> Any:
    """JSON of the API; None where it is refused."""
    answer = page.request.get(f"/api/v1/{path}")
    return answer.json() if answer.ok else None


def looked_at(page: Any, addresses: Mapping[str, str], folder: Path) -> Iterator[Seen]:
    """Every page on every screen, as soon as it is seen; pictures stand in `folder`."""
    heard: list[str] = []
    page.on("console", lambda said: heard.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    folder.mkdir(parents=True, exist_ok=True)
    for view, address in addresses.items():
        before = None
        for screen in SCREENS:
            heard.clear()
            if before is None or not screen.differs_in_theme_alone(before):
                _open(page, address, screen)
            else:
                _switch(page, screen)
            before = screen
            found = tuple(faults(view, page.evaluate(FACTS), heard))
            picture = folder / f"{view}-{screen.name}.png"
            page.screenshot(path=picture, full_page=True)
            yield Seen(view, screen, picture, found)


def _open(page: Any, address: str, screen: Screen) -> None:
    """The page with its charts drawn, in the width and theme of the screen."""
    page.set_viewport_size({"width": screen.width, "height": HEIGHT})
    page.emulate_media(color_scheme=screen.theme, media="screen")
    answer = page.goto(address)
    if answer is None or not answer.ok:
        raise CannotLook(f"{address} answers {answer and answer.status}.")
    page.wait_for_function(READY)
    if screen.media == "print":
        page.emulate_media(color_scheme=screen.theme, media="print")
    page.wait_for_timeout(SETTLED)


def _switch(page: Any, screen: Screen) -> None:
    """The page that is open in the theme of the screen, as when evening comes: its charts draw
    themselves again.
    """
    page.emulate_media(color_scheme=screen.theme, media=screen.media)
    page.wait_for_selector(f"html[data-bs-theme={screen.theme}]", state="attached")
    page.wait_for_function(READY)
    page.wait_for_timeout(SETTLED)
