"""Results that are read and cannot be taken as they stand: a remark says why."""

import json
from pathlib import Path

import pytest

from apps.tools.fio.parser.output import parse_output
from apps.tools.parse_result import Output, Parsed
from apps.tools.values import Parameters

SAMPLES = Path(__file__).parent / "samples"
PLAIN = (SAMPLES / "3.33--json-fsync" / "result.json").read_bytes()
TEXT = (SAMPLES / "3.1--read-4k-qd1" / "output.txt").read_bytes()


def read(data: bytes) -> Parsed:
    return parse_output(Output({"stdout": data, "stderr": b""}))


def parse_with_options(**options: str | None) -> Parsed:
    """The sample, which ran for 2.002 s, with other options; None takes one away."""
    document = json.loads(PLAIN)
    given: dict[str, object] = {
        **document.get("global options", {}),
        **document["jobs"][0]["job options"],
        **options,
    }
    document["global options"] = {}
    document["jobs"][0]["job options"] = {k: v for k, v in given.items() if v is not None}
    return read(json.dumps(document).encode())


def test_a_timed_run_that_ended_early_is_not_called_whole() -> None:
    parsed = parse_with_options(runtime="300", time_based="1")
    assert parsed.completeness == "unknown"
    (said,) = parsed.measurements[0].warnings
    assert said.startswith("fio ran for 2 s of the 300 s that it was asked for")


def test_a_test_that_had_less_to_do_is_whole_and_says_so() -> None:
    parsed = parse_with_options(runtime="300", time_based=None)
    assert parsed.completeness == "whole"
    (said,) = parsed.measurements[0].warnings
    assert said.startswith("fio ran for 2 s of the 300 s that it was asked for")


def test_a_run_that_lasted_is_not_remarked_on() -> None:
    assert parse_with_options(runtime="2", time_based="1").measurements[0].warnings == ()


@pytest.mark.parametrize("mean", ["756537530.85", "7565375"])
def test_a_mean_latency_longer_than_the_run_is_not_believed(mean: str) -> None:
    # Such means come from a clock that jumped.
    line = b"lat (usec): min=44, max=66086, avg=382.88"
    assert line in TEXT
    broken = TEXT.replace(line, line.replace(b"usec", b"msec").replace(b"382.88", mean.encode()))
    warnings = read(broken).measurements[0].warnings
    (said,) = [text for text in warnings if "longer than the run" in text]
    assert said.startswith("read: a mean latency of")


def test_latencies_within_the_run_are_not_remarked_on() -> None:
    assert read(TEXT).measurements[0].warnings == ()


def test_a_timed_test_that_verifies_writes_and_reads_for_its_time() -> None:
    """0.647 s of writing and 0.354 s of reading back are the second it was asked for."""
    data = (SAMPLES / "3.33--json-verify-timed" / "result.json").read_bytes()
    params: Parameters = {
        "rw": "randwrite", "verify": "crc32c", "time_based": True, "runtime": 1,
    }  # fmt: skip
    own = parse_output(Output({"stdout": data, "stderr": b""}, params=params))
    assert own.completeness == "whole"
    longer = parse_output(Output({"stdout": data, "stderr": b""}, params={**params, "runtime": 2}))
    assert longer.completeness == "partial"
