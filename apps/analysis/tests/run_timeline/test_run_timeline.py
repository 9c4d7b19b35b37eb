"""The course of a run: dots against the median of their test, and a box for what runs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.run_timeline.figures import timeline_chart
from apps.analysis.run_timeline.selectors import RunTimeline, run_timeline
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.results.models import ResultSummary
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, AttemptState, CaseState, Run, RunState
from apps.runs.tests.factories import create_run

pytestmark = pytest.mark.django_db
WORDS = {"time": "Time", "change": "Change", "now": "runs now"}
LARGE = PARAMS | {"bs": 4 * 1024**2}


@pytest.fixture
def run(owner: User) -> Run:
    """Three repeats of two tests under two tunings: the second has a third more IOPS."""
    gains = {"Scheduler none": 4 / 3}
    return create_measured_run(
        Setup(owner, repeats=3, noise=0, gains=gains, points=[PARAMS, LARGE])
    )


def course(run: Run) -> RunTimeline:
    last = ResultSummary.objects.filter(run=run).latest("measured_at")
    return run_timeline(run, last.measured_at + timedelta(seconds=30))


def test_each_result_stands_against_the_median_of_its_test(run: Run) -> None:
    dots = course(run).dots
    assert len(dots) == 12
    assert [dot.seconds for dot in dots] == sorted(dot.seconds for dot in dots)
    # 1 and 4/3 in equal number: their median is 7/6.
    ratios = {dot.tuning: round(dot.ratio, 6) for dot in dots}
    assert ratios == {"Host defaults": round(6 / 7, 6), "Scheduler none": round(8 / 7, 6)}


def test_small_blocks_by_iops_and_large_ones_by_bandwidth(run: Run) -> None:
    texts = [dot.label for dot in course(run).dots]
    assert sum("IOPS" in text for text in texts) == 6
    assert sum("MiB/s" in text for text in texts) == 6


def test_what_runs_now_is_a_box(run: Run) -> None:
    attempt = Attempt.objects.filter(case__run=run).latest("started_at")
    Attempt.objects.filter(pk=attempt.pk).update(state=AttemptState.RUNNING, ended_at=None)
    attempt.case.state = CaseState.RUNNING
    attempt.case.save(update_fields=["state"])
    summaries_rebuild()
    (box,) = course(run).boxes
    assert box.tuning == attempt.case.tuning_name
    assert box.end - box.start == pytest.approx(30)
    chart = timeline_chart(course(run), WORDS)
    assert [shape["type"] for shape in chart["layout"]["shapes"]] == ["line", "rect"]
    assert chart["layout"]["annotations"][0]["text"] == "runs now"


def test_a_colour_for_each_tuning_in_the_usual_order(run: Run) -> None:
    chart = timeline_chart(course(run), WORDS)
    assert [trace["name"] for trace in chart["data"]] == ["Host defaults", "Scheduler none"]
    assert [len(trace["x"]) for trace in chart["data"]] == [6, 6]
    assert (chart["shown"], chart["total"]) == (12, 12)


def test_a_run_without_results_asks_again(owner: User, viewer_client: Client) -> None:
    run = create_run(owner=owner)
    page = viewer_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    address = reverse("run_timeline", args=[run.pk])
    assert f'hx-get="{address}"' in page
    again = viewer_client.get(address).content.decode()
    assert "delay:10s" in again
    assert "data-figure-url" not in again
    empty = viewer_client.get(reverse("run_timeline_figure", args=[run.pk])).json()
    assert empty["data"] == []


def test_the_chart_renews_itself_while_the_run_goes_on(run: Run, viewer_client: Client) -> None:
    address = reverse("run_timeline", args=[run.pk])
    assert "data-reload-seconds" not in viewer_client.get(address).content.decode()
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING)
    assert 'data-reload-seconds="10"' in viewer_client.get(address).content.decode()


def test_it_is_read_in_few_queries(run: Run, django_assert_max_num_queries: Any) -> None:
    now = ResultSummary.objects.filter(run=run).latest("measured_at").measured_at
    with django_assert_max_num_queries(5):
        run_timeline(run, now)
