"""The people and clients of apps/conftest.py, and one of everything, made once a module."""

from __future__ import annotations

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


@pytest.fixture(scope="module")
def module_world(module_owner: User) -> World:  # noqa: F811 # the fixture, by its name
    """One of everything, for hundreds of tests that each take back what they change."""
    return create_world(module_owner)


@pytest.fixture
def world(module_world: World, db: None) -> World:
    return module_world
