"""Imported results in the table of figures: stored, read again, deleted."""

from __future__ import annotations

from apps.accounts.models import User
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import
from apps.results.models import ResultSummary
from apps.results.services.attempt_results import attempt_reparse
from apps.results.services.summary_table import summaries_difference
from apps.runs.services.archive import run_delete


def test_figures_of_an_import(owner: User) -> None:
    run = import_store(imported=create_import(owner, host_name="ceph-1"), user=owner).run
    assert run is not None
    rows = list(ResultSummary.objects.select_related("host"))
    assert len(rows) == 6
    assert {
        (row.imported, row.has_measured_time, row.settings_hash, row.target) for row in rows
    } == {(True, False, None, None)}
    assert {row.host.name for row in rows if row.host} == {"ceph-1"}
    assert all(row.is_comparable for row in rows)
    assert not summaries_difference()
    for case in run.cases.all():
        attempt_reparse(attempt=case.attempts.get())
    assert ResultSummary.objects.count() == 6
    assert not summaries_difference()
    run_delete(run=run, user=owner, name=run.name)
    assert not ResultSummary.objects.exists()
