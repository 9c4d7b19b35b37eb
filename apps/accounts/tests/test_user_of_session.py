"""The user's row that comes with a session is taken only where Django would let this user in."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DjangosOwn
from django.forms import model_to_dict
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.accounts.session_store import SessionStore

PAGE, CALL = "/tokens/", "/api/v1/hosts/"


def key_of(client: Client) -> str:
    return str(client.cookies["sessionid"].value)


def answers(client: Client) -> tuple[int, int]:
    return client.get(PAGE).status_code, client.get(CALL).status_code


def rewrite(key: str, **said: Any) -> None:
    session = DjangosOwn(key)
    session.update(said)
    session.save()


def test_the_second_reading_brings_the_user(
    viewer: User, viewer_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    viewer_client.get(PAGE)
    session = SessionStore(key_of(viewer_client))
    with django_assert_num_queries(1):
        assert session[SESSION_KEY] == str(viewer.pk)
        found = session.beside
    assert found is not None
    assert found == viewer
    assert model_to_dict(found) == model_to_dict(User.objects.get(pk=viewer.pk))
    assert vars(found).keys() == vars(User.objects.get(pk=viewer.pk)).keys()


def test_a_page_sees_the_user_as_the_database_has_it(viewer: User, viewer_client: Client) -> None:
    assert answers(viewer_client) == (200, 200)
    User.objects.filter(pk=viewer.pk).update(username="renamed")
    assert b"renamed" in viewer_client.get(PAGE).content


@pytest.mark.parametrize(
    "change", [{"is_active": False}, {"password": "other"}, {"session_epoch": 9}]
)
def test_who_lost_access_is_out_with_the_next_request(
    viewer: User, viewer_client: Client, change: dict[str, Any]
) -> None:
    assert answers(viewer_client) == (200, 200)
    User.objects.filter(pk=viewer.pk).update(**change)
    assert answers(viewer_client) == (302, 401)


def test_who_is_deleted_is_out(viewer: User, viewer_client: Client) -> None:
    assert answers(viewer_client) == (200, 200)
    viewer.delete()
    assert answers(viewer_client) == (302, 401)


def test_a_session_without_its_hash_is_none(viewer_client: Client) -> None:
    assert answers(viewer_client) == (200, 200)
    rewrite(key_of(viewer_client), **{HASH_SESSION_KEY: ""})
    assert answers(viewer_client) == (302, 401)


def test_a_backend_that_is_not_ours_lets_nobody_in(viewer_client: Client) -> None:
    assert answers(viewer_client) == (200, 200)
    rewrite(key_of(viewer_client), _auth_user_backend="somebody.elses.Backend")
    assert answers(viewer_client) == (302, 401)


def test_a_session_that_becomes_another_users_is_that_users(
    viewer: User, owner: User, viewer_client: Client
) -> None:
    # One hash of sessions for both, so that it cannot tell them apart.
    User.objects.update(password=viewer.password)
    owner.refresh_from_db()
    assert answers(viewer_client) == (200, 200)
    said = {SESSION_KEY: str(owner.pk), HASH_SESSION_KEY: owner.get_session_auth_hash()}
    rewrite(key_of(viewer_client), **said)
    page = viewer_client.get(PAGE).content.decode()
    assert owner.username in page
    assert f">{viewer.username}<" not in page


def test_logging_in_again_as_another_forgets_the_first(
    viewer: User, owner: User, viewer_client: Client
) -> None:
    assert answers(viewer_client) == (200, 200)
    viewer_client.post("/logout/")
    assert answers(viewer_client) == (302, 401)
    viewer_client.force_login(owner)
    assert answers(viewer_client) == (200, 200)
    assert viewer_client.get(PAGE).wsgi_request.user == owner
