"""Pages rendered by Django's test client and served to Chromium without a web server."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from django.conf import settings
from django.test import Client

CHROMIUM = shutil.which("chromium")
HTML = "text/html; charset=utf-8"
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


class _Answers(SimpleHTTPRequestHandler):
    """The bodies by their addresses, and the static files, which a browser stores."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, bodies: Mapping[str, str]) -> None:
        self.bodies = bodies
        super().__init__(*args, directory=str(settings.BASE_DIR))

    def do_GET(self) -> None:
        if self.path.startswith("/static/"):
            super().do_GET()
        elif (body := self.bodies.get(self.path)) is not None:
            content = body.encode()
            json = body.startswith("{")
            self.send_response(200)
            self.send_header("Content-Type", "application/json" if json else HTML)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        else:
            self.send_error(404)

    def end_headers(self) -> None:
        if self.path.startswith("/static/"):
            self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextmanager
def served(bodies: Mapping[str, str]) -> Iterator[str]:
    """Serve these bodies and the static files; yield the server's address.

    A browser whose requests Playwright answers has no cache: it reads each static file for each
    page.
    """
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Answers, bodies=bodies)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def _body(client: Client, path: str) -> str:
    answer = client.get(path, follow=True)
    kind = answer.headers.get("Content-Type", "")
    return answer.content.decode() if kind.startswith(("text/html", "application/json")) else ""
