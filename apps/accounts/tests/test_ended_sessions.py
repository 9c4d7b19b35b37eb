"""Sessions that ended do not stay in the database."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client
from django.utils import timezone

from apps.accounts.models import Session, User
from apps.accounts.tasks import retention


def test_ended_sessions_are_deleted_and_others_stay(viewer: User, owner: User) -> None:
    gone, here = Client(), Client()
    gone.force_login(viewer)
    here.force_login(owner)
    ended = Session.objects.filter(pk=gone.session.session_key)
    ended.update(expire_date=timezone.now() - timedelta(seconds=1))
    retention()
    assert list(Session.objects.values_list("pk", flat=True)) == [here.session.session_key]
