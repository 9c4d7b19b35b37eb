"""The list of logins: own ones only, each can be ended."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.conf import LazySettings
from django.test import Client

from apps.accounts.domain.browsers import browser_name
from apps.accounts.models import AuditEntry, Session, User
from apps.accounts.tests.oidc_provider import TestProvider, sign_on

PASSWORD = "a long password"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
EDGE = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0"


def log_in(agent: str = FIREFOX, address: str = "192.0.2.7") -> Client:
    client = Client(HTTP_USER_AGENT=agent, REMOTE_ADDR=address)
    data = {"username": "viewer", "password": PASSWORD}
    assert client.post("/login/", data).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/tokens/").status_code == 200


def reference_of(client: Client) -> uuid.UUID:
    reference = Session.objects.get(pk=client.cookies["sessionid"].value).reference
    assert reference is not None
    return reference


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox, Linux"),
        (EDGE, "Edge, Windows"),
        ("curl/8.1", "curl"),
        ("x" * 99, "x" * 60),
    ],
)
def test_a_browser_has_a_short_name(agent: str, name: str) -> None:
    assert browser_name(agent) == name


def test_the_list_shows_browser_address_and_this_one(viewer: User, operator_client: Client) -> None:
    here = log_in()
    log_in(EDGE, "192.0.2.8")
    text = here.get("/account/logins/").content.decode()
    assert all(part in text for part in ("Firefox, Linux", "Edge, Windows", "192.0.2.8"))
    assert text.count("this browser") == 1
    assert here.cookies["sessionid"].value not in text
    assert "192.0.2.8" not in operator_client.get("/account/logins/").content.decode()


def test_end_ends_one_login(viewer: User) -> None:
    here, there = log_in(), log_in(EDGE)
    assert here.post(f"/account/logins/{reference_of(there)}/end/").status_code == 302
    assert (is_in(here), is_in(there)) == (True, False)
    assert AuditEntry.objects.filter(action="end login").exists()


def test_the_own_login_can_be_ended(viewer: User) -> None:
    here = log_in()
    assert here.post(f"/account/logins/{reference_of(here)}/end/")["Location"] == "/login/"
    assert not is_in(here)


def test_the_login_of_another_user_is_not_found(viewer: User, operator_client: Client) -> None:
    there = log_in()
    assert operator_client.post(f"/account/logins/{reference_of(there)}/end/").status_code == 404
    assert is_in(there)


def test_end_all_others_leaves_this_one(
    viewer: User, page_client: Callable[[User], Client]
) -> None:
    here, others = log_in(), [log_in(), page_client(viewer)]
    assert here.post("/account/logins/end-others/").status_code == 302
    assert is_in(here)
    assert not any(is_in(other) for other in others)
    assert Session.objects.count() == 1


def test_a_new_password_keeps_the_login_in_the_list(viewer: User) -> None:
    here = log_in()
    form = {
        "old_password": PASSWORD,
        "new_password1": "another!one",
        "new_password2": "another!one",
    }
    here.post("/account/password/", form)
    assert "Firefox, Linux" in here.get("/account/logins/").content.decode()


def test_odd_headers_are_stored_safely(viewer: User) -> None:
    here = log_in("<script>\x07" + "x" * 500)
    assert b"<script>\x07" not in here.get("/account/logins/").content
    assert len(Session.objects.get().browser) == 200


def test_a_session_ends_after_its_maximum_also_in_use(viewer: User, settings: LazySettings) -> None:
    settings.SESSION_MAX_SECONDS = 86400
    with time_machine.travel("2026-11-28 10:00:00Z", tick=False) as clock:
        here = log_in()
        for _step in range(8):
            assert is_in(here)
            clock.shift(timedelta(hours=3))
        clock.shift(1)
        assert not is_in(here)


def test_an_admin_ends_all_logins_of_a_user(viewer: User, admin_client: Client) -> None:
    here = log_in()
    assert admin_client.post(f"/users/{viewer.pk}/end-logins/").status_code == 302
    assert not is_in(here)


# --- Back-channel logout -------------------------------------------------------------------------

ADDRESS = "/login/sign-on/logout/"


def test_a_logout_at_the_provider_ends_all_sessions(provider: TestProvider) -> None:
    clients = [Client(), Client()]
    for client in clients:
        sign_on(client, provider)
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post(ADDRESS, {"logout_token": provider.logout_token()})
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert not any(is_in(client) for client in clients)
    assert AuditEntry.objects.filter(action="log out at the provider").count() == 1


def test_a_logout_token_with_a_session_only_finds_its_user(provider: TestProvider) -> None:
    client, other = Client(), Client()
    provider.person["sid"] = "s-1"
    sign_on(client, provider)
    provider.person |= {"sub": "2", "sid": "s-2", "preferred_username": "other"}
    sign_on(other, provider)
    token = provider.logout_token(lambda claims: claims.update(sid="s-1", sub=None))
    assert Client().post(ADDRESS, {"logout_token": token}).status_code in (200, 400)
    token = provider.logout_token(lambda claims: (claims.pop("sub"), claims.update(sid="s-1")))  # type: ignore[arg-type] # two changes
    assert Client().post(ADDRESS, {"logout_token": token}).status_code == 200
    assert (is_in(client), is_in(other)) == (False, True)


@pytest.mark.parametrize(
    "change",
    [
        lambda claims: claims.pop("events"),
        lambda claims: claims.update(events={"other": {}}),
        lambda claims: claims.update(events="http://schemas.openid.net/event/backchannel-logout"),
        lambda claims: claims.update(nonce="n"),
        lambda claims: claims.pop("sub"),
        lambda claims: claims.pop("jti"),
        lambda claims: claims.update(aud="another"),
        lambda claims: claims.update(iss="https://evil.example"),
        lambda claims: claims.update(iat=claims["iat"] - 3600),
        lambda claims: claims.update(exp=claims["iat"] - 3600),
        lambda claims: claims.update(sub=["248289"]),
    ],
)
def test_a_bad_logout_token_ends_nothing(
    provider: TestProvider, change: Callable[[dict[str, object]], None]
) -> None:
    client = Client()
    sign_on(client, provider)
    token = provider.logout_token(change)
    assert Client().post(ADDRESS, {"logout_token": token}).status_code == 400
    assert is_in(client)


def test_a_logout_token_counts_once(provider: TestProvider) -> None:
    token = provider.logout_token()
    assert Client().post(ADDRESS, {"logout_token": token}).status_code == 200
    client = Client()
    sign_on(client, provider)
    assert Client().post(ADDRESS, {"logout_token": token}).status_code == 400
    assert is_in(client)


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "ü"])
def test_nonsense_is_no_logout_token(provider: TestProvider, token: str) -> None:
    assert Client().post(ADDRESS, {"logout_token": token}).status_code == 400


def test_an_id_token_is_no_logout_token(provider: TestProvider) -> None:
    client = Client()
    sign_on(client, provider)
    token = provider.id_token({"nonce": "n"})
    assert Client().post(ADDRESS, {"logout_token": token}).status_code == 400
    assert is_in(client)
