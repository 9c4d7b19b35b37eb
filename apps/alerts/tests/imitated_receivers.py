"""A server that answers like DingTalk, WeCom and Feishu: status 200, and an error number.

It checks signature, age, keyword, size and rate, as their documentation describes them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import pytest

SECRET = "SEC0123456789abcdef"
TOKEN = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
HOUR = 3600
A_MINUTE = 20


class ImitatedReceivers(ThreadingHTTPServer):
    """`taken`: accepted messages of a kind. `answers`: forced answers by kind, the next one first.

    `signed`: whether the robots require a signature.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.taken: list[tuple[str, dict[str, Any]]] = []
        self.requests: list[tuple[str, bytes]] = []
        self.answers: dict[str, list[tuple[int, bytes]]] = {}
        self.signed = True
        self.keyword = "benchlab"
        self.times: list[float] = []

    def address(self, kind: str, token: str = TOKEN) -> str:
        """Return the address of the robot of a kind."""
        paths = {
            "dingtalk": f"/robot/send?access_token={token}",
            "wecom": f"/cgi-bin/webhook/send?key={token}",
            "feishu": f"/open-apis/bot/v2/hook/{token}",
        }
        return f"http://127.0.0.1:{self.server_port}{paths[kind]}"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = cast(ImitatedReceivers, self.server)
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        server.requests.append((self.path, raw))
        kind = {"/robo": "dingtalk", "/cgi-": "wecom", "/open": "feishu"}[self.path[:5]]
        if server.answers.get(kind):
            return self.answer(*server.answers[kind].pop(0))
        number, text = getattr(self, kind)(raw)
        if not number:
            server.taken.append((kind, json.loads(raw)))
        names = ("code", "msg") if kind == "feishu" else ("errcode", "errmsg")
        return self.answer(200, json.dumps(dict(zip(names, (number, text), strict=True))).encode())

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @property
    def query(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}

    def dingtalk(self, raw: bytes) -> tuple[int, str]:
        server = cast(ImitatedReceivers, self.server)
        if self.query.get("access_token") != TOKEN:
            return 400101, f"token {self.query.get('access_token')} is not exist"
        if len(raw) > 20_000:
            return 460101, "message too long"
        if server.signed:
            at = self.query.get("timestamp", "0")
            if abs(time.time() * 1000 - int(at)) > HOUR * 1000:
                return 310000, "invalid timestamp"
            text = f"{at}\n{SECRET}".encode()
            wanted = base64.b64encode(hmac.new(SECRET.encode(), text, hashlib.sha256).digest())
            if self.query.get("sign") != wanted.decode():
                return 310000, "sign not match"
        markdown = json.loads(raw)["markdown"]
        if server.keyword not in markdown["title"] + markdown["text"]:
            return 310000, "keywords not in content"
        return (130101, "send too fast") if self.is_too_fast() else (0, "ok")

    def wecom(self, raw: bytes) -> tuple[int, str]:
        if self.query.get("key") != TOKEN:
            return 93000, "invalid webhook url"
        if len(json.loads(raw)["markdown"]["content"].encode()) > 4_096:
            return 40058, "markdown.content exceed max length 4096"
        return (45009, "api freq out of limit") if self.is_too_fast() else (0, "ok")

    def feishu(self, raw: bytes) -> tuple[int, str]:
        server = cast(ImitatedReceivers, self.server)
        document = json.loads(raw)
        if not self.path.endswith(TOKEN):
            return 19001, "param invalid: incoming webhook access token invalid"
        if server.signed:
            at = document.get("timestamp", "0")
            digest = hmac.new(f"{at}\n{SECRET}".encode(), b"", hashlib.sha256).digest()
            wanted = base64.b64encode(digest).decode()
            if abs(time.time() - int(at)) > HOUR or document.get("sign") != wanted:
                return 19021, "sign match fail or timestamp is not within one hour"
        if server.keyword not in json.dumps(document["content"], ensure_ascii=False):
            return 19024, "Key Words Not Found"
        if len(raw) > 20_480:
            return 9499, "Bad Request"
        return (11232, "frequency limited") if self.is_too_fast() else (0, "success")

    def is_too_fast(self) -> bool:
        server = cast(ImitatedReceivers, self.server)
        now = time.time()
        server.times = [at for at in server.times if now - at < 60]
        if len(server.times) >= A_MINUTE:
            return True
        server.times.append(now)
        return False

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing."""


@pytest.fixture
def receivers(settings: Any) -> Iterator[ImitatedReceivers]:
    """The imitated receivers on an address that the admin allowed."""
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("127.0.0.1/32")]
    with ImitatedReceivers() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.shutdown()
        thread.join()
