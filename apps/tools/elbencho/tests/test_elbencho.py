"""elbencho's mixed phases, cut rows, latencies of the table, and rounding."""

from pathlib import Path

import pytest

from apps.tools.elbencho import TOOL
from apps.tools.errors import OutputError
from apps.tools.parse_result import Output, Parsed

SAMPLES = Path(__file__).parent / "samples"
CSV = (SAMPLES / "2.1-0--random-writes-of-four-hosts" / "result.csv").read_text()
TABLE = (SAMPLES / "2.1-0--sequential-writes-table" / "result.out").read_text()


def parse(text: str) -> Parsed:
    return TOOL.parse(Output({"stdout": text.encode(), "stderr": b""}))


def test_a_mixed_phase_is_a_write_and_a_read() -> None:
    heading, *rows, _end = CSV.split("\n")
    names = heading.split(",")
    row = rows[-1].split(",")
    for name, value in {
        "rwmix read IOPS [last]": "1000",
        "rwmix read MiB/s [last]": "3",
        "rwmix read IO lat us [avg]": "250",
    }.items():
        row[names.index(name)] = value
    write, read = parse("\n".join([heading, ",".join(row), ""])).measurements
    assert (write.operation, read.operation) == ("write", "read")
    assert (read.iops, read.bandwidth, read.latency.mean) == (1000.0, 4096000.0, 250000.0)
    assert write.params["mixed"] is read.params["mixed"] is True


def test_a_row_without_its_end_is_left_out() -> None:
    assert len(parse(CSV[:-10]).measurements) == 1
    with pytest.raises(OutputError):
        parse(CSV.split("\n")[0] + "\n")


@pytest.mark.parametrize(("mib", "expected"), [("105", 26895 * 4096.0), ("90", 90 * 1024**2)])
def test_bandwidth_is_exact_only_within_rounding(mib: str, expected: float) -> None:
    text = CSV.replace(",104,105,", f",104,{mib},")
    assert parse(text).measurements[-1].bandwidth == expected


def test_latencies_of_the_table() -> None:
    lines = (
        "          IO latency       : [ min=108us avg=1.5ms max=2s ]\n"
        "          IO lat % us      : [ 1%<=215 50%<=512 75%<=609 99%<=1024 ]\n"
    )
    write = parse(
        TABLE.replace(
            "          Total MiB        :     216852",
            lines + "          Total MiB        :     216852",
        )
    ).measurements[-1]
    assert (write.latency.min, write.latency.mean, write.latency.max) == (108e3, 1.5e6, 2e9)
    # Upper edges of buckets are no percentiles.
    assert write.latency.percentiles == {}
    assert write.values["latency_at_most_us"] == {
        "1": 215.0,
        "50": 512.0,
        "75": 609.0,
        "99": 1024.0,
    }
