"""The caller's address as the audit record says it, and our own names."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from django.conf import LazySettings
from django.test import RequestFactory

from apps.common.web.request import client_address, own_address

PROXY = [ip_network("127.0.0.1"), ip_network("10.0.0.0/8")]


@pytest.mark.parametrize(("peer", "forwarded", "client"), [
    ("127.0.0.1", "", "127.0.0.1"),
    ("127.0.0.1", "192.0.2.7", "192.0.2.7"),
    ("127.0.0.1", "203.0.113.5, 192.0.2.7", "192.0.2.7"),  # the first was sent by the client
    ("127.0.0.1", "203.0.113.5, 192.0.2.7, 10.1.1.1", "192.0.2.7"),
    ("127.0.0.1", "10.1.1.1", "10.1.1.1"),
    ("127.0.0.1", "192.0.2.7:5544", "192.0.2.7"),
    ("127.0.0.1", "[2001:db8::1]:80", "2001:db8::1"),
    ("127.0.0.1", "192.0.2.7, unknown", "127.0.0.1"),
    ("127.0.0.1", "<script>" * 100, "127.0.0.1"),
    ("192.0.2.9", "203.0.113.5", "192.0.2.9"),  # no proxy of ours
    ("", "203.0.113.5", ""),
])  # fmt: skip
def test_only_trusted_proxies_are_believed(peer: str, forwarded: str, client: str) -> None:
    assert client_address(peer, forwarded, PROXY) == client


def test_without_proxies_nobody_is_believed() -> None:
    assert client_address("127.0.0.1", "203.0.113.5", []) == "127.0.0.1"


@pytest.mark.parametrize(("allowed", "host", "said"), [
    (["*"], "evil.example", "/api/v1/runs/?cursor=a"),
    (["*"], "localhost:8000", "http://localhost:8000/api/v1/runs/?cursor=a"),
    (["*"], "127.0.0.1:8000", "http://127.0.0.1:8000/api/v1/runs/?cursor=a"),
    (["*"], "192.0.2.4", "http://192.0.2.4/api/v1/runs/?cursor=a"),
    (["*", "bench.example"], "bench.example", "http://bench.example/api/v1/runs/?cursor=a"),
    (["bench.example"], "bench.example", "http://bench.example/api/v1/runs/?cursor=a"),
])  # fmt: skip
def test_an_address_of_ours_has_no_host_that_only_the_caller_names(
    allowed: list[str], host: str, said: str, settings: LazySettings
) -> None:
    settings.ALLOWED_HOSTS = allowed
    request = RequestFactory().get("/", headers={"Host": host}, SERVER_NAME="192.0.2.4")
    assert own_address(request, f"http://{host}/api/v1/runs/?cursor=a") == said
