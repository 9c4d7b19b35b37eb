"""Webhooks: POST to an address of a user, but never to an inner one that no admin allowed.

Protection against server-side request forgery (OWASP, "Server Side Request Forgery Prevention"):
the name is resolved once, each of its addresses must be public or within BENCHLAB_WEBHOOK_NETWORKS,
and the connection uses the checked address, so a later DNS change has no effect. Redirects are not
followed and proxies of the environment are not used. A deadline limits the whole exchange, because
a timeout of each read alone lets a slow receiver hold a worker.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from apps.tools.messages import message

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
TIMEOUT = 10.0
"""Seconds of the connection and of each read."""
DEADLINE = 20.0
"""Seconds of the whole exchange."""
MAX_RESPONSE_BYTES = 64 * 1024
PORTS = frozenset({80, 443, 8443})
"""Ports of public addresses. Within BENCHLAB_WEBHOOK_NETWORKS every port is allowed."""


class WebhookError(Exception):
    """Refused address, with the reason."""


class InnerAddressError(WebhookError):
    """Address in a network that no admin allowed."""


def address_fault(address: str) -> str:
    """Return why an address is malformed; empty if it is not."""
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
    if not (parts.path + parts.query).isascii():
        return _("Write other than ASCII characters of a path as %-escapes.")
    if port == 0:
        return _("This is no address.")
    return ""


def inner_address_fault(address: str) -> str:
    """Return why a well-formed address that names no host is refused; empty if it is not.

    Names are resolved when a message is sent, because their addresses change.
    """
    parts = urlsplit(address)
    host = parts.hostname or ""
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        return ""
    if is_allowed(literal, _port(parts)):
        return ""
    return _("%(host)s is an inner address. BENCHLAB_WEBHOOK_NETWORKS does not allow it.") % {
        "host": host
    }


def is_inner_address(address: str) -> bool:
    """Return True for a well-formed address that is refused as an inner one."""
    return not address_fault(address) and bool(inner_address_fault(address))


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def is_allowed(address: Address, port: int) -> bool:
    """Return True for a public address and for one in BENCHLAB_WEBHOOK_NETWORKS."""
    plain = _plain(address)
    if any(plain in network for network in settings.WEBHOOK_NETWORKS):
        return True
    if isinstance(plain, ipaddress.IPv6Address) and plain not in _PUBLIC_IPV6:
        return False
    if any(plain in network for network in _REFUSED):
        return False
    return plain.is_global and not plain.is_multicast and port in PORTS


def _plain(address: Address) -> Address:
    """Return the IPv4 address of an IPv4-mapped IPv6 address; others unchanged."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


_PUBLIC_IPV6 = ipaddress.IPv6Network("2000::/3")
"""Global unicast addresses (RFC 4291, section 2.4; IANA assigns no others)."""
_EMBEDDING = ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")
"""NAT64, 6to4, Teredo: these addresses embed another one."""
_NOT_GLOBAL = ("192.88.99.0/24", "3fff::/20")
"""Deprecated 6to4 relays and documentation (RFC 7526, RFC 9637), global for Python 3.11."""
_REFUSED = tuple(ipaddress.ip_network(text) for text in (*_EMBEDDING, *_NOT_GLOBAL))


def resolved(host: str, port: int) -> str:
    """Return the address to connect to.

    Raises: WebhookError unless all addresses of the host are allowed.
    """
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise WebhookError(message("%(host)s is not known.", host=host)) from error
    addresses = [str(row[4][0]).partition("%")[0] for row in rows]
    if not addresses:
        raise WebhookError(message("%(host)s is not known.", host=host))
    for text in addresses:
        if not is_allowed(ipaddress.ip_address(text), port):
            raise InnerAddressError(
                message(
                    "%(host)s is an inner address. BENCHLAB_WEBHOOK_NETWORKS does not allow it.",
                    host=host,
                )
            )
    return addresses[0]


class _Pinned(http.client.HTTPConnection):
    """Connection to a checked address, whatever the name resolves to now."""

    def __init__(self, host: str, port: int, address: str, context: ssl.SSLContext | None) -> None:
        super().__init__(host, port, timeout=TIMEOUT)
        self._checked, self._context = address, context

    def connect(self) -> None:
        plain = socket.create_connection((self._checked, self.port), TIMEOUT)
        self.sock = (
            self._context.wrap_socket(plain, server_hostname=self.host) if self._context else plain
        )


def post(address: str, body: bytes, headers: Sequence[tuple[str, str]] = ()) -> bytes:
    """Send JSON. Return the beginning of the response.

    Raises: WebhookError for a refused address; OSError if the request fails or its status is not
    2xx.
    """
    if fault := address_fault(address):
        raise WebhookError(fault)
    parts = urlsplit(address)
    port, host = _port(parts), parts.hostname or ""
    checked = resolved(host, port)
    context = ssl.create_default_context() if parts.scheme == "https" else None
    connection = _Pinned(host, port, checked, context)
    all_headers = {"Content-Type": "application/json", "User-Agent": "benchlab"} | dict(headers)
    try:
        connection.connect()
        with _deadline(connection):
            connection.request("POST", _path(parts), body, all_headers)
            response = connection.getresponse()
            status, content = response.status, response.read(MAX_RESPONSE_BYTES)
    except http.client.HTTPException as error:
        raise OSError(message("The response is not HTTP.")) from error
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise OSError(message("Response status %(status)d.", status=status))
    return content


@contextmanager
def _deadline(connection: http.client.HTTPConnection) -> Iterator[None]:
    """Shut the connection down after DEADLINE. Raises: OSError then."""
    passed = threading.Event()
    socket_ = connection.sock

    def end() -> None:
        passed.set()
        with suppress(OSError):
            socket_.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(DEADLINE, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except (OSError, http.client.HTTPException):
        if not passed.is_set():
            raise
    finally:
        timer.cancel()
    if passed.is_set():
        raise OSError(message("No whole response within %(seconds)d s.", seconds=int(DEADLINE)))


def _path(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
