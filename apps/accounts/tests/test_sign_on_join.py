"""Accounts join a person at the provider and leave it again; a way in without the provider."""

from __future__ import annotations

from io import StringIO

import pytest
from allauth.socialaccount.models import SocialAccount
from django.conf import LazySettings
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from apps.accounts.management.commands import changepassword
from apps.accounts.models import ApiToken, AuditEntry, Role, User
from apps.accounts.services import token_create
from apps.accounts.tests.oidc_provider import Change, TestProvider, sign_on
from apps.accounts.tests.test_fresh_login import PASSWORD, make_stale, shifted

LEAVE = "/account/sign-on/leave/"


def joining(client: Client, provider: TestProvider) -> str:
    """Begin to join. Return the address of the callback, with the code of the person."""
    answer = client.post("/account/sign-on/join/")
    back, _sent = provider.authorize(answer.context["address"])
    return f"/login/sign-on/callback/{back}"


def join(client: Client, provider: TestProvider) -> int:
    return client.get(joining(client, provider)).status_code


def reasons() -> list[str]:
    rows = AuditEntry.objects.filter(action="fail to sign on").order_by("pk")
    return [row.detail["reason"] for row in rows]


def test_the_owner_joins_the_account_after_the_password(
    provider: TestProvider, viewer: User, viewer_client: Client
) -> None:
    make_stale(viewer_client)
    assert viewer_client.post("/account/sign-on/join/").status_code == 403
    viewer_client.post("/account/sign-on/join/", {"confirm-login-password": PASSWORD})
    assert join(viewer_client, provider) == 302
    browser = Client()
    sign_on(browser, provider)
    viewer.refresh_from_db()
    assert (viewer.role, viewer.is_external) == (Role.OPERATOR, True)
    assert User.objects.count() == 1
    assert viewer_client.post(LEAVE).status_code == 302
    viewer.refresh_from_db()
    assert not viewer.is_external


def test_a_person_of_another_account_is_not_joined(
    provider: TestProvider, viewer_client: Client
) -> None:
    sign_on(Client(), provider)
    assert join(viewer_client, provider) == 400
    assert not User.objects.get(username="viewer").is_external
    assert reasons() == ["joined"]


@pytest.mark.parametrize(
    "change", [shifted(-3600, "auth_time"), lambda claims: claims.pop("auth_time")]
)
def test_an_old_login_at_the_provider_is_not_joined(
    provider: TestProvider, viewer_client: Client, change: Change
) -> None:
    """It may be that of who used this browser before."""
    provider.change = change
    assert join(viewer_client, provider) == 400
    assert reasons() == ["stale"]
    assert not SocialAccount.objects.exists()


def test_a_second_person_is_not_joined_with_the_account(
    provider: TestProvider, viewer_client: Client
) -> None:
    first, second = joining(viewer_client, provider), joining(viewer_client, provider)
    assert viewer_client.get(first).status_code == 302
    provider.person["sub"] = "another"
    assert viewer_client.get(second).status_code == 400
    assert reasons() == ["other_person"]
    assert SocialAccount.objects.count() == 1


def test_a_join_does_not_begin_with_a_link(provider: TestProvider, viewer_client: Client) -> None:
    answer = viewer_client.get("/account/sign-on/join/")
    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_a_join_of_another_users_session_is_refused(
    provider: TestProvider, viewer_client: Client, operator_client: Client
) -> None:
    answer = viewer_client.post("/account/sign-on/join/")
    back, _sent = provider.authorize(answer.context["address"])
    assert operator_client.get(f"/login/sign-on/callback/{back}").status_code == 400


@pytest.mark.parametrize("policy", ["admins", "nobody"])
def test_who_could_not_log_in_with_a_password_does_not_leave(
    provider: TestProvider, viewer_client: Client, settings: LazySettings, policy: str
) -> None:
    """Else API tokens of a leaver would outlive the last sign-on."""
    join(viewer_client, provider)
    settings.BENCHLAB_PASSWORD_LOGIN = policy
    viewer_client.post(LEAVE)
    assert User.objects.get(username="viewer").is_external
    assert LEAVE not in viewer_client.get("/account/logins/").content.decode()


def test_an_admin_separates_an_account_whose_access_ends(
    provider: TestProvider, admin_client: Client
) -> None:
    client = Client()
    sign_on(client, provider)
    user = User.objects.get(username="grace")
    token_create(user=user, name="script")
    address = f"/users/{user.pk}/separate/"
    assert address in admin_client.get(f"/users/{user.pk}/").content.decode()
    assert admin_client.post(address).status_code == 302
    user.refresh_from_db()
    assert not user.is_external
    assert not SocialAccount.objects.exists()
    assert not ApiToken.objects.exists()
    assert client.get("/account/preferences/").status_code == 302
    assert AuditEntry.objects.get(action="leave sign-on").username == "admin"
    assert address not in admin_client.get(f"/users/{user.pk}/").content.decode()


def test_the_only_admin_gets_in_while_the_provider_is_away(
    provider: TestProvider, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BENCHLAB_PASSWORD_LOGIN = "admins"
    provider.person["groups"] = ["/storage-admins"]
    sign_on(Client(), provider)
    provider.is_away = True
    cache.clear()
    monkeypatch.setattr(changepassword, "getpass", lambda _prompt: PASSWORD)
    call_command("separate_user", "grace", stdout=StringIO())
    call_command("changepassword", "grace", stdout=StringIO())
    client = Client()
    data = {"username": "grace", "password": PASSWORD}
    assert client.post("/login/", data).status_code == 302
    assert client.get("/users/").status_code == 200


def test_the_command_refuses_unknown_and_local_users(viewer: User) -> None:
    for name in ("nobody", "viewer"):
        with pytest.raises(CommandError):
            call_command("separate_user", name)
