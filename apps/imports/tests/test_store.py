"""Understood files become a run with cases, original bytes and results."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import pytest

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import ImportFile
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import, sample, team_files
from apps.inventory.models import Host
from apps.results.models import Measurement
from apps.results.services.attempt_results import attempt_reparse
from apps.runs.models import Attempt, Case, Origin, Run
from apps.runs.services.artifacts import attempt_files


def stored(owner: User, files: list[ArchiveEntry] | None = None, **said: str) -> Run:
    imported = import_store(imported=create_import(owner, files, **said), user=owner)
    assert imported.state == "stored", imported.reason
    assert imported.run is not None
    return imported.run


def test_the_teams_results_stand_under_before_and_after(owner: User) -> None:
    run = stored(owner, host_name="ceph-1", target_name="pool test")
    assert (run.origin, run.state, run.case_count) == (Origin.IMPORTED, "succeeded", 6)
    cases = run.cases.order_by("sequence")
    assert [case.tuning_name for case in cases] == ["before"] * 3 + ["after"] * 3
    assert {case.target_words for case in cases} == {"pool test"}
    assert {case.host for case in cases} == {Host.objects.get(name="ceph-1", kind="imported_only")}
    assert run.tunings.get(is_baseline=True).name == "before"
    assert [case.repeat for case in cases] == [1] * 6
    keys = [case.workload.key for case in cases]
    assert keys[:3] == keys[3:]
    assert len(set(keys)) == 3


def test_stored_bytes_equal_the_sent_bytes(owner: User) -> None:
    run = stored(owner)
    for case, file in zip(run.cases.order_by("sequence"), team_files(), strict=True):
        attempt = case.attempts.get()
        assert attempt_files(attempt) == {"stdout": file.data}
        assert attempt.artifacts.get().sha256 == hashlib.sha256(file.data).hexdigest()
    assert all(bytes(row.content) == b"" for row in ImportFile.objects.all())


def test_figures_are_the_parsers(owner: User) -> None:
    run = stored(owner)
    write = run.cases.get(sequence=0).attempts.get().measurements.get()
    assert (write.operation, round(write.bandwidth or 0)) == ("write", 87368923)
    assert write.attempt.series.filter(metric="bandwidth", length=10).exists()


def test_equal_conditions_are_repeats(owner: User) -> None:
    one = sample("rados", "12.2--rand-before-tuning")
    files = [ArchiveEntry(f"{number}.txt", one + b"\n" * number) for number in range(3)]
    run = stored(owner, files)
    assert [case.repeat for case in run.cases.order_by("sequence")] == [1, 2, 3]


def test_every_point_of_a_file_is_a_case_and_reads_again_as_itself(owner: User) -> None:
    run = stored(owner, [ArchiveEntry("auto.txt", sample("iozone", "3.489--auto"))])
    assert run.case_count > 9
    before = figures(run)
    for attempt in Attempt.objects.filter(case__run=run):
        attempt_reparse(attempt=attempt)
    assert figures(run) == before


def figures(run: Run) -> list[tuple[object, ...]]:
    return [
        (case.sequence, row.operation, row.bandwidth, row.iops)
        for case in Case.objects.filter(run=run).order_by("sequence")
        for row in case.attempts.get().measurements.order_by("operation")
    ]


def test_a_partial_output_is_stored_and_not_compared(owner: User) -> None:
    run = stored(owner, [ArchiveEntry("stopped.csv", sample("iometer", "1.1.0--stopped"))])
    attempt = Attempt.objects.get(case__run=run)
    assert not attempt.valid
    assert "incomplete" in attempt.invalid_reason
    assert not attempt.measurements.filter(valid=True).exists()


def test_times_are_those_of_the_output_else_unknown(owner: User) -> None:
    files = [ArchiveEntry("fio.json", sample("fio", "3.33--json-fsync")), team_files()[0]]
    run = stored(owner, files)
    fio, rados = Attempt.objects.filter(case__run=run).order_by("case__sequence")
    assert fio.ended_at == datetime.fromtimestamp(1795233266.713, UTC)
    assert (fio.started_at, rados.started_at, rados.ended_at) == (None, None, None)
    assert run.finished_at == fio.ended_at


@pytest.mark.parametrize(
    ("tool", "name", "operations"),
    [
        ("elbencho", "2.1-0--random-writes-of-four-hosts", ["mkdirs", "write"]),
        ("warp", "1.0--mixed", ["delete", "get", "put", "stat", "total"]),
        ("vdbench", "5.04.06--files", ["read", "write"]),
    ],
)
def test_results_of_tools_that_only_import_are_compared(
    owner: User, tool: str, name: str, operations: list[str]
) -> None:
    files = [
        ArchiveEntry(f"{number}.txt", sample(tool, name) + b"\n" * number) for number in (0, 1)
    ]
    run = stored(owner, files)
    rows = Measurement.objects.filter(attempt__case__run=run, valid=True)
    assert sorted(rows.values_list("operation", flat=True)) == sorted(operations * 2)
    # Both files are repeats of the same workloads.
    assert set(run.cases.values_list("repeat", flat=True)) == {1, 2}
    assert tool in run.cases.values_list("workload__tool", flat=True)
