"""Every address, page or API, for nobody, a viewer, another operator, the owner and an admin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import resolve
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from apps.accounts.fresh_login import FRESH
from apps.accounts.models import ApiToken, Role, User
from apps.accounts.tests.factories import create_user
from apps.common.web.pages import page_above
from apps.conftest import session_of
from benchlab.tests.access import ACTORS, API, PAGES
from benchlab.tests.access_fresh import FRESH_API, FRESH_PAGES
from benchlab.tests.addresses import address, api_methods, routes
from benchlab.tests.api_world import World


@pytest.fixture(autouse=True)
def no_broker(settings: Settings) -> None:
    """A live stream would stay open; without a broker it says 503 to whom it lets in."""
    settings.REDIS_URL = "unix:///nonexistent/valkey.sock"


@dataclass(frozen=True)
class Person:
    """A user, and the cookies of a browser in which they are logged in; nobody has neither."""

    user: User | None
    cookies: dict[str, str]


People = Mapping[str, Person]


@pytest.fixture(scope="module")
def people(module_world: World) -> People:
    """Logged in once for all addresses, which costs more than most of them."""
    users = [create_user(role=role, username=f"any {name}") for name, role in OTHERS.items()]
    viewer, stranger, admin = users
    return {
        who: Person(user, cookies_of(user))
        for who, user in zip(
            ACTORS, (None, viewer, stranger, module_world.owner, admin), strict=True
        )
    }


OTHERS = {"viewer": Role.VIEWER, "stranger": Role.OPERATOR, "admin": Role.ADMIN}


def cookies_of(user: User | None) -> dict[str, str]:
    client = Client()
    if user is not None:
        client.cookies[settings.SESSION_COOKIE_NAME] = session_of(user)
    return {name: cookie.value for name, cookie in client.cookies.items()}


def test_every_address_has_a_row() -> None:
    missing = routes().keys() - PAGES.keys() - API.keys()
    gone = (PAGES.keys() | API.keys()) - routes().keys()
    assert not missing, f"Say in benchlab/tests/access.py who may use {sorted(missing)}"
    assert not gone, f"benchlab/tests/access.py still names {sorted(gone)}"


def test_every_method_of_the_api_has_a_row() -> None:
    found = {name: api_methods(route) for name, route in routes().items() if name in API}
    assert found == {name: set(rules) for name, rules in API.items()}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_lets_in_whom_it_should(name: str, world: World, people: People) -> None:
    for method, rule in zip(("get", "post"), PAGES[name], strict=True):
        if rule is not None:
            got = {who: page_outcome(who, people, method, address(name, world)) for who in ACTORS}
            assert got == dict(zip(ACTORS, rule.split(), strict=True)), method


def test_a_page_answers_its_own_methods_only(world: World, admin_client: Client) -> None:
    found = []
    for name, rules in PAGES.items():
        for method, code, rule in zip(("get", "post"), (302, 405), rules, strict=True):
            if rule is None:
                response = undone(admin_client, method, address(name, world))
                found += [(name, method)] if response.status_code != code else []
    assert found == []


def test_an_address_of_forms_leads_to_a_page_at_once(world: World) -> None:
    forms = [name for name, (get, _post) in PAGES.items() if get is None]
    above = {name: resolve(page_above(address(name, world))).url_name for name in forms}
    assert {name: page for name, page in above.items() if PAGES[str(page)][0] is None} == {}


@pytest.mark.parametrize("name", API)
def test_no_method_breaks_an_address_of_the_api(name: str, world: World, people: People) -> None:
    client = APIClient()
    client.force_authenticate(people["admin"].user)
    for method in ("options", "head", "trace", "put", "patch", "delete"):
        response = undone(client, method, address(name, world))
        assert response.status_code < 500 or response.status_code == 503, method


@pytest.mark.parametrize(("name", "method"), [(n, m) for n, rules in API.items() for m in rules])
def test_the_api_lets_in_whom_it_should(
    name: str, method: str, world: World, people: People
) -> None:
    got = {who: api_outcome(who, people, method, address(name, world)) for who in ACTORS}
    assert got == dict(zip(ACTORS, API[name][method].split(), strict=True))


@pytest.mark.parametrize("name", FRESH_PAGES)
def test_a_page_needs_a_fresh_login(name: str, world: World, admin_client: Client) -> None:
    session = admin_client.session
    session[FRESH] = 0
    session.save()
    response = undone(admin_client, "post", address(name, world))
    assert response.status_code == 403
    assert b"confirm-login-password" in response.content  # type: ignore[attr-defined] # a page


@pytest.mark.parametrize(("name", "method"), FRESH_API)
def test_the_api_needs_a_token_that_may_wipe(
    name: str, method: str, world: World, admin: User
) -> None:
    for token in (ApiToken(user=admin), None):  # a token without the right, a stale session
        client = APIClient()
        client.force_authenticate(admin, token)
        response: Any = undone(client, method, address(name, world))
        assert response.status_code == 403
        assert "may wipe" in response.json()["error"]["message"]


def page_outcome(who: str, people: People, method: str, where: str) -> str:
    client = Client()
    client.cookies.load(people[who].cookies)
    response = undone(client, method, where)
    if response.status_code == 302 and response["Location"].startswith("/login/?next="):
        return "login"
    return outcome(response)


def api_outcome(who: str, people: People, method: str, where: str) -> str:
    client = APIClient()
    user = people[who].user
    client.force_authenticate(user, ApiToken(user=user, may_wipe=True) if user else None)
    response: Any = undone(client, method, where)
    if response.status_code == 401:
        assert response.data["error"]["kind"] == "not_authenticated"
        return "login"
    return outcome(response)


def undone(client: Client, method: str, where: str) -> HttpResponseBase:
    """The answer; what the request changed is taken back, so that every actor finds the same."""
    with transaction.atomic():
        response: HttpResponseBase = getattr(client, method)(where)
        transaction.set_rollback(True)
    return response


def outcome(response: HttpResponseBase) -> str:
    code = response.status_code
    assert code < 500 or code == 503
    assert code != 405, "the address does not know this method"
    return str(code) if code in (401, 403, 404) else "in"


def test_there_is_one_login_and_no_page_that_writes_past_the_services(admin_client: Client) -> None:
    for where in ("/admin/", "/admin/login/", "/admin/accounts/user/"):
        assert Client().get(where).status_code in (302, 404)
        assert admin_client.get(where).status_code == 404
    assert not apps.is_installed("django.contrib.admin")
