"""The page: who sees it, what it says when it has nothing, how many queries it takes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.tests.compare.bulk import multiply_results
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.plans.models import TestPlan
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild

QUERIES = 14
"""Session, user, stamps before and after, runs, results with what they are about, workloads, facts,
what was left out (two), and the form's plans and runs (two); with room for the session's own."""


def text_of(client: Client, query: str = "") -> str:
    answer = client.get(f"/compare/{query}")
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_everybody_logged_in_sees_the_answer(
    owner: User, viewer: User, stranger: User, page_client: Callable[[User], Client]
) -> None:
    run = create_measured_run(Setup(owner, gains={"Scheduler none": 1.1}))
    for user in (owner, viewer, stranger):
        texts = text_of(page_client(user), f"?run={run.pk}")
        assert 'data-state="better"' in texts
        assert "MiB/s" in texts
        assert "MB/s" in texts
    assert Client().get("/compare/").status_code == 302


def test_nothing_chosen_and_nothing_there(viewer_client: Client) -> None:
    assert "There are no runs yet" in text_of(viewer_client)
    assert "There are no such runs" in text_of(viewer_client, "?run=77")


def test_runs_to_choose_from(owner: User, viewer_client: Client) -> None:
    plan = TestPlan.objects.create(name="Schedulers of March", owner=owner)
    run = create_measured_run(Setup(owner, plan=plan))
    texts = text_of(viewer_client)
    assert "Choose what to compare" in texts
    assert "Schedulers of March" in texts
    assert str(run) in texts


def test_what_to_do_first(owner: User, viewer_client: Client) -> None:
    one = create_measured_run(Setup(owner, tunings=("Host defaults",)))
    assert "Only “Host defaults” was measured" in text_of(viewer_client, f"?run={one.pk}")
    other = create_measured_run(
        Setup(owner, tunings=("Scheduler none",), points=[PARAMS | {"iodepth": 1}])
    )
    query = f"?run={one.pk}&run={other.pk}"
    assert "No workload is shared" in text_of(viewer_client, query)
    Measurement.objects.update(valid=False)
    summaries_rebuild()
    assert "Nothing was measured yet" in text_of(viewer_client, query)


def test_three_repeats_say_how_many_are_needed(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner, repeats=3))
    texts = text_of(viewer_client, f"?run={run.pk}")
    assert 'data-state="too_few_repeats"' in texts
    assert "3 against 3 can never show a difference" in texts


def test_names_are_shown_as_text(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner, tunings=("Host defaults", "<script>x</script>")))
    texts = text_of(viewer_client, f"?run={run.pk}")
    assert "<script>x" not in texts
    assert "&lt;script&gt;x" in texts


def test_queries_do_not_grow_with_the_results(
    owner: User,
    viewer_client: Client,
    django_assert_max_num_queries: Callable[[int], object],
) -> None:
    points = [PARAMS | {"iodepth": depth} for depth in range(1, 31)]
    run = create_measured_run(Setup(owner, points=points))
    with django_assert_max_num_queries(QUERIES):  # type: ignore[attr-defined] # a context manager
        texts = text_of(viewer_client, f"?run={run.pk}")
    assert "Page 1 of 2, 30 workloads" in texts
    assert texts.count("data-details=") == 25
    assert 'class="card workload"' not in texts
    assert text_of(viewer_client, f"?run={run.pk}&page=2").count("data-details=") == 5


def test_ten_thousand_results(owner: User, viewer_client: Client) -> None:
    points = [PARAMS | {"iodepth": depth} for depth in range(1, 43)]
    run = create_measured_run(Setup(owner, points=points))
    multiply_results(19)
    assert Measurement.objects.count() == 10_080
    texts = text_of(viewer_client, f"?run={run.pk}")
    assert "Page 1 of 34, 840 workloads" in texts
    assert "Measure 9 of each" in texts


@pytest.mark.parametrize("page", ["0", "-1", "x", "999999", "%C2%B2"])
def test_pages_that_are_not_there_show_the_nearest(
    owner: User, viewer_client: Client, page: str
) -> None:
    run = create_measured_run(Setup(owner))
    assert "Data and method" in text_of(viewer_client, f"?run={run.pk}&page={page}")


def test_it_only_reads(owner_client: Client) -> None:
    for address in ("/compare/", "/compare/figure/bars/", "/compare/distribution/"):
        assert owner_client.post(address).status_code == 405
