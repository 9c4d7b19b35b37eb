"""The progress of a run, and a remaining time that does not flatter."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.plans.tests.factories import add_target
from apps.runs.models import Attempt, AttemptState, Case, Run, RunState
from apps.runs.presenters.bars import progress_bar
from apps.runs.selectors.progress import done_counts, run_progress
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import (
    create_attempt,
    create_disk,
    create_host,
    create_plan,
    create_run,
    end_run,
    tuning_of,
)


def running(run: Run, expected: float = 10.0) -> Run:
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING, started_at=timezone.now())
    run.cases.update(expected_seconds=expected)
    return Run.objects.get(pk=run.pk)


def took(case: Case, seconds: float) -> None:
    attempt = create_attempt(case)
    Attempt.objects.filter(pk=attempt.pk).update(
        created_at=timezone.now() - timedelta(seconds=seconds), host_files_removed_at=timezone.now()
    )


def test_a_run_that_waits_promises_nothing(owner: User) -> None:
    progress = run_progress(create_run(owner=owner))
    assert progress.remaining is None
    assert (progress.elapsed, progress.percent) == (0.0, 0.0)


def test_before_any_case_is_done_the_plan_is_all_there_is(owner: User) -> None:
    progress = run_progress(running(create_run(owner=owner, repeats=4)))
    assert progress.remaining == pytest.approx(40.0, abs=1)
    assert not progress.measured


def test_progress_with_finished_cases_uses_their_durations(owner: User) -> None:
    run = running(create_run(owner=owner, repeats=4))
    for case in run.cases.order_by("sequence")[:2]:
        took(case, 30.0)
    progress = run_progress(run)
    assert progress.measured
    assert progress.remaining == pytest.approx(60.0, abs=1)
    assert progress.percent == 50.0


def test_time_already_spent_on_a_case_is_not_counted_twice(owner: User) -> None:
    run = running(create_run(owner=owner, repeats=2))
    case = run.cases.order_by("sequence")[0]
    attempt = create_attempt(
        case, state=AttemptState.RUNNING, ended_at=None, host_files_removed_at=None
    )
    Attempt.objects.filter(pk=attempt.pk).update(created_at=timezone.now() - timedelta(seconds=4))
    assert run_progress(run).remaining == pytest.approx(16.0, abs=1)
    Attempt.objects.filter(pk=attempt.pk).update(created_at=timezone.now() - timedelta(hours=1))
    assert run_progress(run).remaining == pytest.approx(10.0, abs=1), "overdue is not negative"


def test_hosts_work_side_by_side(owner: User) -> None:
    plan = create_plan(owner=owner, target=create_disk(host=create_host(), owner=owner), repeats=3)
    add_target(plan, create_disk(host=create_host(), owner=owner))
    run = running(run_launch(plan=plan, user=owner))
    assert run.cases.count() == 6
    assert run_progress(run).remaining == pytest.approx(30.0, abs=1)


def test_a_host_with_a_wrong_clock_changes_nothing(owner: User) -> None:
    run = running(create_run(owner=owner, repeats=2))
    case = run.cases.order_by("sequence")[0]
    took(case, 20.0)
    far = timezone.now() + timedelta(days=400)
    case.attempts.update(ended_at=far)
    assert run_progress(run).remaining == pytest.approx(20.0, abs=1)


def test_what_settings_cost_is_learned_tuning_by_tuning(owner: User) -> None:
    run = running(create_run(owner=owner, repeats=4))
    first, second, third, _last = run.cases.order_by("sequence")
    run.cases.filter(pk__in=[second.pk, third.pk]).update(
        run_tuning=tuning_of(run, "23 options of Ceph")
    )
    took(first, 12.0)
    took(Case.objects.get(pk=second.pk), 90.0)
    assert run_progress(run).remaining == pytest.approx(90.0 + 12.0, abs=1)


def test_a_short_case_does_not_scale_a_long_one(owner: User) -> None:
    """The time around a test is as long for a test of a minute as for one of a second."""
    run = running(create_run(owner=owner, repeats=2), expected=3.0)
    first, second = run.cases.order_by("sequence")
    took(first, 15.0)
    run.cases.filter(pk=second.pk).update(expected_seconds=303.0)
    assert run_progress(run).remaining == pytest.approx(315.0, abs=1)


def test_progress_of_slow_case_shows_delay(owner: User) -> None:
    run = running(create_run(owner=owner), expected=10.0)
    attempt = create_attempt(
        run.cases.get(), state=AttemptState.RUNNING, ended_at=None, host_files_removed_at=None
    )
    Attempt.objects.filter(pk=attempt.pk).update(created_at=timezone.now() - timedelta(seconds=70))
    progress = run_progress(run)
    assert (progress.remaining, progress.is_closing) == (0.0, True)
    assert progress.late == pytest.approx(60.0, abs=2)


def test_what_was_never_tried_is_not_done(owner: User) -> None:
    run = create_run(owner=owner, repeats=4)
    first, second, third, _last = run.cases.order_by("sequence")
    create_attempt(first)
    create_attempt(second, state=AttemptState.FAILED)
    create_attempt(third, state=AttemptState.LOST)
    progress = run_progress(end_run(run, RunState.CANCELLED, "cancelled by owner"))
    assert (progress.done, progress.cancelled, progress.open) == (3, 1, 0)
    assert (progress.succeeded, progress.failed, progress.lost) == (1, 1, 1)
    bar = progress_bar(progress)
    assert [(part.name, part.percent) for part in bar.segments] == [
        *(("measured", 25.0), ("failed", 25.0), ("lost", 25.0), ("cancelled", 25.0)),
    ]
    assert bar.words == "1 measured, 1 failed, 1 lost, 1 cancelled"
    assert bar.percent == 75.0


def test_an_ended_run_has_nothing_left(owner: User) -> None:
    run = create_run(owner=owner)
    create_attempt(run.cases.get(), state=AttemptState.FAILED, reason="broken")
    progress = run_progress(end_run(run, RunState.FAILED))
    assert (progress.remaining, progress.done, progress.failed) == (0.0, 1, 1)


def test_a_list_counts_only_what_goes_on(owner: User) -> None:
    going, ended = running(create_run(owner=owner, repeats=2)), end_run(create_run(owner=owner))
    took(going.cases.order_by("sequence")[0], 1.0)
    assert done_counts([going, ended]) == {going.pk: 1}
    assert done_counts([ended]) == {}
