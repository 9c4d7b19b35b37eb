"""Origin of the present request, set by middleware; empty in tasks and commands."""

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
    """Return the caller's address; "" outside a request."""
    return _address.get()


def remember_address(address: str) -> None:
    """Set the caller's address; for the middleware only."""
    _address.set(address)


def client_address(peer: str, forwarded: str, proxies: Sequence[Network]) -> str:
    """Return the client's address.

    The peer's, or for a trusted proxy the last address in `X-Forwarded-For` that is not a trusted
    proxy. Earlier items may be forged.
    """
    result = peer
    for hop in reversed(forwarded.split(",")):
        if not is_among(result, proxies) or _address_in(hop) is None:
            break
        result = str(_address_in(hop))
    return result


def host_is_known(request: Any) -> bool:
    """Return True if the Host header has a name of this server.

    With ALLOWED_HOSTS=* only this machine's names and the server's address are accepted.
    """
    names = [name for name in settings.ALLOWED_HOSTS if name != "*"]
    names += [".localhost", "127.0.0.1", "[::1]", gethostname().lower()]
    host, _port = split_domain_port(request.get_host())
    return validate_host(host, names) or host == request.META.get("SERVER_NAME")


def own_address(request: Any, address: str) -> str:
    """Return an URL of this server; without the host if only the caller vouches for it."""
    return address if host_is_known(request) else urlunsplit(("", "", *urlsplit(address)[2:]))


def is_among(address: str, networks: Sequence[Network]) -> bool:
    parsed = _address_in(address)
    return parsed is not None and any(parsed in network for network in networks)


def _address_in(hop: str) -> IPv4Address | IPv6Address | None:
    """Parse one item of the header; some proxies add a port."""
    text = hop.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return ip_address(text)
    except ValueError:
        return None
