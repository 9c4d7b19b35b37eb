"""The client's and the server's output read as one test, and what is said when one of them
failed."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.tools.errors import ToolError
from apps.tools.iperf import TOOL
from apps.tools.iperf.params import IperfParams
from apps.tools.parse_result import Measurement, Output, Parsed

SAMPLES = Path(__file__).parent / "samples"
HEADING = "[ ID] Interval       Transfer     Bandwidth\n"
CLIENT = (
    "Client connecting to 10.0.0.2, TCP port 5001\n"
    "[  1] local 10.0.0.1 port 50000 connected with 10.0.0.2 port 5001\n"
    + HEADING
    + "[  1] 0.0000-1.0000 sec  1000 Bytes  8000 bits/sec\n"
)
SERVER = (
    "Server listening on TCP port 5001\n"
    "[  1] local 10.0.0.2 port 5001 connected with 10.0.0.1 port 50000 (peer 2.1.8)\n"
    + HEADING
    + "[  1] 0.0000-1.2500 sec  1000 Bytes  6400 bits/sec\n"
)
REFUSED: dict[str, object] = {"start": {}, "intervals": [], "end": {}}


def parse(client: str, server: str, stderr: str = "", said: str = "", **raw: Any) -> Parsed:
    files = {
        "stdout": client.encode(),
        "stderr": stderr.encode(),
        "server.stdout": server.encode(),
        "server.stderr": said.encode(),
    }
    return TOOL.parse(Output(files, 0, IperfParams.from_raw(raw).canonical()))


def failed(error: str) -> str:
    return json.dumps(REFUSED | {"error": error})


def by(parsed: Parsed) -> dict[tuple[str, str], Measurement]:
    return {(m.operation, m.component): m for m in parsed.measurements}


def test_two_ends_of_iperf2_prove_that_the_test_came_to_its_end() -> None:
    parsed = parse(CLIENT, SERVER, program="iperf2")
    assert parsed.completeness == "whole"
    assert parsed.warnings == ()
    assert parsed.version == "2.1.8"
    found = by(parsed)
    assert found["send", ""].bandwidth == 1000
    assert found["receive", ""].bandwidth == 800


def test_fewer_streams_than_requested_is_partial() -> None:
    parsed = parse(CLIENT, SERVER, program="iperf2", streams=2, direction="bidirectional")
    assert parsed.completeness == "partial"
    assert parsed.warnings == (
        "Nothing was counted in the direction reverse.",
        "1 of 2 streams were counted.",
    )


def test_an_algorithm_that_the_host_does_not_have_spoils_the_result() -> None:
    said = "Attempt to set 'vegas' congestion control failed: No such file or directory\n"
    parsed = parse(CLIENT, SERVER, said=said, program="iperf2", congestion="vegas")
    assert parsed.completeness == "partial"
    assert "vegas" in parsed.warnings[0]


def test_both_directions_are_parts_and_their_sum_the_whole() -> None:
    text = (SAMPLES / "3.12--bidirectional-json" / "result.json").read_text()
    found = by(parse(text, "", direction="bidirectional"))
    whole, forward, reverse = (found["send", part] for part in ("", "forward", "reverse"))
    assert whole.params["direction"] == "bidirectional"
    assert whole.bandwidth == pytest.approx(25006244.88083585 + 25071706.25486945)
    assert whole.values["bytes"] == forward.values["bytes"] + reverse.values["bytes"]


def test_a_client_that_met_another_server_has_no_result() -> None:
    said = "listener bind failed: Address already in use\n"
    with pytest.raises(ToolError, match=r"Server: .* another program listens"):
        parse(CLIENT, "", said=said, program="iperf2")


def test_a_server_that_says_nothing_costs_no_figure_that_the_client_has() -> None:
    text = (SAMPLES / "3.12--reverse-json" / "result.json").read_text()
    parsed = parse(text, "", direction="reverse")
    assert parsed.completeness == "whole"
    assert len(parsed.measurements) == 2


def test_the_servers_reason_comes_before_the_clients() -> None:
    server = failed("error - unable to start listener for connections: Address already in use")
    with pytest.raises(ToolError, match=r"Server: .* in use: another program listens"):
        parse(failed("unable to connect to server: Connection refused"), server)


@pytest.mark.parametrize(
    "consequence",
    [
        "unable to send control message: Bad file descriptor",
        "unable to receive control message: Connection reset by peer",
        "the client has terminated",
    ],
)
def test_the_end_that_explains_is_heard(consequence: str) -> None:
    cause = "unable to set TCP_CONGESTION: No such file or directory"
    with pytest.raises(ToolError, match=r"^iperf said: .* does not have this congestion control"):
        parse(failed(cause), failed(f"error - {consequence}"))
    with pytest.raises(ToolError, match=r"^Server: .* does not have this congestion control"):
        parse(failed(consequence), failed(f"error - {cause}"))


def test_consequence_is_reported_without_a_cause() -> None:
    said = "unable to send control message: Bad file descriptor"
    with pytest.raises(ToolError, match=f"^Server: iperf said: {said}$"):
        parse(failed("the server has terminated"), failed(f"error - {said}"))


def test_ended_server_is_not_the_reason() -> None:
    client = failed("unable to connect to server: Connection timed out")
    with pytest.raises(ToolError, match=r"Connection timed out: the client got no answer"):
        parse(client, failed("the server has terminated"))


@pytest.mark.parametrize(
    ("client", "stderr", "words"),
    [
        ("", "tcp connect failed: Connection refused\n", "lets nobody in on this port"),
        ("", "tcp connect failed: No route to host\n", "no way from the client"),
        (failed("the server is busy running a test. try again later"), "", "another test uses"),
        (failed("control socket has closed unexpectedly"), "", "no iperf3"),
        ("", "iperf: unrecognized option '--full-duplex'\n", "too old"),
        ("", "", "left nothing"),
    ],
)
def test_an_error_is_explained(client: str, stderr: str, words: str) -> None:
    with pytest.raises(Exception, match=words):
        parse(client, "", stderr)


def test_a_client_that_had_to_be_killed_got_no_answer() -> None:
    text = "Client connecting to 10.0.0.2, TCP port 5001\nTCP three-way-handshake (3WHS) only\n"
    files = {"stdout": text.encode(), "stderr": b"", "server.stdout": b"", "server.stderr": b""}
    with pytest.raises(ToolError, match=r"no answer from the server\. A firewall"):
        TOOL.parse(Output(files, 137, IperfParams(program="iperf2").canonical()))
