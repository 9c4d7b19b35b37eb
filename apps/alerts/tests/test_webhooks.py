"""webhooks reach public addresses and what an admin allowed, nothing else."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from apps.alerts.domain import webhooks
from apps.alerts.domain.bodies import AlertBody, slack, teams
from apps.alerts.domain.receivers import request_for
from apps.alerts.domain.webhooks import WebhookError, address_fault, is_allowed, post

INNER = (
    *("127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.9", "169.254.169.254", "0.0.0.0"),
    *("100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1"),
    *("2001:0:7f00:1::", "fec0::1", "::ffff:0:7f00:1", "192.88.99.1", "3fff::1", "5f00::1"),
)


@pytest.mark.parametrize("address", INNER)
def test_inner_addresses_are_refused(address: str) -> None:
    assert not is_allowed(ipaddress.ip_address(address), 443)


def test_public_ones_are_allowed_on_ports_of_the_web() -> None:
    for address in ("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"):
        assert is_allowed(ipaddress.ip_address(address), 443)
        assert not is_allowed(ipaddress.ip_address(address), 22)


def test_an_admin_allows_inner_networks(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("10.1.0.0/16")]
    assert is_allowed(ipaddress.ip_address("10.1.2.3"), 9000)
    assert is_allowed(ipaddress.ip_address("::ffff:10.1.2.3"), 9000)
    assert not is_allowed(ipaddress.ip_address("10.2.2.3"), 443)


@pytest.mark.parametrize(
    "address",
    [
        "ftp://example.org/", "https://", "example.org", "https://user:word@example.org/",
        "https://example.org/a b", "https://example.org/\r\nX: y", "https://example.org:99999/",
        "file:///etc/passwd", "gopher://example.org/", "https://[::1/",
        "https://example.org/\N{SNOWMAN}", "https://example.org/?key=\N{SNOWMAN}",
    ],
)  # fmt: skip
def test_what_is_no_address_of_the_web_is_refused(address: str) -> None:
    assert address_fault(address)
    with pytest.raises(WebhookError):
        post(address, b"{}")


def test_one_inner_address_among_a_names_is_enough_to_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [(socket.AF_INET, 0, 0, "", (ip, 443)) for ip in ("93.184.215.14", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: found)
    with pytest.raises(WebhookError, match="inner address"):
        post("https://rebinding.example/", b"{}")


class Receiver(BaseHTTPRequestHandler):
    """Keeps what it is sent, and answers what it is told to."""

    status = 200
    taken: list[tuple[str, dict[str, str], bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        type(self).taken.append((self.path, dict(self.headers), body))
        self.send_response(type(self).status)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


@pytest.fixture
def receiver(settings: Any) -> Iterator[tuple[type[Receiver], str]]:
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    kind = type("Kept", (Receiver,), {"taken": [], "status": 200})
    server = HTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield kind, f"http://127.0.0.1:{server.server_port}/in?key=1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_message_arrives_signed(receiver: tuple[type[Receiver], str]) -> None:
    kind, address = receiver
    body = AlertBody("disks", ["slow"])
    request = request_for("generic", body, address, "secret", 1_700_000_000.5)
    post(request.address, request.body, request.headers)
    ((path, headers, taken),) = kind.taken
    assert (path, json.loads(taken)["lines"]) == ("/in?key=1", ["slow"])
    wanted = hmac.new(b"secret", b"1700000000." + taken, hashlib.sha256).hexdigest()
    assert headers["X-Benchlab-Signature"] == f"sha256={wanted}"


def test_connection_uses_the_checked_address(
    receiver: tuple[type[Receiver], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, address = receiver
    asked: list[str] = []
    own = socket.getaddrinfo

    def once(host: Any, *args: Any, **more: Any) -> Any:
        if host == "webhook.example":
            asked.append(host)
            return [(socket.AF_INET, 0, 0, "", ("127.0.0.1", 0))]
        return own(host, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", once)
    post(address.replace("127.0.0.1", "webhook.example"), b"{}")
    assert asked == ["webhook.example"]
    assert kind.taken[0][1]["Host"].startswith("webhook.example:")


def test_a_redirect_is_not_followed(receiver: tuple[type[Receiver], str]) -> None:
    kind, address = receiver
    kind.status = 302
    with pytest.raises(OSError, match="302"):
        post(address, b"{}")
    assert len(kind.taken) == 1


def test_slack_sees_no_markup_of_others() -> None:
    text = str(slack(AlertBody("a <!channel>", ["<http://x|y> & z"], "https://b/"))["text"])
    assert "<!channel>" not in text
    assert "&lt;http://x|y&gt; &amp; z" in text
    assert text.endswith("<https://b/>")


def test_teams_gets_a_card_of_plain_runs() -> None:
    card: Any = teams(AlertBody("a", ["[x](http://evil)"], "https://b/"))
    content = card["attachments"][0]["content"]
    assert content["body"][1]["inlines"][0]["text"] == "[x](http://evil)"
    assert content["actions"][0]["url"] == "https://b/"


def test_a_subject_is_one_line() -> None:
    assert "\n" not in AlertBody("a\nBcc: x@y", ["b\r\nc"]).subject
    assert webhooks.TIMEOUT <= 10
