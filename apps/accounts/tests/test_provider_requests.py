"""benchlab's client of the provider: bounded in time and size, without redirects."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
import requests
from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.socialaccount.adapter import get_adapter
from django.conf import LazySettings
from django.test import Client, RequestFactory

from apps.accounts import allauth_adapters
from apps.accounts.domain.sign_on import SignOn
from apps.common.web.request import current_address, remember_address

Handle = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serving(handle: Handle) -> Iterator[str]:
    """A web server that answers GET and POST with `handle`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            handle(self)

        do_POST = do_GET  # noqa: N815 # as http.server looks for it

        def log_message(self, *parts: object) -> None:
            return None

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.block_on_close = True, False
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def answer(handler: BaseHTTPRequestHandler, status: int, body: bytes = b"{}", **names: str) -> None:
    handler.send_response(status)
    for name, value in names.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def drip(handler: BaseHTTPRequestHandler) -> None:
    """Send a byte now and then, each before the time-out of a read."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    try:
        for _number in range(1000):
            handler.wfile.write(b" ")
            time.sleep(0.05)
    except OSError:
        return


def hang(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(3)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allauth_adapters, "READ_SECONDS", 0.4)
    monkeypatch.setattr(allauth_adapters, "DEADLINE_SECONDS", 0.6)


@pytest.mark.parametrize("handle", [drip, hang])
def test_a_slow_provider_holds_no_thread(short: None, handle: Handle) -> None:
    begun = time.monotonic()
    with (
        serving(handle) as address,
        get_adapter().get_requests_session() as session,
        pytest.raises(requests.RequestException),
    ):
        session.get(address)
    assert time.monotonic() - begun < 2.5


def test_a_slow_provider_is_away_on_the_page(
    short: None, client: Client, db: None, settings: LazySettings
) -> None:
    with serving(drip) as address:
        settings.OIDC = SignOn(address, "benchlab")
        assert client.get("/login/sign-on/").status_code == 503


def test_an_endless_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allauth_adapters, "MAX_RESPONSE_BYTES", 1000)
    with (
        serving(lambda handler: answer(handler, 200, b"x" * 1001)) as address,
        get_adapter().get_requests_session() as session,
        pytest.raises(requests.RequestException),
    ):
        session.get(address)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_redirect_is_not_followed(method: str) -> None:
    paths: list[str] = []

    def lead_away(handler: BaseHTTPRequestHandler) -> None:
        paths.append(handler.path)
        answer(handler, 307, Location="/elsewhere")

    with serving(lead_away) as address, get_adapter().get_requests_session() as session:
        assert session.request(method, address, data={"client_secret": "s"}).status_code == 307
    assert paths == ["/"]


def test_an_error_of_the_server_is_an_error_of_the_request() -> None:
    with (
        serving(lambda handler: answer(handler, 503)) as address,
        get_adapter().get_requests_session() as session,
        pytest.raises(requests.HTTPError),
    ):
        session.post(address)


def test_an_answer_is_read_as_a_whole() -> None:
    with (
        serving(lambda handler: answer(handler, 200, b'{"issuer": "x"}')) as address,
        get_adapter().get_requests_session() as session,
    ):
        assert session.get(address).json() == {"issuer": "x"}


def test_the_address_of_the_user_is_the_one_of_benchlab(rf: RequestFactory) -> None:
    before = current_address()
    remember_address("192.0.2.7")
    try:
        request = rf.get("/", headers={"X-Forwarded-For": "198.51.100.1"})
        assert get_account_adapter().get_client_ip(request) == "192.0.2.7"
    finally:
        remember_address(before)
