"""Parameters and a pair of hosts -> a server on one and a client on the other; every option is
written here.

iperf3 prints one document at each end, bytes exact and an interval a second. iperf 2 prints
text: its CSV has whole seconds and tenths and no retransmits, while `-e -f b` gives whole bytes,
whole bits a second and a ten-thousandth of a second.
"""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.procedure import Command, Procedure
from apps.tools.targets import ToolTarget

from .fields import HOST
from .params import IperfParams

# How long a client waits for the server's answer: beyond any network's round trip, and the reply to
# a firewall that drops what it gets comes while somebody still looks.
PATIENCE = 5
# Connecting, exchanging results, and the last acknowledgements.
AROUND = 3.0


def procedure(params: IperfParams, target: ToolTarget) -> Procedure:
    """The commands for one case. Raises ParamsError for a target that is no pair of hosts."""
    if target.kind != "pair":
        raise ParamsError({"program": message("iperf tests a network: choose a pair of hosts.")})
    address = target.identity
    if not address or address.startswith("-"):
        raise ParamsError({"program": message("The server has no address that other hosts reach.")})
    ends = _iperf3 if params.program == "iperf3" else _iperf2
    return Procedure(
        commands=ends(params, address),
        seconds=params.seconds + params.omit + AROUND,
        writes=False,
        bytes_written=0,
    )


def _iperf3(params: IperfParams, address: str) -> tuple[Command, ...]:
    """The client hands its parameters to the server, which ends after one client (-1)."""
    port = ("-p", str(params.listens_on))
    server = ("iperf3", "-s", "-1", "-J", "-i", "1", *port)
    direction = {"reverse": ("-R",), "bidirectional": ("--bidir",)}.get(params.direction, ())
    client = (
        *("iperf3", "-c", address, *port, "-J", "-i", "1", "-t", str(params.seconds)),
        *("--connect-timeout", str(PATIENCE * 1000), "-P", str(params.streams), *direction),
        *(("-u", "--udp-counters-64bit") if params.protocol == "udp" else ()),
        *_words({"-b": params.bits, "-O": params.omit or None}),
        *_socket(params, "-C"),
        *(("-Z",) if params.zero_copy else ()),
    )
    # Its control connection is TCP also where the data is UDP.
    listens = f"tcp:{params.listens_on}"
    return (Command("server", server, on="server", listens=listens), _main(client))


def _iperf2(params: IperfParams, address: str) -> tuple[Command, ...]:
    """Both ends are told the socket's options. There is no limit on connecting, so a connection
    without data is tried first; the server is ended from outside.
    """
    common = (
        *("-p", str(params.listens_on), "-e", "-i", "1", "-f", "b"),
        *(("-u",) if params.protocol == "udp" else ()),
        *(("-V",) if ":" in address else ()),
    )
    socket = _socket(params, "-Z")
    direction = {"reverse": ("-R",), "bidirectional": ("--full-duplex",)}.get(params.direction, ())
    client = (
        *("iperf", "-c", address, *common, "-t", str(params.seconds)),
        *("-P", str(params.streams), *direction, *_words({"-b": params.bits}), *socket),
    )
    listens = f"{params.protocol}:{params.listens_on}"
    server = Command("server", ("iperf", "-s", *common, *socket), on="server", listens=listens)
    return (server, *_reach(params, address), _main(client))


def _reach(params: IperfParams, address: str) -> tuple[Command, ...]:
    """One connection and nothing else (iperf(1), --connect-only). iperf heeds no other signal while
    it connects.
    """
    if params.protocol == "udp":
        return ()
    limit = ("timeout", "--foreground", "-s", "KILL", str(PATIENCE))
    family = ("-V",) if ":" in address else ()
    words = ("-c", address, "-p", str(params.listens_on), "--connect-only=1", *family)
    return (Command("reach", (*limit, "iperf", *words), on="lead"),)


def _main(argv: tuple[str, ...]) -> Command:
    return Command("main", argv, on="lead")


def _socket(params: IperfParams, congestion: str) -> tuple[str, ...]:
    """The options of the sockets; `congestion` is the letter that means its algorithm."""
    chosen = None if params.congestion == HOST else params.congestion
    sizes = {"-w": params.window, "-l": params.length, "-M": params.mss, congestion: chosen}
    return (*_words(sizes), *(("-N",) if params.no_delay else ()))


def _words(options: Mapping[str, int | str | None]) -> tuple[str, ...]:
    """The options that were asked for, each before its value."""
    asked = {letter: value for letter, value in options.items() if value is not None}
    return tuple(word for letter, value in asked.items() for word in (letter, str(value)))
