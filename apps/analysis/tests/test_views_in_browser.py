"""Each view in a real browser, of an archive that has something for it: its chart is drawn with
points, and the browser has nothing to say against the page.
"""

from __future__ import annotations

import html
import mimetypes
import re
import shutil
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, Route, ViewportSize, sync_playwright

from apps.accounts.models import User
from apps.analysis.registry import VIEWS
from apps.analysis.tests.archive import archive_fill

CHROMIUM = shutil.which("chromium")
SITE = "http://benchlab.test"
STATIC = Path(settings.BASE_DIR) / "static"
FETCHED = re.compile(r'data-figure-url="([^"]+)"|hx-get="([^"]+)"[^>]*data-deferred')
PHONE = ViewportSize(width=390, height=844)
WITHOUT_A_CHART = {"config-diff"}
OF_A_REPORT = {"medians"}
"""Rooms whose answer stands in the report of a run."""
SEEN = """[...document.querySelectorAll(".chart")].filter((one) => one.checkVisibility())"""
DRAWN = f"""() => {SEEN}.map(
  (one) => (one.querySelector(".js-plotly-plot")?.calcdata ?? []).flat().length)"""
TILTED = r"""[...document.querySelectorAll(".xtick text")].filter(
  (one) => /rotate\((?!0[,)])/.test(one.getAttribute("transform") ?? "")).length"""
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


@pytest.mark.django_db
def test_every_view_draws_what_it_shows(owner: User, viewer_client: Client) -> None:
    # Rendered before the browser starts, whose event loop Django keeps away from the database.
    addresses = archive_fill(owner)
    assert set(VIEWS) <= {*addresses, *OF_A_REPORT}
    bodies = {path: _body(viewer_client, path) for path in addresses.values()}
    for text in list(bodies.values()):
        for figure, part in FETCHED.findall(text):
            fetched = html.unescape(figure or part)
            bodies[fetched] = _body(viewer_client, fetched)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(base_url=SITE)
        page.route("**/*", lambda route: _answer(route, bodies))
        texts: list[str] = []
        page.on("console", lambda line: texts.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: texts.append(str(error)))
        for view, path in addresses.items():
            _opened(page, path)
            drawn = page.evaluate(DRAWN)
            assert bool(drawn) == (view not in WITHOUT_A_CHART), view
            assert all(drawn), (view, drawn)
            assert texts == [], view
        page.set_viewport_size(PHONE)
        for view in ("compare", "fleet", "bottleneck", "distribution"):
            _opened(page, addresses[view])
            wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wider <= 0, view
            assert page.evaluate(TILTED) == 0, view
        legend, plot = _places(page)
        assert legend["top"] > plot["bottom"]
        assert plot["height"] > 150
        browser.close()


def _body(client: Client, path: str) -> str:
    answer = client.get(path, follow=True)
    assert answer.status_code == 200, path
    return str(answer.content.decode())


def _answer(route: Route, bodies: dict[str, str]) -> None:
    path = route.request.url.removeprefix(SITE)
    file = STATIC / path.removeprefix("/static/").partition("?")[0]
    if path.startswith("/static/") and file.is_file():
        kind = mimetypes.guess_type(file.name)[0] or "text/plain"
        route.fulfill(path=file, content_type=kind)
    elif path in bodies:
        body = bodies[path]
        kind = "application/json" if body.startswith("{") else "text/html; charset=utf-8"
        route.fulfill(body=body, content_type=kind)
    else:
        route.fulfill(status=404)


def _opened(page: Page, path: str) -> None:
    """The page with all its charts drawn."""
    page.goto(path)
    page.wait_for_function("""() => !document.querySelector("[data-deferred]")""")
    page.wait_for_function(f"() => {SEEN}.every((one) => one.querySelector('.main-svg'))")


def _places(page: Page) -> list[dict[str, float]]:
    """The boxes of the first chart's legend and of its plot."""
    found: list[dict[str, float]] = page.evaluate(
        """() => [".legend", ".nsewdrag"].map(
          (name) => document.querySelector(`.chart ${name}`).getBoundingClientRect().toJSON())"""
    )
    return found
