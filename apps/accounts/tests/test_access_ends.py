"""Another password, being switched off and disuse end sessions and API tokens."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
import time_machine
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.test import Client

from apps.accounts.management.commands import changepassword
from apps.accounts.models import ApiToken, AuditEntry, Session, User
from apps.accounts.services import token_create, user_save

PASSWORD = "a long password"
Log = Callable[[User], Client]


def is_in(client: Client) -> bool:
    return client.get("/tokens/").status_code == 200


def switch(user: User, *, on: bool, by: User) -> None:
    user.refresh_from_db()
    user.is_active = on
    user_save(user=user, by=by, teams=[])


def test_who_is_switched_off_and_on_again_has_to_log_in(
    viewer: User, viewer_client: Client, admin: User
) -> None:
    token_create(user=viewer, name="script")
    switch(viewer, on=False, by=admin)
    assert not is_in(viewer_client)
    assert not ApiToken.objects.exists()
    assert AuditEntry.objects.get(action="revoke").user == admin
    switch(viewer, on=True, by=admin)
    assert not is_in(viewer_client)
    again = viewer_client.post("/login/", {"username": "viewer", "password": PASSWORD})
    assert again["Location"] == "/"


def test_a_password_set_by_an_admin_ends_sessions_and_tokens(
    viewer: User, viewer_client: Client, admin_client: Client
) -> None:
    token_create(user=viewer, name="script")
    form = {
        "username": "viewer",
        "role": "viewer",
        "is_active": "on",
        "new_password": "another!one",
    }
    assert admin_client.post(f"/users/{viewer.pk}/", form).status_code == 302
    assert not is_in(viewer_client)
    assert not ApiToken.objects.exists()


def test_another_role_ends_nothing(viewer: User, viewer_client: Client, admin: User) -> None:
    token_create(user=viewer, name="script")
    switch(viewer, on=True, by=admin)
    assert is_in(viewer_client)
    assert ApiToken.objects.exists()


def test_an_admin_who_sets_the_own_password_there_stays(admin: User, admin_client: Client) -> None:
    form = {"username": "admin", "role": "admin", "is_active": "on", "new_password": "another!one"}
    assert admin_client.post(f"/users/{admin.pk}/", form).status_code == 302
    assert is_in(admin_client)


@pytest.mark.parametrize("end_tokens", [True, False])
def test_ones_own_new_password_ends_the_other_sessions(
    viewer: User, viewer_client: Client, page_client: Log, end_tokens: bool
) -> None:
    token_create(user=viewer, name="script")
    elsewhere = page_client(viewer)
    form = {
        "old_password": PASSWORD,
        "new_password1": "another!one",
        "new_password2": "another!one",
    }
    viewer_client.post("/account/password/", form | ({"end_tokens": "on"} if end_tokens else {}))
    assert is_in(viewer_client)
    assert not is_in(elsewhere)
    assert ApiToken.objects.exists() is not end_tokens


def test_a_session_that_nobody_uses_ends(
    viewer: User, client: Client, settings: LazySettings
) -> None:
    settings.SESSION_COOKIE_AGE = 3600
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False) as clock:
        client.force_login(viewer)
        for _step in range(3):
            clock.shift(1800)
            assert is_in(client)
        clock.shift(3700)
        assert not is_in(client)


def test_a_page_that_asks_by_itself_is_not_somebody_who_uses_it(
    viewer: User, client: Client, settings: LazySettings
) -> None:
    settings.SESSION_COOKIE_AGE = 3600
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False) as clock:
        client.force_login(viewer)
        for _step in range(4):
            clock.shift(1000)
            answer = client.get("/runs/queue/", headers={"HX-Request": "true"})
        assert answer.status_code == 302


def test_using_a_session_often_writes_it_seldom(
    viewer: User, client: Client, settings: LazySettings
) -> None:
    settings.SESSION_COOKIE_AGE = 3600
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False) as clock:
        client.force_login(viewer)
        is_in(client)
        written = Session.objects.get().expire_date
        clock.shift(30)
        is_in(client)
        assert Session.objects.get().expire_date == written
        clock.shift(60)
        is_in(client)
        assert Session.objects.get().expire_date > written


def test_the_command_sets_a_password_and_ends_access(
    viewer: User, viewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    token_create(user=viewer, name="script")
    monkeypatch.setattr(changepassword, "getpass", lambda _prompt: "another!one")
    call_command("changepassword", "viewer", stdout=StringIO())
    viewer.refresh_from_db()
    assert viewer.check_password("another!one")
    assert not is_in(viewer_client)
    assert not ApiToken.objects.exists()
    assert AuditEntry.objects.filter(action="reset password", label="viewer").exists()


def test_the_command_refuses_what_the_page_refuses(
    viewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changepassword, "getpass", lambda _prompt: "short")
    with pytest.raises(CommandError, match="too short"):
        call_command("changepassword", "viewer")
    with pytest.raises(CommandError, match="no user nobody"):
        call_command("changepassword", "nobody")


def test_django_s_own_way_to_make_a_user_is_closed(db: None) -> None:
    with pytest.raises(CommandError, match="create_first_admin"):
        call_command("createsuperuser")
