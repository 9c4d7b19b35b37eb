"""Logging in: every page asks for it, guessing is slowed down, both are recorded."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import AuditEntry, User
from apps.accounts.services.throttling import (
    FAILED_LOGIN,
    PER_BROWSER,
    PER_USER,
    PER_USER_AND_ADDRESS,
)
from apps.accounts.tests.factories import create_user

PASSWORD = "a long password"


def log_in(
    client: Client, password: str, *, name: str = "viewer", address: str = "192.0.2.7"
) -> int:
    data = {"username": name, "password": password}
    return client.post("/login/", data, REMOTE_ADDR=address).status_code


@pytest.mark.parametrize("page", ["/", "/hosts/", "/tokens/", "/users/", "/audit/"])
def test_pages_send_nobody_to_the_login(client: Client, db: None, page: str) -> None:
    response = client.get(page)
    assert response.status_code == 302
    assert response["Location"].startswith("/login/?next=")


def test_the_right_password_logs_in_and_is_recorded(client: Client, viewer: User) -> None:
    assert log_in(client, PASSWORD) == 302
    entry = AuditEntry.objects.get(action="log in")
    assert (entry.username, entry.address) == ("viewer", "192.0.2.7")


def test_a_logout_clears_what_the_browser_stored(viewer_client: Client) -> None:
    assert "Clear-Site-Data" not in viewer_client.get("/runs/")
    assert viewer_client.post("/logout/")["Clear-Site-Data"] == '"cache"'


def test_too_many_wrong_passwords_shut_out_even_the_right_one(client: Client, viewer: User) -> None:
    for _number in range(PER_USER_AND_ADDRESS):
        assert log_in(client, "wrong") == 200
    assert log_in(client, PASSWORD) == 200
    assert AuditEntry.objects.filter(action=FAILED_LOGIN).count() == PER_USER_AND_ADDRESS


def test_the_same_person_gets_in_from_elsewhere(client: Client, viewer: User) -> None:
    for _number in range(PER_USER_AND_ADDRESS):
        log_in(client, "wrong")
    assert log_in(client, PASSWORD, address="192.0.2.8") == 302


def test_the_pause_ends(client: Client, viewer: User) -> None:
    for _number in range(PER_USER_AND_ADDRESS):
        log_in(client, "wrong")
    AuditEntry.objects.update(timestamp=timezone.now() - timedelta(minutes=16))
    assert log_in(client, PASSWORD) == 302


def test_an_address_that_tries_many_names_is_shut_out(client: Client, viewer: User) -> None:
    AuditEntry.objects.bulk_create(
        AuditEntry(action=FAILED_LOGIN, object_type="user", username=f"u{n}", address="192.0.2.7")
        for n in range(30)
    )
    assert log_in(client, PASSWORD) == 200
    assert (
        "Wait 15 minutes"
        in client.post(
            "/login/", {"username": "viewer", "password": PASSWORD}, REMOTE_ADDR="192.0.2.7"
        ).content.decode()
    )


def test_others_guesses_do_not_shut_out_a_browser_that_was_in_before(
    client: Client, viewer: User
) -> None:
    assert log_in(client, PASSWORD) == 302
    client.post("/logout/")
    for _number in range(PER_USER_AND_ADDRESS):
        log_in(Client(), "guess")
    assert log_in(Client(), PASSWORD) == 200
    assert log_in(client, PASSWORD) == 302


def test_guesses_from_everywhere_leave_in_who_comes_from_an_address_of_theirs(
    viewer: User,
) -> None:
    assert log_in(Client(), PASSWORD) == 302
    AuditEntry.objects.bulk_create(
        AuditEntry(
            action=FAILED_LOGIN, object_type="user", username="viewer", address=f"198.51.100.{n}"
        )
        for n in range(PER_USER)
    )
    assert log_in(Client(), PASSWORD, address="192.0.2.8") == 200
    assert log_in(Client(), PASSWORD) == 302


def test_a_browser_that_was_in_before_guesses_no_more_than_others(
    client: Client, viewer: User
) -> None:
    log_in(client, PASSWORD)
    client.post("/logout/")
    for number in range(PER_BROWSER):
        assert log_in(client, "guess", address=f"192.0.2.{number}") == 200
    assert log_in(client, PASSWORD, address="192.0.2.200") == 200


def test_another_persons_browser_is_an_unknown_one(client: Client, viewer: User) -> None:
    create_user(username="mallory")
    log_in(client, PASSWORD, name="mallory")
    client.post("/logout/")
    for _number in range(PER_USER_AND_ADDRESS):
        log_in(client, "guess")
    assert log_in(client, PASSWORD) == 200
    assert not AuditEntry.objects.filter(action=FAILED_LOGIN).exclude(detail={}).exists()


def test_changing_ones_password_asks_for_the_old_one(viewer_client: Client, viewer: User) -> None:
    fields = {"new_password1": "quite another one", "new_password2": "quite another one"}
    viewer_client.post("/account/password/", {"old_password": "wrong", **fields})
    viewer.refresh_from_db()
    assert viewer.check_password(PASSWORD)
    viewer_client.post("/account/password/", {"old_password": PASSWORD, **fields})
    viewer.refresh_from_db()
    assert viewer.check_password("quite another one")
    assert AuditEntry.objects.filter(action="change password").exists()
    assert viewer_client.get("/tokens/").status_code == 200
