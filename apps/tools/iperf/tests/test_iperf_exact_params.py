"""Outputs that state a whole test: the identity of a plan's step with the same parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.tools.iperf import TOOL
from apps.tools.iperf.params import IperfParams
from apps.tools.parse_result import Output
from apps.tools.values import Parameters

SAMPLES = Path(__file__).parent / "samples"
HEADING = "[ ID] Interval           Transfer     Bitrate         Retr\n"
TEXT = (
    "Connecting to host 10.0.0.2, port 5201\n"
    "[  5] local 10.0.0.1 port 40000 connected to 10.0.0.2 port 5201\n"
    + HEADING
    + "[  5]   0.00-10.00  sec  1.10 GBytes   944 Mbits/sec    0\n"
    + "- - - - - - - - - - - - - - - - - - - - - - - - -\n"
    + HEADING
    + "[  5]   0.00-10.00  sec  1.10 GBytes   944 Mbits/sec    0             sender\n"
    + "[  5]   0.00-10.00  sec  1.10 GBytes   941 Mbits/sec                  receiver\n\n"
    + "iperf Done.\n"
)


def known(text: str) -> Parameters:
    return TOOL.parse(Output({"stdout": text.encode(), "stderr": b""})).measurements[0].params


def planned(**raw: object) -> Parameters:
    return TOOL.operation_params(IperfParams.from_raw(raw).canonical(), "send")


@pytest.mark.parametrize(
    ("command", "raw"),
    [
        ("iperf3 -c 10.0.0.2", {}),
        ("iperf3 -c 10.0.0.2 -l 128K -i 5 -f m", {}),
        ("iperf3 -c 10.0.0.2 -b 950M -Z", {"rate": 950, "zero_copy": True}),
        ("iperf3 -c 10.0.0.2 \\\n   -b 20M -N", {"rate": 20, "no_delay": True}),
        ("iperf3 -c 10.0.0.2 -w 256K -C bbr", {"window": "256k", "congestion": "bbr"}),
    ],
)
def test_a_command_above_an_output_states_the_whole_test(
    command: str, raw: dict[str, object]
) -> None:
    params = known(f"$ {command}\n{TEXT}")
    assert TOOL.exact_params(params, "send") == planned(**raw)


@pytest.mark.parametrize(
    "above",
    ["", "iperf3 -c 10.0.0.9\n", "iperf3 -c 10.0.0.2 -t 60\n", "iperf3 -c 10.0.0.2 -u -b 1G\n"],
)
def test_an_output_without_its_own_command_is_no_planned_test(above: str) -> None:
    assert TOOL.exact_params(known(above + TEXT), "send") is None


def test_a_command_with_an_option_without_parameter_names_it() -> None:
    text = f"$ iperf3 -c 10.0.0.2 -A 2,3\n{TEXT}"
    (send, _) = TOOL.parse(Output({"stdout": text.encode(), "stderr": b""})).measurements
    assert send.unread_options == ("-A 2,3",)


def test_json_states_the_whole_test() -> None:
    data = (SAMPLES / "3.12--omitted-json" / "result.json").read_bytes()
    params = TOOL.parse(Output({"stdout": data, "stderr": b""})).measurements[0].params
    named = {**params, "congestion": "cubic"}
    assert (params["omit"], params["congestion"]) == (1, "bbr")
    raw = {name: params[name] for name in ("seconds", "omit", "rate", "streams") if name in params}
    assert TOOL.exact_params(params, "send") == planned(**raw, congestion="bbr")
    assert TOOL.exact_params(named, "send") == planned(**raw), "Linux's own algorithm is none"


def test_the_port_and_a_length_that_is_usual_determine_nothing() -> None:
    command = "iperf3 -c 10.0.0.2 -p 6900 -l 131072"
    text = TEXT.replace("port 5201", "port 6900")
    assert TOOL.exact_params(known(f"$ {command}\n{text}"), "send") == planned()


@pytest.mark.parametrize(("option", "name"), [("-d", "dualtest"), ("-r", "tradeoff")])
def test_tests_that_no_plan_runs_are_never_exact(option: str, name: str) -> None:
    text = (
        f"iperf -c node01 {option}\nClient connecting to node01, TCP port 5001\n"
        "[  3] local 10.0.0.1 port 50000 connected with 10.0.0.2 port 5001\n"
        "[  4] local 10.0.0.1 port 5001 connected with 10.0.0.2 port 50001\n"
        "[  3]  0.0-10.0 sec  1.00 GBytes   859 Mbits/sec\n"
        "[  4]  0.0-10.0 sec  1.00 GBytes   859 Mbits/sec\n"
    )
    assert TOOL.exact_params({**known(text), name: True}, "send") is None
