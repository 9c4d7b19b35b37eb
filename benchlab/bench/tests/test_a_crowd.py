"""A crowd's answers are counted rightly, and an answer that is no page is an error."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from benchlab.bench.crowd import Ask, Clicked, crowd
from benchlab.bench.people import CALLS, PAGES, Archive, chooser

ARCHIVE: Archive = {
    "runs": [1, 2, 3], "large": 4, "cases": [5], "token": "secret", "sessions": ["a", "b"],
}  # fmt: skip


class Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response({"/full": 503, "/moved": 302, "/round": 302}.get(self.path, 200))
        self.send_header("Location", "/round" if self.path == "/round" else "/")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""


@pytest.fixture
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield int(server.server_address[1])
    server.shutdown()
    thread.join()
    server.server_close()


def test_good_and_bad_answers_are_told_apart(port: int) -> None:
    met = crowd(port, 4, 0.3, lambda person, _dice: Ask("/full" if person == 0 else "/"))
    assert set(met.errors) == {"503"}
    assert met.taken
    assert met.rate == pytest.approx(len(met.taken) / 0.3)
    assert met.slowest[0] >= max(met.taken)


def test_a_redirect_is_followed_once(port: int) -> None:
    assert not crowd(port, 1, 0.1, lambda _person, _dice: Ask("/moved")).errors
    assert set(crowd(port, 1, 0.1, lambda _person, _dice: Ask("/round")).errors) == {"302"}


def test_percentiles_and_words() -> None:
    met = Clicked(10.0, [number / 1000 for number in range(1, 1001)], {"503": 2}, (1.0, "/runs/"))
    assert met.percentile(50) == pytest.approx(0.5005)
    assert met.percentile(99) == pytest.approx(0.99099)
    assert met.words.startswith("100 requests/s, p50 500 ms, p99 991 ms, 2 errors {'503': 2}")


def test_people_ask_for_every_page_and_call() -> None:
    choose, dice = chooser(ARCHIVE), random.Random(1)
    asked = [choose(person % 3, dice) for person in range(2_000)]
    assert len({one.path.partition("?")[0] for one in asked}) >= 12
    assert len(PAGES) + len(CALLS) == 17
    for one in asked:
        assert "{" not in one.path
        header = "Authorization" if one.path.startswith("/api/") else "Cookie"
        assert list(one.headers) == [header]
