"""Outputs of several calls of fio in one file: nothing is lost, and nothing is added up."""

import re
from pathlib import Path

import pytest

from apps.tools.fio.parser.output import parse_output
from apps.tools.parse_result import Output, Parsed

CALLS = Path(__file__).parent / "calls"
SAMPLES = Path(__file__).parent / "samples"
# As printed: "bw_bytes", or KiB and milliseconds of a terse line.
ONE, ANOTHER, AGAIN, STATUS = 56173714, 15130894065, 57180323, 50819679


def sample(name: str) -> bytes:
    return (CALLS / name).read_bytes()


def read(*names: str) -> Parsed:
    return parse(b"".join(sample(name) for name in names))


def parse(data: bytes) -> Parsed:
    return parse_output(Output({"stdout": data, "stderr": b""}))


def rates(parsed: Parsed) -> list[int]:
    return [round(each.bandwidth or 0) for each in parsed.measurements]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("one", "another"), [ONE, ANOTHER]),
        (("one", "one-again"), [ONE, AGAIN]),
        (("one-again", "one"), [AGAIN, ONE]),
        (("status", "one"), [STATUS, ONE]),
        (("one", "status"), [ONE, STATUS]),
        (("one", "one"), [ONE]),
    ],
)
def test_each_call_of_json_is_a_result(names: tuple[str, ...], expected: list[int]) -> None:
    assert rates(read(*(f"{name}.json" for name in names))) == expected


def test_status_documents_stay_with_their_call() -> None:
    found = read("status.json", "one.json").measurements
    assert [len(each.series[0].values) if each.series else 0 for each in found] == [4, 0]


def test_a_call_that_failed_is_not_passed_over() -> None:
    failed = (SAMPLES / "3.33--json-no-space" / "result.json").read_bytes()
    parsed = parse(sample("one.json") + failed)
    assert rates(parsed)[0] == ONE
    assert parsed.completeness == "partial"


def test_a_ramp_that_sets_the_counters_back_is_no_other_call() -> None:
    ramp = (SAMPLES / "3.33--json+-ramp-every-second" / "result.json").read_bytes()
    found = parse(ramp).measurements
    assert len({(each.operation, each.component) for each in found}) == len(found)


def line_rate(name: str, number: int = 0) -> int:
    """The rate of a terse line: KiB and milliseconds."""
    fields = sample(name).decode().split("\n")[number].split(";")
    return round(int(fields[5]) * 1024 / (int(fields[8]) / 1000))


def test_terse_lines_of_two_calls_are_not_added_up() -> None:
    found = read("one.terse", "one-again.terse")
    assert rates(found) == [line_rate("one.terse"), line_rate("one-again.terse")]
    assert (found.completeness, found.warnings) == ("whole", ())


def test_terse_lines_of_the_jobs_of_one_call_are_added_up() -> None:
    both = line_rate("two-jobs.terse", 0) + line_rate("two-jobs.terse", 1)
    assert rates(read("two-jobs.terse")) == pytest.approx([both], abs=1)
    twice = read("two-jobs.terse", "two-jobs.terse")
    assert rates(twice) == pytest.approx([both], abs=1)


def test_of_the_terse_reports_of_a_running_call_the_last_one_counts() -> None:
    found = read("status.terse", "one.terse")
    assert rates(found) == [line_rate("status.terse", 4), line_rate("one.terse")]
    assert "4 reports of a call of fio that another one follows" in found.warnings[0]


def test_ambiguous_terse_lines_give_a_warning() -> None:
    """Without disks, as on a file system in memory."""
    bare = re.sub(rb";vda;.*", b"", sample("one.terse") + sample("one-again.terse"))
    found = parse(bare)
    assert found.completeness == "unknown"
    assert "may be results of different calls" in found.measurements[0].warnings[0]
