"""Build the server's and the client's command from parameters and a host pair, with all options.

iperf3 prints one document at each end, with exact bytes and an interval per second. iperf 2 prints
text: its CSV has whole seconds and tenths and no retransmits, while `-e -f b` gives whole bytes,
whole bits per second and ten-thousandths of a second.
"""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.procedure import Command, Procedure
from apps.tools.targets import ToolTarget

from .fields import HOST
from .params import IperfParams

# Connection timeout of a client: above any round trip time, and short enough for a person who waits
# for the error of a firewall that drops packets.
CONNECT_TIMEOUT_SECONDS = 5
# Seconds for connecting, exchanging results, and the last acknowledgements.
SETUP_SECONDS = 3.0


def build_procedure(params: IperfParams, target: ToolTarget) -> Procedure:
    """Build the commands of one case.

    Raises: ParamsError for a target that is no host pair.
    """
    if target.kind != "pair":
        raise ParamsError({"program": message("iperf tests a network: choose a pair of hosts.")})
    address = target.identity
    if not address or address.startswith("-"):
        raise ParamsError({"program": message("The server has no address that other hosts reach.")})
    ends = _iperf3 if params.program == "iperf3" else _iperf2
    return Procedure(
        commands=ends(params, address),
        seconds=params.seconds + params.omit + SETUP_SECONDS,
        writes=False,
        bytes_written=0,
    )


def _iperf3(params: IperfParams, address: str) -> tuple[Command, ...]:
    """Return the commands of iperf3.

    The client sends its parameters to the server, which ends after one client (-1).
    """
    port = ("-p", str(params.listens_on))
    server = ("iperf3", "-s", "-1", "-J", "-i", "1", *port)
    direction = {"reverse": ("-R",), "bidirectional": ("--bidir",)}.get(params.direction, ())
    client = (
        *("iperf3", "-c", address, *port, "-J", "-i", "1", "-t", str(params.seconds)),
        *(
            "--connect-timeout",
            str(CONNECT_TIMEOUT_SECONDS * 1000),
            "-P",
            str(params.streams),
            *direction,
        ),
        *(("-u", "--udp-counters-64bit") if params.protocol == "udp" else ()),
        *_option_words({"-b": params.bits, "-O": params.omit or None}),
        *_socket(params, "-C"),
        *(("-Z",) if params.zero_copy else ()),
    )
    # The control connection is TCP also for UDP data.
    listens = f"tcp:{params.listens_on}"
    return (Command("server", server, on="server", listens=listens), _main(client))


def _iperf2(params: IperfParams, address: str) -> tuple[Command, ...]:
    """Return the commands of iperf 2, with the socket options at both ends.

    iperf 2 has no connection timeout, so a connection without data is tried first. The server is
    ended from outside.
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
        *("-P", str(params.streams), *direction, *_option_words({"-b": params.bits}), *socket),
    )
    listens = f"{params.protocol}:{params.listens_on}"
    server = Command("server", ("iperf", "-s", *common, *socket), on="server", listens=listens)
    return (server, *_reach(params, address), _main(client))


def _reach(params: IperfParams, address: str) -> tuple[Command, ...]:
    """Return a command that only connects (iperf(1), --connect-only).

    While connecting, iperf ends only by SIGKILL.
    """
    if params.protocol == "udp":
        return ()
    limit = ("timeout", "--foreground", "-s", "KILL", str(CONNECT_TIMEOUT_SECONDS))
    family = ("-V",) if ":" in address else ()
    options = ("-c", address, "-p", str(params.listens_on), "--connect-only=1", *family)
    return (Command("reach", (*limit, "iperf", *options), on="lead"),)


def _main(argv: tuple[str, ...]) -> Command:
    return Command("main", argv, on="lead")


def _socket(params: IperfParams, congestion: str) -> tuple[str, ...]:
    """Return the socket options; `congestion` is the letter of the congestion algorithm."""
    chosen = None if params.congestion == HOST else params.congestion
    sizes = {"-w": params.window, "-l": params.length, "-M": params.mss, congestion: chosen}
    return (*_option_words(sizes), *(("-N",) if params.no_delay else ()))


def _option_words(options: Mapping[str, int | str | None]) -> tuple[str, ...]:
    """Return the options that have a value, each before its value."""
    present = {letter: value for letter, value in options.items() if value is not None}
    return tuple(word for letter, value in present.items() for word in (letter, str(value)))
