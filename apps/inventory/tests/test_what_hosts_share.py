"""Clusters, devices and machines that several host entries show."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, User
from apps.inventory.models import Disk, Host
from apps.inventory.services import host_cluster_store
from apps.inventory.tests.factories import create_disk, create_facts, create_host

Api = Callable[[User | None], APIClient]
FSID = "4f0c1e6a-9d1b-4c54-8a54-6a3c5b1f2d10"
OTHER = "0b7c1e6a-9d1b-4c54-8a54-6a3c5b1f2d11"


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.fixture
def clients(db: None) -> list[Host]:
    """Two hosts that are clients of one Ceph cluster."""
    hosts = [create_host(name=f"client{number}") for number in (1, 2)]
    for host in hosts:
        host_cluster_store(host=host, fsid=f" {FSID.upper()}\n")
        host.refresh_from_db()
    return hosts


def test_a_host_names_its_cluster_and_who_shares_it(
    clients: list[Host], viewer_client: Client
) -> None:
    text = page(viewer_client, f"/hosts/{clients[0].pk}/")
    assert FSID in text
    assert "It is a client of the same Ceph cluster as client2" in text
    assert "It is not the same cluster" not in text, "a viewer cannot say so"


def test_an_admin_says_that_the_cluster_is_another_one(
    clients: list[Host], admin_client: Client, owner: User, api: Api, admin: User
) -> None:
    host = clients[0]
    assert "It is not the same cluster" in page(admin_client, f"/hosts/{host.pk}/")
    admin_client.post(f"/hosts/{host.pk}/cluster/", {"distinct": "1"})
    host.refresh_from_db()
    assert host.cluster
    assert host.cluster.is_distinct
    assert "It is the same cluster" in page(admin_client, f"/hosts/{host.pk}/")
    assert "same Ceph cluster as" not in page(admin_client, f"/hosts/{clients[1].pk}/")
    assert AuditEntry.objects.filter(action="share Ceph cluster").exists()
    url = f"/api/v1/hosts/{host.pk}/cluster/"
    assert api(owner).post(url, {"distinct": False}, format="json").status_code == 403
    answer = api(admin).post(url, {"distinct": False}, format="json")
    assert answer.json()["cluster"]["is_distinct"] is False


def test_another_cluster_is_noted_and_waits_for_an_admin(
    clients: list[Host], admin_client: Client, api: Api, admin: User
) -> None:
    host = clients[0]
    host_cluster_store(host=host, fsid=OTHER)
    text = page(admin_client, f"/hosts/{host.pk}/")
    assert (
        f"It reports that it is a client of Ceph cluster {OTHER} now; it was one of {FSID}" in text
    )
    assert "It is not the same cluster" not in text
    wrong = api(admin).post(f"/api/v1/hosts/{host.pk}/cluster/", {"accept": FSID}, format="json")
    assert wrong.status_code == 409
    admin_client.post(f"/hosts/{host.pk}/cluster/", {"fsid": OTHER})
    host.refresh_from_db()
    assert (str(host.cluster), host.cluster_changed) == (OTHER, False)


def test_a_cluster_that_is_away_is_no_other_one(clients: list[Host]) -> None:
    host_cluster_store(host=clients[0], fsid="", error="ceph fsid: no answer within 20 seconds.")
    clients[0].refresh_from_db()
    assert (str(clients[0].cluster), clients[0].cluster_changed) == (FSID, False)


def test_hosts_that_give_the_same_machine_id_are_warned_about(viewer_client: Client) -> None:
    hosts = [create_host(name=f"copy{number}") for number in (1, 2)]
    for host in hosts:
        create_facts(host, machine_id="abc")
    assert "The same machine id is given by copy2" in page(viewer_client, f"/hosts/{hosts[0].pk}/")
    Host.objects.filter(pk=hosts[1].pk).update(host_key=hosts[0].host_key)
    assert "The same machine id" not in page(viewer_client, f"/hosts/{hosts[0].pk}/")


def test_a_disk_owner_says_that_a_disk_is_another_device(
    owner: User, owner_client: Client, viewer_client: Client, api: Api, viewer: User
) -> None:
    first, second = (
        create_disk(host=create_host(name=name), enrolled_by=owner, identity="wwn:naa.1")
        for name in ("east", "west")
    )
    address = f"/disks/{first.pk}/"
    assert str(second) in page(viewer_client, address)
    assert "It is not the same device" not in page(viewer_client, address)
    assert viewer_client.post(f"{address}distinct-device/", {"distinct": "1"}).status_code == 403
    assert "It is not the same device" in page(owner_client, address)
    owner_client.post(f"{address}distinct-device/", {"distinct": "1"})
    first = Disk.objects.get(pk=first.pk)
    assert (first.claim, second.claim) == (f"wwn:naa.1@{first.host_id}", "wwn:naa.1")
    assert "another device" in page(viewer_client, f"/disks/{second.pk}/")
    url = f"/api/v1/disks/{first.pk}/distinct-device/"
    assert api(viewer).post(url, {"distinct": False}, format="json").status_code == 403
    answer = api(owner).post(url, {"distinct": False}, format="json")
    assert answer.json()["is_distinct_device"] is False


def test_an_admin_says_how_osds_may_be_restarted(
    clients: list[Host], admin_client: Client, viewer_client: Client, owner: User, api: Api
) -> None:
    host, address = clients[0], f"/hosts/{clients[0].pk}/cluster/"
    assert not host.restartable_kinds
    said = {"restart": "command", "command": "systemctl restart 'ceph-osd@{id}'"}
    assert viewer_client.post(address, said).status_code == 403
    assert api(owner).post(f"/api/v1{address}", said, format="json").status_code == 403
    admin_client.post(address, said)
    host.refresh_from_db()
    assert host.restartable_kinds
    assert host.cluster
    assert host.cluster.restart_command("osd") == ["systemctl", "restart", "ceph-osd@{id}"]
    text = page(viewer_client, f"/hosts/{host.pk}/")
    assert "systemctl restart &#x27;ceph-osd@{id}&#x27;" in text
    assert (
        AuditEntry.objects.get(action="restart Ceph daemons").detail["command"] == said["command"]
    )
    admin_client.post(address, {"restart": "unit", "command": "ignored"})
    host.refresh_from_db()
    assert host.cluster
    assert (host.restartable_kinds, host.cluster.restart_command("osd")) == (("osd",), [])


@pytest.mark.parametrize("command", ["", "restart-all", "sh 'x {id}", "a {id}\nb"])
def test_a_command_that_restarts_no_single_osd_is_refused(
    clients: list[Host], admin: User, api: Api, command: str
) -> None:
    body = {"restart": "command", "command": command}
    url = f"/api/v1/hosts/{clients[0].pk}/cluster/"
    assert api(admin).post(url, body, format="json").status_code == 400
    clients[0].refresh_from_db()
    assert not clients[0].restartable_kinds


def test_the_word_is_for_one_cluster_only(clients: list[Host], admin: User, api: Api) -> None:
    host, url = clients[0], f"/api/v1/hosts/{clients[0].pk}/cluster/"
    assert api(admin).post(url, {"restart": "unit"}, format="json").status_code == 200
    host_cluster_store(host=host, fsid=OTHER)
    host.refresh_from_db()
    assert not host.restartable_kinds
    api(admin).post(url, {"accept": OTHER}, format="json")
    host.refresh_from_db()
    assert not host.restartable_kinds


def test_the_list_of_disks_names_the_other_entries_of_a_machine(viewer_client: Client) -> None:
    first, second, alone = (create_host(name=name) for name in ("first", "second", "alone"))
    for host in (first, second):
        create_facts(host, machine_id="abc")
    create_facts(alone, machine_id="def")
    for host in (first, second, alone):
        create_disk(host=host)
    text = page(viewer_client, "/disks/")
    assert "the same machine id as second" in text
    assert "the same machine id as first" in text
    assert "the same machine as" not in text, "another SSH host key"
    Host.objects.filter(pk=second.pk).update(host_key=first.host_key)
    text = page(viewer_client, "/disks/")
    assert "the same machine as second" in text
    assert "the same machine as first" in text
    assert "the same machine id as" not in text
    assert "as alone" not in text


def test_the_list_of_disks_marks_the_disk_of_the_system(viewer_client: Client) -> None:
    disk = create_disk()
    assert "the system</span>" not in page(viewer_client, "/disks/")
    Disk.objects.filter(pk=disk.pk).update(facts={"system": True})
    assert "the system</span>" in page(viewer_client, "/disks/")
