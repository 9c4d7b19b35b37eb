"""Cases that said everything for themselves share targets and tunings after the upgrade, and say
the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from apps.inventory.models import Disk, Target
from apps.plans.models import PlanTarget
from apps.plans.targets.kinds import KINDS
from apps.results.figure_table import figures_difference
from apps.results.models import Figure, Measurement, Series
from apps.runs.models import Case, Member, Run, RunTarget, RunTuning
from apps.tuning.contract import Setting
from benchlab.tests.old_archive import POOL_PLAN, Upgraded
from benchlab.tests.upgrade import led_to

pytestmark = pytest.mark.xdist_group("archive of before")


@pytest.fixture
def upgraded(archive_of_before: Upgraded, django_db_blocker: Any) -> Iterator[dict[str, int]]:
    """The runs of the archive, by what they are, in today's database."""
    with django_db_blocker.unblock(), led_to(archive_of_before.database):
        yield archive_of_before.runs


def said(case: Case) -> tuple[Any, ...]:
    return (case.target_kind, case.target_words, case.tuning_name, [m.label for m in case.members])


def test_an_archive_is_upgraded(upgraded: dict[str, int]) -> None:
    run = Run.objects.get(pk=upgraded["launched"])
    cases = list(run.cases.order_by("position"))
    assert [said(case) for case in cases[:10:2]] == [
        ("disk", "node1: /dev/sda", "As found", ["sdb"]),
        ("directory", "node1: /srv", "As found", ["/srv"]),
        ("pool", "node1: pool bench", "As found", ["node1", "node2"]),
        ("pair", "node2 → node1", "As found", ["node2", "node1"]),
        ("group", "both: ...", "As found", ["node1 sdb", "node2 sdb"]),
    ]
    assert [(case.tuning_name, case.settle, case.tuning_settings) for case in cases[:2]] == [
        ("As found", 0.0, ()), ("none", 2.0, (Setting("queue", "scheduler", "none"),)),
    ]  # fmt: skip
    assert (cases[0].tool, cases[0].params) == ("fio", {"bs": 4096})
    # Each of them once, in the order in which the cases name them.
    assert [target.kind for target in run.targets.all()] == [
        "disk", "directory", "pool", "pair", "group",
    ]  # fmt: skip
    assert [tuning.name for tuning in run.tunings.all()] == ["As found", "none"]
    _every_kind_names_its_row(run)
    _members_are_told_whole(run)
    _imports_are_told_apart(Run.objects.get(pk=upgraded["imported"]))
    _names_that_were_not_kept(Run.objects.get(pk=upgraded["of the first release"]))
    _parts_name_their_members()
    _nothing_is_lost(upgraded)


def _every_kind_names_its_row(run: Run) -> None:
    for target in run.targets.all():
        assert target.target is not None
        assert isinstance(target.target.row, KINDS[target.kind].model)
    assert run.plan is not None
    named = PlanTarget.objects.filter(plan=run.plan).order_by("id").values("target")
    assert [row["target"] for row in named] == [t.target_id for t in run.targets.all()]
    assert Target.objects.count() == 6


def _members_are_told_whole(run: Run) -> None:
    pool, pair, group = list(run.targets.all())[2:]
    assert [member.make for member in pool.all_members] == [POOL_PLAN, POOL_PLAN]
    assert [(m.role, m.host.name, m.identity) for m in pair.all_members] == [
        ("client", "node2", "10.0.0.1"), ("server", "node1", "10.0.0.1"),
    ]  # fmt: skip
    disks = [member.target.row for member in group.all_members if member.target is not None]
    assert disks == list(Disk.objects.order_by("pk"))
    assert [member.size for member in group.all_members] == [900, 900]
    (alone,) = run.targets.all()[0].all_members
    assert (alone.identity, alone.size, alone.host_name) == ("wwn:node1", 1000, "node1")


def _imports_are_told_apart(run: Run) -> None:
    told = [(t.kind, t.target, t.name, t.all_members[0].host.name) for t in run.targets.all()]
    assert told == [("", None, "sdb", "node1"), ("", None, "sdb", "node2")]
    assert [said(case)[2] for case in run.cases.all()] == ["before", "after"] * 2
    assert [tuning.tuning for tuning in run.tunings.all()] == [None, None]


def _names_that_were_not_kept(run: Run) -> None:
    assert said(run.cases.get()) == ("disk", "node1: /dev/sdb", "As found", ["sdb"])


def _parts_name_their_members() -> None:
    found = {"node1 sdb": "node1 sdb", "node2": "node2 sdb", "stream 1": None}
    parts = Measurement.objects.exclude(part="").values_list("part", "member__label")
    assert dict(parts) == found
    series = Series.objects.filter(source="tool").values_list("part", "member__label")
    assert dict(series) == found
    assert Series.objects.get(source="device").member == Member.objects.get(label="node2 sdb")


def _nothing_is_lost(runs: dict[str, int]) -> None:
    """Each measurement is its case's own still."""
    rows = Measurement.objects.filter(part="").values_list("bandwidth", "case__position")
    assert sorted(rows) == [(float(n), n) for n in range(25)]
    targets = RunTarget.objects.filter(run__in=runs.values())
    assert targets.count() == 8
    assert RunTuning.objects.filter(run__in=runs.values()).count() == 5
    assert Member.objects.filter(run_target__in=targets).count() == 5 + 3 + 3
    assert (Figure.objects.count(), bool(figures_difference())) == (25, False)
    assert Figure.objects.filter(imported=True, settings_hash=None).count() == 4
