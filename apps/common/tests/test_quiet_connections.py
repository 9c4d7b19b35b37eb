"""A request trusts a connection over which nothing came, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connections

from apps.common.database.connections import trust_quiet_connections

connection: Any = connections["default"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def checked() -> Iterator[None]:
    """Checks are on, as in the web server."""
    before = connection.settings_dict["CONN_HEALTH_CHECKS"]
    connection.close()
    connection.settings_dict["CONN_HEALTH_CHECKS"] = True
    connection.ensure_connection()
    yield
    connection.settings_dict["CONN_HEALTH_CHECKS"] = before
    connection.close()


def backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchall()[0][0])


def begin_request() -> None:
    connection.close_if_unusable_or_obsolete()
    assert not connection.health_check_done
    trust_quiet_connections()


def end(pid: int) -> None:
    """As an admin, or a server that restarts, ends a connection."""
    with psycopg.connect(**connection.get_connection_params() | {"context": None}) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


def test_a_quiet_connection_is_used_without_being_asked() -> None:
    pid = backend()
    begin_request()
    assert connection.health_check_done
    assert backend() == pid


def test_one_that_was_ended_is_replaced() -> None:
    pid = backend()
    end(pid)
    begin_request()
    assert not connection.health_check_done
    assert backend() != pid


def test_one_that_is_closed_here_is_not_trusted() -> None:
    backend()
    connection.connection.close()
    begin_request()
    assert not connection.health_check_done
    assert backend()
