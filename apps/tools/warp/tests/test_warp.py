"""Older reports of warp, sizes of objects, and numbers that are cut off."""

from pathlib import Path

import pytest

from apps.tools.errors import OutputError
from apps.tools.parse_result import Output, Parsed
from apps.tools.warp import TOOL

MIXED = (Path(__file__).parent / "samples" / "1.0--mixed" / "screen.txt").read_text()


def parse(text: str) -> Parsed:
    return TOOL.parse(Output({"stdout": text.encode(), "stderr": b""}))


def test_an_older_heading_states_the_size_of_the_objects() -> None:
    (result,) = parse(
        "Operation: PUT (408). Ran 32s. Size: 10485760 bytes. Concurrency: 20.\n\n"
        "Requests considered: 330:\n"
        " * Avg: 1.274s, 50%: 417ms, 90%: 4.385s, 99%: 5.202s, Fastest: 279ms, Slowest: 5.223s\n\n"
        "Throughput:\n* Average: 152.59 MiB/s, 15.26 obj/s\n"
    ).measurements
    assert result.params["object_size"] == 10485760
    assert result.latency.mean == pytest.approx(1.274e9)
    assert result.bandwidth == pytest.approx(152.59 * 1024**2)


@pytest.mark.parametrize(
    ("words", "size"),
    [
        ("--obj.size=64MiB", 64 * 1024**2),
        ("--obj.size 1MB", 10**6),
        ("-obj.size=4KiB", 4096),
        ("--obj.size=1MB --obj.randsize", None),
        ("--obj.size=1..2", None),
        ("", None),
    ],
)
def test_a_command_above_states_the_size(words: str, size: int | None) -> None:
    results = parse(f"+ warp mixed --host=s3 {words}\n{MIXED}").measurements
    assert {each.params.get("object_size") for each in results} == {size}


def test_a_report_of_several_hosts_takes_the_rate_of_all() -> None:
    text = MIXED.replace(
        "Throughput, split into 297",
        "Throughput by host:\n * http://s3:9000:\n        - Average:  0.79 MiB/s, 3218.47 obj/s\n\n"
        "Throughput, split into 297",
    )
    assert [r.iops for r in parse(text).measurements] == [r.iops for r in parse(MIXED).measurements]


def test_a_heading_without_a_rate_is_no_result() -> None:
    with pytest.raises(OutputError):
        parse(MIXED[: MIXED.index(" * Average")])
