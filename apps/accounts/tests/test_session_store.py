"""Sessions are read as Django's own store reads them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as DjangosOwn
from django.contrib.sessions.models import Session
from django.utils import timezone

from apps.accounts.session_store import SessionStore

pytestmark = pytest.mark.django_db


def kept(**said: object) -> str:
    session = DjangosOwn("k" * 32)
    session.update(said)
    session.save(must_create=True)
    return str(session.session_key)


def test_a_session_of_before_lasts() -> None:
    assert SessionStore.__module__ == settings.SESSION_ENGINE
    session = SessionStore(kept(said="é", number=1))
    assert (session["said"], session["number"]) == ("é", 1)
    session["said"] = "other"
    session.save()
    assert DjangosOwn(session.session_key)["said"] == "other"


def test_a_session_that_has_ended_is_none() -> None:
    key = kept(said="x")
    Session.objects.filter(pk=key).update(expire_date=timezone.now() - timedelta(seconds=1))
    for asked in (key, "unknown-" * 4):
        session = SessionStore(asked)
        assert session.get("said") is None
        assert session.session_key is None


def test_a_session_whose_data_was_written_by_somebody_else_says_nothing() -> None:
    key = kept(said="x")
    Session.objects.filter(pk=key).update(session_data="eyJzYWlkIjoieCJ9:1abc:wrong")
    assert SessionStore(key).get("said") is None
