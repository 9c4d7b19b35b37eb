"""The people and clients of apps/conftest.py, and one of everything, made once a module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from apps.accounts.models import Role
from apps.accounts.tests.factories import create_user
from apps.conftest import (  # noqa: F401 # fixtures are found by their names
    _fast_and_local,
    admin,
    admin_client,
    api,
    operator,
    operator_client,
    owner,
    page_client,
    stranger,
    viewer,
    viewer_client,
)
from benchlab.tests.api_world import World, create_world


@pytest.fixture(scope="module")
def module_world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """One of everything, for hundreds of tests that each take back what they change: a test's own
    transaction is a savepoint in this one.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield create_world(create_user(role=Role.DISK_OWNER, username="owner"))
        transaction.set_rollback(True)


@pytest.fixture
def world(module_world: World, db: None) -> World:
    return module_world
