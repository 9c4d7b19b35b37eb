"""Hosts that are only in the archive: named by imports, never reached, never offered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, User
from apps.common.errors import ServiceError
from apps.inventory.forms import HostForm, PoolForm
from apps.inventory.models import Host
from apps.inventory.selectors.inventory import host_spec, hosts_reachable, members_offered
from apps.inventory.services import directory_create, disk_enrol, host_archive_ensure
from apps.inventory.tests.factories import create_archive_host, create_disk, create_host
from apps.remote.errors import HostError

Api = Callable[[User | None], APIClient]
ACTS = ("check", "scan-key", "install", "accept-key")


def test_an_import_finds_or_makes_its_host(operator: User) -> None:
    reached = create_host(name="node1")
    assert host_archive_ensure(name="node1", user=operator) == reached
    old = host_archive_ensure(name=" ceph-2019 ", user=operator)
    assert (old.kind, old.name, old.state) == ("imported_only", "ceph-2019", "imported_only")
    assert host_archive_ensure(name="ceph-2019", user=operator) == old
    assert AuditEntry.objects.filter(action="create").count() == 1


@pytest.mark.parametrize("name", ["", "a b", "-x", "a" * 65, "node/1", "nöde"])
def test_a_name_that_no_host_can_have_is_refused(operator: User, name: str) -> None:
    with pytest.raises(ServiceError) as refused:
        host_archive_ensure(name=name, user=operator)
    assert (refused.value.status, list(refused.value.fields)) == (400, ["name"])


def test_viewers_import_nothing(viewer: User) -> None:
    with pytest.raises(PermissionDenied):
        host_archive_ensure(name="old", user=viewer)


def test_nothing_connects_to_it(db: None) -> None:
    with pytest.raises(HostError, match="archive"):
        host_spec(create_archive_host())


@pytest.mark.parametrize("act", ACTS)
def test_nothing_is_done_on_it(api: Api, admin: User, act: str) -> None:
    old = create_archive_host()
    body = {"install": {"tool": "fio"}, "accept-key": {"fingerprint": "SHA256:x"}}.get(act, {})
    answer = api(admin).post(f"/api/v1/hosts/{old.pk}/{act}/", body)
    assert answer.status_code == 409
    old.refresh_from_db()
    assert (old.check_requested_at, old.install_requested) == (None, "")


def test_it_has_no_directories_and_no_disks(owner: User) -> None:
    old = create_archive_host()
    with pytest.raises(ServiceError, match="only in the archive"):
        directory_create(host=old, path="/srv/bench", user=owner)
    disk = create_disk(host=old)
    with pytest.raises(ServiceError, match="only in the archive"):
        disk_enrol(disk=disk, user=owner, confirmation=disk.identity)


def test_it_is_never_offered(operator: User) -> None:
    old, host = create_archive_host(), create_host()
    create_disk(host=old)
    assert list(hosts_reachable()) == [host]
    assert members_offered() == []
    form = PoolForm(user=operator)
    assert old.name not in str(form["host"]) + str(form["clients"]) + str(HostForm()["jump"])


def test_its_page_offers_no_act(admin_client: Client) -> None:
    old = create_archive_host()
    page = admin_client.get(f"/hosts/{old.pk}/").content.decode()
    assert "Archive only" in page
    assert f"/runs/?host={old.pk}" in page
    for act in ("check", "install", "enabled", "directories", "key"):
        assert f"/hosts/{old.pk}/{act}/" not in page
    assert "Archive only" in admin_client.get("/hosts/?kind=archive").content.decode()
    assert old.name not in admin_client.get("/hosts/?kind=ssh").content.decode()


def test_nobody_makes_one_by_hand(api: Api, admin: User, admin_client: Client) -> None:
    answer = api(admin).post("/api/v1/hosts/", {"name": "old", "kind": "imported_only"})
    assert (answer.status_code, "kind" in answer.json()["error"]["fields"]) == (400, True)
    reached = create_host()
    answer = api(admin).patch(f"/api/v1/hosts/{reached.pk}/", {"kind": "imported_only"})
    assert answer.status_code == 400
    assert 'value="imported_only"' not in admin_client.get("/hosts/add/").content.decode()


def test_it_can_be_renamed_and_become_one_that_is_reached(api: Api, admin: User) -> None:
    address = f"/api/v1/hosts/{create_archive_host('old').pk}/"
    named = api(admin).patch(address, {"name": "older", "tags": ["2019"]}).json()
    assert (named["kind"], named["name"], named["check_requested_at"]) == (
        "imported_only",
        "older",
        None,
    )
    reached = api(admin).patch(
        address, {"kind": "ssh", "address": "192.0.2.1", "user": "root", "generate_key": True}
    )
    assert reached.status_code == 200, reached.content
    assert reached.json()["check_requested_at"] is not None
    assert Host.objects.get().is_reachable_kind


def test_it_is_not_switched_off_either(api: Api, admin: User) -> None:
    address = f"/api/v1/hosts/{create_archive_host().pk}/"
    assert api(admin).patch(address, {"enabled": False}).status_code == 409
