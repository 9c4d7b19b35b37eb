"""A run of one tuning that sweeps a parameter is compared by that parameter."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.runs.models import Run

pytestmark = pytest.mark.django_db
DEPTHS = [PARAMS | {"iodepth": depth} for depth in (1, 4, 16)]


def swept(owner: User, points: list[dict[str, object]], **more: object) -> Run:
    return create_measured_run(
        Setup(owner, tunings=("Host defaults",), points=points, **more)  # type: ignore[arg-type] # fields of Setup
    )


def test_the_page_opens_on_the_swept_parameter(owner: User, viewer_client: Client) -> None:
    run = swept(owner, DEPTHS)
    answer = viewer_client.get(f"/compare/?run={run.pk}&chart=iops")
    assert answer["Location"] == f"/compare/?run={run.pk}&factor=param%3Aiodepth&chart=iops"
    html = viewer_client.get(answer["Location"]).content.decode()
    assert "Queue depth 1" in html
    assert "Queue depth 16" in html
    assert 'value="param:iodepth" selected>Queue depth</option>' in html


def test_who_asks_for_tunings_gets_them_and_the_proposal(
    owner: User, viewer_client: Client
) -> None:
    run = swept(owner, DEPTHS)
    answer = viewer_client.get(f"/compare/?run={run.pk}&factor=tuning")
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "Only “Host defaults” was measured" in html
    assert f"?run={run.pk}&amp;factor=param%3Aiodepth" in html


def test_parameter_with_the_largest_number_of_values_is_first(owner: User) -> None:
    points = [point | {"numjobs": jobs} for point in DEPTHS for jobs in (1, 2)]
    comparison = compare_runs(runs=[swept(owner, points).pk])
    assert comparison.proposed == {"iodepth": True, "numjobs": True}
    assert comparison.sweep == "iodepth"


def test_a_mode_is_offered_but_not_chosen_unasked(owner: User, viewer_client: Client) -> None:
    run = swept(owner, [PARAMS, PARAMS | {"rw": "randwrite"}])
    assert compare_runs(runs=[run.pk]).proposed == {"rw": False}
    assert viewer_client.get(f"/compare/?run={run.pk}").status_code == 200


def test_workloads_that_differ_in_more_are_no_sweep(owner: User) -> None:
    run = swept(owner, [PARAMS, PARAMS | {"rw": "write", "bs": 4 * 1024**2}])
    assert compare_runs(runs=[run.pk]).proposed == {}


def test_two_tunings_propose_nothing(owner: User) -> None:
    run = create_measured_run(Setup(owner, points=DEPTHS))
    assert compare_runs(runs=[run.pk]).proposed == {}
