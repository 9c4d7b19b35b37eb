"""The pages of hosts: seen by all, changed by admins, cheap however many hosts there are."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.inventory.models import Credential, Host
from apps.inventory.tests.factories import (
    create_directory,
    create_disk,
    create_facts,
    create_host,
    small_disk,
    small_facts,
)

FORM = {
    "name": "ceph-01",
    "kind": "ssh",
    "address": "192.0.2.10",
    "port": "22",
    "user": "root",
    "privilege_mode": "root",
    "key": "new",
    "tag_words": "ceph rack-1",
}


def text(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_an_empty_list_says_what_to_do(admin_client: Client, viewer_client: Client) -> None:
    assert "/hosts/add/" in text(admin_client, "/hosts/")
    assert "/hosts/add/" not in text(viewer_client, "/hosts/")


def test_the_list_shows_and_filters(viewer_client: Client) -> None:
    one = create_host(name="one", tags=["ceph"])
    create_facts(one)
    create_disk(host=one)
    create_host(name="two", health=Host.Health.UNREACHABLE, enabled=False)
    page = text(viewer_client, "/hosts/")
    assert "6.1.0-18-amd64" in page
    assert "Disabled" in page
    assert ">two<" not in text(viewer_client, "/hosts/?tag=ceph")
    assert ">one<" not in text(viewer_client, "/hosts/?health=unreachable&q=two")
    assert ">two<" in text(viewer_client, "/hosts/?health=unreachable&q=two")
    assert "No entry matches" in text(viewer_client, "/hosts/?q=nothing")


def test_the_list_costs_the_same_for_many_hosts(
    viewer_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _number in range(30):
        create_facts(create_host())
    with django_assert_max_num_queries(5):
        viewer_client.get("/hosts/")


def test_a_hosts_page_costs_the_same_for_many_disks(
    viewer_client: Client, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    host = create_host()
    for number in range(12):
        create_disk(host=host, enrolled_by=owner)
        create_directory(host=host, owner=owner, path=f"/srv/{number}")
        create_facts(host, **small_facts(kernel=f"6.{number}"))
    with django_assert_max_num_queries(9):
        viewer_client.get(f"/hosts/{host.pk}/")


def test_the_page_polls_while_a_check_is_wanted_and_stops(viewer_client: Client) -> None:
    host = create_host(check_requested_at=timezone.now())
    body = f"/hosts/{host.pk}/body/"
    assert f'data-poll-url="{body}"' in text(viewer_client, f"/hosts/{host.pk}/")
    assert viewer_client.get(body).status_code == 200
    Host.objects.update(check_requested_at=None)
    assert viewer_client.get(body).status_code == 286
    assert "data-poll-url" not in text(viewer_client, f"/hosts/{host.pk}/")


def test_an_operator_asks_for_a_check(operator_client: Client, viewer_client: Client) -> None:
    host = create_host()
    assert viewer_client.post(f"/hosts/{host.pk}/check/").status_code == 403
    assert operator_client.get(f"/hosts/{host.pk}/check/").status_code == 302
    assert operator_client.post(f"/hosts/{host.pk}/check/").status_code == 302
    host.refresh_from_db()
    assert host.is_being_checked


def test_the_form_adds_a_host_with_a_new_key(admin_client: Client) -> None:
    assert admin_client.post("/hosts/add/", FORM).status_code == 302
    host = Host.objects.get()
    assert (host.name, host.tags) == ("ceph-01", ["ceph", "rack-1"])
    page = text(admin_client, f"/hosts/{host.pk}/")
    assert Credential.objects.get().public_key in page
    assert "PRIVATE KEY" not in page


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("address", "", "An address is a host name"),
        ("key", "paste", "Paste the private key"),
        ("tag_words", "a;b", "A tag has"),
        ("name", "-x", "a letter or a digit first"),
    ],
)
def test_the_form_says_what_is_wrong(
    admin_client: Client, field: str, value: str, words: str
) -> None:
    response = admin_client.post("/hosts/add/", FORM | {field: value})
    assert response.status_code == 200
    assert words in response.content.decode()
    assert not Host.objects.exists()


def test_editing_keeps_the_key(admin_client: Client) -> None:
    admin_client.post("/hosts/add/", FORM)
    host = Host.objects.get()
    now = {**FORM, "key": f"credential:{host.credential_id}", "address": "192.0.2.11"}
    assert f'value="credential:{host.credential_id}" selected' in text(
        admin_client, f"/hosts/{host.pk}/edit/"
    )
    assert admin_client.post(f"/hosts/{host.pk}/edit/", now).status_code == 302
    host.refresh_from_db()
    assert host.address == "192.0.2.11"
    assert Credential.objects.count() == 1


@pytest.mark.parametrize("act", ["edit", "key", "key/scan", "install", "enabled"])
def test_other_roles_see_the_required_role(
    owner_client: Client, stranger_client: Client, viewer_client: Client, act: str
) -> None:
    host = create_host()
    for client in (owner_client, stranger_client, viewer_client):
        response = client.post(f"/hosts/{host.pk}/{act}/")
        assert response.status_code == 403
        assert "needs the role “Admin”" in response.content.decode()


def test_what_is_not_there_is_404(viewer_client: Client) -> None:
    assert viewer_client.get("/hosts/999/").status_code == 404
    assert viewer_client.get("/disks/999/").status_code == 404


@pytest.mark.parametrize("page", ["/hosts/{host}/", "/disks/{disk}/"])
def test_disk_scheduler_on_host_and_disk_page_is_same(viewer_client: Client, page: str) -> None:
    disk = create_disk(facts=small_disk())
    address = page.format(host=disk.host_id, disk=disk.pk)
    assert "[none] bfq" in text(viewer_client, address)


def test_address_typed_with_an_input_method_has_ascii_forms(
    admin_client: Client,
) -> None:
    admin_client.post("/hosts/add/", FORM | {"address": "１９２．0．2．77"})
    assert Host.objects.get().address == "192.0.2.77"
