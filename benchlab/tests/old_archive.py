"""An archive of before: cases that say everything for themselves, and attempts that keep their jobs
in columns of their own. Made and upgraded once for all who look at it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from benchlab.tests.upgrade import State, another_database, led_to, migrated_to, migrated_to_today

BEFORE: State = [
    ("inventory", "0006_what_disks_hold"),
    ("plans", "0004_who_schedules"),
    ("runs", "0010_archived_runs"),
    ("results", "0003_chunks_as_they_are"),
    ("imports", "0004_dry_runs"),
]
POOL_PLAN = {"pg_num": 8, "replicas": None, "k": 2, "m": 1, "failure_domain": "osd"}
NONE = [{"kind": "queue", "name": "scheduler", "value": "none"}]


SPEC = {"commands": [{"role": "main", "argv": ["fio"], "listens": ""}]}
EXIT = {"codes": [0], "signals": [None], "started": {"monotonic": 5.0}}
Kinds = dict[str, uuid.UUID]


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


@dataclass(frozen=True)
class Upgraded:
    """Today's database, from that archive: its name, the runs by what they are, the attempts by
    what they were."""

    database: str
    runs: dict[str, int]
    attempts: Kinds


@contextmanager
def upgraded_archive() -> Iterator[Upgraded]:
    """Make it, upgrade it, remove it in the end."""
    with another_database() as name:
        with led_to(name):
            apps = migrated_to(BEFORE)
            attempts = attempts_of(apps)
            runs = runs_of(Old(apps))
            migrated_to_today()
        yield Upgraded(name, runs, attempts)


def runs_of(old: Old) -> dict[str, int]:
    runs = {"launched": launched(old).pk, "imported": imported(old).pk}
    first = old.run()
    old.case(first, old.hosts[0], disk=old.disks[0], tuning_name="As found")
    return runs | {"of the first release": first.pk}


def attempts_of(old: Any) -> Kinds:
    def make(model: str, **fields: object) -> Any:
        return old.get_model(model).objects.create(**fields)

    east, west = (make("inventory.Host", name=name, kind="ssh") for name in ("east", "west"))
    workload = make("plans.Workload", key="jobs", tool="fio", params={}, label="k")
    owner = make("accounts.User", username="of jobs", password="")
    run = make("runs.Run", name="old", owner=owner)
    common = {"run": run, "workload": workload, "tool": "fio", "host": east}
    told: dict[str, dict[str, object]] = {
        "running": {"state": "running", "spec": SPEC, "contact_at": run.queued_at},
        "ended": {"state": "succeeded", "spec": SPEC, "exit": EXIT, "cleared_at": run.queued_at},
        "lost": {"state": "lost", "spec": SPEC},
        "imported": {"state": "succeeded", "spec": {"imported": {"key": "k", "index": 0}}},
        "unspecified": {"state": "failed", "spec": {}},
        "several": several_jobs(east.pk, west.pk),
    }
    made = {}
    for number, (name, fields) in enumerate(told.items()):
        case = make("runs.Case", position=number, **common)
        made[name] = make("runs.Attempt", case=case, **fields).pk
    return made


def several_jobs(east: int, west: int) -> dict[str, object]:
    """An attempt on two hosts that were to start together; the second one broke."""
    hosts = {"east": east, "west": west}
    jobs = [
        {"job": str(uuid.uuid4()), "host": pk, "name": name, "act": 1, "role": "client"}
        for name, pk in hosts.items()
    ]
    asked = [job | {"spec": SPEC, "launched": True} for job in jobs]
    ends: list[dict[str, object]] = [
        {"state": "done", "exit": EXIT, "refused": None, "places": {"stdout": [0, 4]}},
        {"state": "refused", "exit": {}, "refused": {"reasons": ["No."]}, "places": {}},
    ]
    never = {
        "job": str(uuid.uuid4()), "host": east, "name": "east", "act": 2, "role": "client",
        "spec": SPEC, "launched": False,
    }  # fmt: skip
    return {
        "state": "failed",
        "jobs": [*asked, never],
        "exit": {
            "jobs": [job | end for job, end in zip(jobs, ends, strict=True)],
            "clocks": {"1": {str(east): [90.0, 0.001], str(west): [5000.0, 0.002]}},
            "stopped": {"state": "failed", "reason": "", "fault": "host", "host": west},
        },
    }
