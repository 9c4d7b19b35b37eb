"""/api/v1/hosts/: the same rules as on the pages, and secrets that only go in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from apps.accounts.fresh_login import FRESH
from apps.accounts.models import ApiToken, User
from apps.inventory.models import Host
from apps.inventory.selectors.inventory import fingerprint
from apps.inventory.services import host_key_offered
from apps.inventory.tests.factories import create_facts, create_host, public_line
from apps.remote.keys import generate_key

HOSTS = "/api/v1/hosts/"
NEW = {"name": "ceph-01", "address": "192.0.2.10", "generate_key": True, "tags": ["ceph"]}
Api = Callable[[User | None], APIClient]


def test_everybody_with_a_login_reads(api: Api, viewer: User) -> None:
    host = create_host()
    create_facts(host)
    assert api(None).get(HOSTS).status_code == 401
    row = api(viewer).get(f"{HOSTS}{host.pk}/").json()
    assert row["facts"]["kernel"] == "6.1.0-18-amd64"
    assert row["host_key_fingerprint"] == fingerprint(host.host_key)


def test_an_admin_makes_and_changes(api: Api, admin: User) -> None:
    client = api(admin)
    made = client.post(HOSTS, NEW)
    assert made.status_code == 201, made.content
    row = made.json()
    assert row["public_key"].startswith("ssh-ed25519 ")
    changed = client.patch(f"{HOSTS}{row['id']}/", {"port": 2222, "enabled": False}).json()
    assert (changed["port"], changed["enabled"], changed["name"]) == (2222, False, "ceph-01")
    assert changed["credential"] == row["credential"]


def test_another_machine_needs_the_right_to_wipe(admin: User) -> None:
    host = create_host(address="192.0.2.1", port=22, key_source="agent")
    client, where = APIClient(), f"{HOSTS}{host.pk}/"
    client.force_authenticate(admin, ApiToken(user=admin))
    same = {"address": "192.0.2.1", "port": 22, "tags": ["new"]}
    assert client.patch(where, same, format="json").status_code == 200
    changes: list[dict[str, object]] = [
        {"address": "192.0.2.2"}, {"port": 23}, {"user": "other"}, {"key_source": "stored"},
        {"jump": create_host(name="jump").pk}, {"generate_key": True},
    ]  # fmt: skip
    for change in changes:
        assert client.patch(where, change, format="json").status_code == 403, change
    host.refresh_from_db()
    assert (host.address, host.port, host.tags) == ("192.0.2.1", 22, ["new"])


def test_the_page_of_a_host_needs_a_fresh_login_for_another_machine(admin_client: Client) -> None:
    host = create_host(address="192.0.2.1")
    page = admin_client.get(f"/hosts/{host.pk}/edit/")
    initial = page.context["form"].initial
    form = {name: value for name, value in initial.items() if value is not None}
    session = admin_client.session
    session[FRESH] = 0
    session.save()
    unchanged = admin_client.post(f"/hosts/{host.pk}/edit/", form | {"tag_words": "new"})
    assert unchanged.status_code == 302
    changed = admin_client.post(f"/hosts/{host.pk}/edit/", form | {"address": "192.0.2.2"})
    assert changed.status_code == 403
    host.refresh_from_db()
    assert (host.address, host.tags) == ("192.0.2.1", ["new"])


def test_a_private_key_goes_in_and_never_out(api: Api, admin: User) -> None:
    pem, _public = generate_key()
    fields: dict[str, object] = {"name": "a", "address": "192.0.2.1", "private_key": pem}
    made = api(admin).post(HOSTS, fields)
    assert made.status_code == 201
    assert "PRIVATE" not in made.content.decode()
    assert "private_key" not in made.json()


@pytest.mark.parametrize("role", ["owner", "operator", "viewer", "stranger"])
def test_others_may_not_write(api: Api, role: str, request: pytest.FixtureRequest) -> None:
    client = api(request.getfixturevalue(role))
    host = create_host()
    assert client.post(HOSTS, NEW).status_code == 403
    assert client.patch(f"{HOSTS}{host.pk}/", {"port": 23}).status_code == 403
    assert client.post(f"{HOSTS}{host.pk}/scan-key/").status_code == 403
    assert Host.objects.get().port == 22


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"adress": "x"}, "adress"),
        ({"address": "a b"}, "address"),
        ({"tags": ["a b"]}, "tags.0"),
        ({"port": 70000}, "port"),
        ({"jump": 999}, "jump"),
    ],
)
def test_what_is_wrong_is_named(
    api: Api, admin: User, fields: dict[str, object], wrong: str
) -> None:
    answer = api(admin).post(HOSTS, NEW | fields)
    assert answer.status_code == 400
    assert wrong in answer.json()["error"]["fields"]


def test_an_operator_asks_for_a_check(api: Api, operator: User, viewer: User) -> None:
    host = create_host()
    assert api(viewer).post(f"{HOSTS}{host.pk}/check/").status_code == 403
    answer = api(operator).post(f"{HOSTS}{host.pk}/check/")
    assert answer.json()["check_requested_at"] is not None


def test_a_key_is_accepted_by_its_fingerprint(api: Api, admin: User) -> None:
    host, line = create_host(host_key=""), public_line()
    host_key_offered(host=host, line=line)
    address = f"{HOSTS}{host.pk}/accept-key/"
    assert api(admin).post(address, {"fingerprint": "SHA256:no"}).status_code == 409
    answer = api(admin).post(address, {"fingerprint": fingerprint(line)})
    assert answer.json()["host_key_fingerprint"] == fingerprint(line)


def test_a_filter_that_is_none_is_refused(api: Api, viewer: User) -> None:
    create_host(name="one")
    create_host(name="two", enabled=False)
    found = api(viewer).get(HOSTS, {"enabled": "true"}).json()["results"]
    assert [row["name"] for row in found] == ["one"]
    answer = api(viewer).get(HOSTS, {"enabeld": "true"})
    assert answer.status_code == 400
    assert "enabeld" in answer.json()["error"]["fields"]


@pytest.mark.parametrize("pk", ["999", "99999999999999999999999", "-1", "x", "1.5", "5e-3"])
def test_what_is_not_there_is_a_json_404(api: Api, viewer: User, pk: str) -> None:
    answer = api(viewer).get(f"{HOSTS}{pk}/")
    assert answer.status_code == 404
    assert answer.json()["error"]["kind"] == "not_found"


def test_the_list_costs_the_same_for_many_hosts(
    api: Api, viewer: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _number in range(20):
        create_facts(create_host())
    with django_assert_max_num_queries(3):
        api(viewer).get(HOSTS)
