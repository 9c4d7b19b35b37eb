"""Web hooks: a POST to an address that people chose, but never to one inside that an admin did not
allow.

Against requests to inner services (SSRF; OWASP, "Server Side Request Forgery Prevention"): the name
is resolved once, every address it has must be a public one or lie in BENCHLAB_HOOK_NETWORKS, and
the connection goes to the very address that was checked, so that a name cannot change its mind in
between. Redirects are not followed, proxies of the environment are not used, and of the answer
nothing is shown but its status.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Sequence
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from apps.tools.messages import message

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
TIMEOUT = 10.0
PORTS = frozenset({80, 443, 8443})
"""Ports of public addresses; within networks that an admin allowed every port is."""


class WebhookError(Exception):
    """The address may not be asked; the sentence says why."""


def address_fault(address: str) -> str:
    """The fault of an address by its words alone, empty where there is none."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return _("This is no address.")
    if parts.scheme not in ("https", "http") or not parts.hostname:
        return _("An address begins with https:// and names a host.")
    if parts.username or parts.password:
        return _("An address has no user or password in it.")
    if any(ord(sign) < 33 or ord(sign) == 127 for sign in address):
        return _("An address has no spaces or control characters.")
    if port == 0:
        return _("This is no address.")
    return ""


def is_allowed(address: Address, port: int) -> bool:
    """Whether messages may be sent there: a public address, or one that an admin allowed."""
    plain = _plain(address)
    if any(plain in network for network in settings.HOOK_NETWORKS):
        return True
    return plain.is_global and not plain.is_multicast and port in PORTS and not _tunnels(plain)


def _plain(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


_TUNNELS = tuple(
    ipaddress.IPv6Network(text)
    for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")
)


def _tunnels(address: Address) -> bool:
    """Whether an address carries another one that the network may deliver to: NAT64, 6to4,
    Teredo.
    """
    return isinstance(address, ipaddress.IPv6Address) and any(address in net for net in _TUNNELS)


def resolved(host: str, port: int) -> str:
    """The address to connect to. Raises HookRefused unless all that the name stands for are
    allowed.
    """
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise WebhookError(message("%(host)s is not known.", host=host)) from error
    found = [str(row[4][0]).partition("%")[0] for row in rows]
    if not found:
        raise WebhookError(message("%(host)s is not known.", host=host))
    for text in found:
        if not is_allowed(ipaddress.ip_address(text), port):
            raise WebhookError(
                message("%(host)s is an inner address, which no admin has allowed.", host=host)
            )
    return found[0]


class _Pinned(http.client.HTTPConnection):
    """A connection to an address that was checked, whatever its name stands for by now."""

    def __init__(self, host: str, port: int, address: str, context: ssl.SSLContext | None) -> None:
        super().__init__(host, port, timeout=TIMEOUT)
        self._checked, self._context = address, context

    def connect(self) -> None:
        plain = socket.create_connection((self._checked, self.port), TIMEOUT)
        self.sock = (
            self._context.wrap_socket(plain, server_hostname=self.host) if self._context else plain
        )


def post(address: str, body: bytes, headers: Sequence[tuple[str, str]] = ()) -> None:
    """Send JSON. Raises HookRefused for an address that is not allowed, OSError for what did not
    arrive or was not taken.
    """
    if fault := address_fault(address):
        raise WebhookError(fault)
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    host = parts.hostname or ""
    checked = resolved(host, port)
    context = ssl.create_default_context() if parts.scheme == "https" else None
    connection = _Pinned(host, port, checked, context)
    try:
        known = {"Content-Type": "application/json", "User-Agent": "benchlab"} | dict(headers)
        connection.request("POST", _path(parts), body, known)
        status = connection.getresponse().status
    except http.client.HTTPException as error:
        raise OSError(message("The answer was no HTTP.")) from error
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise OSError(message("It answered %(status)d.", status=status))


def _path(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def signature(secret: str, body: bytes, moment: int | None = None) -> list[tuple[str, str]]:
    """Headers by which a receiver knows who sent it, and when: HMAC-SHA-256 of the time, a point
    and the body. No headers without a secret.
    """
    if not secret:
        return []
    now = str(int(time.time()) if moment is None else moment)
    digest = hmac.new(secret.encode(), now.encode() + b"." + body, hashlib.sha256).hexdigest()
    return [("X-Benchlab-Timestamp", now), ("X-Benchlab-Signature", f"sha256={digest}")]
