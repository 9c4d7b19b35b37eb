"""Ceph pools: what may be entered, who changes an entry, and what stays when results name it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, User
from apps.accounts.tests.factories import create_team
from apps.common.errors import ServiceError
from apps.inventory.forms import PoolForm
from apps.inventory.models import Host, Pool
from apps.inventory.selectors.labels import pool_shape
from apps.inventory.services import PoolDraft, pool_draft, pool_save
from apps.inventory.tests.factories import create_archive_host, create_host, create_pool
from tests.harness.documents import Changes

POOLS = "/api/v1/pools/"
Api = Callable[[User | None], APIClient]


def made(host: Host, name: str = "bench", **fields: Any) -> PoolDraft:
    return PoolDraft(name=name, host=host, is_ephemeral=True, **fields)


def refused_fields(user: User, draft: PoolDraft) -> list[str]:
    with pytest.raises(ServiceError) as refused:
        pool_save(user=user, draft=draft)
    assert refused.value.status == 400
    assert not Pool.objects.exists()
    return list(refused.value.fields)


@pytest.mark.parametrize(
    "name",
    [
        *("rbd", "device_health_metrics", "default.rgw.buckets.data", "eu-west.rgw.meta", "images"),
        *("cephfs_data", "cephfs.shared.meta", "cephfs-metadata", "volumes", "vms", "backups"),
        *("replicapool", "ocs-storagecluster-cephblockpool", "myfs_metadata", "rgw.root"),
    ],
)
def test_benchlab_makes_no_pool_that_others_keep_data_in(operator: User, name: str) -> None:
    assert refused_fields(operator, made(create_host(), name)) == ["name"]


@pytest.mark.parametrize("name", [".mgr", ".rgw.root", "", "a b", "-x", "a/b", "a" * 65, "a\nb"])
def test_a_name_is_plain(operator: User, name: str) -> None:
    assert refused_fields(operator, PoolDraft(name=name, host=create_host())) == ["name"]


@pytest.mark.parametrize("name", ["test", "rbd-bench", "bench.1", "scbench", "perf_vms"])
def test_usual_names_are_taken(operator: User, name: str) -> None:
    assert pool_save(user=operator, draft=made(create_host(), name)).name == name


def test_a_pool_that_is_there_may_have_any_name(operator: User) -> None:
    host = create_host()
    assert not pool_save(user=operator, draft=PoolDraft(name="rbd", host=host)).is_ephemeral


@pytest.mark.parametrize(
    ("shape", "wrong"),
    [
        ({"replicas": 0}, "replicas"),
        ({"replicas": 11}, "replicas"),
        ({"pg_num": 0}, "pg_num"),
        ({"pg_num": 32769}, "pg_num"),
        ({"pool_type": "erasure", "k": 1}, "k"),
        ({"pool_type": "erasure", "k": 33}, "k"),
        ({"pool_type": "erasure", "m": 0}, "m"),
        ({"pool_type": "raid"}, "pool_type"),
        ({"failure_domain": "rack"}, "failure_domain"),
    ],
)
def test_a_shape_that_ceph_refuses_is_refused(operator: User, shape: Changes, wrong: str) -> None:
    assert refused_fields(operator, made(create_host(), **shape)) == [wrong]


def test_the_shape_of_a_pool_that_is_there_does_not_matter(operator: User) -> None:
    draft = PoolDraft(name="x", host=create_host(), pool_type="erasure", k=1, m=0)
    assert pool_shape(pool_save(user=operator, draft=draft)) == ""


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ({}, "replicated as the cluster does by default, 64 placement groups"),
        ({"replicas": 1, "pg_num": 1}, "1 replica, 1 placement group"),
        (
            {"pool_type": "erasure", "k": 4, "m": 2, "failure_domain": "osd"},
            "erasure coded 4+2 over OSDs, 64 placement groups",
        ),
    ],
)
def test_the_shape_in_words(operator: User, shape: Changes, words: str) -> None:
    assert pool_shape(pool_save(user=operator, draft=made(create_host(), **shape))) == words


def test_hosts_are_different_and_reached(operator: User) -> None:
    host, old = create_host(), create_archive_host()
    assert refused_fields(operator, PoolDraft(name="x", host=old)) == ["host"]
    assert refused_fields(operator, PoolDraft("x", host, clients=[old])) == ["clients"]
    assert refused_fields(operator, PoolDraft("x", host, clients=[host])) == ["clients"]


def test_a_host_has_one_entry_for_a_pool(operator: User) -> None:
    host = create_host()
    create_pool(owner=operator, host=host, name="bench")
    with pytest.raises(ServiceError, match="already"):
        pool_save(user=operator, draft=PoolDraft(name="bench", host=host))
    pool_save(user=operator, draft=PoolDraft(name="bench", host=create_host()))


def test_a_change_is_recorded_with_its_hosts(operator: User) -> None:
    pool, more = create_pool(owner=operator, name="bench"), create_host(name="second")
    now = vars(pool_draft(pool)) | {"clients": [more], "pg_num": 128}
    changed = pool_save(pool=pool, user=operator, draft=PoolDraft(**now))
    assert list(changed.clients.all()) == [more]
    entry = AuditEntry.objects.get(action="change").detail["entry"]
    assert (entry["pg_num"], entry["hosts"]) == (128, [pool.host.name, "second"])


def test_only_operators_make_and_owners_change(viewer: User, owner: User, stranger: User) -> None:
    with pytest.raises(PermissionDenied):
        pool_save(user=viewer, draft=PoolDraft(name="x", host=create_host()))
    pool = create_pool(owner=owner)
    with pytest.raises(PermissionDenied):
        pool_save(pool=pool, user=stranger, draft=pool_draft(pool))
    with pytest.raises(ServiceError, match="one of your own teams"):
        pool_save(user=owner, draft=PoolDraft("x", create_host(), team=create_team()))


def test_scripts_make_read_change_and_delete(api: Api, operator: User, viewer: User) -> None:
    host, more = create_host(), create_host()
    client = api(operator)
    row = client.post(POOLS, {"name": "bench", "host": host.pk, "clients": [more.pk]}).json()
    assert (row["owner"], row["clients"], row["is_ephemeral"]) == ("operator", [more.pk], False)
    address = f"{POOLS}{row['id']}/"
    changed = client.patch(
        address, {"is_ephemeral": True, "pool_type": "erasure", "k": 4, "m": 2}
    ).json()
    assert (changed["k"], changed["clients"], changed["name"]) == (4, [more.pk], "bench")
    assert api(viewer).get(POOLS, {"is_ephemeral": "true"}).json()["results"][0]["m"] == 2
    assert client.patch(address, {"name": "rbd"}).json()["error"]["fields"].keys() == {"name"}
    assert client.delete(address).status_code == 204


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"pg_nun": 3}, "pg_nun"),
        ({"host": 999999}, "host"),
        ({"clients": [999999]}, "clients"),
        ({"k": 10**12}, "k"),
        ({"pool_type": "raid"}, "pool_type"),
        ({"is_ephemeral": True, "name": "rbd"}, "name"),
    ],
)
def test_api_returns_errors_by_field(api: Api, operator: User, fields: Changes, wrong: str) -> None:
    answer = api(operator).post(POOLS, {"name": "x", "host": create_host().pk} | fields)
    assert (answer.status_code, wrong in answer.json()["error"]["fields"]) == (400, True)


def test_the_pages_add_change_and_delete(
    operator_client: Client, stranger_client: Client, viewer_client: Client
) -> None:
    host = create_host()
    form = {
        "name": "bench",
        "is_ephemeral": "yes",
        "pool_type": "replicated",
        "replicas": "",
        "k": "2",
    }
    form |= {"m": "1", "failure_domain": "host", "pg_num": "32", "host": str(host.pk)}
    assert viewer_client.get("/pools/add/").status_code == 403
    wrong = operator_client.post("/pools/add/", form | {"name": "rbd"})
    assert "choose another name" in wrong.content.decode()
    assert operator_client.post("/pools/add/", form).status_code == 302
    pool = Pool.objects.get()
    assert (pool.is_ephemeral, pool.pg_num, pool.replicas) == (True, 32, None)
    assert stranger_client.get(f"/pools/{pool.pk}/edit/").status_code == 403
    assert 'value="32"' in operator_client.get(f"/pools/{pool.pk}/edit/").content.decode()
    assert operator_client.post(f"/pools/{pool.pk}/edit/", form | {"pg_num": ""}).status_code == 302
    assert Pool.objects.get().pg_num == 64
    assert "/edit/" not in stranger_client.get("/pools/").content.decode()
    assert operator_client.post(f"/pools/{pool.pk}/delete/").status_code == 302
    assert not Pool.objects.exists()


def test_the_form_keeps_a_team_its_owner_is_not_in(operator: User) -> None:
    team, other = create_team(), create_team()
    pool = create_pool(owner=operator, team=team)
    shown = str(PoolForm(user=operator, pool=pool)["team"])
    assert f'value="{team.pk}" selected' in shown
    assert f'value="{other.pk}"' not in shown


def test_an_empty_list_says_what_to_do(operator_client: Client, viewer_client: Client) -> None:
    assert "/pools/add/" in operator_client.get("/pools/").content.decode()
    page = viewer_client.get("/pools/").content.decode()
    assert "No Ceph pools yet" in page
    assert "/pools/add/" not in page
    assert "No entry matches" in viewer_client.get("/pools/?name=x").content.decode()


def test_the_list_costs_the_same_for_many_pools(
    viewer_client: Client, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _number in range(20):
        create_pool(owner=owner).clients.set([create_host(), create_host()])
    with django_assert_max_num_queries(6):
        viewer_client.get("/pools/")
