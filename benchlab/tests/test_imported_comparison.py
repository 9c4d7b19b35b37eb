"""Imported results are compared by the same rules as benchlab's own."""

from __future__ import annotations

from django.test import Client

from apps.accounts.models import User
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import


def test_one_run_each_before_and_after_tells_nothing(owner: User, client: Client) -> None:
    imported = import_store(imported=create_import(owner), user=owner)
    assert imported.run_id is not None
    client.force_login(owner)
    answer = client.get(f"/compare/?run={imported.run_id}&factor=tuning", follow=True)
    assert answer.status_code == 200, answer.headers
    page = answer.content.decode()
    assert "Too few repeats" in page
    assert "Not comparable" not in page
    assert "1 against 1 can never show a difference" in page
