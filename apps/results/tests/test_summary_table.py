"""The table of figures is as the measurements say, whoever wrote last and whatever they wrote."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import User
from apps.results.models import ResultSummary
from apps.results.services.attempt_results import results_store
from apps.results.services.summary_table import summaries_difference
from apps.results.tests.factories import create_results
from apps.runs.models import (
    AttemptState,
    CaseState,
    FailureCause,
    Run,
    RunState,
    RunTuning,
)
from apps.runs.services.runs import run_retry
from apps.runs.tests.factories import create_attempt, create_disk, create_host, create_run, end_run
from apps.tools import parse_result
from apps.tools.metrics import COLUMNS
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting

OUT = ResultSummary.ExclusionReason


def parsed(*operations: str, iops: float = 1.0, component: str = "") -> parse_result.Parsed:
    found = tuple(
        parse_result.Measurement(o, bandwidth=None, iops=iops, component=component)
        for o in operations
    )
    return parse_result.Parsed("fio", "json", "3.33", found)


def figures() -> list[tuple[str, str]]:
    """(operation, why it does not count) of every row, after the table was held against the
    measurements.
    """
    assert not summaries_difference(), str(summaries_difference())
    rows = list(ResultSummary.objects.order_by("pk"))
    assert all(row.is_comparable == (not row.exclusion_reason) for row in rows)
    return [(row.operation, row.exclusion_reason) for row in rows]


@pytest.fixture
def run(owner: User) -> Run:
    return create_run(owner=owner, target=create_disk(host=create_host(), owner=owner))


def test_a_row_says_what_its_measurement_is_about(run: Run) -> None:
    attempt = create_results(create_attempt(run.cases.get()))
    case, row = attempt.case, ResultSummary.objects.get()
    measured = attempt.measurements.get()
    assert (row.measurement, row.run, row.case) == (measured, run, case)
    assert (row.workload, row.run_target) == (case.workload, case.run_target)
    assert (row.target, row.host) == (case.run_target.target, case.host)
    assert (row.run_tuning, row.tuning) == (case.run_tuning, None)
    assert (row.block, row.repeat, row.operation) == (case.block, case.repeat, "read")
    assert (row.measured_at, row.has_measured_time, row.imported) == (
        attempt.started_at,
        True,
        False,
    )
    assert (row.tool_version, row.parser_version) == ("fio-3.33", 1)
    assert row.is_comparable
    assert [getattr(row, key) for key in COLUMNS] == [getattr(measured, key) for key in COLUMNS]
    assert (row.iops, row.latency_p999, row.latency_p95) == (32_768.0, 400_000.0, None)


def test_settings_hash_depends_on_settings_only(owner: User) -> None:
    def tuned(name: str, **settings: str | int) -> RunTuning:
        rows = tuple(Setting("queue", each, value) for each, value in settings.items())
        tuning = TuningProfile.objects.create(name=name, settings=rows, owner=owner)
        target = create_disk(host=create_host(), owner=owner)
        made = create_run(owner=owner, target=target, tunings=(tuning,))
        create_results(create_attempt(made.cases.get()))
        return made.tunings.get()

    def settings_hash(of: RunTuning) -> int | None:
        return of.summaries.get().settings_hash

    one = tuned("fast", scheduler="none", nr_requests=64)
    same = tuned("quick", nr_requests=64, scheduler="none")
    other = tuned("slow", scheduler="bfq", nr_requests=64)
    assert settings_hash(one) == settings_hash(same) != settings_hash(other)
    assert None not in (settings_hash(one), settings_hash(other))
    assert not summaries_difference()


def test_a_retry_and_what_was_there_before_it(run: Run, owner: User) -> None:
    case = run.cases.get()
    first = create_attempt(case, state=AttemptState.FAILED, failure_cause=FailureCause.TOOL)
    results_store(attempt=first, parsed=parsed("read"), parser_version=1)
    assert figures() == [("read", OUT.CASE)]
    run_retry(run=end_run(run, RunState.FAILED), user=owner)
    assert figures() == [("read", OUT.CASE)]
    second = create_attempt(case)
    results_store(attempt=second, parsed=parsed("read", "write"), parser_version=1)
    assert figures() == [("read", OUT.ATTEMPT), ("read", ""), ("write", "")]
    # Two that succeeded: the later one counts, of what it measured.
    third = create_attempt(case)
    results_store(attempt=third, parsed=parsed("write"), parser_version=1)
    assert figures() == [
        ("read", OUT.ATTEMPT), ("read", ""), ("write", OUT.REPLACED), ("write", ""),
    ]  # fmt: skip
    results_store(attempt=third, parsed=parsed(), parser_version=1)
    assert figures() == [("read", OUT.ATTEMPT), ("read", ""), ("write", "")]


@pytest.mark.parametrize("state", [CaseState.CANCELLED, CaseState.LOST, CaseState.UNCONFIRMED])
def test_cases_that_ended_otherwise(run: Run, state: CaseState) -> None:
    attempt = create_attempt(run.cases.get(), state=AttemptState(state.value))
    results_store(attempt=attempt, parsed=parsed("read"), parser_version=1)
    assert figures() == [("read", OUT.CASE)]


def test_shares_have_no_row(run: Run) -> None:
    attempt = create_attempt(run.cases.get())
    results_store(attempt=attempt, parsed=parsed("read", component="node1"), parser_version=1)
    assert figures() == []


def test_deleted_with_their_run(run: Run, owner: User) -> None:
    create_results(create_attempt(run.cases.get()))
    create_results(create_attempt(create_run(owner=owner).cases.get()))
    Run.objects.filter(pk=run.pk).get().delete()
    assert figures() == [("read", "")]


def test_a_deleted_tuning_leaves_its_figures_without_one(owner: User) -> None:
    tuning = TuningProfile.objects.create(name="fast", owner=owner)
    target = create_disk(host=create_host(), owner=owner)
    made = create_run(owner=owner, target=target, tunings=(tuning,))
    create_results(create_attempt(made.cases.get()))
    assert made.summaries.get().tuning == tuning
    tuning.delete()
    assert figures() == [("read", "")]
    assert made.summaries.get().tuning is None


def test_the_command_says_what_differs_and_mends_it(run: Run, owner: User) -> None:
    create_results(create_attempt(run.cases.get()))
    create_results(create_attempt(create_run(owner=owner).cases.get()))
    call_command("rebuild_summaries", "--check", stdout=StringIO())
    first, second = ResultSummary.objects.order_by("pk")
    ResultSummary.objects.filter(pk=first.pk).update(iops=5.0, is_comparable=False)
    second.delete()
    with pytest.raises(CommandError, match="2 cases"):
        call_command("rebuild_summaries", "--check")
    output = StringIO()
    call_command("rebuild_summaries", stdout=output)
    assert "2 cases" in output.getvalue()
    assert figures() == [("read", "")] * 2
    assert ResultSummary.objects.filter(iops=32_768.0).count() == 2


def test_what_the_command_mends_is_a_change_of_an_ended_run(run: Run) -> None:
    create_results(create_attempt(run.cases.get()))
    end_run(run)

    def version() -> int:
        return Run.objects.get(pk=run.pk).results_version

    before = version()
    call_command("rebuild_summaries", stdout=StringIO())
    assert version() == before
    ResultSummary.objects.update(iops=5.0)
    call_command("rebuild_summaries", stdout=StringIO())
    assert version() > before
