"""Requests: repetition, redirects, the token, errors, certificates."""

from __future__ import annotations

import gzip
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from benchlab_client import Client, NetworkError, ServerError, UsageError, transport
from benchlab_client.output import plain, print_json
from benchlab_client.transport import base_url

URL, TOKEN = "http://lab.example:8000", "secret-token"
Handler = Callable[[httpx.Request], httpx.Response]


def client(handler: Handler, delays: list[float] | None = None) -> Client:
    waited = delays if delays is not None else []
    return Client(URL, TOKEN, http=httpx.MockTransport(handler), sleep=waited.append)


def failing(times: int, answer: httpx.Response | Exception, seen: list[httpx.Request]) -> Handler:
    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if len(seen) > times:
            return httpx.Response(200, json={"id": 1})
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers)

    return handler


@pytest.mark.parametrize(
    "answer", [httpx.Response(503), httpx.Response(502), httpx.ConnectError("refused"),
               httpx.ReadTimeout("slow")]
)  # fmt: skip
def test_a_safe_request_is_repeated(answer: httpx.Response | Exception) -> None:
    seen: list[httpx.Request] = []
    delays: list[float] = []
    assert client(failing(2, answer, seen), delays).get_json("runs/1/") == {"id": 1}
    assert len(seen) == 3
    assert delays == [0.5, 1.0]


@pytest.mark.parametrize("answer", [httpx.Response(503), httpx.ReadTimeout("slow")])
def test_a_change_is_not_repeated(answer: httpx.Response | Exception) -> None:
    seen: list[httpx.Request] = []
    with pytest.raises(NetworkError):
        client(failing(9, answer, seen)).run_cancel(1)
    assert len(seen) == 1


def test_a_launch_is_repeated_with_the_same_key() -> None:
    seen: list[httpx.Request] = []
    client(failing(2, httpx.ReadTimeout("slow"), seen)).launch(3)
    keys = {request.headers["Idempotency-Key"] for request in seen}
    assert len(seen) == 3
    assert len(keys) == 1
    assert len(keys.pop()) <= 80


def test_a_repetition_waits_as_long_as_the_server_says() -> None:
    delays: list[float] = []
    client(failing(1, httpx.Response(503, headers={"Retry-After": "7"}), []), delays).queue()
    assert delays == [7.0]


@pytest.mark.parametrize("target", ["https://evil.example/api/v1/queue/", "/elsewhere/"])
def test_no_redirect_is_followed(target: str) -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(302, headers={"Location": target})

    with pytest.raises(NetworkError, match="redirects to"):
        client(handler).queue()
    assert [request.url.host for request in seen] == ["lab.example"]


def test_pages_stay_on_the_server_whatever_next_says() -> None:
    seen: list[httpx.URL] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request.url)
        more = "https://evil.example/steal?cursor=abc&state=failed&state=lost"
        return httpx.Response(
            200, json={"next": more if len(seen) == 1 else None, "results": [{"id": 1}]}
        )

    rows = client(handler).runs(state=["failed", "lost"])
    assert [row["id"] for row in rows] == [1, 1]
    assert {url.host for url in seen} == {"lab.example"}
    assert seen[1].params.multi_items() == [
        ("cursor", "abc"), ("state", "failed"), ("state", "lost"),
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["https://evil.example/", "//evil.example/", "../admin/", "/x/"])
def test_a_path_outside_the_api_is_refused(path: str) -> None:
    with pytest.raises(UsageError):
        client(lambda request: httpx.Response(200, json={})).get_json(path)


def test_errors_have_the_sentences_of_the_server() -> None:
    error = {"kind": "invalid", "message": "Check these fields: a.", "fields": {
        "a": ["Wrong."], "steps": [{"params": {"bs": ["No size."]}}, {}],
    }}  # fmt: skip
    with pytest.raises(ServerError) as caught:
        client(lambda request: httpx.Response(400, json={"error": error})).queue()
    assert str(caught.value).splitlines() == [
        "Check these fields: a.", "  a: Wrong.", "  steps.0.params.bs: No size.",
    ]  # fmt: skip
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(("status", "code"), [(401, 4), (403, 4), (404, 1), (409, 1), (500, 1)])
def test_exit_codes_of_statuses(status: int, code: int) -> None:
    error = {"kind": "k", "message": "No.", "fields": {}}
    with pytest.raises(ServerError) as caught:
        client(lambda request: httpx.Response(status, json={"error": error})).run(1)
    assert caught.value.exit_code == code


@pytest.mark.parametrize("status", [200, 404, 500])
def test_a_page_of_something_else_is_a_network_error(status: int) -> None:
    with pytest.raises(NetworkError, match="right address"):
        client(lambda request: httpx.Response(status, text="<html>")).run(1)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("https://lab.example/", "https://lab.example"),
        ("https://lab.example/api/v1/", "https://lab.example"),
        ("http://[::1]:8000/under", "http://[::1]:8000/under"),
        ("lab.example", None), ("ftp://lab.example", None), ("https://u:p@lab.example", None),
        ("https://lab.example/?a=1", None), ("http://lab.example:99999", None), ("", None),
    ],
)  # fmt: skip
def test_addresses(text: str, result: str | None) -> None:
    if result is None:
        with pytest.raises(UsageError):
            base_url(text)
    else:
        assert base_url(text) == result


@pytest.mark.parametrize("token", ["two words", "line\nbreak", "naïve"])
def test_a_token_that_is_no_header_is_refused(token: str) -> None:
    with pytest.raises(UsageError):
        Client(URL, token)


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert (
        plain("a\x1b[2Jb\u202ec\nd")
        == "a\N{REPLACEMENT CHARACTER}[2Jb\N{REPLACEMENT CHARACTER}c\nd"
    )


@pytest.fixture
def tls_server(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A server with a certificate of its own; its address and the certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "lab")])
    now = datetime.now(UTC)
    address = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1)).add_extension(address, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    pem = tmp_path / "ca.pem"
    pem.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = tmp_path / "key.pem"
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, private)
    server = HTTPServer(("127.0.0.1", 0), Answer)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"https://127.0.0.1:{server.server_port}", pem
    server.shutdown()
    server.server_close()
    thread.join()


class Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"runs": [], "more": false}')

    def log_message(self, *_words: object) -> None:
        pass


def test_a_certificate_is_trusted_by_the_usual_variable(
    tls_server: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, pem = tls_server
    monkeypatch.setattr("benchlab_client.transport.RETRY_DELAYS", ())
    with Client(url, TOKEN) as untrusting, pytest.raises(NetworkError, match=r"(?i)certificate"):
        untrusting.queue()
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    with Client(url, TOKEN) as trusting:
        assert trusting.queue()["more"] is False


def test_answer_larger_than_the_limit_is_network_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MAX_ANSWER_BYTES", 1_000)
    packed = gzip.compress(b'{"id": "' + b"x" * 100_000 + b'"}')

    def handler(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(
            200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(packed)
        )

    with pytest.raises(NetworkError, match="too large"):
        client(handler).queue()


@pytest.mark.parametrize("status", [200, 500])
def test_deeply_nested_answer_is_network_error(status: int) -> None:
    body = b"[" * 200_000

    with pytest.raises(NetworkError):
        client(lambda _request: httpx.Response(status, content=body)).queue()


@pytest.mark.parametrize(
    ("results", "following"),
    [([{"id": 1}], "/?cursor=same"), ([], "/?cursor=other")],
    ids=["same page again", "empty page"],
)
def test_list_without_end_is_network_error(results: list[object], following: str) -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"next": following, "results": results})

    with pytest.raises(NetworkError, match="no end"):
        list(client(handler).runs())
    assert len(seen) <= 2


def test_json_output_has_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"name": "\x1b[2J\x9b2J\u202e\ud800 Größe 測"}
    print_json(value)
    text = capsys.readouterr().out
    assert json.loads(text) == value
    assert plain(text) == text
    assert "Größe 測" in text


def test_half_of_a_surrogate_pair_is_replaced_in_tables() -> None:
    assert plain("a\ud800b") == "a\N{REPLACEMENT CHARACTER}b"
