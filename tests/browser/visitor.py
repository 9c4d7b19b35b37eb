"""Somebody with a browser: Chromium whose every complaint counts, and a judge of accessibility."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

# As root, without a GPU, and without a word to anybody but the page's own server.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 30_000  # ms: the machine may have two slow cores, all of them busy.
# axe would read all style sheets anew each time for css-orientation-lock, a rule that is off.
OPTIONS = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}
SERIOUS = ("serious", "critical")
NARROW, WIDE = 390, 1400
POLICY_BROKEN = """addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} forbids ${event.blockedURI}`))"""


@dataclass
class Visitor:
    """A page of the browser at one benchlab, and everything that went wrong on it."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        self.page.add_init_script(POLICY_BROKEN)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        self.page.on("dialog", lambda dialog: dialog.accept())

    def open(self, path: str) -> Page:
        """The page at this path of the site."""
        self.page.goto(f"{self.address}{path}")
        return self.page

    def judge(self) -> None:
        """Fail on what the browser said so far, on serious barriers, on a page too wide for a
        telephone.
        """
        self._hear_and_see("")
        with self._telephone():
            self._fits("")

    def judge_in_both_themes(self) -> None:
        """The same in the light and in the dark, which comes on the telephone: charts draw
        themselves again for each theme and each width.
        """
        self._hear_and_see("")
        with self._telephone():
            self._fits("")
            self._switch("dark")
            self._fits("(dark)")
        self._hear_and_see("(dark)")
        self._switch("light")

    def _hear_and_see(self, theme: str) -> None:
        where = f"{self.page.url} {theme}"
        assert not self.complaints, f"{where}: {self.complaints}"
        barriers = [text for found in _barriers(self.page) for text in _described(found)]
        assert not barriers, f"{where}: {barriers}"

    def _switch(self, theme: Literal["dark", "light"]) -> None:
        self.page.emulate_media(color_scheme=theme)
        self.page.wait_for_selector(f"html[data-bs-theme={theme}]")

    @contextmanager
    def _telephone(self) -> Iterator[None]:
        """On its screen."""
        self.page.set_viewport_size({"width": NARROW, "height": 800})
        yield
        self.page.set_viewport_size({"width": WIDE, "height": 900})

    def _fits(self, theme: str) -> None:
        wide = self._narrowest()
        where = f"{self.page.url} {theme}"
        assert wide <= NARROW, f"{where}: {wide} px wide on a screen of {NARROW} px"

    def _narrowest(self) -> int:
        """The width in px as soon as it fits; charts draw themselves again a moment later."""
        wide = 0
        for _ in range(300):
            wide = self.page.evaluate("document.documentElement.scrollWidth")
            if wide <= NARROW:
                break
            self.page.wait_for_timeout(100)
        return wide

    def _heard(self, message: ConsoleMessage) -> None:
        # A preview that a newer one takes the place of is ended by htmx, which says so as an error.
        replaced = message.text.startswith(("htmx:sendAbort", "htmx:afterRequest"))
        if message.type in ("error", "warning") and not replaced:
            self.complaints.append(f"{message.type}: {message.text} ({message.location['url']})")


@contextmanager
def chromium(executable: str | Path) -> Iterator[Browser]:
    """A headless browser, closed at the end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def _barriers(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = Axe().run(page, options=OPTIONS).response["violations"]
    return [barrier for barrier in found if barrier["impact"] in SERIOUS]


def _described(barrier: dict[str, Any]) -> list[str]:
    return [
        f"{barrier['id']}: {node['html'][:200]} {node['failureSummary'][-200:]}"
        for node in barrier["nodes"][:3]
    ]
