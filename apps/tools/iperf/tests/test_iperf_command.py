"""The command lines of both ends."""

from typing import Any

import pytest

from apps.tools.errors import ParamsError
from apps.tools.iperf import TOOL
from apps.tools.iperf.params import IperfParams
from apps.tools.procedure import Procedure
from apps.tools.targets import ToolTarget

PAIR = ToolTarget("pair", "10.0.0.2")


def build_procedure(target: ToolTarget = PAIR, **raw: Any) -> Procedure:
    return TOOL.build_procedure(IperfParams.from_raw(raw), target)


def lines(**raw: Any) -> list[str]:
    return [" ".join(command.argv) for command in build_procedure(**raw).commands]


def test_iperf3_is_a_one_off_server_and_a_client_that_does_not_wait_for_ever() -> None:
    server, client = build_procedure().commands
    assert (server.on, server.listens, client.on) == ("server", "tcp:5201", "lead")
    assert " ".join(server.argv) == "iperf3 -s -1 -J -i 1 -p 5201"
    assert " ".join(client.argv) == (
        "iperf3 -c 10.0.0.2 -p 5201 -J -i 1 -t 10 --connect-timeout 5000 -P 1"
    )
    assert build_procedure().seconds == 13
    assert not build_procedure().writes


def test_iperf2_is_reached_first_and_both_ends_print_whole_bytes() -> None:
    server, reach, client = build_procedure(program="iperf2").commands
    assert (server.on, server.listens) == ("server", "tcp:5001")
    assert (reach.on, client.on) == ("lead", "lead")
    assert " ".join(server.argv) == "iperf -s -p 5001 -e -i 1 -f b"
    assert " ".join(reach.argv) == (
        "timeout --foreground -s KILL 5 iperf -c 10.0.0.2 -p 5001 --connect-only=1"
    )
    assert " ".join(client.argv) == "iperf -c 10.0.0.2 -p 5001 -e -i 1 -f b -t 10 -P 1"


def test_udp_of_iperf2_listens_on_udp_and_needs_no_connection() -> None:
    server, client = build_procedure(program="iperf2", protocol="udp", rate=50).commands
    assert server.listens == "udp:5001"
    assert " ".join(server.argv) == "iperf -s -p 5001 -e -i 1 -f b -u"
    assert client.argv[-2:] == ("-b", "50000000")


def test_the_control_connection_of_iperf3_is_tcp_for_udp_too() -> None:
    server, client = build_procedure(protocol="udp", rate=0, port=6900).commands
    assert server.listens == "tcp:6900"
    assert " ".join(client.argv).endswith("-P 1 -u --udp-counters-64bit -b 0")


@pytest.mark.parametrize(
    ("program", "direction", "option"),
    [
        ("iperf3", "reverse", "-R"),
        ("iperf3", "bidirectional", "--bidir"),
        ("iperf2", "reverse", "-R"),
        ("iperf2", "bidirectional", "--full-duplex"),
    ],
)
def test_who_sends(program: str, direction: str, option: str) -> None:
    client = build_procedure(program=program, direction=direction).commands[-1]
    assert option in client.argv


def test_iperf2_gets_the_sockets_options_at_both_ends_iperf3_at_the_client() -> None:
    options = {"window": "1M", "length": "64k", "mss": 1400, "no_delay": True}
    words = "-w 1048576 -l 65536 -M 1400"
    server, client = lines(congestion="bbr", omit=2, zero_copy=True, **options)
    assert words not in server
    assert client.endswith(f"-P 1 -O 2 {words} -C bbr -N -Z")
    server, _, client = lines(program="iperf2", congestion="bbr", **options)
    assert server.endswith(f"{words} -Z bbr -N")
    assert client.endswith(f"{words} -Z bbr -N")


def test_ipv6_address_sets_iperf2_option() -> None:
    for command in build_procedure(ToolTarget("pair", "fd00::2"), program="iperf2").commands:
        assert "-V" in command.argv


@pytest.mark.parametrize(
    "target", [ToolTarget("disk", "x"), ToolTarget("pair", ""), ToolTarget("pair", "-c")]
)
def test_what_is_no_pair_with_an_address_is_refused(target: ToolTarget) -> None:
    with pytest.raises(ParamsError):
        build_procedure(target)
