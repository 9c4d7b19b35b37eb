"""Pages rendered by Django's test client and served to Chromium without a web server."""

from __future__ import annotations

import html
import mimetypes
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.test import Client
from playwright.sync_api import Route

CHROMIUM = shutil.which("chromium")
SITE = "http://benchlab.test"
STATIC = Path(settings.BASE_DIR) / "static"
FETCHED = re.compile(r'data-figure-url="([^"]+)"|hx-get="([^"]+)"')


def render_pages(client: Client, paths: Iterable[str]) -> dict[str, str]:
    """Return the bodies of these addresses and of the parts that their pages fetch.

    Call it before Playwright starts: Django refuses database access in its event loop.
    """
    bodies = {}
    for path in paths:
        bodies[path] = _body(client, path)
        for figure, part in FETCHED.findall(bodies[path]):
            fetched = html.unescape(figure or part)
            bodies[fetched] = _body(client, fetched)
    return bodies


def answer_route(route: Route, bodies: dict[str, str]) -> None:
    """Answer a request from the bodies and the static files, or with status 404."""
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


def _body(client: Client, path: str) -> str:
    answer = client.get(path, follow=True)
    kind = answer.headers.get("Content-Type", "")
    return answer.content.decode() if kind.startswith(("text/html", "application/json")) else ""
