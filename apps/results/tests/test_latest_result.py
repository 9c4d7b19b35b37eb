"""The list of disks says what each disk's latest test that counts measured."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.inventory.models import Disk
from apps.results.selectors.latest import latest_of
from apps.results.services.attempt_results import results_store
from apps.results.tests.factories import create_results
from apps.runs.models import Attempt, Run
from apps.runs.tests.factories import (
    create_attempt,
    create_case,
    create_disk,
    create_host,
    create_run,
)
from apps.tools import parse_result

pytestmark = pytest.mark.django_db


def measured(run: Run, disk: Disk, *, days: int, iops: float, invalid: str = "") -> Attempt:
    """A test of reads and writes, begun so many days ago."""
    first = run.cases.select_related("workload").order_by("sequence")[0]
    began = timezone.now() - timedelta(days=days)
    attempt = create_attempt(create_case(run, first.workload, disk), started_at=began)
    found = tuple(
        parse_result.Measurement(operation, bandwidth=iops * 4096, iops=iops)
        for operation in ("read", "write")
    )
    parsed = parse_result.Parsed("fio", "json", "3.33", found)
    results_store(attempt=attempt, parsed=parsed, parser_version=1, invalid_reason=invalid)
    return attempt


def disk_of(run: Run) -> Disk:
    return Disk.objects.get(target__run_targets__run=run)


def test_the_newest_result_that_counts_is_shown(viewer_client: Client, owner: User) -> None:
    run = create_run(owner=owner)
    disk = disk_of(run)
    measured(run, disk, days=1, iops=99_000, invalid="clock jumped")
    newest = measured(run, disk, days=2, iops=41_000)
    measured(run, disk, days=9, iops=12_000)
    assert disk.target_id is not None
    found = latest_of([disk.target_id])[disk.target_id]
    assert (found.case, [(row.operation, row.iops) for row in found.figures]) == (
        newest.case_id,
        [("read", 41_000), ("write", 41_000)],
    )
    page = viewer_client.get("/disks/").content.decode()
    assert f'href="/cases/{newest.case_id}/"' in page
    assert "41,000" in page
    assert "99,000" not in page
    assert "12,000" not in page


def test_each_disk_has_its_own(owner: User) -> None:
    runs = [create_run(owner=owner) for _each in range(2)]
    disks = [disk_of(run) for run in runs]
    # The first disk's older result began at the very moment of the other's newest one.
    older = measured(runs[0], disks[0], days=3, iops=1_000)
    newest = measured(runs[0], disks[0], days=1, iops=2_000)
    other = measured(runs[1], disks[1], days=3, iops=3_000)
    Attempt.objects.filter(pk__in=[older.pk, other.pk]).update(started_at=other.started_at)
    found = latest_of([disk.target_id for disk in disks if disk.target_id])
    assert [found[disk.target_id or 0].case for disk in disks] == [newest.case_id, other.case_id]


def test_a_disk_that_was_never_measured_says_so(viewer_client: Client, owner: User) -> None:
    disk = create_disk(host=create_host(), owner=owner)
    page = viewer_client.get("/disks/", {"host": disk.host.name}).content.decode()
    assert disk.identity in page
    assert f"?target={disk.pk}" not in page


def test_a_list_of_many_takes_two_queries(
    owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    runs = [create_run(owner=owner) for _each in range(3)]
    for run in runs:
        create_results(create_attempt(run.cases.order_by("sequence")[0]))
    targets = [disk_of(run).target_id or 0 for run in runs]
    with django_assert_num_queries(2):
        assert len(latest_of(targets)) == 3
