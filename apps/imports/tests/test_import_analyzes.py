"""A large import has its tables analyzed; a small one leaves that to autovacuum."""

from __future__ import annotations

from unittest import mock

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from apps.accounts.models import User
from apps.imports.services import import_store, store
from apps.imports.tests.factories import create_import


@pytest.mark.parametrize(("many", "times"), [(6, 1), (7, 0)])
def test_import_of_six_cases_analyzes_tables_from_limit_on(
    owner: User,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    monkeypatch: pytest.MonkeyPatch,
    many: int,
    times: int,
) -> None:
    monkeypatch.setattr(store, "MANY", many)
    with (
        mock.patch.object(store, "tables_analyze") as analyze,
        django_capture_on_commit_callbacks(execute=True),
    ):
        assert import_store(imported=create_import(owner), user=owner).state == "stored"
    assert analyze.call_count == times
