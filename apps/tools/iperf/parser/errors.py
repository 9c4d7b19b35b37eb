"""Error messages of iperf, with their causes and remedies."""

from __future__ import annotations

import re

from apps.tools.errors import ToolError

_NO_ANSWER = (
    "the client got no answer from the server. A firewall between them drops the packets, or the "
    "server's address is wrong; open the port named in the plan (5201 for iperf3, 5001 for iperf 2 "
    "otherwise)."
)
_MEANINGS = (
    (
        r"Connection timed out|Operation now in progress|Resource temporarily unavailable",
        _NO_ANSWER,
    ),
    (
        r"Connection refused",
        "the server's host answers but lets nobody in on this port. A firewall rejects it, or the "
        "server did not start.",
    ),
    (
        r"No route to host|Network is unreachable|Host is unreachable",
        "there is no way from the client to the server's address, or a firewall says so. Look at "
        "the address on the server's page.",
    ),
    (
        r"Address already in use",
        "another program listens on this port of the server. End it, or name another port in the "
        "plan.",
    ),
    (
        r"server is busy running a test",
        "another test uses an iperf3 server on this port. Name another port in the plan.",
    ),
    (
        r"socket has closed unexpectedly|unable to receive parameters",
        "what listens on the server's port is no iperf3 of a matching version.",
    ),
    (
        r"unrecognized option|invalid option",
        "this version is too old for what the plan asks. benchlab needs iperf 2.1 or iperf 3.2.",
    ),
    (
        r"congestion control|Unable to set congestion|No such file or directory",
        "the host does not have this congestion control algorithm (see "
        "net.ipv4.tcp_available_congestion_control).",
    ),
    (
        r"socket buffer size",
        "the host's limits (net.core.rmem_max, wmem_max) are below the window.",
    ),
)
CONNECT_TIMEOUT = ToolError(f"iperf: {_NO_ANSWER}")
# Errors that a server prints when it is ended.
ENDED_SERVER = re.compile(r"the server has terminated|interrupt - ")

# Errors that follow from the loss of the other end.
_CONSEQUENCE = re.compile(
    r"unable to (?:send|receive) (?:control message|results|cookie|parameters)|"
    r"control socket has closed|(?:client|server) has terminated|Broken pipe|reset by peer",
    re.IGNORECASE,
)


def explains(text: str) -> bool:
    """Return True if an error message has a cause other than the loss of the other end."""
    return not _CONSEQUENCE.search(text)


def explained(text: str) -> str:
    """Return iperf's error message, with its cause if known."""
    text = re.sub(r"^iperf3?: (?:error - )?|^error - ", "", text.strip())[:300]
    for pattern, meaning in _MEANINGS:
        if re.search(pattern, text, re.IGNORECASE):
            return f"iperf said: {text.rstrip('.')}: {meaning}"
    return f"iperf said: {text}"
