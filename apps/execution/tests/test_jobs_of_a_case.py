"""The job of each host of a case: its own disks, its part of every stage, its settings."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

import pytest

from apps.accounts.models import User
from apps.execution.jobs import spec as spec_module
from apps.execution.jobs.commands import HOLD_SECONDS
from apps.execution.jobs.spec import attempt_jobs
from apps.execution.tests.several import create_case, member
from apps.inventory.models import CephCluster, Pool
from apps.runs.models import Attempt, Case
from apps.runs.tests.factories import PARAMS, create_host
from apps.tools.errors import ParamsError
from apps.tools.procedure import Command, Procedure
from apps.tools.targets import PoolPlan, ToolTarget
from apps.tuning.schemas.settings import Setting

WRITING = PARAMS | {"rw": "randwrite"}


@dataclass
class FakePlugin:
    """A tool whose procedure is the test's own; `asked` are the targets it was given."""

    commands: tuple[Command, ...]
    asked: list[ToolTarget] = field(default_factory=list)
    params: Any = None
    threads: int = 4
    pins: bool = True

    def from_raw(self, _raw: dict[str, object]) -> None:
        return None

    def build_procedure(self, _params: object, target: ToolTarget) -> Procedure:
        self.asked.append(target)
        return Procedure(self.commands, 10.0, writes=True, threads=self.threads)


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> FakePlugin:
    plugin = FakePlugin((Command("main", ("tool",)),))
    plugin.params = plugin
    monkeypatch.setattr(spec_module, "tool", lambda _name: plugin)
    return plugin


def test_hosts_with_a_disk_each_get_a_held_job_each(owner: User) -> None:
    attempt = Attempt(case=create_case(owner=owner, params=WRITING))
    jobs = attempt_jobs(attempt)
    assert [job.host_id for job in jobs] == attempt.case.host_ids
    assert len({job.pk for job in jobs}) == 2
    for job, row in zip(jobs, attempt.case.members, strict=True):
        target = job.spec["target"]
        assert target is not None
        assert target["kind"] == "disk"
        assert (target["identity"], target["size"]) == (row.identity, row.size)
        assert (target["write"], target["allow_signatures"]) == (True, False)
        assert job.spec["hold"] == {"seconds": HOLD_SECONDS}
        assert job.spec["attempt"] == str(job.pk)
        assert job.spec["watch"] == [row.identity]


def test_the_same_attempt_gives_the_same_jobs(owner: User) -> None:
    case = create_case(owner=owner)
    first, other = Attempt(case=case), Attempt(case=case)
    asked = [[(job.pk, job.spec) for job in attempt_jobs(one)] for one in (first, first, other)]
    assert asked[0] == asked[1]
    assert asked[0] != asked[2]


def test_several_disks_of_one_host_are_one_job(owner: User, plugin: FakePlugin) -> None:
    host = create_host()
    case = create_case(owner=owner, members=[member(host, 1), member(host, 0)])
    attempt = Attempt(case=case)
    (job,) = attempt_jobs(attempt)
    assert (job.pk, job.name, job.host_id) == (attempt.pk, "", host.pk)
    spec = job.spec
    assert [t["identity"] for t in spec["targets"] if t["kind"] == "disk"] == [
        row.identity for row in case.members
    ]
    assert "target" not in spec
    assert "hold" not in spec
    target = plugin.asked[-1]
    assert (target.count, target.size, target.kind) == (2, 64 * 1024**2, "disk")


def test_words_become_the_attempt_and_the_hosts_number(owner: User, plugin: FakePlugin) -> None:
    plugin.commands = (Command("main", ("tool", "--run={attempt}-{client}", "{target}")),)
    attempt = Attempt(case=create_case(owner=owner))
    argvs = [job.spec["commands"][0]["argv"] for job in attempt_jobs(attempt)]
    short = attempt.pk.hex[:12]
    assert argvs == [["tool", f"--run={short}-{n}", "{target}"] for n in (0, 1)]


def test_acts_go_one_after_another_and_only_shared_ones_are_held(
    owner: User, plugin: FakePlugin
) -> None:
    plugin.commands = (
        Command("make", ("make",), on="lead"),
        Command("write", ("write",), stage=1),
        Command("tidy", ("tidy",), on="lead", stage=2, always=True, seconds=9.0),
    )
    case = create_case(owner=owner, settle_seconds=3.0)
    jobs = attempt_jobs(Attempt(case=case))
    told = [(j.stage, j.host_id, j.spec["commands"][0]["role"], "hold" in j.spec) for j in jobs]
    one, two = case.host_ids
    assert told == [
        (0, one, "make", False),
        (1, one, "write", True),
        (1, two, "write", True),
        (2, one, "tidy", False),
    ]
    assert [job.spec["settle"] for job in jobs] == [3.0, 3.0, 3.0, 0.0]


def test_a_pair_has_a_server_and_a_client(owner: User, plugin: FakePlugin) -> None:
    plugin.commands = (
        Command("server", ("serve",), on="server", listens="tcp:5201"),
        Command("main", ("ask",), on="lead"),
    )
    hosts = [create_host(), create_host()]
    rows = [
        member(host, kind="pair", role=role, identity="10.0.0.2", size=None)
        for host, role in zip(hosts, ("client", "server"), strict=True)
    ]
    jobs = attempt_jobs(Attempt(case=create_case(owner=owner, members=rows)))
    assert [(j.role, j.spec["commands"][0]["listens"]) for j in jobs] == [
        ("client", ""),
        ("server", "tcp:5201"),
    ]
    assert {j.spec["target"] for j in jobs} == {None}
    assert plugin.asked[0] == ToolTarget("pair", "10.0.0.2")


def test_a_pool_is_no_target_of_the_agent(owner: User, plugin: FakePlugin) -> None:
    make = {"pg_num": 8, "replicas": 2, "k": 0, "m": 0, "failure_domain": "osd"}
    row = member(create_host(), kind="pool", identity="bench", size=None, pool_layout=make)
    (job,) = attempt_jobs(Attempt(case=create_case(owner=owner, members=[row])))
    spec = job.spec
    assert (spec["target"], spec["watch"]) == (None, [])
    plan = PoolPlan(pg_num=8, replicas=2, failure_domain="osd")
    assert plugin.asked[0] == ToolTarget("pool", "bench", make=plan)


def test_osd_host_without_settings_is_observed(owner: User, plugin: FakePlugin) -> None:
    client, osds = create_host(), create_host()
    rows = [
        member(client, kind="pool", identity="bench", size=None),
        member(osds, kind="osds", role="osd_host", identity="osds:0,3", size=None),
    ]
    plugin.commands = (Command("main", ("tool",)), Command("tidy", ("tidy",), stage=1, always=True))
    jobs = attempt_jobs(Attempt(case=create_case(owner=owner, members=rows)))
    assert [(job.stage, job.host_id, job.role, "hold" in job.spec) for job in jobs] == [
        (0, client.pk, "client", True),
        (0, osds.pk, "osd_host", True),
        (1, client.pk, "client", False),
    ]
    assert jobs[1].spec["commands"][0]["argv"] == ["sleep", "infinity"]
    assert (jobs[1].spec["tuning"], jobs[1].spec["target"]) == ([], None)


SETTINGS = [
    Setting("queue", "scheduler", "none"),
    Setting("cpu", "pin_to_hardware_queues", "split"),
    Setting("sysctl", "net.core.rmem_max", "1048576"),
    Setting("ceph", "osd_op_threads", "4"),
    Setting("ceph", "debug_osd", "0", section="osd.3"),
]


def test_every_setting_applies_where_it_belongs(owner: User, plugin: FakePlugin) -> None:
    one, two = create_host(), create_host()
    rows = [member(one, 0), member(one, 1), member(two, 0)]
    case = create_case(owner=owner, members=rows, settings=SETTINGS)
    jobs = attempt_jobs(Attempt(case=case))
    lent = [[(s["kind"], s["identity"], s["value"]) for s in job.spec["tuning"]] for job in jobs]
    assert lent[0] == [
        ("queue", rows[0]["identity"], "none"),
        ("queue", rows[1]["identity"], "none"),
        ("sysctl", "", "1048576"),
        ("ceph", "global", "4"),
        ("ceph", "osd.3", "0"),
    ]
    assert lent[1] == [("queue", rows[2]["identity"], "none"), ("sysctl", "", "1048576")]
    assert [job.spec["pin"] for job in jobs] == [{"threads": 4}] * 2
    assert all(target.pinned for target in plugin.asked)


def test_tool_without_pinning_is_not_pinned(owner: User, plugin: FakePlugin) -> None:
    plugin.pins = False
    case = create_case(owner=owner, settings=SETTINGS)
    assert not any("pin" in job.spec for job in attempt_jobs(Attempt(case=case)))
    assert not any(target.pinned for target in plugin.asked)


def test_options_that_restart_osds_are_applied_once_for_all_stages(
    owner: User, plugin: FakePlugin
) -> None:
    client, osds = create_host(), create_host()
    client.cluster = CephCluster.objects.create(fsid=str(uuid.uuid4()), osd_restart_mode="unit")
    client.save()
    pool = Pool.objects.create(owner=owner, host=client, name="bench")
    rows = [
        member(client, kind="pool", identity="bench", size=None),
        member(client, kind="osds", role="osd_host", identity="osds:1", size=None),
        member(osds, kind="osds", role="osd_host", identity="osds:0,3", size=None),
    ]
    settings = [
        Setting("ceph_conf", "osd_op_num_shards", "4", "osd", "pool"),
        Setting("queue", "scheduler", "none", "", "pool"),
    ]
    case = create_case(owner=owner, members=rows, settings=settings)
    case.run.targets.update(target=pool.pk)
    plugin.commands = tuple(Command("main", ("tool",), stage=stage) for stage in (0, 1))
    jobs = attempt_jobs(Attempt(case=Case.objects.get(pk=case.pk)))
    assert [
        (job.stage, job.host_id, job.role, [setting["kind"] for setting in job.spec["tuning"]])
        for job in jobs
    ] == [
        (0, client.pk, "client", ["queue"]),
        (0, osds.pk, "osd_host", ["queue"]),
        (1, client.pk, "client", ["queue"]),
        (1, osds.pk, "osd_host", ["queue"]),
        (0, client.pk, "settings", ["ceph_conf"]),
        (0, osds.pk, "settings", ["ceph_conf"]),
    ]
    assert [job.position for job in jobs] == list(range(6))
    assert len({job.pk for job in jobs}) == 6
    assert not any("hold" in job.spec or job.spec["watch"] for job in jobs[4:])
    keys = [job.spec["carry"] for job in jobs[4:]]
    assert len(set(keys)) == 2  # each host has its own daemons
    assert not any("carry" in job.spec for job in jobs[:4])
    again = attempt_jobs(Attempt(case=Case.objects.get(pk=case.pk)))
    assert [job.spec["carry"] for job in again[4:]] == keys


def test_options_go_to_the_hosts_of_the_daemons_that_read_them(
    owner: User, plugin: FakePlugin
) -> None:
    client, other = create_host(), create_host()
    client.cluster = CephCluster.objects.create(
        fsid=str(uuid.uuid4()),
        osd_restart_mode="unit",
        mon_restart_mode="command",
        mon_restart_command="ceph orch daemon restart mon.{id}",
    )
    client.save()
    pool = Pool.objects.create(owner=owner, host=client, name="bench")
    rows = [
        member(client, kind="pool", identity="bench", size=None),
        member(client, kind="osds", role="osd_host", identity="osds:1;mons:a", size=None),
        member(other, kind="osds", role="osd_host", identity="mons:b;mdss:x", size=None),
    ]
    settings = [
        Setting("ceph_conf", "osd_op_num_shards", "4", "osd", "pool"),
        Setting("ceph_conf", "ms_type", "async+posix", "mon", "pool"),
        Setting("sysctl", "kernel.pid_max", "123456", "", "pool"),
    ]
    case = create_case(owner=owner, members=rows, settings=settings)
    case.run.targets.update(target=pool.pk)
    jobs = attempt_jobs(Attempt(case=Case.objects.get(pk=case.pk)))
    asked = {
        (job.host_id, job.role, one["identity"], one["name"], tuple(one.get("restart", ["-"])))
        for job in jobs
        for one in job.spec["tuning"]
    }
    command = ("ceph", "orch", "daemon", "restart", "mon.{id}")
    assert asked == {
        (client.pk, "client", "osds:1", "kernel.pid_max", ("-",)),
        (client.pk, "settings", "osds:1", "osd_op_num_shards", ()),
        (client.pk, "settings", "mons:a", "ms_type", command),
        (other.pk, "settings", "mons:b", "ms_type", command),
    }
    CephCluster.objects.update(mon_restart_mode="")
    with pytest.raises(ParamsError, match="ms_type"):
        attempt_jobs(Attempt(case=Case.objects.get(pk=case.pk)))
