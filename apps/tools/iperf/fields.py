"""Fields of iperf's parameters: labels, help and limits."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _

_GIB = 1024**3
SHAPE = _("Shape of the traffic")
SOCKET = _("Socket")
# No algorithm is requested.
HOST = "host"

FIELDS: Mapping[str, Field] = {
    "program": Field(
        "choice",
        _("Program"),
        _(
            "iperf3 and iperf 2 are different programs: both hosts need the same one, and their "
            "figures are compared with their own kind only. iperf 2 must be 2.1 or newer."
        ),
        choices=("iperf3", "iperf2"),
    ),
    "protocol": Field(
        "choice",
        _("Protocol"),
        _(
            "TCP measures what a connection carries; UDP sends at a given rate "
            "and measures loss and "
            "jitter."
        ),
        choices=("tcp", "udp"),
    ),
    "direction": Field(
        "choice",
        _("Direction"),
        _(
            "forward: the client sends; reverse: the server sends, over a "
            "connection that the client "
            "opened; bidirectional: both send at the same time."
        ),
        choices=("forward", "reverse", "bidirectional"),
        role="operation",
    ),
    "seconds": Field(
        "duration",
        _("Run time"),
        _("How long data is sent."),
        minimum=1,
        maximum=86_400,
        unit="s",
        role="time",
    ),
    "streams": Field(
        "int",
        _("Parallel streams"),
        _("Connections at the same time, each with its own socket (-P)."),
        minimum=1,
        maximum=128,
        role="depth",
    ),
    "rate": Field(
        "int",
        _("Rate of each stream"),
        _(
            "What each stream sends at most, in Mbit/s (millions of bits a "
            "second). Empty: as fast as "
            "TCP allows. UDP needs a rate; 0 is unlimited, with iperf3 only."
        ),
        minimum=0,
        maximum=1_000_000,
        unit="Mbit/s",
        group=SHAPE,
        optional=True,
    ),
    "omit": Field(
        "duration",
        _("Seconds left out first"),
        _("The beginning is sent, but not counted: TCP's slow start (iperf3 only, -O)."),
        minimum=0,
        maximum=60,
        unit="s",
        group=SHAPE,
    ),
    "length": Field(
        "size",
        _("Bytes per write"),
        _("TCP: size of each write; UDP: size of each datagram. Empty: the program's own choice."),
        minimum=16,
        maximum=1024**2,
        unit=_("bytes"),
        group=SHAPE,
        optional=True,
        role="block",
    ),
    "window": Field(
        "size",
        _("Socket buffer (window)"),
        _(
            "Size of the send and receive buffers, at both ends. Empty: the kernel adapts it. The "
            "kernel's limits are net.core.rmem_max and wmem_max."
        ),
        minimum=1024,
        maximum=2 * _GIB - 1,
        unit=_("bytes"),
        group=SOCKET,
        optional=True,
    ),
    "mss": Field(
        "int",
        _("Maximum segment size"),
        _("Bytes of data in a TCP segment at most. Empty: what the path allows."),
        minimum=88,
        maximum=9_216,
        unit=_("bytes"),
        group=SOCKET,
        optional=True,
    ),
    "congestion": Field(
        "choice",
        _("Congestion control"),
        _(
            "The sender's TCP algorithm; the host must have it loaded. host: the "
            "one it uses anyway."
        ),
        choices=(HOST, "cubic", "reno", "bbr", "dctcp", "htcp", "vegas", "westwood", "illinois"),
        group=SOCKET,
    ),
    "no_delay": Field(
        "flag",
        _("No delay"),
        _("Small writes are sent at once (TCP_NODELAY, Nagle's algorithm off)."),
        group=SOCKET,
    ),
    "zero_copy": Field(
        "flag",
        _("Zero-copy"),
        _("The sender uses sendfile, which copies no data in user space (iperf3 only, -Z)."),
        group=SOCKET,
    ),
    "port": Field(
        "int",
        _("Port"),
        _(
            "Where the server listens. Empty: 5201 for iperf3, 5001 for iperf 2. "
            "Open it in firewalls; "
            "nothing else may listen there."
        ),
        minimum=1024,
        maximum=65_535,
        optional=True,
        group=SOCKET,
    ),
}
