"""The origin of the request that is being answered; set by middleware, empty in tasks and
commands.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from socket import gethostname
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

Network = IPv4Network | IPv6Network

_address: ContextVar[str] = ContextVar("address", default="")


def current_address() -> str:
    """The caller's address; "" outside a request."""
    return _address.get()


def remember_address(address: str) -> None:
    """For the middleware only."""
    _address.set(address)


def client_address(peer: str, forwarded: str, proxies: Sequence[Network]) -> str:
    """The address a request comes from: the peer's, or, if that is a trusted proxy, the last
    address in `X-Forwarded-For` that is none. What stands before that one anybody may have written.
    """
    found = peer
    for hop in reversed(forwarded.split(",")):
        if not is_among(found, proxies) or _address_in(hop) is None:
            break
        found = str(_address_in(hop))
    return found


def host_is_known(request: Any) -> bool:
    """Whether the name in the Host header is one of ours. With ALLOWED_HOSTS=* any name comes this
    far; then only this machine's own names and the address the server listens on are.
    """
    names = [name for name in settings.ALLOWED_HOSTS if name != "*"]
    names += [".localhost", "127.0.0.1", "[::1]", gethostname().lower()]
    host, _port = split_domain_port(request.get_host())
    return validate_host(host, names) or host == request.META.get("SERVER_NAME")


def own_address(request: Any, address: str) -> str:
    """An address of ours as it may be told: without the host where that is the caller's word
    alone.
    """
    return address if host_is_known(request) else urlunsplit(("", "", *urlsplit(address)[2:]))


def is_among(address: str, networks: Sequence[Network]) -> bool:
    parsed = _address_in(address)
    return parsed is not None and any(parsed in network for network in networks)


def _address_in(hop: str) -> IPv4Address | IPv6Address | None:
    """The address in one item of the header; some proxies add a port."""
    text = hop.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return ip_address(text)
    except ValueError:
        return None
