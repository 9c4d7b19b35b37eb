"""Lists say of each run the comparison's sentence, or medians of its one tuning."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.report.run_verdict import verdict_of
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.analysis.verdicts.headlines import headlines
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Run

pytestmark = pytest.mark.django_db


def texts(client: Client, run: Run) -> str:
    return " ".join(client.get(f"/runs/{run.pk}/headline/").content.decode().split())


def test_two_tunings_say_which_is_better(
    owner: User, viewer: User, stranger: User, page_client: Callable[[User], Client]
) -> None:
    run = create_measured_run(Setup(owner, gains={"Scheduler none": 1.1}))
    (line,) = headlines(compare_runs(runs=[run.pk]))
    for user in (owner, viewer, stranger):
        assert line.text in texts(page_client(user), run)
        assert f'href="/compare/?run={run.pk}"' in texts(page_client(user), run)


def test_one_tuning_says_what_was_measured(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner, tunings=("Host defaults",), repeats=3))
    for number, row in enumerate(Measurement.objects.filter(case__run=run).order_by("pk")):
        Measurement.objects.filter(pk=row.pk).update(iops=1000.0 * 10**number, bandwidth=None)
    summaries_rebuild()
    text = texts(viewer_client, run)
    assert ">random read 4 KiB, QD 32, in 1 GiB: 10,000 IOPS (median of 3)<" in text


def test_a_run_without_results(owner: User, viewer_client: Client) -> None:
    assert "No comparable results." in texts(
        viewer_client, Run.objects.create(name="empty", owner=owner)
    )


def test_no_such_run(viewer_client: Client) -> None:
    assert viewer_client.get("/runs/77/headline/").status_code == 404


def test_verdict_of_one_tuning_counts_the_results_that_it_omits(owner: User) -> None:
    points = [PARAMS | {"iodepth": depth} for depth in (1, 2, 4, 8, 16)]
    run = create_measured_run(Setup(owner, tunings=("Host defaults",), repeats=3, points=points))
    *medians, others = verdict_of(run).lines
    assert len(medians) == 2
    assert others.startswith("3 more results")
