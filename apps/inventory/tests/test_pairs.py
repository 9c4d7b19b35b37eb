"""Pairs of hosts: made when a plan names them, and where a network test connects to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.inventory.models import Host, HostPair
from apps.inventory.services import pair_ensure
from apps.inventory.tests.factories import create_archive_host, create_facts, create_host

Api = Callable[[User | None], APIClient]
CARDS = [{"name": "eth1", "addresses": ["10.10.0.1"], "speed": 25000}]


def test_a_direction_is_one_row(db: None) -> None:
    one, two = create_host(), create_host()
    pair = pair_ensure(client=one, server=two)
    assert pair_ensure(client=one, server=two) == pair
    assert pair_ensure(client=two, server=one) != pair
    assert HostPair.objects.count() == 2


def test_the_storage_network_comes_before_the_address(db: None) -> None:
    one, two = create_host(), create_host(address="192.0.2.7")
    pair = pair_ensure(client=one, server=two)
    assert pair.address == "192.0.2.7"
    two.network_test_address = "10.10.0.7"
    assert pair.address == "10.10.0.7"


def test_a_pair_that_cannot_measure_is_refused(db: None) -> None:
    host, old = create_host(), create_archive_host()
    local = create_host(kind=Host.Kind.LOCAL, address="")
    for client, server, words in (
        (host, host, "two different hosts"),
        (host, old, "only in the archive"),
        (old, host, "only in the archive"),
        (host, local, "no address for network tests"),
    ):
        with pytest.raises(ServiceError, match=words) as refused:
            pair_ensure(client=client, server=server)
        assert refused.value.status == 400
    assert pair_ensure(client=local, server=host)


def test_scripts_read_pairs(api: Api, viewer: User) -> None:
    one, two = create_host(name="one"), create_host(name="two", network_test_address="10.0.0.2")
    pair_ensure(client=one, server=two)
    pair_ensure(client=two, server=one)
    row = api(viewer).get("/api/v1/pairs/", {"server": two.pk}).json()["results"][0]
    assert (row["target"], row["address"]) == (f"pair:{one.pk}-{two.pk}", "10.0.0.2")
    assert (row["client_name"], row["server_name"]) == ("one", "two")


def test_an_admin_enters_the_address_and_sees_those_of_the_cards(admin_client: Client) -> None:
    host = create_host()
    create_facts(host, nics=CARDS)
    assert "its cards have 10.10.0.1 (eth1)" in page(admin_client, f"/hosts/{host.pk}/")
    form = page(admin_client, f"/hosts/{host.pk}/edit/")
    assert '<option value="10.10.0.1">' in form
    sent = {"name": host.name, "kind": "ssh", "address": host.address, "port": "22", "user": "root"}
    sent |= {"privilege_mode": "root", "key": "agent", "network_test_address": "10.10.0.1"}
    assert admin_client.post(f"/hosts/{host.pk}/edit/", sent).status_code == 302
    host.refresh_from_db()
    assert host.network_test_address == "10.10.0.1"
    wrong = admin_client.post(f"/hosts/{host.pk}/edit/", sent | {"network_test_address": "a b"})
    assert "A host name or an IP address" in wrong.content.decode()


def test_scripts_enter_the_address(api: Api, admin: User) -> None:
    address = f"/api/v1/hosts/{create_host().pk}/"
    changed = api(admin).patch(address, {"network_test_address": "10.0.0.9"})
    assert changed.json()["network_test_address"] == "10.0.0.9"
    assert api(admin).patch(address, {"network_test_address": "10.0.0.9; id"}).status_code == 400


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()
