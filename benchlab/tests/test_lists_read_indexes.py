"""What a list shows of one host, disk or tuning is found by indexes: no table that grows with the
archive is read from its beginning to its end.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.results.filters import MeasurementFilter
from apps.results.selectors import measurements_visible
from apps.runs.filters import CaseFilter, RunFilter
from apps.runs.models import Case
from apps.runs.selectors import cases_visible, runs_visible
from benchlab.tests.filled import CASES, HOSTS, RUNS, Archive, fill, plan_of

LARGE = {"runs_case", "runs_attempt", "results_measurement"}


@pytest.fixture
def archive(owner: User) -> Archive:
    return fill(owner)


def lists(archive: Archive) -> dict[str, QuerySet[Any]]:
    """The first page of each list that is narrowed to one host or disk."""
    host = {"host": str(archive.hosts[3].pk)}
    disk = {"disk": str(archive.disks[3].pk)}
    found = {
        "runs of a host": RunFilter(host, queryset=runs_visible()).qs,
        "cases of a host": CaseFilter(host, queryset=cases_visible()).qs,
        "cases of a disk": CaseFilter(disk, queryset=cases_visible()).qs,
        "figures of a host": MeasurementFilter(host, queryset=measurements_visible()).qs,
        "figures of a disk": MeasurementFilter(disk, queryset=measurements_visible()).qs,
    }
    return {name: query.order_by("-pk") for name, query in found.items()}


def test_every_result_of_a_host_or_disk_is_found_by_indexes(archive: Archive) -> None:
    for name, query in lists(archive).items():
        each = 1 if name.startswith("runs") else CASES
        assert query.count() == RUNS // HOSTS * each, name
        steps = plan_of(query)
        scanned = {step.table for step in steps if step.what == "Seq Scan"}
        assert not scanned & LARGE, (name, steps)
        index = "members_of_a_host" if "host" in name else "members_of_a_target"
        assert index in {step.by for step in steps}, (name, steps)


def test_the_first_page_of_them_too(archive: Archive) -> None:
    for name, query in lists(archive).items():
        steps = plan_of(query[:51])
        assert not {step.table for step in steps if step.what == "Seq Scan"} & LARGE, (name, steps)


def test_a_scan_would_be_seen(archive: Archive) -> None:
    (step,) = [step for step in plan_of(Case.objects.filter(reason="x").order_by()) if step.table]
    assert (step.what, step.table) == ("Seq Scan", "runs_case")
