"""Acts that destroy data or give access require a fresh login."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta

import pytest
import time_machine
from django.conf import LazySettings, settings
from django.test import Client
from django.utils import timezone

from apps.accounts.fresh_login import FRESH, FRESH_SECONDS
from apps.accounts.models import ApiToken, AuditEntry, Session, Team, User
from apps.accounts.services.logins import OLD_KEY_SECONDS
from apps.accounts.tests.factories import create_user
from apps.accounts.tests.oidc_provider import Change, TestProvider, sign_on

PASSWORD = "a long password"
FORM = {"name": "nightly", "days": "30"}


def make_stale(client: Client, seconds: float = FRESH_SECONDS + 1) -> None:
    session = client.session
    session[FRESH] = time.time() - seconds
    session.save()


def make_token(client: Client, **fields: str) -> int:
    return client.post("/tokens/", {**FORM, **fields}).status_code


def test_only_the_retention_of_a_team_needs_a_fresh_login(admin_client: Client) -> None:
    team = Team.objects.create(name="Lab", raw_retention_months=6)
    make_stale(admin_client)
    renamed = {"name": "Lab 2", "raw_retention_months": "6"}
    assert admin_client.post(f"/teams/{team.pk}/", renamed).status_code == 302
    shorter = {"name": "Lab 2", "raw_retention_months": "1"}
    assert admin_client.post(f"/teams/{team.pk}/", shorter).status_code == 403
    team.refresh_from_db()
    assert (team.name, team.raw_retention_months) == ("Lab 2", 6)


def test_a_fresh_login_passes_and_a_stale_one_confirms(viewer_client: Client) -> None:
    assert make_token(viewer_client) == 200
    make_stale(viewer_client)
    answer = viewer_client.post("/tokens/", FORM)
    assert answer.status_code == 403
    assert ApiToken.objects.count() == 1
    text = answer.content.decode()
    assert "Confirm your identity" in text
    assert "nightly</textarea>" in text
    assert "csrfmiddlewaretoken" not in [name for name, _value in answer.context["fields"]]
    assert "nightly" not in str(dict(viewer_client.session))


@pytest.mark.parametrize(
    ("sent", "back"),
    [
        ({"Referer": "http://testserver/tokens/?x=1"}, "http://testserver/tokens/?x=1"),
        ({"Referer": "https://other.example/"}, "/"),
        ({}, "/"),
    ],
)
def test_confirm_page_leads_back_to_the_page_of_the_form(
    viewer_client: Client, sent: dict[str, str], back: str
) -> None:
    make_stale(viewer_client)
    page = viewer_client.post("/tokens/", FORM, headers=sent)
    assert page.context["back"] == back
    again = {**FORM, "confirm-login-back": back, "confirm-login-password": "wrong"}
    assert viewer_client.post("/tokens/", again).context["back"] == back


def test_the_password_confirms_and_the_form_goes_on(viewer_client: Client) -> None:
    make_stale(viewer_client)
    assert make_token(viewer_client, **{"confirm-login-password": "wrong"}) == 403
    assert not ApiToken.objects.exists()
    assert make_token(viewer_client, **{"confirm-login-password": PASSWORD}) == 200
    assert ApiToken.objects.get().name == "nightly"
    assert make_token(viewer_client) == 200
    assert AuditEntry.objects.filter(action="confirm login").count() == 1


def test_copy_of_the_cookie_is_not_confirmed_and_ends(viewer_client: Client) -> None:
    """Who copied the cookie before gains nothing from the confirmation of its owner."""
    make_stale(viewer_client)
    copied = viewer_client.cookies[settings.SESSION_COOKIE_NAME].value
    assert make_token(viewer_client, **{"confirm-login-password": PASSWORD}) == 200
    assert viewer_client.cookies[settings.SESSION_COOKIE_NAME].value != copied
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = copied
    assert thief.get("/tokens/").status_code == 200  # a request that was under way
    assert make_token(thief) == 403
    assert viewer_client.get("/account/logins/").context["current"] != copied
    assert Session.objects.filter(reference__isnull=False).count() == 1
    with time_machine.travel(timezone.now() + timedelta(seconds=OLD_KEY_SECONDS + 1)):
        assert thief.get("/tokens/").status_code == 302
        assert viewer_client.get("/tokens/").status_code == 200


def test_wrong_passwords_meet_the_limit_of_logins(viewer_client: Client) -> None:
    make_stale(viewer_client)
    for _number in range(5):
        make_token(viewer_client, **{"confirm-login-password": "wrong"})
    assert make_token(viewer_client, **{"confirm-login-password": PASSWORD}) == 403


@pytest.mark.parametrize("value", [None, "soon", -1, "future"])
def test_a_missing_or_odd_time_is_not_fresh(viewer_client: Client, value: object) -> None:
    session = viewer_client.session
    session[FRESH] = time.time() + 600 if value == "future" else value
    session.save()
    assert make_token(viewer_client) == 403


def test_a_login_is_fresh_for_five_minutes(client: Client, viewer: User) -> None:
    with time_machine.travel("2026-11-28 10:00:00Z", tick=False) as clock:
        client.post("/login/", {"username": "viewer", "password": PASSWORD})
        assert make_token(client) == 200
        clock.shift(timedelta(seconds=FRESH_SECONDS + 1))
        assert make_token(client) == 403


def test_a_field_with_markup_is_escaped(viewer_client: Client) -> None:
    make_stale(viewer_client)
    hostile = "</textarea><script>alert(1)</script>"
    text = viewer_client.post("/tokens/", {"name": hostile}).content.decode()
    assert hostile not in text


# --- People of a provider ------------------------------------------------------------------------


def test_nobody_passes_without_password_and_second_factor(provider: TestProvider) -> None:
    """django-allauth's reauthentication lets exactly these people pass."""
    client = Client()
    sign_on(client, provider)
    make_stale(client)
    answer = client.post("/tokens/", FORM)
    assert answer.status_code == 403
    assert "confirm-login-password" not in answer.content.decode()
    for name in ("password", "code"):
        assert make_token(client, **{f"confirm-login-{name}": ""}) == 403
    assert not ApiToken.objects.exists()


def confirm(client: Client, provider: TestProvider) -> int:
    begun = client.get("/login/sign-on/confirm/")
    back, sent = provider.authorize(begun["Location"])
    assert (sent["prompt"], sent["max_age"]) == ("login", "0")
    return client.get(f"/login/sign-on/callback/{back}").status_code


def test_the_provider_confirms(provider: TestProvider) -> None:
    client = Client()
    sign_on(client, provider)
    make_stale(client)
    assert confirm(client, provider) == 200
    assert make_token(client) == 200
    assert AuditEntry.objects.get(action="confirm login").detail == {"by": "provider"}


def shifted(seconds: int, *names: str) -> Change:
    return lambda claims: claims.update({name: claims[name] + seconds for name in names})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (shifted(-3600, "auth_time"), "stale"),  # the provider ignored max_age=0
        (shifted(-10, "auth_time"), "stale"),
        (shifted(+3600, "auth_time"), "stale"),
        (lambda claims: claims.pop("auth_time"), "stale"),
        (lambda claims: claims.update(auth_time=True), "stale"),
        (lambda claims: claims.update(auth_time="now"), "stale"),
        (lambda claims: claims.update(auth_time=10**400), "stale"),
        (lambda claims: claims.update(sub="another"), "subject"),
    ],
)
def test_a_stale_or_foreign_confirmation_is_refused_and_audited(
    provider: TestProvider, change: Change, reason: str
) -> None:
    client = Client()
    sign_on(client, provider)
    make_stale(client)
    provider.change = change
    assert confirm(client, provider) == 400
    assert make_token(client) == 403
    entry = AuditEntry.objects.get(action="fail to sign on")
    assert (entry.username, entry.detail["reason"]) == ("grace", reason)


def test_the_clock_of_the_provider_may_differ_by_less_than_a_minute(
    provider: TestProvider,
) -> None:
    client = Client()
    sign_on(client, provider)
    make_stale(client)
    provider.change = shifted(-40, "auth_time", "iat", "exp")
    assert confirm(client, provider) == 200
    assert make_token(client) == 200


def test_a_login_with_an_old_session_at_the_provider_is_not_fresh(provider: TestProvider) -> None:
    client = Client()
    provider.change = shifted(-3600, "auth_time")
    sign_on(client, provider)
    assert client.get("/tokens/").status_code == 200
    assert make_token(client) == 403


def test_the_confirmation_of_another_session_is_refused(provider: TestProvider) -> None:
    mine, other = Client(), Client()
    sign_on(mine, provider)
    sign_on(other, provider)
    make_stale(mine)
    back, _sent = provider.authorize(other.get("/login/sign-on/confirm/")["Location"])
    assert mine.get(f"/login/sign-on/callback/{back}").status_code == 400
    assert make_token(mine) == 403


def test_a_confirmation_that_another_user_began_is_refused(provider: TestProvider) -> None:
    client = Client()
    sign_on(client, provider)
    make_stale(client)
    back, _sent = provider.authorize(client.get("/login/sign-on/confirm/")["Location"])
    session = client.session
    for state, _begun, _provider in session["socialaccount_states"].values():
        state["data"]["user"] += 1
    session.save()
    assert client.get(f"/login/sign-on/callback/{back}").status_code == 400
    assert make_token(client) == 403


def test_tokens_stop_some_days_after_the_last_sign_on(
    provider: TestProvider, settings: LazySettings
) -> None:
    settings.BENCHLAB_OIDC_TOKEN_DAYS = 14
    client = Client()
    sign_on(client, provider)
    secret = client.post("/tokens/", FORM).context["secret"]
    header = {"Authorization": f"Token {secret}"}
    assert Client().get("/api/v1/hosts/", headers=header).status_code == 200
    user = User.objects.get()
    User.objects.filter(pk=user.pk).update(signed_on_at=timezone.now() - timedelta(days=15))
    assert Client().get("/api/v1/hosts/", headers=header).status_code == 401
    sign_on(Client(), provider)
    assert Client().get("/api/v1/hosts/", headers=header).status_code == 200


def test_a_local_users_tokens_do_not_stop(db: None, client: Client) -> None:
    user = create_user()
    assert not user.is_external


@pytest.mark.parametrize(("acr", "status"), [(None, 400), ("password", 400), ("phr", 200)])
def test_confirmation_without_the_wanted_acr_is_refused(
    provider: TestProvider, settings: LazySettings, acr: str | None, status: int
) -> None:
    client = Client()
    sign_on(client, provider)
    make_stale(client)
    assert settings.OIDC is not None
    settings.OIDC = replace(settings.OIDC, acr_values="phr phrh")
    provider.change = lambda claims: claims.update(acr=acr)
    assert confirm(client, provider) == status


def test_password_of_a_person_of_the_provider_does_not_log_in(provider: TestProvider) -> None:
    sign_on(Client(), provider)
    user = User.objects.get()
    user.set_password(PASSWORD)
    user.save()
    answer = Client().post("/login/", {"username": user.username, "password": PASSWORD})
    assert answer.status_code == 200
    assert answer.context["form"].errors


def test_old_password_guessed_in_a_session_meets_the_limit_of_logins(
    viewer: User, viewer_client: Client
) -> None:
    form = {"new_password1": "another long one", "new_password2": "another long one"}
    for _number in range(5):
        viewer_client.post("/account/password/", {**form, "old_password": "wrong"})
    viewer_client.post("/account/password/", {**form, "old_password": PASSWORD})
    viewer.refresh_from_db()
    assert viewer.check_password(PASSWORD)
