"""Pages of sign-on: an absent provider, the policy of passwords, Administration."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from apps.accounts.models import AuditEntry, Role, User
from apps.accounts.oidc.provider import Adapter
from apps.accounts.services.throttling import REFUSALS, REFUSALS_PER_ADDRESS
from apps.accounts.tests.oidc_provider import TestProvider, sign_on


def test_an_absent_provider_is_shown_and_passwords_stay(
    client: Client, provider: TestProvider, admin: User
) -> None:
    provider.is_away = True
    answer = client.get("/login/sign-on/")
    assert answer.status_code == 503
    assert "does not answer since" in answer.content.decode()
    assert "does not answer since" in client.get("/login/").content.decode()
    data = {"username": "admin", "password": "a long password"}
    assert client.post("/login/", data).status_code == 302
    provider.is_away = False
    cache.clear()
    assert Client().get("/login/sign-on/").status_code == 302


@pytest.mark.parametrize("error", ["access_denied", "server_error"])
def test_an_error_of_the_provider_is_one_sentence(
    client: Client, provider: TestProvider, error: str
) -> None:
    back, _sent = provider.authorize(client.get("/login/sign-on/")["Location"])
    state = parse_qs(urlsplit(back).query)["state"][0]
    answer = client.get(f"/login/sign-on/callback/?error={error}&state={state}")
    assert answer.status_code == 400


@pytest.mark.parametrize(("policy", "name", "status"), [
    ("admins", "admin", 302), ("admins", "viewer", 200), ("nobody", "admin", 200),
])  # fmt: skip
def test_password_login_is_limited_to_the_policy(
    client: Client, provider: TestProvider, settings: LazySettings, admin: User, viewer: User,
    policy: str, name: str, status: int,
) -> None:  # fmt: skip
    settings.BENCHLAB_PASSWORD_LOGIN = policy
    data = {"username": name, "password": "a long password"}
    assert client.post("/login/", data).status_code == status


def test_without_a_provider_there_is_no_sign_on(client: Client, db: None) -> None:
    assert client.get("/login/sign-on/").status_code == 400
    assert "sign-on" not in client.get("/login/").content.decode()


def test_metadata_and_keys_are_fetched_once(client: Client, provider: TestProvider) -> None:
    for _number in range(3):
        sign_on(Client(), provider)
    names = [address.rpartition("/")[2] for address in provider.requests]
    assert sorted(names) == ["jwks", "openid-configuration"]


def test_the_callback_is_the_public_address(
    provider: TestProvider, settings: LazySettings, rf: Callable[..., object]
) -> None:
    settings.PUBLIC_URL = "https://bench.lab/"
    address = Adapter(rf.get("/", HTTP_HOST="evil.example"))  # type: ignore[attr-defined] # pytest-django's
    assert address.get_callback_url(address.request, None).startswith("https://bench.lab/login/")


def test_an_admin_does_not_change_what_groups_set(
    client: Client, provider: TestProvider, admin_client: Client
) -> None:
    sign_on(client, provider)
    user = User.objects.get(username="grace")
    form = {"username": "grace", "role": "admin", "is_active": "on", "email": "g@lab.example"}
    assert admin_client.post(f"/users/{user.pk}/", form).status_code == 302
    user.refresh_from_db()
    assert (user.role, user.email) == (Role.OPERATOR, "g@lab.example")
    assert (
        "The groups at the provider set this"
        in admin_client.get(f"/users/{user.pk}/").content.decode()
    )


def refused(client: Client, address: str, name: str) -> int:
    """Send a bad sign-on or logout from an address; return the status."""
    if name == "logout":
        return client.post(
            "/login/sign-on/logout/", {"logout_token": "x"}, REMOTE_ADDR=address
        ).status_code
    return client.get("/login/sign-on/callback/?state=x", REMOTE_ADDR=address).status_code


@pytest.mark.parametrize("name", ["callback", "logout"])
def test_refusals_of_an_address_are_recorded_up_to_a_limit(
    client: Client, provider: TestProvider, name: str
) -> None:
    rows = AuditEntry.objects.filter(action="fail to sign on")
    answers = [refused(client, "192.0.2.7", name) for _number in range(REFUSALS_PER_ADDRESS + 3)]
    assert answers == [400] * REFUSALS_PER_ADDRESS + [429] * 3
    assert rows.count() == REFUSALS_PER_ADDRESS
    assert refused(client, "192.0.2.8", name) == 400
    AuditEntry.objects.update(timestamp=timezone.now() - timedelta(seconds=61))
    assert refused(client, "192.0.2.7", name) == 400


def test_refusals_of_many_addresses_are_recorded_up_to_a_limit(
    client: Client, provider: TestProvider
) -> None:
    for number in range(REFUSALS + 2):
        refused(client, f"2001:db8::{number:x}", "callback")
    assert AuditEntry.objects.filter(action="fail to sign on").count() == REFUSALS


def test_a_valid_answer_counts_after_many_bad_ones(client: Client, provider: TestProvider) -> None:
    sign_on(client, provider)
    for _number in range(REFUSALS_PER_ADDRESS + 1):
        refused(Client(), "127.0.0.1", "logout")
    token = provider.logout_token()
    answer = Client().post("/login/sign-on/logout/", {"logout_token": token})
    assert answer.status_code == 200
    assert sign_on(Client(), provider).status_code == 302


def test_what_a_browser_sends_is_recorded_short(client: Client, provider: TestProvider) -> None:
    back, _sent = provider.authorize(client.get("/login/sign-on/")["Location"])
    state = parse_qs(urlsplit(back).query)["state"][0]
    error = "%00" + "x" * 5000
    answer = client.get(f"/login/sign-on/callback/?error={error}&state={state}")
    assert answer.status_code == 400
    assert AuditEntry.objects.get(action="fail to sign on").detail["detail"] == "x" * 200
