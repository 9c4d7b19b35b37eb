"""The people and clients of apps/conftest.py, and one of everything, made once a module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from apps.accounts.models import User
from apps.conftest import (  # noqa: F401 # fixtures are found by their names
    _fast_and_local,
    _nothing_cached,
    admin,
    admin_client,
    api,
    module_owner,
    operator,
    operator_client,
    owner,
    owner_client,
    page_client,
    stranger,
    viewer,
    viewer_client,
)
from benchlab.tests.api_world import World, create_world
from benchlab.tests.old_archive import Upgraded, upgraded_archive


@pytest.fixture(scope="module")
def module_world(module_owner: User) -> World:  # noqa: F811 # the fixture, by its name
    """One of everything, for hundreds of tests that each take back what they change."""
    return create_world(module_owner)


@pytest.fixture
def world(module_world: World, db: None) -> World:
    return module_world


@pytest.fixture(scope="session")
def archive_of_before(django_db_setup: None, django_db_blocker: Any) -> Iterator[Upgraded]:
    """Made once: to run all migrations costs as much as hundreds of tests. Who looks at it is in
    the xdist_group of this name, and only reads."""
    with django_db_blocker.unblock(), upgraded_archive() as archive:
        yield archive
