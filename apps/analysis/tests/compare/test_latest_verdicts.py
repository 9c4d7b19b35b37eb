"""The latest verdicts on a tuning or a disk are those of the runs' own comparisons."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run, create_target
from apps.analysis.verdicts import latest
from apps.analysis.verdicts.comparison import compare_runs
from apps.analysis.verdicts.headlines import summaries
from apps.analysis.verdicts.latest import (
    MAX_VERDICTS,
    latest_verdicts_of_target,
    latest_verdicts_of_tuning,
)
from apps.common.domain.verdicts import VerdictKind
from apps.inventory.models import Disk
from apps.results.models import ResultSummary
from apps.runs.models import Run, RunState, RunTargetMember, RunTuning
from apps.tuning.models import TuningProfile

pytestmark = pytest.mark.django_db
NONE, DEFAULTS, THIRD = "Scheduler none", "Host defaults", "Read-ahead 0"


@pytest.fixture
def disk(owner: User) -> Disk:
    return create_target(owner)


def create_profile(owner: User, name: str, *runs: Run) -> TuningProfile:
    profile = TuningProfile.objects.create(name=name, owner=owner)
    RunTuning.objects.filter(run__in=runs, name=name).update(tuning=profile)
    return profile


def measured(owner: User, disk: Disk, gain: float = 1.1, **changes: Any) -> Run:
    return create_measured_run(Setup(owner, gains={NONE: gain}, disk=disk, **changes))


def test_latest_verdicts_of_target_are_those_of_each_run_newest_first(
    owner: User, disk: Disk
) -> None:
    runs = [measured(owner, disk), measured(owner, disk, 0.8), measured(owner, disk, 1.0)]
    found = latest_verdicts_of_target(disk).verdicts
    assert [row.run for row in found] == runs[::-1]
    kinds = [VerdictKind.NO_DIFFERENCE, VerdictKind.WORSE, VerdictKind.BETTER]
    assert [row.summary.kind for row in found] == kinds
    own = [summaries(compare_runs(runs=[run.pk]))[0] for run in runs[::-1]]
    assert [row.summary for row in found] == own


def test_latest_verdicts_of_target_with_planned_baseline_test_against_it(
    owner: User, disk: Disk
) -> None:
    runs = [measured(owner, disk), measured(owner, disk)]
    RunTuning.objects.filter(run=runs[0], name=NONE).update(is_baseline=True)
    found = latest_verdicts_of_target(disk).verdicts
    assert [row.summary.baseline for row in found] == [DEFAULTS, NONE]


def test_latest_verdicts_of_target_omit_other_disks_runs_of_one_tuning_unended_and_archived(
    owner: User, disk: Disk
) -> None:
    measured(owner, create_target(owner))
    measured(owner, disk, tunings=(DEFAULTS,))
    running, archived, kept = (measured(owner, disk) for _ in range(3))
    Run.objects.filter(pk=running.pk).update(state=RunState.RUNNING)
    Run.objects.filter(pk=archived.pk).update(archived_at=timezone.now())
    assert [row.run for row in latest_verdicts_of_target(disk).verdicts] == [kept]


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_latest_verdicts_pass_over_newer_runs_without_results(
    owner: User, disk: Disk, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latest, "BATCH", batch)
    runs = [measured(owner, disk) for _ in range(4)]
    ResultSummary.objects.filter(run__in=(runs[1], runs[2])).update(is_comparable=False)
    assert [row.run for row in latest_verdicts_of_target(disk).verdicts] == [runs[3], runs[0]]
    tuning = create_profile(owner, NONE, *runs)
    assert [row.run for row in latest_verdicts_of_tuning(tuning).verdicts] == [runs[3], runs[0]]


def test_latest_verdicts_of_target_include_groups_that_contain_the_disk(
    owner: User, disk: Disk
) -> None:
    run = measured(owner, create_target(owner))
    assert not latest_verdicts_of_target(disk).verdicts
    RunTargetMember.objects.filter(run_target__run=run).update(target=disk)
    assert [row.run for row in latest_verdicts_of_target(disk).verdicts] == [run]


def test_latest_verdicts_of_tuning_hold_its_level_or_baseline_only(owner: User, disk: Disk) -> None:
    run = measured(owner, disk, tunings=(DEFAULTS, NONE, THIRD))
    for name, levels in {NONE: [NONE], THIRD: [THIRD], DEFAULTS: [THIRD, NONE]}.items():
        found = latest_verdicts_of_tuning(create_profile(owner, name, run)).verdicts
        assert sorted(row.summary.level for row in found) == sorted(levels)
        assert {row.summary.baseline for row in found} == {DEFAULTS}


def test_latest_verdicts_are_limited_and_read_in_a_fixed_number_of_queries(
    owner: User, disk: Disk
) -> None:
    measured(owner, disk)
    with CaptureQueriesContext(connection) as few:
        assert len(latest_verdicts_of_target(disk).verdicts) == 1
    points = [PARAMS | {"iodepth": depth} for depth in range(1, 9)]
    for _ in range(3):
        measured(owner, disk, points=points, repeats=2)
    with CaptureQueriesContext(connection) as many:
        assert len(latest_verdicts_of_target(disk).verdicts) == MAX_VERDICTS
    assert len(many) == len(few) <= 12


def test_latest_verdicts_of_too_large_run_are_those_of_smaller_runs(
    owner: User, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = measured(owner, disk), measured(owner, disk, repeats=12)
    monkeypatch.setattr(latest, "MAX_RESULTS", ResultSummary.objects.filter(run=small).count())
    found = latest_verdicts_of_target(disk)
    assert [row.run for row in found.verdicts] == [small]
    assert list(found.left_out) == [large]
    assert large.pk > small.pk


def test_page_links_run_that_is_too_large(
    owner: User, disk: Disk, monkeypatch: pytest.MonkeyPatch, viewer_client: Client
) -> None:
    large = measured(owner, disk)
    monkeypatch.setattr(latest, "MAX_RESULTS", 1)
    page = viewer_client.get(reverse("disk_verdicts", args=[disk.pk])).content.decode()
    assert f"{reverse('compare')}?run={large.pk}" in page


def test_pages_of_tuning_and_disk_load_a_table_that_links_the_comparison(
    owner: User, disk: Disk, viewer_client: Client
) -> None:
    run = measured(owner, disk)
    tuning = create_profile(owner, NONE, run)
    for kind, subject in (("tuning", tuning), ("disk", disk)):
        address = reverse(f"{kind}_verdicts", args=[subject.pk])
        page = viewer_client.get(reverse(f"{kind}_detail", args=[subject.pk])).content.decode()
        assert f'hx-get="{address}"' in page
        table = viewer_client.get(address).content.decode()
        assert f'href="/compare/?run={run.pk}&amp;group=' in table
        assert f'href="/runs/{run.pk}/"' in table
        assert viewer_client.get(reverse(f"{kind}_verdicts", args=[10**6])).status_code == 404


def test_table_without_comparisons_is_a_sentence(disk: Disk, viewer_client: Client) -> None:
    assert "<table" not in viewer_client.get(f"/disks/{disk.pk}/verdicts/").content.decode()
