"""Targets of every kind in plans: saved by the form and the API, offered by kind, frozen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.models import Host, HostPair, Pool, TargetGroup
from apps.plans.models import TestPlan
from apps.plans.selectors.plans import plan_draft, plan_preview, plan_snapshot
from apps.plans.selectors.target_choices import (
    MAX_PAIRED_HOSTS,
    host_choices,
    pair_choices,
    target_choices,
)
from apps.plans.selectors.target_kinds import target_data
from apps.plans.selectors.target_names import mesh_of, target_value, targets_named
from apps.plans.tests.factories import create_directory, create_disk, create_host, create_plan
from apps.plans.tests.test_plan_form import NEW, plan, step

API = "/api/v1/plans/"
Api = Callable[[User | None], APIClient]


def create_pool(owner: User, host: Host, *clients: Host, **fields: Any) -> Pool:
    pool = Pool.objects.create(**{"owner": owner, "host": host, "name": "bench"} | fields)
    pool.clients.set(clients)
    return pool


def create_group(owner: User, *disks: Any) -> TargetGroup:
    group = TargetGroup.objects.create(owner=owner, name="fast ones")
    group.disks.set(disks)
    return group


@pytest.fixture
def hosts(db: None) -> list[Host]:
    return [create_host(name=f"node{n}", address=f"10.0.0.{n}") for n in (1, 2, 3)]


def a_set(owner: User, hosts: list[Host]) -> list[str]:
    """A value of every kind."""
    one, two, _three = hosts
    return [
        target_value(create_disk(host=one)),
        target_value(create_directory(owner=owner, host=two)),
        target_value(create_pool(owner, one, two)),
        f"pair:{one.pk}-{two.pk}",
        target_value(create_group(owner, create_disk(host=one), create_disk(host=two))),
    ]


def test_the_form_keeps_every_kind(owner: User, owner_client: Client, hosts: list[Host]) -> None:
    values = a_set(owner, hosts)
    asked = {"targets": values[:3] + values[4:], "pairs": [values[3]]}
    assert owner_client.post(NEW, plan("a", **asked) | step("a")).status_code == 302
    saved = plan_draft(TestPlan.objects.get())
    assert sorted(map(target_value, saved.targets)) == sorted(values)
    html = owner_client.get(f"/plans/{TestPlan.objects.get().pk}/edit/").content.decode()
    assert all(f'value="{value}" selected' in html for value in values)


def test_a_mesh_is_every_ordered_pair(owner_client: Client, hosts: list[Host]) -> None:
    mesh = [str(host.pk) for host in hosts]
    first = f"pair:{mesh[0]}-{mesh[1]}"
    asked = plan("a", mesh=mesh, pairs=[first]) | step("a")
    assert owner_client.post(NEW, asked).status_code == 302
    saved = [str(target) for target in plan_draft(TestPlan.objects.get()).targets]
    assert saved == [
        f"node{one} → node{other}" for one in (1, 2, 3) for other in (1, 2, 3) if one != other
    ]
    assert HostPair.objects.count() == 6


def test_one_host_is_no_mesh(owner_client: Client, hosts: list[Host]) -> None:
    answer = owner_client.post(NEW, plan("a", mesh=[str(hosts[0].pk)]) | step("a"))
    assert answer.status_code == 400
    assert "A mesh needs at least two hosts." in answer.content.decode()


def test_the_preview_makes_no_rows(owner_client: Client, hosts: list[Host]) -> None:
    asked = plan("a", mesh=[str(host.pk) for host in hosts]) | step("a")
    answer = owner_client.post("/plans/preview/", asked)
    assert answer.status_code == 200
    assert "no step of this plan uses a pair of hosts" in answer.content.decode()
    assert not HostPair.objects.exists()


def test_a_pair_is_one_row_for_all_plans(owner: User, hosts: list[Host]) -> None:
    value = f"pair:{hosts[0].pk}-{hosts[1].pk}"
    for _number in range(2):
        create_plan(owner=owner, targets=targets_named([value]))
    assert HostPair.objects.count() == 1


def test_hosts_of_the_archive_are_never_offered(owner: User, hosts: list[Host]) -> None:
    Host.objects.filter(pk=hosts[2].pk).update(kind=Host.Kind.IMPORTED_ONLY)
    gone = hosts[2]
    disk, pool = create_disk(host=gone), create_pool(owner, gone)
    assert str(gone.pk) not in dict(host_choices())
    assert not any(str(gone.pk) in value.partition(":")[2].split("-") for value, _ in offered())
    values = [target_value(disk), target_value(pool), f"pair:{hosts[0].pk}-{gone.pk}"]
    assert targets_named(values) == []
    assert "node3" not in str(target_choices())


def offered() -> list[tuple[str, str]]:
    return pair_choices([])


def test_many_hosts_are_paired_by_mesh_only(hosts: list[Host]) -> None:
    for number in range(MAX_PAIRED_HOSTS):
        create_host(name=f"more{number}")
    chosen = f"pair:{hosts[1].pk}-{hosts[0].pk}"
    assert pair_choices([chosen]) == [(chosen, "node2 → node1")]


def test_targets_are_offered_by_kind(owner: User, hosts: list[Host]) -> None:
    a_set(owner, hosts)
    create_pool(owner, hosts[2], name="found", is_ephemeral=True)
    assert [title for title, _rows in target_choices()] == [
        "Disks of node1",
        "Disks of node2",
        "Directories of node2",
        "Groups, used all at once",
        "Ceph pools",
    ]
    pools = dict(target_choices())["Ceph pools"]
    assert [words for _value, words in pools] == [
        "node1: pool bench (node1, node2) · existing",
        "node3: pool found · made and deleted by benchlab",
    ]


@pytest.mark.parametrize(
    "value", ["disk:0", "pair:1-1", "pair:1", "pool:x", "group:", "disk:1-2", "mesh:1-2", "Disk:1"]
)
def test_values_that_name_nothing(hosts: list[Host], value: str) -> None:
    assert targets_named([value]) == []


def test_a_script_names_every_kind(api: Api, owner: User, hosts: list[Host], viewer: User) -> None:
    values = a_set(owner, hosts)
    body = {"name": "all", "targets": values, "steps": [{"tool": "fio", "params": {}}]}
    made = api(owner).post(API, body, format="json")
    assert made.status_code == 201
    assert made.json()["targets"] == values
    pk = made.json()["id"]
    assert api(viewer).get(f"{API}{pk}/").json()["targets"] == values
    assert api(viewer).patch(f"{API}{pk}/", {"targets": []}, format="json").status_code == 403
    (listed,) = api(viewer).get(API).json()["results"]
    assert listed["targets"] == values


def test_who_may_change_targets(
    api: Api, owner: User, viewer: User, stranger: User, hosts: list[Host]
) -> None:
    saved = create_plan(owner=owner, targets=[create_disk(host=hosts[0])])
    change = {"targets": [f"pair:{hosts[0].pk}-{hosts[1].pk}"]}
    for person, code in ((None, 401), (viewer, 403), (stranger, 403), (owner, 200)):
        answer = api(person).patch(f"{API}{saved.pk}/", change, format="json")
        assert answer.status_code == code
    assert [str(target) for target in plan_draft(saved).targets] == ["node1 → node2"]


def test_absent_target_is_an_error(api: Api, owner: User, hosts: list[Host]) -> None:
    body = {"name": "x", "targets": ["pair:9999-1"], "steps": []}
    answer = api(owner).post(API, body, format="json")
    assert answer.status_code == 400
    assert "There is no such target." in str(answer.json())


def test_a_frozen_plan_names_hosts_and_members(owner: User, hosts: list[Host]) -> None:
    one, two, _three = hosts
    group = create_group(owner, create_disk(host=two), create_disk(host=one))
    pool = create_pool(owner, one, two, is_ephemeral=True, pg_num=8)
    saved = create_plan(owner=owner, targets=[group, pool])
    frozen_group, frozen_pool = plan_snapshot(saved).plan.targets
    assert [host.name for host in frozen_group.hosts] == ["node1", "node2"]
    assert [member.host.name for member in frozen_group.members] == ["node1", "node2"]
    make = frozen_pool.members[1].make
    assert make is not None
    assert make.pg_num == 8


def test_a_plan_is_read_in_few_queries(
    owner: User, hosts: list[Host], django_assert_max_num_queries: Any
) -> None:
    values = a_set(owner, hosts)
    saved = create_plan(owner=owner, targets=targets_named(values))
    with django_assert_max_num_queries(17):
        plan_preview(TestPlan.objects.get(pk=saved.pk))
    more = mesh_of(host.pk for host in hosts)
    larger = create_plan(owner=owner, targets=targets_named([*values, *more]))
    with django_assert_max_num_queries(17):
        plan_preview(TestPlan.objects.get(pk=larger.pk))


def test_an_erasure_coded_pool_has_no_replicas(owner: User, hosts: list[Host]) -> None:
    pool = create_pool(
        owner,
        hosts[0],
        is_ephemeral=True,
        pool_type=Pool.PoolType.ERASURE,
        k=2,
        m=1,
        failure_domain="osd",
    )
    (member,) = target_data(pool).members
    assert member.make is not None
    assert (member.make.k, member.make.m, member.make.replicas) == (2, 1, None)
    assert member.make.failure_domain == "osd"
    pool.is_ephemeral = False
    assert target_data(pool).members[0].make is None
