"""Rounds on a run's page, and the rule that asks for them."""

from __future__ import annotations

import json

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.steady_state.report import report_tables
from apps.analysis.steady_state.rule import SteadyStateStoppingRule
from apps.analysis.steady_state.selectors import tracks_of
from apps.plans.schemas.steady_state import SteadyStateRule
from apps.results.selectors.steady_state import together
from apps.results.services.attempt_results import results_store
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Case, Purpose, Run, RunState
from apps.runs.services.stopping_rules import Extend, Stop, decision_store, next_decision
from apps.runs.tests.factories import create_attempt, create_many_cases, create_run
from apps.tools.parse_result import Measurement, Parsed

pytestmark = pytest.mark.django_db
STEADY = [100.0, 101.0, 99.0, 100.0, 102.0]


def run_of(owner: User, values: list[float], *, most: int = 7) -> Run:
    """A run of which these rounds were measured."""
    run = create_run(owner=owner, repeats=1)
    run.spec = msgspec.structs.replace(run.spec, steady_state=SteadyStateRule(max_rounds=most))
    run.save()
    first = run.cases.get()
    Case.objects.filter(pk=first.pk).update(block=1)
    create_many_cases(run, len(values))
    for case, value in zip(run.cases.order_by("sequence"), values, strict=True):
        Case.objects.filter(pk=case.pk).update(block=case.sequence + 1)
        case.refresh_from_db()
        found = Measurement("read", bandwidth=None, iops=value)
        parsed = Parsed("fio", "json+", "3.33", (found,))
        results_store(
            attempt=create_attempt(case), parsed=parsed, parser_version=1, invalid_reason=""
        )
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING)
    return Run.objects.get(pk=run.pk)


def test_it_asks_for_more_until_it_is_steady(owner: User) -> None:
    rule = SteadyStateStoppingRule()
    assert isinstance(rule.decide(run_of(owner, [300.0, 100.0])), Extend)
    answer = rule.decide(run_of(owner, [300.0, *STEADY]))
    assert isinstance(answer, Stop)
    assert str(answer.reason) == "steady after round 6"
    assert list(answer.settling) == [1]


def test_it_ends_where_it_is_not_steady(owner: User) -> None:
    falling = [700.0, 600.0, 500.0, 400.0, 300.0, 200.0, 100.0]
    answer = SteadyStateStoppingRule().decide(run_of(owner, falling))
    assert isinstance(answer, Stop)
    assert str(answer.reason) == "not steady in 7 rounds"
    assert list(answer.settling) == [1, 2]


def test_rounds_before_the_window_are_not_compared(owner: User) -> None:
    run = run_of(owner, [300.0, *STEADY])
    decision_store(run, next_decision(run.pk))
    summaries_rebuild()
    assert list(run.cases.order_by("block").values_list("purpose", flat=True)) == [
        Purpose.TRANSITION, *[Purpose.MEASURE] * 5
    ]  # fmt: skip
    counting = run.cases.filter(summaries__is_comparable=True).order_by("block")
    assert list(counting.values_list("block", flat=True)) == [2, 3, 4, 5, 6]
    assert not SteadyStateStoppingRule().applies(run), "it was answered"
    assert [track.last for track in tracks_of(run)] == [6]


def test_the_page_says_it_and_draws_it(client: Client, owner: User) -> None:
    run = run_of(owner, [300.0, *STEADY])
    client.force_login(owner)
    page = client.get(reverse("run_steady_state", args=[run.pk])).content.decode()
    assert "steady after round 6" in page
    assert "round 2 to 6" in page
    figure = json.loads(page.partition('type="application/json">')[2].partition("</script>")[0])
    assert figure["data"][0]["y"] == [300.0, *STEADY]
    assert figure["data"][1]["x"] == [2, 6, 6, 2, 2]
    assert [trace["name"] for trace in figure["data"][2:]] == [
        "average of the window", "best linear fit"
    ]  # fmt: skip


def test_several_operations_are_one_figure() -> None:
    rows = [(100.0, 10.0, 2.0), (300.0, 30.0, 4.0)]
    assert together("iops", rows) == 400
    assert together("latency_mean", rows) == pytest.approx(3.5)
    assert together("iops", [(None, 1.0, 1.0), (1.0, 1.0, 1.0)]) is None
    assert together("latency_max", [(1.0, 1.0, 1.0, 7.0), (1.0, 1.0, 1.0, 9.0)]) == 9


def test_the_report_has_block_sizes_down_and_mixes_across(owner: User) -> None:
    run = run_of(owner, [300.0, *STEADY])
    run.cases.update(step_name="0/100")
    decision_store(run, next_decision(run.pk))
    (table,) = report_tables(run, "iops")
    assert table.columns == ["0/100"]
    assert table.rows == [("4 KiB", ["100.4"])], "the average of the five rounds of the window"


def test_a_test_of_latency_reports_the_largest_one_too(client: Client, owner: User) -> None:
    run = run_of(owner, [300.0, *STEADY])
    decision_store(run, next_decision(run.pk))
    window = run.cases.filter(purpose=Purpose.MEASURE).order_by("block")
    for number, case in enumerate(window, start=1):
        means = {"latency_mean": number * 1e6, "latency_max": 5e8 if number == 2 else 1e7}
        case.measurements.update(**means)
    summaries_rebuild()
    average, largest = report_tables(run, "latency_mean")
    assert (average.unit, average.rows) == ("ms", [("4 KiB", ["3"])])
    assert (largest.unit, largest.rows) == ("ms", [("4 KiB", ["500"])])
    rounds = SteadyStateRule(max_rounds=7, metric="latency_mean")
    run.spec = msgspec.structs.replace(run.spec, steady_state=rounds)
    run.state = RunState.SUCCEEDED
    run.save(update_fields=["spec", "state"])
    client.force_login(owner)
    page = client.get(reverse("run_steady_state", args=[run.pk])).content.decode()
    assert "Largest latency in ms in the window" in page
