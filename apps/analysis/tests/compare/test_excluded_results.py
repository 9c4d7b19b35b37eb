"""Invalid, failed and doubled results take no part, and are counted."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, AttemptState, CaseState

pytestmark = pytest.mark.django_db


def test_invalid_results_are_excluded_and_listed(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner, repeats=8))
    rows = Measurement.objects.filter(case__run=run).order_by("pk").values("pk")[:3]
    Measurement.objects.filter(pk__in=rows).update(valid=False, invalid_reason="nr_requests moved")
    summaries_rebuild()
    comparison = compare_runs(runs=[run.pk])
    assert comparison.used == 13
    assert comparison.left_out.results == {"nr_requests moved": 3}
    page = viewer_client.get(f"/compare/?run={run.pk}").content.decode()
    assert "3 results left out: nr_requests moved" in page


def test_an_invalid_attempt_counts_with_its_reason(owner: User) -> None:
    run = create_measured_run(Setup(owner))
    first = Attempt.objects.filter(case__run=run).first()
    assert first is not None
    Attempt.objects.filter(pk=first.pk).update(valid=False, invalid_reason="clock stepped")
    summaries_rebuild()
    assert compare_runs(runs=[run.pk]).left_out.results == {"clock stepped": 1}


def test_failed_cases_are_counted(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner))
    case = run.cases.order_by("pk")[0]
    case.measurements.all().delete()
    run.cases.filter(pk=case.pk).update(state=CaseState.FAILED)
    summaries_rebuild()
    assert compare_runs(runs=[run.pk]).left_out.cases == {"failed": 1}
    page = viewer_client.get(f"/compare/?run={run.pk}").content.decode()
    assert "1 case without a result: failed." in page


def test_two_results_of_one_case_are_no_two_repeats(owner: User) -> None:
    run = create_measured_run(Setup(owner))
    old = Measurement.objects.filter(case__run=run).order_by("pk")[0]
    attempt = Attempt.objects.create(case=old.case, number=2, state=AttemptState.SUCCEEDED)
    Measurement.objects.create(
        attempt=attempt,
        case=old.case,
        workload=old.workload,
        operation=old.operation,
        iops=1.0,
        parser_version=1,
    )
    summaries_rebuild()
    comparison = compare_runs(runs=[run.pk])
    assert comparison.used == 12
    entry = comparison.results[0].lines[0].entries[0]
    values = [*entry.a.tolist(), *entry.b.tolist()]
    assert 1.0 in values
    assert old.iops not in values
