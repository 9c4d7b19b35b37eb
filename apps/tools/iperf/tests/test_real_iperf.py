"""Both programs, for real, between two network namespaces."""

import subprocess
from collections.abc import Iterator

import pytest

from apps.tools.errors import ToolError
from apps.tools.iperf import TOOL
from apps.tools.parse_result import Measurement, Parsed
from tests.harness.documents import Changes
from tests.harness.fixtures import no_box
from tests.harness.net import Network, claim_network

from .between import lacking, measure, run

pytestmark = [pytest.mark.needs_root, pytest.mark.timeout(120)]
programs = pytest.mark.parametrize("program", ["iperf3", "iperf2"])


@pytest.fixture
def network() -> Iterator[Network]:
    """A namespace at the other end of a cable that carries 400 Mbit/s towards it."""
    if reason := no_box() or lacking():
        pytest.skip(reason)
    found = claim_network()
    try:
        found.make()
        found.limit("400mbit")
        yield found
    finally:
        found.release()


def by(parsed: Parsed) -> dict[tuple[str, str], Measurement]:
    return {(m.operation, m.component): m for m in parsed.measurements}


def gbit(found: Measurement) -> float:
    assert found.bandwidth is not None
    return found.bandwidth * 8 / 1e9


@programs
def test_tcp_has_what_was_sent_and_what_arrived(network: Network, program: str) -> None:
    parsed = measure(network, program=program, seconds=2)
    assert parsed.completeness == "whole"
    assert parsed.version
    found = by(parsed)
    assert set(found) == {("send", ""), ("receive", "")}
    for each in found.values():
        assert 0 < gbit(each) < 0.45
        # A busy machine makes iperf 2 wait for the rest of what is under way: one interval more.
        assert 2 <= len(next(s for s in each.series if s.metric == "bandwidth").values) <= 3
    sent = found["send", ""].values
    assert sent["retransmits"] >= 0
    assert sent["round_trip"] > 0
    assert {"retransmits", "round_trip"} <= {s.metric for s in found["send", ""].series}
    # Nothing arrives that was not sent, and TCP delivers all but what is under way at the end.
    assert 0.9 * sent["bytes"] <= found["receive", ""].values["bytes"] <= sent["bytes"]


@programs
def test_parallel_streams_are_added_up(network: Network, program: str) -> None:
    for found in measure(network, program=program, seconds=1, streams=4).measurements:
        parts = found.values["streams"]
        assert isinstance(parts, list)
        assert len(parts) == found.params["streams"] == 4
        assert sum(part["bytes"] for part in parts) == pytest.approx(found.values["bytes"])


@programs
def test_reverse_measures_the_other_direction(network: Network, program: str) -> None:
    found = by(measure(network, program=program, seconds=1, direction="reverse"))
    assert {m.params["direction"] for m in found.values()} == {"reverse"}
    assert set(found) == {("send", ""), ("receive", "")}
    assert gbit(found["receive", ""]) > 0


@programs
def test_both_directions_at_once(network: Network, program: str) -> None:
    parsed = measure(network, program=program, seconds=2, direction="bidirectional")
    assert parsed.completeness == "whole"
    found = by(parsed)
    sides = ("", "forward", "reverse")
    assert set(found) == {(name, side) for name in ("send", "receive") for side in sides}
    for name in ("send", "receive"):
        whole, forward, reverse = (gbit(found[name, side]) for side in sides)
        assert whole == pytest.approx(forward + reverse)


@programs
def test_udp_tells_loss_and_jitter_at_the_receiver(network: Network, program: str) -> None:
    """300 Mbit/s twice through 400: some is lost, or held back by the sender."""
    raw: Changes = {"protocol": "udp", "rate": 300, "streams": 2, "seconds": 2}
    received = by(measure(network, program=program, **raw))["receive", ""]
    values = received.values
    assert 0 < gbit(received) < 0.45
    assert values["datagrams"] > values["lost"] >= 0
    assert values["loss"] == pytest.approx(100 * values["lost"] / values["datagrams"])
    assert values["jitter"] >= 0


@programs
def test_every_option_is_taken(network: Network, program: str) -> None:
    raw: Changes = {
        "window": "256k",
        "length": "16k",
        "mss": 1000,
        "congestion": "reno",
        "no_delay": True,
        "rate": 50,
        "port": 6900,
    }
    more: Changes = {"omit": 1, "zero_copy": True} if program == "iperf3" else {}
    found = by(measure(network, program=program, seconds=1, **raw, **more))
    assert 0 < gbit(found["send", ""]) < 0.07, "held to 50 Mbit/s"


@programs
def test_a_firewall_that_drops_packets_is_a_sentence(network: Network, program: str) -> None:
    network.inside("iptables", "-A", "INPUT", "-p", "tcp", "-j", "DROP")
    with pytest.raises(ToolError, match="firewall between them drops"):
        TOOL.parse(run(network, program=program, seconds=30))


@programs
def test_a_firewall_that_rejects_is_a_sentence(network: Network, program: str) -> None:
    rule = ("-j", "REJECT", "--reject-with", "tcp-reset")
    network.inside("iptables", "-A", "INPUT", "-p", "tcp", *rule)
    with pytest.raises(ToolError, match="lets nobody in on this port"):
        TOOL.parse(run(network, program=program, seconds=30))


@programs
def test_a_port_that_is_taken_is_a_sentence(network: Network, program: str) -> None:
    taken = ("ip", "netns", "exec", network.namespace, *_server_of_the_other(program))
    with subprocess.Popen(taken, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as other:
        try:
            network.await_listening(7000)
            with pytest.raises(ToolError, match="another program listens on this port"):
                measure(network, program=program, seconds=1, port=7000)
        finally:
            other.terminate()


def _server_of_the_other(program: str) -> tuple[str, ...]:
    return ("iperf", "-s", "-p", "7000") if program == "iperf3" else ("iperf3", "-s", "-p", "7000")


def test_an_algorithm_that_nobody_has_is_a_sentence(network: Network) -> None:
    # At times the server fails as well, since nobody talks to it any more: that explains nothing.
    with pytest.raises(ToolError, match="does not have this congestion control"):
        measure(network, program="iperf3", congestion="vegas", seconds=1)
