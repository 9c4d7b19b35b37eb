"""An S3 for tests: moto's, which speaks HTTP as a real one does and keeps everything in memory."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

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
    settings.ARTIFACTS_BUCKET, settings.ARTIFACTS_ENDPOINT = name, s3_address
    settings.ARTIFACTS_PREFIX = "lab"
    return name
