"""Cases that said everything for themselves share targets and tunings after the upgrade, and say
the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from apps.inventory.models import Disk, Target
from apps.plans.models import PlanTarget
from apps.plans.targets.kinds import KINDS
from apps.results.figure_table import figures_difference
from apps.results.models import Figure, Measurement, Series
from apps.runs.models import Case, Member, Run, RunTarget, RunTuning
from apps.tuning.contract import Setting
from benchlab.tests.upgrade import State, empty_database, migrated_to, migrated_to_today

BEFORE: State = [
    ("inventory", "0006_what_disks_hold"),
    ("plans", "0004_who_schedules"),
    ("runs", "0010_archived_runs"),
    ("results", "0003_chunks_as_they_are"),
    ("imports", "0004_dry_runs"),
]
POOL_PLAN = {"pg_num": 8, "replicas": None, "k": 2, "m": 1, "failure_domain": "osd"}
NONE = [{"kind": "queue", "name": "scheduler", "value": "none"}]


class Old:
    """The archive of an earlier version: a lab, and runs whose cases say everything themselves."""

    def __init__(self, apps: Any) -> None:
        self._apps = apps
        self.owner = self.make("accounts.User", username="owner", password="")
        self.hosts = [self.make("inventory.Host", name=f"node{n}", kind="ssh") for n in (1, 2)]
        one, two = self.hosts
        self.disks = [
            self.make("inventory.Disk", host=host, identity=f"wwn:{host.name}", node="/dev/sdb",
                      size=1000)
            for host in self.hosts
        ]  # fmt: skip
        owned = {"owner": self.owner}
        self.directory = self.make("inventory.Directory", host=one, path="/srv", **owned)
        self.pool = self.make("inventory.Pool", host=one, name="bench", **owned)
        self.pool.clients.set([two])
        self.pair = self.make("inventory.HostPair", client=two, server=one)
        self.group = self.make("inventory.TargetGroup", name="both", **owned)
        self.group.disks.set(self.disks)
        self.tuning = self.make("tuning.TuningProfile", name="none", settings=NONE, **owned)
        self.workload = self.make(
            "plans.Workload", key="k", tool="fio", params={"bs": 4096}, label="4 KiB"
        )
        self._position = count()

    def make(self, model: str, **fields: Any) -> Any:
        return self._apps.get_model(model).objects.create(**fields)

    def run(self, **fields: Any) -> Any:
        return self.make("runs.Run", name="run", owner=self.owner, state="succeeded", **fields)

    def case(self, run: Any, host: Any, **fields: Any) -> Any:
        """A measured case; its bandwidth is its position."""
        position = next(self._position)
        case = self.make(
            "runs.Case", run=run, position=position, workload=self.workload, tool="fio",
            params={"bs": 4096}, host=host, state="succeeded", **fields,
        )  # fmt: skip
        attempt = self.make("runs.Attempt", case=case, state="succeeded")
        self.make(
            "results.Measurement", attempt=attempt, case=case, operation="read",
            bandwidth=float(position), parser_version=1,
        )  # fmt: skip
        return case

    def parts(self, case: Any, *parts: str) -> None:
        """Write what these parts of a case measured, and the counters of one disk."""
        attempt = case.attempts.get()
        of_attempt = {"attempt": attempt, "start": 0.0, "interval": 1.0, "length": 0}
        for part in parts:
            self.make(
                "results.Measurement", attempt=attempt, case=case, operation="read", part=part,
                parser_version=1,
            )  # fmt: skip
            self.make(
                "results.Series", source="tool", part=part, subject="read", metric="iops",
                **of_attempt,
            )  # fmt: skip
        self.make(
            "results.Series", source="device", part="node2", subject="sdb", metric="queue",
            **of_attempt,
        )  # fmt: skip


def member(host: Any, kind: str, row: Any, label: str, **more: Any) -> dict[str, object]:
    """A member as `Case.members` held it."""
    told = {
        "role": "client", "host": host.pk, "host_name": host.name, "label": label, "kind": kind,
        "id": row.pk, "identity": "", "size": None, "make": None,
    }  # fmt: skip
    return told | more


def launched(old: Old) -> Any:
    """A run of every kind of target under two tunings, twice."""
    run = old.run(plan=old.make("plans.TestPlan", name="plan", owner=old.owner))
    for row in ("disk", "directory", "pool", "pair", "group"):
        thing = old.disks[0] if row == "disk" else getattr(old, row)
        old.make("plans.PlanTarget", plan=run.plan, **{row: thing})
    one, two = old.hosts
    both = {"hosts": [one.pk, two.pk]}
    clients = [member(host, "pool", old.pool, host.name, make=POOL_PLAN) for host in old.hosts]
    ends = [
        member(two, "pair", old.pair, "node2", identity="10.0.0.1"),
        member(one, "pair", old.pair, "node1", identity="10.0.0.1", role="server"),
    ]
    disks = [
        member(disk.host, "disk", disk, f"{disk.host.name} sdb", identity=disk.identity, size=900)
        for disk in old.disks
    ]
    targets: list[tuple[Any, dict[str, object]]] = [
        (one, {"disk": old.disks[0], "target_name": "node1: /dev/sda"}),
        (one, {"directory": old.directory, "target_name": "node1: /srv"}),
        (one, {"pool": old.pool, "target_name": "node1: pool bench", "members": clients} | both),
        (two, {"pair": old.pair, "target_name": "node2 → node1", "members": ends,
               "hosts": [two.pk, one.pk]}),
        (one, {"group": old.group, "target_name": "both: ...", "members": disks} | both),
    ]  # fmt: skip
    tuned = {"tuning": old.tuning, "tuning_name": "none", "tuning_settings": NONE, "settle": 2.0}
    for repeat in (1, 2):
        for host, target in targets:
            for tuning in ({"tuning_name": "As found"}, tuned):
                case = old.case(run, host, repeat=repeat, **target, **tuning)
    old.parts(case, "node1 sdb", "node2", "stream 1")
    return run


def imported(old: Old) -> Any:
    """Two hosts with a target of the same name."""
    run = old.run(origin="imported")
    for host in old.hosts:
        for tuning in ("before", "after"):
            old.case(run, host, target_name="sdb", tuning_name=tuning)
    return run


@pytest.fixture
def upgraded(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, int]]:
    """The runs of such an archive, by what they are, in today's database."""
    with django_db_blocker.unblock(), empty_database():
        old = Old(migrated_to(BEFORE))
        runs = {"launched": launched(old).pk, "imported": imported(old).pk}
        first = old.run()
        old.case(first, old.hosts[0], disk=old.disks[0], tuning_name="As found")
        runs["of the first release"] = first.pk
        migrated_to_today()
        yield runs


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
    _nothing_is_lost()


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


def _nothing_is_lost() -> None:
    """Each measurement is its case's own still."""
    rows = Measurement.objects.filter(part="").values_list("bandwidth", "case__position")
    assert sorted(rows) == [(float(n), n) for n in range(25)]
    assert (RunTarget.objects.count(), RunTuning.objects.count()) == (8, 5)
    assert Member.objects.count() == 5 + 3 + 3
    assert (Figure.objects.count(), bool(figures_difference())) == (25, False)
    assert Figure.objects.filter(imported=True, settings_hash=None).count() == 4
