"""Who loses access is refused with the next request."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import HASH_SESSION_KEY
from django.test import Client

from apps.accounts.models import User
from apps.accounts.sessions import SessionStore

PAGE, CALL = "/tokens/", "/api/v1/hosts/"


def key_of(client: Client) -> str:
    return str(client.cookies["sessionid"].value)


def answers(client: Client) -> tuple[int, int]:
    return client.get(PAGE).status_code, client.get(CALL).status_code


def rewrite(key: str, **values: Any) -> None:
    session = SessionStore(key)
    session.update(values)
    session.save()


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
