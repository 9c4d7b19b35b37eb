"""Databases as earlier versions left them, for tests of the migrations."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.harness.migrating import quick_copies

State = list[tuple[str, str | None]]
"""(app, migration)"""


@contextmanager
def empty_database() -> Iterator[None]:
    """The connection leads into an empty database of its own meanwhile. Not inside a
    transaction."""
    with another_database() as name, led_to(name):
        yield


@contextmanager
def another_database() -> Iterator[str]:
    """An empty database beside the tests' own; its name. Not inside a transaction."""
    name = f"upgrade_{uuid.uuid4().hex[:12]}"
    _execute(f"CREATE DATABASE {name} TEMPLATE template0")
    try:
        yield name
    finally:
        _execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def led_to(name: str) -> Iterator[None]:
    """The connection leads into this database meanwhile."""
    own = str(connection.settings_dict["NAME"])
    _lead_to(name)
    try:
        yield
    finally:
        _lead_to(own)


def migrated_to(state: State) -> Any:
    """Migrate to these migrations and what they need; the models as they were then, by
    `get_model`.
    """
    with quick_copies():
        MigrationExecutor(connection).migrate(state)
    return MigrationExecutor(connection).loader.project_state(state).apps  # type: ignore[arg-type] # these are such pairs


def migrated_to_today() -> None:
    executor = MigrationExecutor(connection)
    with quick_copies():
        executor.migrate(executor.loader.graph.leaf_nodes())


def _lead_to(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
