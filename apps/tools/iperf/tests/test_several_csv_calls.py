"""CSV of several calls of iperf 2 in one file: each is a test, none is added up."""

from apps.tools.iperf.parser.output import parse_output
from apps.tools.parse_result import Output

# iperf 2 of Debian 12, loopback: iperf -c 127.0.0.1 -t 1 -y C, twice
ONE = b"19700101000000,127.0.0.1,39996,127.0.0.1,45995,1,0.0-1.0,1295122492,10182461029\n"
OTHER = b"19700101000000,127.0.0.1,40002,127.0.0.1,45995,1,0.0-1.0,2924609596,23022756967\n"


def amounts(data: bytes) -> list[float]:
    parsed = parse_output(Output({"stdout": data, "stderr": b""}))
    return [round(each.bandwidth or 0) for each in parsed.measurements if not each.component]


def test_two_calls_are_two_tests() -> None:
    assert amounts(ONE + OTHER) == [*amounts(ONE), *amounts(OTHER)]


def test_streams_of_one_call_are_added_up() -> None:
    second = OTHER.replace(b",1,0.0", b",2,0.0")
    assert len(amounts(ONE + second)) == 1


def test_clients_that_came_after_each_other_are_tests_of_their_own() -> None:
    row = "2026110210{0},10.0.0.1,{1},10.0.0.2,5001,{2},0.0-10.0,12500000,10000000\n"
    after = row.format("0010", 40001, 1) + row.format("0021", 40002, 2)
    together = row.format("0010", 40001, 1) + row.format("0011", 40002, 2)
    assert amounts(after.encode()) == [1_250_000, 1_250_000]
    assert amounts(together.encode()) == [2_500_000]
