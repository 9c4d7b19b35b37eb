"""Pools, pairs and groups are targets like disks; shares of parts and what nobody told of imported
results do not count."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import START, Setup, create_measured_run, create_target
from apps.analysis.verdicts.comparison import ComparisonResult, compare_runs
from apps.analysis.verdicts.headlines import summaries
from apps.inventory.models import Host, TargetGroup
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, Origin, Run, RunTargetMember

pytestmark = pytest.mark.django_db


def retarget(run: Run, name: str, *, group: TargetGroup | None = None, **member: Any) -> Run:
    """The run as if its cases were of another target; `member`: fields of who takes part."""
    run.targets.update(target=group, kind="group" if group else "", name=name)
    RunTargetMember.objects.filter(run_target__run=run).update(target=None, **member)
    summaries_rebuild()
    return run


def one_tuning(owner: User, **more: Any) -> Run:
    return create_measured_run(Setup(owner, tunings=("Host defaults",), noise=0.003, **more))


def imported(owner: User, tuning: str, *, host: Host, at: bool = False, gain: float = 1.0) -> Run:
    """Six results of somebody else: no plan, no facts, often no time."""
    setup = Setup(owner, tunings=(tuning,), gains={tuning: gain}, noise=0.003, tool_version="")
    run = retarget(create_measured_run(setup), "", host=host)
    Run.objects.filter(pk=run.pk).update(origin=Origin.IMPORTED)
    attempts = Attempt.objects.filter(case__run=run)
    attempts.update(facts=None)
    if not at:
        attempts.update(started_at=None)
    summaries_rebuild()
    return run


def archive(name: str = "old01") -> Host:
    return Host.objects.create(name=name, kind=Host.Kind.IMPORTED_ONLY)


def factors(comparison: ComparisonResult) -> list[str]:
    return [d.name for r in comparison.results for pair in r.pairs for d in pair.differing]


def test_two_pairs_of_hosts_are_compared_as_targets(owner: User) -> None:
    disk = create_target(owner)
    runs = [
        retarget(one_tuning(owner, disk=disk, seed=n), name)
        for n, name in enumerate(("a → b", "b → a"))
    ]
    comparison = compare_runs(runs=[run.pk for run in runs], factor="target")
    assert comparison.levels == ("a → b", "b → a")
    assert factors(comparison) == []
    assert comparison.choices.targets == ("a → b", "b → a")


def test_targets_on_different_hosts_bring_their_hosts_along(owner: User) -> None:
    runs = [one_tuning(owner, disk=create_target(owner, name)) for name in ("node1", "node2")]
    comparison = compare_runs(runs=[run.pk for run in runs], factor="target")
    assert comparison.levels == ("node1: /dev/nvme0n1", "node2: /dev/nvme0n1")
    assert factors(comparison) == []


def test_another_target_makes_tunings_not_comparable(owner: User) -> None:
    disk = create_target(owner)
    first = retarget(one_tuning(owner, disk=disk), "pool one")
    second = create_measured_run(Setup(owner, disk=disk, tunings=("Scheduler none",)))
    retarget(second, "pool two")
    assert factors(compare_runs(runs=[first.pk, second.pk])) == ["target"]


@pytest.mark.parametrize(
    ("second", "found"), [("wwn:1", []), ("wwn:2", ["target"])], ids=["the same", "another"]
)
def test_a_group_is_known_by_its_disks_not_by_their_names_of_the_day(
    owner: User, second: str, found: list[str]
) -> None:
    disk = create_target(owner)
    group = TargetGroup.objects.create(owner=owner, name="fast")
    runs = []
    for tuning, name, identity in (
        ("Host defaults", "fast: sdb", "wwn:1"),
        ("Scheduler none", "fast: sdc", second),
    ):
        run = create_measured_run(Setup(owner, disk=disk, tunings=(tuning,), noise=0.003))
        runs.append(retarget(run, name, group=group, identity=identity))
    comparison = compare_runs(runs=[run.pk for run in runs])
    assert factors(comparison) == found
    assert "fast: sdc" in comparison.choices.targets


def test_it_can_be_narrowed_to_one_target(owner: User) -> None:
    disk = create_target(owner)
    runs = [retarget(create_measured_run(Setup(owner, disk=disk)), name) for name in ("one", "two")]
    comparison = compare_runs(runs=[run.pk for run in runs], target="two")
    assert comparison.used == runs[1].cases.count()


def test_the_share_of_a_part_is_no_result(owner: User) -> None:
    run = create_measured_run(Setup(owner))
    before = compare_runs(runs=[run.pk])
    rows = list(Measurement.objects.filter(case__run=run))
    for row in rows:
        row.pk, row.component, row.iops = None, "vdb", 1.0
    rows[0].valid = False
    Measurement.objects.bulk_create(rows)
    after = compare_runs(runs=[run.pk])
    assert after.used == before.used
    assert after.left_out == before.left_out
    assert [r.lines[0].baseline for r in after.results] == [
        r.lines[0].baseline for r in before.results
    ]


def test_imported_tunings_are_compared_though_nothing_else_is_known(owner: User) -> None:
    host = archive()
    runs = [
        imported(owner, "Host defaults", host=host),
        imported(owner, "Scheduler none", host=host, gain=1.3),
    ]
    comparison = compare_runs(runs=[run.pk for run in runs])
    assert factors(comparison) == []
    assert summaries(comparison)[0].kind == "better"


def test_an_imported_result_stands_against_one_of_benchlab_by_run(owner: User) -> None:
    disk = create_target(owner)
    run = one_tuning(owner, disk=disk)
    other = imported(owner, "Host defaults", host=disk.host, gain=1.3)
    comparison = compare_runs(runs=[run.pk, other.pk], factor="run")
    assert "kernel" not in factors(comparison)
    assert "time" not in factors(comparison)


def test_known_facts_of_imported_results_still_differ(owner: User) -> None:
    host = archive()
    runs = [imported(owner, name, host=host) for name in ("Host defaults", "Scheduler none")]
    versions = zip(runs, ("fio-2.2", "fio-3.33"), strict=True)
    for run, version in versions:
        Attempt.objects.filter(case__run=run).update(tool_version=version)
    summaries_rebuild()
    assert factors(compare_runs(runs=[run.pk for run in runs])) == ["tool"]


def test_a_known_time_still_counts(owner: User) -> None:
    host = archive()
    runs = [
        imported(owner, name, host=host, at=True) for name in ("Host defaults", "Scheduler none")
    ]
    late = START + timedelta(days=1)
    Attempt.objects.filter(case__run=runs[1]).update(started_at=late)
    summaries_rebuild()
    assert factors(compare_runs(runs=[run.pk for run in runs])) == ["time"]


def test_page_lists_unknown_properties_of_imports(owner: User, viewer_client: Client) -> None:
    host = archive()
    runs = [imported(owner, name, host=host) for name in ("Host defaults", "Scheduler none")]
    html = viewer_client.get(f"/compare/?run={runs[0].pk}&run={runs[1].pk}").content.decode()
    assert "Some of these results were imported. Nothing is known of their target, kernel" in html
