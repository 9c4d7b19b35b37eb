"""A large request is refused before its body is read."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from apps.accounts.models import AuditEntry, User
from apps.accounts.services import token_create
from benchlab.upload_limit import ANONYMOUS, FORM

MIB = 1024**2


class Unread(BytesIO):
    """A body that must not be read."""

    def read(self, _size: int | None = -1) -> bytes:
        raise AssertionError("the body was read")

    readline = read


def status(length: str, path: str = "/api/v1/imports/", **headers: str) -> int:
    """Status of the answer to a POST with this Content-Length, whose body is not read."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST", "PATH_INFO": path, "REMOTE_ADDR": "192.0.2.7",
        "wsgi.input": Unread(), "CONTENT_LENGTH": length,
        "CONTENT_TYPE": "multipart/form-data; boundary=x", **headers,
    }  # fmt: skip
    return Client().request(**environ).status_code


@pytest.fixture(autouse=True)
def database(db: None) -> None:
    """The middleware looks for sessions and tokens."""


@pytest.mark.parametrize("path", ["/api/v1/imports/", "/imports/new/", "/login/"])
def test_upload_above_the_limit_is_refused_unread(path: str, owner: User) -> None:
    most = settings.BENCHLAB_IMPORT_MAX_MIB * MIB + FORM
    _token, secret = token_create(user=owner, name="import")
    assert status(str(most + 1), path, HTTP_AUTHORIZATION=f"Token {secret}") == 413


def test_upload_without_a_length_is_refused_unread() -> None:
    assert status("", HTTP_TRANSFER_ENCODING="chunked") == 411


@pytest.mark.parametrize("path", ["/api/v1/imports/", "/imports/new/", "/login/"])
@pytest.mark.parametrize(
    "headers",
    [{}, {"HTTP_AUTHORIZATION": "Token wrong"}, {"HTTP_COOKIE": "sessionid=wrong"}],
)
def test_large_upload_of_a_stranger_is_refused_unread(path: str, headers: dict[str, str]) -> None:
    assert status(str(ANONYMOUS + 1), path, **headers) == 401
    if "HTTP_AUTHORIZATION" in headers:
        assert AuditEntry.objects.get(action="present a wrong token").address == "192.0.2.7"


def test_large_upload_with_a_reading_token_is_refused_unread(owner: User) -> None:
    _token, secret = token_create(user=owner, name="reader", read_only=True)
    assert status(str(ANONYMOUS + 1), HTTP_AUTHORIZATION=f"Token {secret}") == 403


def test_large_upload_of_a_user_is_read_until_switched_off(owner: User, client: Client) -> None:
    _token, secret = token_create(user=owner, name="import")
    client.force_login(owner)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    callers: list[dict[str, Any]] = [
        {"HTTP_AUTHORIZATION": f"Token {secret}"},
        {"HTTP_COOKIE": cookie},
    ]
    data = {"note": "x" * (ANONYMOUS + 1)}
    for caller in callers:
        assert client.post("/api/v1/imports/", data, **caller).status_code == 400
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert [status(str(ANONYMOUS + 1), **caller) for caller in callers] == [401, 401]


def test_login_of_a_stranger_is_read(client: Client) -> None:
    answer = client.post("/login/", {"username": "x", "password": "y" * 1000})
    assert answer.status_code == 200
