"""People of every role, and clients that are logged in as them."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.core.cache import caches
from django.db import transaction
from django.test import Client, override_settings
from django.utils.crypto import get_random_string
from rest_framework.test import APIClient

from apps.accounts.fresh_login import FRESH
from apps.accounts.models import ApiToken, Role, User
from apps.accounts.sessions import LOGIN, USED, SessionStore, login_data
from apps.accounts.tests.factories import create_user
from tests.harness.api_contract import ContractClient


@pytest.fixture(autouse=True, scope="module")
def _fast_and_local() -> Iterator[None]:
    """Cheap password digests and static files that need no collecting, also for the rows that a
    module makes.
    """
    local = "django.contrib.staticfiles.storage.StaticFilesStorage"
    with override_settings(
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        STORAGES={**settings.STORAGES, "staticfiles": {"BACKEND": local}},
        MIDDLEWARE=[name for name in settings.MIDDLEWARE if "whitenoise" not in name],
    ):
        yield


@pytest.fixture(autouse=True)
def _nothing_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has cache keys of its own: workers share one Redis."""
    monkeypatch.setattr(caches["default"], "key_prefix", uuid.uuid4().hex)


@pytest.fixture(scope="module")
def module_owner(
    _fast_and_local: None, django_db_setup: None, django_db_blocker: Any
) -> Iterator[User]:
    """An owner for rows that all tests of a module read: made in a transaction around these tests,
    whose own are savepoints in it. A test takes back what it changes, as ever.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield create_user(role=Role.DISK_OWNER, username="owner")
        transaction.set_rollback(True)


@pytest.fixture
def owner(db: None) -> User:
    """A disk owner, who owns what the tests make."""
    return create_user(role=Role.DISK_OWNER, username="owner")


@pytest.fixture
def operator(db: None) -> User:
    return create_user(role=Role.OPERATOR, username="operator")


@pytest.fixture
def viewer(db: None) -> User:
    return create_user(role=Role.VIEWER, username="viewer")


@pytest.fixture
def stranger(db: None) -> User:
    """Another operator, who owns nothing and is in no team."""
    return create_user(role=Role.OPERATOR, username="stranger")


@pytest.fixture
def admin(db: None) -> User:
    return create_user(role=Role.ADMIN, username="admin")


def session_of(user: User) -> str:
    """The key of a session in which this user has logged in: what Django's login writes, in one
    statement instead of ten.
    """
    session = SessionStore(get_random_string(32))
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session[USED] = int(time.time())
    session[FRESH] = time.time()
    session[LOGIN] = login_data(browser="", address="", now=time.time())
    session.save(must_create=True)
    return str(session.session_key)


@pytest.fixture
def page_client() -> Callable[[User], Client]:
    """`page_client(user)`: a browser in which this user is logged in."""

    def log_in(user: User) -> Client:
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = session_of(user)
        return client

    return log_in


@pytest.fixture
def owner_client(owner: User, page_client: Callable[[User], Client]) -> Client:
    return page_client(owner)


@pytest.fixture
def operator_client(operator: User, page_client: Callable[[User], Client]) -> Client:
    return page_client(operator)


@pytest.fixture
def viewer_client(viewer: User, page_client: Callable[[User], Client]) -> Client:
    return page_client(viewer)


@pytest.fixture
def stranger_client(stranger: User, page_client: Callable[[User], Client]) -> Client:
    return page_client(stranger)


@pytest.fixture
def admin_client(admin: User, page_client: Callable[[User], Client]) -> Client:
    """Takes the place of pytest-django's: its user has the role admin as well."""
    return page_client(admin)


@pytest.fixture
def api() -> Callable[[User | None], APIClient]:
    """`api(user)`: a client of the API in this user's name; `api(None)` is nobody.

    It holds every answer against docs/reference/openapi.yaml.
    """

    def client_of(user: User | None) -> APIClient:
        client = ContractClient()
        client.default_format = "json"
        if user is not None:
            client.force_authenticate(user, ApiToken(user=user, may_wipe=True))
        return client

    return client_of
