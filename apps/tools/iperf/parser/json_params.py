"""Plan parameters and hosts of a document of iperf3."""

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
# Amounts that end a test instead of a time, and parameters that no plan has; 0 is unset.
_OTHERS = {"bytes": "bytes", "blocks": "blocks", "tos": "tos", "fq_rate": "fqrate"}
_SOCKET = {"window": "sock_bufsize", "mss": "tcp_mss"}


def protocol_of(document: Document) -> str:
    """Return tcp, udp or sctp."""
    return str(document.requested.get("protocol") or "TCP").lower()[:8]


def params_of(document: Document, flows: Sequence[Flow]) -> Parameters:
    """Return the parameters in a document.

    Documents never contain -N and -Z; a document with all other parameters is assumed to be without
    them.
    """
    requested = document.requested
    params: Parameters = {
        "program": PROGRAM,
        "protocol": "udp"
        if any(flow.protocol == "udp" for flow in flows)
        else protocol_of(document),
        "direction": _direction(document),
    }
    if "streams" not in (params := params | _counts(document)):
        params["streams"] = max((len(flow.streams) for flow in flows), default=1)
    params |= _rate(document) | _port(document) | _congestion(document, str(params["protocol"]))
    stated = requested.keys() >= {"num_streams", "blksize", "omit", "duration", "reverse"}
    if stated and "target_bitrate" in requested.keys() | document.start.keys():
        params |= {"no_delay": False, "zero_copy": False}
    return params


def _direction(document: Document) -> str:
    if document.bidirectional:
        return "bidirectional"
    return "reverse" if document.reverse else "forward"


def _counts(document: Document) -> Parameters:
    params: Parameters = {}
    for name, key in _COUNTS.items():
        value = number(document.requested.get(key))
        if value is not None and (value or name == "omit"):
            params[name] = _integer_if_whole(value)
    for names, source in ((_OTHERS, document.requested), (_SOCKET, document.start)):
        for name, key in names.items():
            if value := number(source.get(key)):
                params[name] = _integer_if_whole(value)
    return params


def _rate(document: Document) -> Parameters:
    """Return the rate. TCP without a limit has none; UDP may have an explicit rate of 0."""
    bits = number(document.requested.get("target_bitrate", document.start.get("target_bitrate")))
    if bits is None or (not bits and protocol_of(document) != "udp"):
        return {}
    return rate_param(float(bits))


def _port(document: Document) -> Parameters:
    port = number(mapping(document.start.get("connecting_to")).get("port"))
    if port is None and client_of(document):
        port = number(_connected(document).get("local_port"))
    return {"port": int(port)} if port and port != PORTS[PROGRAM] else {}


def _congestion(document: Document, protocol: str) -> Parameters:
    """Return the algorithm of the sender; UDP has none."""
    if protocol == "udp":
        return {"congestion": HOST}
    name = document.end.get("sender_tcp_congestion")
    return {"congestion": name[:32]} if isinstance(name, str) and name else {}


def target_of(document: Document) -> str:
    """Return the server's host: the client's name for it, or the address of its connection."""
    host = mapping(document.start.get("connecting_to")).get("host")
    if host is None and client_of(document):
        host = _connected(document).get("local_host")
    return host[:255] if isinstance(host, str) else ""


def client_of(document: Document) -> str:
    """Return the client's host in a server's document."""
    host = mapping(document.start.get("accepted_connection")).get("host")
    return host[:255] if isinstance(host, str) else ""


def _connected(document: Document) -> Parameters:
    return dict(mapping(next(iter(items(document.start.get("connected"))), None)))


def _integer_if_whole(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value
