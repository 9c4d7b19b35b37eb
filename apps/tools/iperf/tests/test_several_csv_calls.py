"""CSV of several calls of iperf 2 in one file: each is a test, none is added up."""

from apps.tools.base import Output
from apps.tools.iperf.parser.output import parse_output

# iperf 2 of Debian 12, loopback: iperf -c 127.0.0.1 -t 1 -y C, twice
ONE = b"19700101000000,127.0.0.1,39996,127.0.0.1,45995,1,0.0-1.0,1295122492,10182461029\n"
OTHER = b"19700101000000,127.0.0.1,40002,127.0.0.1,45995,1,0.0-1.0,2924609596,23022756967\n"


def amounts(data: bytes) -> list[float]:
    parsed = parse_output(Output({"stdout": data, "stderr": b""}))
    return [round(each.bandwidth or 0) for each in parsed.measurements if not each.part]


def test_two_calls_are_two_tests() -> None:
    assert amounts(ONE + OTHER) == [*amounts(ONE), *amounts(OTHER)]


def test_streams_of_one_call_are_added_up() -> None:
    second = OTHER.replace(b",1,0.0", b",2,0.0")
    assert len(amounts(ONE + second)) == 1
