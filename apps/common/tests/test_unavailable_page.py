"""The page that is shown while the database is away needs nothing but itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import OperationalError, ProgrammingError
from django.http import HttpResponse
from django.test import Client, RequestFactory

from apps.common.web.pages import database_away, server_error


def page(method: str = "get") -> str:
    request = getattr(RequestFactory(), method)("/runs/")
    answer = database_away(request)
    assert isinstance(answer, HttpResponse)
    return answer.content.decode()


def test_it_loads_nothing() -> None:
    text = page()
    assert not re.findall(r'(?:src|href)="(?!data:|")', text)
    assert "<script" not in text
    assert "url(" not in text


def test_it_has_both_themes_and_says_what_to_do() -> None:
    assert "prefers-color-scheme: dark" in page()
    assert "Try again" in page()
    # A form would be sent a second time.
    assert "Try again</a>" not in page("post")


def test_it_answers_without_a_database() -> None:
    """No fixture gives this test one: a query would be an error."""
    try:
        raise OperationalError("connection failed")
    except OperationalError:
        answer = server_error(RequestFactory().get("/runs/"))
    assert answer.status_code == 503


@pytest.mark.parametrize("state", ["25006", "42P01", "57014"])
def test_server_error_database_that_cannot_for_now_is_503(state: str) -> None:
    cause = Exception()
    vars(cause)["sqlstate"] = state
    try:
        raise ProgrammingError("for now") from cause
    except ProgrammingError:
        answer = server_error(RequestFactory().get("/runs/"))
    assert answer.status_code == 503


def test_browsers_find_the_picture_they_ask_for_by_themselves(
    settings: LazySettings, tmp_path: Path
) -> None:
    """Without a login and without a query, for answers that are no pages as well."""
    settings.MIDDLEWARE = ["whitenoise.middleware.WhiteNoiseMiddleware"]
    settings.STATIC_ROOT = tmp_path
    answer = Client().get("/favicon.ico")
    assert answer.status_code == 200
    assert b"".join(answer)[:4] == b"\0\0\1\0"
