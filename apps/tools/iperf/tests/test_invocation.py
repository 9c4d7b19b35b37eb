"""Command lines of iperf3 and iperf 2 as the parameters of their tests."""

import pytest

from apps.tools.iperf.parser.invocation import Invocation, find_invocations
from apps.tools.values import Parameters

PLAIN: Parameters = {
    "protocol": "tcp",
    "direction": "forward",
    "streams": 1,
    "seconds": 10,
    "omit": 0,
    "congestion": "host",
    "no_delay": False,
    "zero_copy": False,
}


def command(line: str) -> Invocation:
    (found,) = find_invocations(line)
    return found


@pytest.mark.parametrize(
    ("line", "params"),
    [
        ("# iperf -c node01 -p 6900", {"program": "iperf2", "port": 6900}),
        ("iperf -c h -b 10m -l 8k -w 64K", {"rate": 10, "length": 8000, "window": 65536}),
        ("iperf -c h -b 10M", {"rate": 10.48576}),
        ("iperf -c h -u", {"protocol": "udp", "rate": 1.048576}),
        ("iperf -c h -d", {"direction": "bidirectional", "dualtest": True}),
        ("iperf -c h --full-duplex -P2", {"direction": "bidirectional", "streams": 2}),
        ("#iperf3 -c h -p 5201", {"program": "iperf3"}),
        (
            "$ iperf3 -c 10.0.0.2 -u -b 30M -l 1400 2>&1 | tee x",
            {"program": "iperf3", "protocol": "udp", "rate": 30, "length": 1400},
        ),
        ("iperf3 -c h -l 128k -w 256K -VZNR", {"length": 131072, "window": 262144}),
        ("iperf3 -c h -ZN --reverse", {"zero_copy": True, "no_delay": True}),
        ("iperf3 -c h --bidir --par=4 -O2", {"streams": 4, "omit": 2}),
        ("iperf3 -c h -S 0x20 -M 1400 -C bbr", {"tos": 32, "mss": 1400, "congestion": "bbr"}),
    ],
)
def test_options_become_parameters_of_a_plan(line: str, params: Parameters) -> None:
    found = command(line)
    assert found.unread == ()
    assert found.params.items() >= params.items()


def test_a_command_without_options_has_the_defaults() -> None:
    assert command("iperf3 -c node1").params == PLAIN | {"program": "iperf3"}


def test_an_amount_instead_of_a_time_has_no_seconds() -> None:
    params = command("iperf3 -c h -n 1M").params
    assert params["bytes"] == 1024**2
    assert "seconds" not in params


@pytest.mark.parametrize(
    ("line", "unread"),
    [
        ("iperf3 -c h -A 2,3 -i 1 -f g", ("-A 2,3",)),
        ("iperf3 -c h -P $N --new-option", ("--new-option", "-P $N")),
        ("iperf3 -c h -b 1G/5", ("-b 1G/5",)),
        ("iperf -c h --isochronous=60:10m,1m", ("--isochronous=60:10m,1m",)),
    ],
)
def test_options_without_a_parameter_are_named(line: str, unread: tuple[str, ...]) -> None:
    assert command(line).unread == unread


@pytest.mark.parametrize(
    "line",
    [
        "yum install iperf -y",
        "iperf3 --version",
        "iperf Done.",
        "",
        "Then run iperf3 -s on the server and iperf3 -c host -t 30 for each client.",
    ],
)
def test_other_lines_are_no_commands(line: str) -> None:
    assert find_invocations(line) == []


def test_each_command_of_a_line_is_read() -> None:
    server, client = find_invocations("iperf3 -s -D; for i in 1 2; do iperf3 -c h -t 5; done", 7)
    assert (server.server, client.host, client.line, client.repeats) == (True, "h", 7, True)
