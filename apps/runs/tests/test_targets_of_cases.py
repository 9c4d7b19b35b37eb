"""The frozen target with members of a launch, what the run then needs for itself alone, and
where it is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.inventory.models import Disk, Host, HostFacts, HostPair, Pool, TargetGroup
from apps.plans.schemas.errors import PlanError
from apps.plans.schemas.plan import PlanSpec
from apps.plans.schemas.planned import HOST_DEFAULTS, PlannedCase
from apps.plans.schemas.targets import PlannedOsdHost
from apps.plans.selectors.target_kinds import target_data
from apps.plans.selectors.target_rows import host_data
from apps.plans.services.plans import plan_archive, plan_create
from apps.plans.tests.factories import a_draft, a_step
from apps.runs.models import Case, CaseState, Origin, Run, RunState
from apps.runs.selectors.progress import run_progress
from apps.runs.selectors.resources import resources_of
from apps.runs.services.leases import run_try_start
from apps.runs.services.runs import _rows, run_launch, run_retry
from apps.runs.services.snapshot import targets_snapshot
from apps.runs.tests.factories import create_disk, create_host, create_run, end_run, target_of

Api = Callable[[User | None], APIClient]


@pytest.fixture
def hosts(db: None) -> list[Host]:
    return [create_host(name=f"node{n}", address=f"10.0.0.{n}", host_key="") for n in (1, 2)]


def a_run(owner: User, thing: Any) -> Run:
    """A queued run of one case of this target, as a launch makes it (no tool is asked)."""
    run = Run.objects.create(name="several", owner=owner, case_count=1)
    target = target_data(thing)
    planned = PlannedCase(
        sequence=0, block=0, repeat=1, step=0, step_name="", tool="fio", params={},
        workload_key="k", label="a test", target=target, tuning=HOST_DEFAULTS, seconds=60.0,
        bytes_written=0, writes=False,
    )  # fmt: skip
    Case.objects.bulk_create(_rows(run, [planned]))
    return run


def a_group(owner: User, *disks: Disk, name: str = "fast ones") -> TargetGroup:
    group = TargetGroup.objects.create(owner=owner, name=name)
    group.disks.set(disks)
    return group


def a_pool(owner: User, host: Host, *clients: Host, name: str = "bench") -> Pool:
    pool = Pool.objects.create(owner=owner, host=host, name=name, is_ephemeral=True, pg_num=8)
    pool.clients.set(clients)
    return pool


def test_a_single_disk_is_a_target_of_one_member(owner: User) -> None:
    disk = create_disk(host=create_host(name="node1"), owner=owner, device_path="/dev/vdb")
    case = create_run(owner=owner, target=disk).cases.get()
    assert (case.host_ids, case.target_words) == ([disk.host_id], "node1: /dev/vdb")
    (only,) = case.members
    assert (only.role, only.host, only.host_name, only.label) == (
        "client", disk.host, "node1", "vdb",
    )  # fmt: skip
    assert (only.kind, only.identity, only.size) == ("disk", disk.identity, disk.size)
    assert only.target is not None
    assert only.target.row == case.target == disk


def test_a_group_on_one_host_is_launched_by_its_plan(owner: User) -> None:
    host = create_host(name="node1")
    disks = [create_disk(host=host, owner=owner, device_path=f"/dev/vd{n}") for n in "cb"]
    draft = a_draft(targets=[a_group(owner, *disks)], steps=[a_step(rw="read", size="16M")])
    run = run_launch(plan=plan_create(user=owner, draft=draft), user=owner)
    case = run.cases.all()[0]
    assert case.host_ids == [host.pk]
    assert [member.label for member in case.members] == ["vdb", "vdc"]
    assert case.target_words == "fast ones: node1 /dev/vdb".replace("/dev/", "") + ", node1 vdc"
    assert case.target_kind == "group"


def test_members_of_several_hosts_are_named_with_their_host(owner: User, hosts: list[Host]) -> None:
    disks = [
        create_disk(host=host, owner=owner, device_path="/dev/vdb") for host in reversed(hosts)
    ]
    case = a_run(owner, a_group(owner, *disks)).cases.get()
    assert case.host_ids == [hosts[0].pk, hosts[1].pk]
    assert case.host_id == hosts[0].pk
    assert [member.label for member in case.members] == ["node1 vdb", "node2 vdb"]


def test_a_pair_is_its_client_then_its_server(owner: User, hosts: list[Host]) -> None:
    pair = HostPair.objects.create(client=hosts[1], server=hosts[0])
    case = a_run(owner, pair).cases.get()
    assert case.host_ids == [hosts[1].pk, hosts[0].pk]
    roles = [(member.role, member.label, member.identity) for member in case.members]
    assert roles == [("client", "node2", "10.0.0.1"), ("server", "node1", "10.0.0.1")]
    assert case.target_words == "node2 → node1"


def test_a_pool_keeps_how_it_is_made(owner: User, hosts: list[Host]) -> None:
    pool = a_pool(owner, hosts[0], hosts[1])
    case = a_run(owner, pool).cases.get()
    pool.pg_num = 256
    pool.save()
    first, second = case.members
    assert (first.label, second.label) == ("node1", "node2")
    assert first.pool_plan is not None
    assert first.pool_plan.pg_num == 8


def test_a_run_needs_every_host_machine_disk_and_pool(owner: User, hosts: list[Host]) -> None:
    facts = HostFacts.objects.create(host=hosts[0], digest="x", facts={"machine_id": "m1"})
    Host.objects.filter(pk=hosts[0].pk).update(facts=facts)
    disks = [create_disk(host=host, owner=owner) for host in hosts]
    both = [f"host:{host.pk}" for host in hosts]
    assert resources_of(a_run(owner, a_group(owner, *disks))) == sorted(
        [*both, "machine:id:m1", *(f"disk:{disk.identity}@{disk.host_id}" for disk in disks)]
    )
    assert resources_of(a_run(owner, a_pool(owner, *hosts))) == sorted(
        [*both, "machine:id:m1", f"pool:bench@{hosts[0].pk}"]
    )


def test_a_second_run_waits_for_any_host_of_the_first(owner: User, hosts: list[Host]) -> None:
    first = a_run(owner, HostPair.objects.create(client=hosts[0], server=hosts[1]))
    second = create_run(owner=owner, target=create_disk(host=hosts[1], owner=owner))
    assert run_try_start(run_id=second.pk, worker="w") is None
    second.refresh_from_db()
    assert second.reason == f"waits its turn behind run {first.pk}"
    assert run_try_start(run_id=first.pk, worker="w") is not None
    assert run_try_start(run_id=second.pk, worker="w") is None
    second.refresh_from_db()
    assert second.reason == f"waits for host node2, which run {first.pk} holds"


def test_a_disk_that_two_hosts_share_is_named(owner: User, hosts: list[Host]) -> None:
    shared = [create_disk(host=host, owner=owner, identity="wwn:shared") for host in hosts]
    other = create_disk(host=hosts[0], owner=owner)
    first = a_run(owner, a_group(owner, shared[0], other))
    second = create_run(owner=owner, target=shared[1])
    assert run_try_start(run_id=second.pk, worker="w") is None
    second.refresh_from_db()
    assert second.reason == f"waits its turn behind run {first.pk}"
    assert run_try_start(run_id=first.pk, worker="w") is not None
    assert run_try_start(run_id=second.pk, worker="w") is None
    second.refresh_from_db()
    assert second.reason.startswith(f"waits for disk {shared[0]}, which run {first.pk}")


def test_runs_on_other_hosts_do_not_wait(owner: User, hosts: list[Host]) -> None:
    a_run(owner, HostPair.objects.create(client=hosts[0], server=hosts[1]))
    free = create_run(owner=owner)
    assert run_try_start(run_id=free.pk, worker="w") is not None


def test_large_run_reads_each_target_once(
    owner: User, hosts: list[Host], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    disks = [create_disk(host=host, owner=owner) for host in hosts]
    run = a_run(owner, a_group(owner, *disks))
    (case,) = run.cases.all()
    fields = {f.attname: getattr(case, f.attname) for f in Case._meta.concrete_fields}
    Case.objects.bulk_create(
        [Case(**fields | {"id": None, "sequence": place}) for place in range(1, 10_000)],
        batch_size=2_000,
    )
    with django_assert_num_queries(4):
        assert len(resources_of(run)) == 4


def test_a_case_of_several_hosts_keeps_each_of_them_busy(owner: User, hosts: list[Host]) -> None:
    run = a_run(owner, HostPair.objects.create(client=hosts[0], server=hosts[1]))
    other = create_run(owner=owner, target=create_disk(host=hosts[1], owner=owner))
    other.targets.update(run=run, position=1)
    other.cases.update(run=run, sequence=1, expected_seconds=30.0)
    run.state, run.started_at = RunState.RUNNING, timezone.now()
    run.save()
    assert run_progress(run).remaining == 90.0


def test_lists_find_a_run_by_any_host(
    owner: User, hosts: list[Host], api: Api, viewer: User, viewer_client: Client
) -> None:
    run = a_run(owner, HostPair.objects.create(client=hosts[0], server=hosts[1]))
    create_run(owner=owner)
    for host in hosts:
        (row,) = api(viewer).get("/api/v1/runs/", {"host": host.pk}).json()["results"]
        assert row["id"] == run.pk
        (row,) = api(viewer).get("/api/v1/cases/", {"host": host.pk}).json()["results"]
        assert row["hosts"] == [each.pk for each in hosts]
    assert (row["target_name"], row["target_kind"]) == ("node1 → node2", "pair")
    assert [member["role"] for member in row["members"]] == ["client", "server"]
    page = viewer_client.get(f"/runs/{run.pk}/").content.decode()
    assert "node1 → node2" in page


def test_an_archived_plan_is_not_launched(owner: User, api: Api) -> None:
    plan = create_run(owner=owner).plan
    assert plan is not None
    plan_archive(plan=plan, user=owner)
    with pytest.raises(PlanError, match="archived: restore it"):
        run_launch(plan=plan, user=owner)
    answer = api(owner).post("/api/v1/runs/", {"plan": plan.pk}, format="json")
    assert answer.status_code == 409
    assert "restore it before launching" in answer.content.decode()


def test_an_imported_run_shows_its_hosts_and_is_not_run_again(
    owner: User, owner_client: Client
) -> None:
    host = Host.objects.create(name="old01", kind=Host.Kind.IMPORTED_ONLY)
    run = create_run(owner=owner)
    run.cases.update(run_target=target_of(run, host, "a shelf"), state=CaseState.FAILED)
    run.targets.filter(cases=None).delete()
    run.origin, run.spec, run.plan = Origin.IMPORTED, PlanSpec(), None
    run.save()
    end_run(run)
    assert "<td>old01</td>" in owner_client.get("/runs/").content.decode()
    page = owner_client.get(f"/runs/{run.pk}/").content.decode()
    assert "a shelf" in page
    assert "Imported by" in page
    assert "Retry cases" not in page
    with pytest.raises(ServiceError, match="imported: there is nothing to run again"):
        run_retry(run=run, user=owner)


def test_who_may_launch_on_several_hosts(
    api: Api, owner: User, viewer: User, stranger: User, hosts: list[Host]
) -> None:
    disks = [create_disk(host=host, owner=owner) for host in hosts]
    draft = a_draft(targets=[a_group(owner, *disks)], steps=[a_step(rw="read", size="16M")])
    plan = plan_create(user=owner, draft=draft)
    codes: list[tuple[Any, int]] = [(None, 401), (viewer, 403), (stranger, 201), (owner, 201)]
    for person, code in codes:
        answer = api(person).post("/api/v1/runs/", {"plan": plan.pk}, format="json")
        assert answer.status_code == code
    assert answer.json()["hosts"] == ["node1", "node2"]


@pytest.mark.parametrize("observed", [True, False])
def test_hosts_of_osds_that_are_reached_belong_to_a_test_on_an_observed_pool(
    owner: User, hosts: list[Host], observed: bool
) -> None:
    """Also where others of them are out of reach, as nothing is lent there."""
    pool = Pool.objects.create(name="bench", host=hosts[0], owner=owner, monitor_osd_hosts=observed)
    off = create_host(name="off", address="10.0.0.9", enabled=False)
    behind = tuple(PlannedOsdHost(host_data(host), "osds:0") for host in (hosts[1], off))
    target = replace(target_data(pool), osd_hosts=behind, unreachable_osd_hosts=("elsewhere",))
    run = Run.objects.create(name="observed", owner=owner, case_count=1)
    (row,) = targets_snapshot(run, [target]).values()
    told = [(member.host_name, member.role) for member in row.all_members]
    assert told == [("node1", "client"), *([("node2", "osd_host")] if observed else [])]
    assert (f"host:{hosts[1].pk}" in resources_of(run)) == observed
