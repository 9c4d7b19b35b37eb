"""The history of what cases took: bounded, read in one query, used by every preview."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.models import Host
from apps.plans.domain.durations import DurationKey
from apps.plans.models import CaseTime, Workload
from apps.plans.selectors.durations import duration_model
from apps.plans.selectors.plans import plan_preview
from apps.plans.services.durations import MAX_ROWS, case_time_record
from apps.runs.tests.factories import create_disk, create_host, create_plan

Api = Callable[[User | None], APIClient]


@pytest.fixture
def host(db: None) -> Host:
    return create_host()


@pytest.fixture
def workload(db: None) -> Workload:
    return Workload.objects.create(key="k", tool="fio", params={}, label="a test")


def record(host: Host, workload: Workload, taken: float, planned: float = 1.0) -> None:
    case_time_record(
        host_id=host.pk, workload=workload, tuning="Host defaults", planned=planned, taken=taken
    )


def test_durations_of_host_and_tool_are_limited_to_newest(host: Host, workload: Workload) -> None:
    other = create_host()
    record(other, workload, 1.0)
    for taken in range(MAX_ROWS + 5):
        record(host, workload, float(taken))
    kept = CaseTime.objects.filter(host=host).order_by("id")
    assert kept.count() == MAX_ROWS
    assert kept[0].taken == 5.0
    assert CaseTime.objects.filter(host=other).count() == 1


def test_it_is_read_in_one_query(
    host: Host, workload: Workload, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(3):
        record(host, workload, 9.0)
    with django_assert_num_queries(1):
        durations = duration_model({host.pk}, {"fio", "dd"})
    assert durations.seconds(DurationKey(host.pk, "fio", "k", "Host defaults"), 1.0) == 9.0
    with django_assert_num_queries(0):
        duration_model(set(), {"fio"})


def test_preview_and_api_expect_what_earlier_cases_took(
    owner: User, host: Host, workload: Workload, api: Api
) -> None:
    plan = create_plan(owner=owner, target=create_disk(host=host, owner=owner), repeats=3)
    (before, *_) = plan_preview(plan).cases
    record(host, workload, taken=13.0)
    preview = plan_preview(plan)
    assert before.seconds == 1 + 2.0
    assert preview.cases[0].seconds == 1 + 12.0
    assert preview.seconds == pytest.approx(39.0)
    answer = api(owner).get(f"/api/v1/plans/{plan.pk}/preview/").json()
    assert answer["seconds"] == pytest.approx(39.0)
