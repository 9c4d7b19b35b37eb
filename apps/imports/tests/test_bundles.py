"""Several files that are one result are read, shown, stored and read again as one."""

from __future__ import annotations

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import SHARE, FileState
from apps.imports.presenters.preview import file_rows
from apps.imports.selectors.content import content_of
from apps.imports.selectors.imports import files_shown, import_counts
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import, sample
from apps.results.services.attempt_results import attempt_reparse
from apps.runs.models import Attempt

LOG = b"".join(b"%d, %d, 1, 4096, 0\n" % (500 * n, 1000 + n) for n in range(1, 9))


def with_log() -> list[ArchiveEntry]:
    return [
        ArchiveEntry("run1/result.json", sample("fio", "3.33--json-fsync")),
        ArchiveEntry("run1/result_bw.1.log", LOG),
        ArchiveEntry("run2/result.json", sample("fio", "3.33--json+-two-jobs")),
    ]


def test_a_log_belongs_to_its_result(owner: User) -> None:
    imported = create_import(owner, with_log())
    main, log, other = imported.files.order_by("number")
    assert log.primary_file == main
    assert (main.role, log.role) == ("stdout", "result_bw.1.log")
    assert other.primary_file is None
    assert import_counts(imported)["parts"] == 1
    rows = file_rows(imported, files_shown(imported))
    assert [row.file.path for row in rows] == ["run1/result.json", "run2/result.json"]


def test_both_are_stored_and_read_again(owner: User) -> None:
    imported = import_store(imported=create_import(owner, with_log()), user=owner)
    attempt = Attempt.objects.get(case__run=imported.run, case__sequence=0)
    assert sorted(attempt.artifacts.values_list("name", flat=True)) == ["result_bw.1.log", "stdout"]
    assert attempt.warnings == ("The write logs have 8 operations, the result has 3,732.",)
    attempt_reparse(attempt=attempt)
    found = attempt.measurements.order_by("operation")
    assert [row.operation for row in found] == ["sync", "write"]
    assert content_of(imported.files.get(number=2)) == LOG


def test_logs_alone_are_a_result(owner: User) -> None:
    imported = create_import(owner, [ArchiveEntry("old/job_bw.1.log", LOG)])
    row = imported.files.get()
    assert (row.state, row.tool, row.role) == (FileState.PARSED, "fio", "job_bw.1.log")
    done = import_store(imported=imported, user=owner)
    attempt = Attempt.objects.get(case__run=done.run)
    before = list(attempt.measurements.values_list("operation", "bandwidth", "iops"))
    assert [operation for operation, _bandwidth, _iops in before] == ["write"]
    attempt_reparse(attempt=attempt)
    assert list(attempt.measurements.values_list("operation", "bandwidth", "iops")) == before


def test_clients_that_ran_together_are_no_repeats(owner: User) -> None:
    path = "results/00000000/osd_ra-00004096/op_size-00004096/concurrent_procs-002/randwrite"
    one = sample("fio", "3.1--randwrite-4k-qd128")
    files = [ArchiveEntry(f"{path}/output.0.node{n}", one + b"\n" * n) for n in (1, 2)]
    imported = create_import(owner, files)
    assert {row.completeness for row in imported.files.all()} == {SHARE}
    hosts = [row.suggested_names["host_name"] for row in imported.files.order_by("number")]
    assert hosts == ["node1", "node2"]
    done = import_store(imported=imported, user=owner)
    attempts = Attempt.objects.filter(case__run=done.run)
    assert not any(attempt.valid for attempt in attempts)
    assert "at the same time" in attempts[0].invalid_reason
