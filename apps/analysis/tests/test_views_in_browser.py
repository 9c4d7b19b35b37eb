"""Each view in a real browser, of an archive that has something for it: its chart is drawn with
points, and the browser has nothing to say against the page.
"""

from __future__ import annotations

import html
import json
import mimetypes
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, ViewportSize, sync_playwright

from apps.accounts.models import User
from apps.analysis.rooms import ROOMS
from apps.analysis.tests.archive import archive_fill

CHROMIUM = shutil.which("chromium")
STATIC = Path(settings.BASE_DIR) / "static"
FETCHED = re.compile(r'data-figure-url="([^"]+)"|hx-get="([^"]+)"[^>]*data-later')
PHONE = ViewportSize(width=390, height=844)
WITHOUT_A_CHART = {"facts"}
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
    assert set(ROOMS) <= {*addresses, *OF_A_REPORT}
    bodies = {path: _body(viewer_client, path) for path in addresses.values()}
    for text in list(bodies.values()):
        for figure, part in FETCHED.findall(text):
            fetched = html.unescape(figure or part)
            bodies[fetched] = _body(viewer_client, fetched)
    with _served(bodies) as site, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(base_url=site)
        said: list[str] = []
        page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        for view, path in addresses.items():
            _opened(page, path)
            drawn = page.evaluate(DRAWN)
            assert bool(drawn) == (view not in WITHOUT_A_CHART), view
            assert all(drawn), (view, drawn)
            assert said == [], view
        page.set_viewport_size(PHONE)
        for view in ("compare", "fleet", "ceiling", "distribution"):
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


@contextmanager
def _served(bodies: dict[str, str]) -> Iterator[str]:
    """The address of a server of these pages and of static files, which the browser keeps: it
    keeps nothing of what Playwright answers in a server's place.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, body = _answer(self.path, bodies)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if self.path.startswith("/static/"):
                self.send_header("Cache-Control", "max-age=600")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing: the test says what matters."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _answer(path: str, bodies: dict[str, str]) -> tuple[int, str, bytes]:
    """Status, type and content."""
    if path.startswith("/static/"):
        file = STATIC / path.removeprefix("/static/").partition("?")[0]
        if file.is_file():
            return 200, mimetypes.guess_type(file.name)[0] or "text/plain", file.read_bytes()
    elif path in bodies:
        body = bodies[path]
        kind = "application/json" if body.startswith("{") else "text/html; charset=utf-8"
        return 200, kind, body.encode()
    return 404, "text/plain", json.dumps(path).encode()


def _opened(page: Page, path: str) -> None:
    """The page with all its charts drawn."""
    page.goto(path)
    page.wait_for_function("""() => !document.querySelector("[data-later]")""")
    page.wait_for_function(f"() => {SEEN}.every((one) => one.querySelector('.main-svg'))")


def _places(page: Page) -> list[dict[str, float]]:
    """The boxes of the first chart's legend and of its plot."""
    found: list[dict[str, float]] = page.evaluate(
        """() => [".legend", ".nsewdrag"].map(
          (name) => document.querySelector(`.chart ${name}`).getBoundingClientRect().toJSON())"""
    )
    return found
