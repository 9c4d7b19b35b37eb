"""fsync and fdatasync as an operation of their own: etcd asks for the 99th percentile."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.tools.fio.parser.documents.result import parse_json
from apps.tools.fio.parser.normal.text import parse_text
from apps.tools.parse_result import Measurement

SAMPLES = Path(__file__).parent / "samples"
TWO = (SAMPLES / "3.33--json+-fdatasync-two-jobs" / "result.json").read_bytes()
# Posted in the documentation of an etcd cluster, without the job it belongs to.
COPIED = b"""
fsync/fdatasync/sync_file_range:
  sync (usec): min=534, max=15766, avg=1273.08, stdev=1084.70
  sync percentiles (usec):
   | 1.00th=[ 553], 5.00th=[ 578], 10.00th=[ 594], 20.00th=[ 627],
   | 30.00th=[ 709], 40.00th=[ 750], 50.00th=[ 783], 60.00th=[ 1549],
   | 70.00th=[ 1729], 80.00th=[ 1991], 90.00th=[ 2180], 95.00th=[ 2278],
   | 99.00th=[ 2376], 99.50th=[ 9634], 99.90th=[15795], 99.95th=[15795],
   | 99.99th=[15795]
"""


def sync_of(data: bytes) -> Measurement:
    (found,) = [m for m in parse_json(data).measurements if m.operation == "sync"]
    return found


def changed(**values: Any) -> bytes:
    """The sample with the syncs of its first job replaced."""
    document = json.loads(TWO)
    document["jobs"][0]["sync"] = values
    return json.dumps(document, indent=2).encode()


def test_histogram_of_all_jobs_is_stored() -> None:
    found = sync_of(TWO)
    assert found.histogram is not None
    assert sum(found.histogram.counts) == 56
    assert (found.histogram.bins[0], found.histogram.bins[-1]) == (70144, 5341184)


def test_syncs_move_no_bytes() -> None:
    found = sync_of(TWO)
    assert found.bandwidth is None
    assert "io_bytes" not in found.values


def test_the_latency_tables_of_writes_are_not_those_of_syncs() -> None:
    write, sync = parse_json(TWO).measurements
    assert "latency_us" in write.values
    assert "latency_us" not in sync.values


def test_the_tables_of_several_jobs_are_weighted_by_their_operations() -> None:
    # Below 2 µs: 3.571429 % and 17.857143 % of 28 writes each.
    table = parse_json(TWO).measurements[0].values["latency_us"]
    assert table["2"] == pytest.approx(10.714286, abs=1e-6)


def test_a_job_without_syncs_has_none() -> None:
    document = json.loads(changed())
    document["jobs"] = document["jobs"][:1]
    found = parse_json(json.dumps(document).encode()).measurements
    assert [m.operation for m in found] == ["write"]


def test_a_copied_excerpt_is_read_without_its_job() -> None:
    parsed = parse_text(COPIED)
    (found,) = parsed.measurements
    assert (found.operation, found.iops, found.bandwidth) == ("sync", None, None)
    assert found.latency.percentiles["99"] == 2376000
    assert found.latency.mean == 1273080
    assert parsed.completeness == "unknown"
