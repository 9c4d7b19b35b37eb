"""Artifacts of before blobs: every byte is found again, equal ones once, and none is copied."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE, AFTER = ("runs", "0008_long_names"), ("runs", "0009_content_addressed_artifacts")
FILES = {"stdout": b"same\n" * 1000, "stderr": b"", "again": b"same\n" * 1000, "own": b"own"}


@pytest.fixture
def empty_schema(transactional_db: None) -> Iterator[None]:
    """A place without tables, in which migrations start from nothing."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA before")
        cursor.execute("SET search_path TO before")
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET search_path TO DEFAULT")
        cursor.execute("DROP SCHEMA before CASCADE")


def migrated(target: tuple[str, str]) -> Any:
    """The models as they are after this migration."""
    executor = MigrationExecutor(connection)
    executor.migrate([target])
    return MigrationExecutor(connection).loader.project_state([target]).apps


@pytest.mark.usefixtures("empty_schema")
def test_rows_of_the_last_release_keep_their_bytes() -> None:
    old = migrated(BEFORE)
    owner = old.get_model("accounts", "User").objects.create(username="owner")
    run = old.get_model("runs", "Run").objects.create(name="run", owner=owner)
    host = old.get_model("inventory", "Host").objects.create(name="h", kind="archive")
    workload = old.get_model("plans", "Workload").objects.create(key="k", tool="fio", params={})
    case = old.get_model("runs", "Case").objects.create(
        run=run, position=0, workload=workload, tool="fio", host=host
    )
    attempt = old.get_model("runs", "Attempt").objects.create(case=case)
    for name, content in FILES.items():
        old.get_model("runs", "Artifact").objects.create(
            attempt=attempt,
            name=name,
            size=len(content),
            sha256=hashlib.sha256(content).hexdigest(),
            content=zlib.compress(content),
        )

    new = migrated(AFTER)
    rows = new.get_model("runs", "Artifact").objects.select_related("blob__stored")
    assert {row.name: zlib.decompress(bytes(row.blob.stored.content)) for row in rows} == FILES
    assert [(row.blob.sha256, row.blob.size) for row in rows] == [
        (row.sha256, row.size) for row in rows
    ]
    blobs = new.get_model("runs", "Blob").objects
    stored = new.get_model("runs", "BlobContent").objects
    assert blobs.count() == stored.count() == 3
    assert {(blob.encoding, blob.store) for blob in blobs.all()} == {("zlib", "postgresql")}
    assert all(blob.packed == len(blob.stored.content) for blob in blobs.all())
    fresh = blobs.create(sha256="0" * 64, size=0, packed=0, encoding="zstd", store="files")
    assert fresh.pk > max(stored.values_list("pk", flat=True))
