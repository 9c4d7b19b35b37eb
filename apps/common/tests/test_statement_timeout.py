"""A statement of a page ends after the limit of web processes; one of an export may take longer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import OperationalError, connection
from django.db.backends.signals import connection_created
from django.test import RequestFactory

from apps.common.database.statements import (
    EXPORT_SECONDS,
    limit_statements,
    long_statements,
    with_long_statements,
)
from apps.common.web.pages import server_error


def _timeout() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        return str(cursor.fetchone()[0])


@pytest.fixture
def limited(transactional_db: None) -> Iterator[None]:
    """Connections of a process whose statements end after a second."""
    connection.close()
    limit_statements(1)
    yield
    connection_created.disconnect(dispatch_uid="limit_statements")
    connection.close()


def test_statement_too_long_ends_with_503(limited: None) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(20)")
        pytest.fail("the statement was not cancelled")
    except OperationalError:
        answer = server_error(RequestFactory().get("/runs/"))
    assert answer.status_code == 503


def test_export_may_take_longer_and_restores_the_limit(limited: None) -> None:
    assert _timeout() == "1s"
    with long_statements():
        assert _timeout() == f"{EXPORT_SECONDS // 60}min"
    assert _timeout() == "1s"


def test_export_that_is_abandoned_restores_the_limit(limited: None) -> None:
    pieces = with_long_statements(iter([b"a", b"b"]))
    next(pieces)
    assert _timeout() == f"{EXPORT_SECONDS // 60}min"
    pieces.close()  # type: ignore[attr-defined] # a generator
    assert _timeout() == "1s"
