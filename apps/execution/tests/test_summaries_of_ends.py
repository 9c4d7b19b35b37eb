"""The table of figures after services that end a run or leave cases out of it."""

from __future__ import annotations

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.execution.domain.lease import RunLease
from apps.execution.services.run_end import run_close, run_go_on
from apps.results.models import ResultSummary
from apps.results.services.summary_table import summaries_difference
from apps.results.tests.factories import create_results
from apps.runs.models import Attempt, AttemptState, Case, Run
from apps.runs.services.abandonment import run_abandon
from apps.runs.services.leases import run_try_start
from apps.runs.services.runs import run_cancel
from apps.runs.services.stopping_rules import RuleOutcome, Stop
from apps.runs.tests.factories import create_attempt, create_run

OUT = ResultSummary.ExclusionReason


@pytest.fixture
def run(owner: User) -> Run:
    return create_run(owner=owner, repeats=3)


@pytest.fixture
def busy(run: Run) -> RunLease:
    """Of a running run: one case is measured, one runs once more after a failure, one waits."""
    fence = run_try_start(run_id=run.pk, worker="w")
    assert fence is not None
    first, second, _third = run.cases.order_by("sequence")
    create_results(create_attempt(first))
    create_results(create_attempt(second, state=AttemptState.FAILED))
    create_attempt(second, state=AttemptState.RUNNING, ended_at=None, host_files_removed_at=None)
    return RunLease(run.pk, fence)


def left_out() -> list[str]:
    assert not summaries_difference()
    return list(
        ResultSummary.objects.order_by("case__sequence").values_list("exclusion_reason", flat=True)
    )


def test_figures_after_a_cancel_are_of_the_measured_cases(
    run: Run, busy: RunLease, owner: User
) -> None:
    run_cancel(run=run, user=owner)
    assert left_out() == ["", OUT.CASE]
    run_close(busy)
    assert left_out() == ["", OUT.CASE]


def test_figures_after_giving_up_a_lost_attempt_are_of_the_measured_cases(
    run: Run, busy: RunLease, admin: User
) -> None:
    lost = Attempt.objects.filter(case__run=run, state=AttemptState.RUNNING)
    lost.update(contact_lost_since=timezone.now())
    run_abandon(run=run, user=admin, reason="away")
    assert left_out() == ["", OUT.CASE]


def test_figures_of_rounds_before_the_steady_state_do_not_count(lease: RunLease) -> None:
    case = Case.objects.get(run=lease.run_id)
    create_results(create_attempt(case))
    assert left_out() == [""]
    enough = Stop("steady", settling=[case.block])
    assert not run_go_on(lease, RuleOutcome(1, None, [("steady", enough)]))
    assert left_out() == [OUT.PRECONDITION]
