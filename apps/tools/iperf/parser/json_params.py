"""Parameters under the names of plans, and hosts, of a document of iperf3."""

from __future__ import annotations

from collections.abc import Sequence

from apps.tools.iperf.fields import HOST
from apps.tools.iperf.params import PORTS
from apps.tools.text import number
from apps.tools.values import Parameters

from .documents import Document, items, mapping
from .invocation import rate_param
from .totals import Flow

PROGRAM = "iperf3"
_COUNTS = {"streams": "num_streams", "length": "blksize", "omit": "omit", "seconds": "duration"}
# Amounts that end a test instead of a time, and what a plan does not have; 0 is none.
_OTHERS = {"bytes": "bytes", "blocks": "blocks", "tos": "tos", "fq_rate": "fqrate"}
_SOCKET = {"window": "sock_bufsize", "mss": "tcp_mss"}


def protocol_of(document: Document) -> str:
    """tcp, udp or sctp, in small letters."""
    return str(document.asked.get("protocol") or "TCP").lower()[:8]


def params_of(document: Document, flows: Sequence[Flow]) -> Parameters:
    """The parameters that a document states. It has no word for -N and -Z: a document that states
    everything else is taken for a test without them.
    """
    asked = document.asked
    found: Parameters = {
        "program": PROGRAM,
        "protocol": "udp"
        if any(flow.protocol == "udp" for flow in flows)
        else protocol_of(document),
        "direction": _direction(document),
    }
    if "streams" not in (found := found | _counts(document)):
        found["streams"] = max((len(flow.streams) for flow in flows), default=1)
    found |= _rate(document) | _port(document) | _congestion(document, str(found["protocol"]))
    stated = asked.keys() >= {"num_streams", "blksize", "omit", "duration", "reverse"}
    if stated and "target_bitrate" in asked.keys() | document.start.keys():
        found |= {"no_delay": False, "zero_copy": False}
    return found


def _direction(document: Document) -> str:
    if document.both:
        return "bidirectional"
    return "reverse" if document.reverse else "forward"


def _counts(document: Document) -> Parameters:
    found: Parameters = {}
    for name, key in _COUNTS.items():
        value = number(document.asked.get(key))
        if value is not None and (value or name == "omit"):
            found[name] = _plain(value)
    for names, where in ((_OTHERS, document.asked), (_SOCKET, document.start)):
        for name, key in names.items():
            if value := number(where.get(key)):
                found[name] = _plain(value)
    return found


def _rate(document: Document) -> Parameters:
    """TCP without a limit has no rate; UDP may be told to have none."""
    bits = number(document.asked.get("target_bitrate", document.start.get("target_bitrate")))
    if bits is None or (not bits and protocol_of(document) != "udp"):
        return {}
    return rate_param(float(bits))


def _port(document: Document) -> Parameters:
    port = number(mapping(document.start.get("connecting_to")).get("port"))
    if port is None and client_of(document):
        port = number(_connected(document).get("local_port"))
    return {"port": int(port)} if port and port != PORTS[PROGRAM] else {}


def _congestion(document: Document, protocol: str) -> Parameters:
    """The algorithm that the sender used; UDP has none."""
    if protocol == "udp":
        return {"congestion": HOST}
    name = document.end.get("sender_tcp_congestion")
    return {"congestion": name[:32]} if isinstance(name, str) and name else {}


def target_of(document: Document) -> str:
    """The server's host: as its client named it, or the address at which it was reached."""
    host = mapping(document.start.get("connecting_to")).get("host")
    if host is None and client_of(document):
        host = _connected(document).get("local_host")
    return host[:255] if isinstance(host, str) else ""


def client_of(document: Document) -> str:
    """The client's host, in a server's document."""
    host = mapping(document.start.get("accepted_connection")).get("host")
    return host[:255] if isinstance(host, str) else ""


def _connected(document: Document) -> Parameters:
    return dict(mapping(next(iter(items(document.start.get("connected"))), None)))


def _plain(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value
