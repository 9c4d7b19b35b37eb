"""Storages of raw output for tests. The S3 is moto's: it speaks HTTP and keeps all in memory."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings


@pytest.fixture(scope="session")
def s3_address() -> Iterator[str]:
    # Half a second to load, in each of the processes, of which one has tests of S3.
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty bucket that raw output may be kept in, below "lab"; its name."""
    import boto3

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    name = f"bucket-{uuid.uuid4().hex}"
    where = {"LocationConstraint": "eu-central-1"}
    boto3.client("s3", endpoint_url=s3_address).create_bucket(
        Bucket=name, CreateBucketConfiguration=where
    )
    options = {"bucket_name": name, "endpoint_url": s3_address, "location": "lab"}
    storage_options(settings, "artifacts-s3", options)
    return name


@pytest.fixture
def artifact_dir(settings: Settings, tmp_path: Path) -> Path:
    """An empty folder of the storage "files"."""
    folder = tmp_path / "artifacts"
    storage_options(settings, "artifacts-files", {"location": folder})
    return folder


def storage_options(settings: Settings, alias: str, options: Mapping[str, Any]) -> None:
    """Change options of one of Django's STORAGES."""
    storage = settings.STORAGES[alias]
    changed = {**storage, "OPTIONS": {**storage["OPTIONS"], **options}}
    settings.STORAGES = {**settings.STORAGES, alias: changed}
