"""Raw output in a bucket of an S3: whose it is, what is in it, and what happens when it is away."""

from __future__ import annotations

import secrets

import boto3
import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django.fixtures import Settings

from apps.accounts.models import User
from apps.runs.models import Artifact, Attempt, Blob, BlobStore
from apps.runs.storage.artifacts import artifact_bytes, artifact_of
from apps.runs.storage.bucket import IN_MEMORY, BucketStore
from apps.runs.storage.bucket import bucket as bucket_of
from apps.runs.storage.encodings import Damaged
from apps.runs.storage.moving import blob_check
from apps.runs.storage.stores import bucket_store
from apps.runs.tests.factories import create_attempt, create_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt(owner: User, settings: Settings, bucket: str) -> Attempt:
    settings.ARTIFACTS = BlobStore.S3
    return create_attempt(create_run(owner=owner).cases.get())


def test_objects_lie_below_the_prefix_by_their_hash(attempt: Attempt, bucket: str) -> None:
    artifact_of(attempt, "stdout", b"read : io=4096.0MB").save()
    sha256 = Blob.objects.get().sha256
    listed = boto3.client("s3", endpoint_url=bucket_store().storage.endpoint_url).list_objects_v2(
        Bucket=bucket
    )
    keys = {each["Key"] for each in listed["Contents"]}
    assert keys == {"lab/benchlab", f"lab/{sha256[:2]}/{sha256}"}
    assert artifact_bytes(Artifact.objects.get()) == b"read : io=4096.0MB"


def test_more_than_fits_into_memory_comes_back_whole(attempt: Attempt) -> None:
    noise = secrets.token_bytes(IN_MEMORY + 1_000_003)
    artifact_of(attempt, "noise", noise).save()
    blob_check(Blob.objects.get())
    assert artifact_bytes(Artifact.objects.get()) == noise


def test_a_prefix_belongs_to_one_installation(attempt: Attempt, settings: Settings) -> None:
    """Another one would remove, as unknown to its rows, what this one keeps."""
    store = bucket_store()
    place = (settings.ARTIFACTS_BUCKET, settings.ARTIFACTS_ENDPOINT)
    other = BucketStore(bucket_of(*place, "lab/"))
    with pytest.raises(OSError, match="in use by another installation"):
        other.claim("another installation's mark")
    BucketStore(bucket_of(*place, "elsewhere")).claim("another installation's mark")
    assert not list(store.names())


def test_an_object_that_is_gone_is_damage(attempt: Attempt) -> None:
    artifact_of(attempt, "stdout", b"read : io=4096.0MB").save()
    blob = Blob.objects.get()
    bucket_store().forget([blob.sha256])
    assert not list(bucket_store().pieces(blob))
    with pytest.raises(Damaged, match="0 bytes were unpacked"):
        blob_check(blob)


def test_a_bucket_that_is_not_there_is_an_error_of_storage(
    attempt: Attempt, settings: Settings
) -> None:
    settings.ARTIFACTS_BUCKET = "no-such-bucket"
    with pytest.raises(OSError, match=r"S3: .*bucket"):
        artifact_of(attempt, "stdout", b"read : io=4096.0MB").save()


def test_a_bucket_must_be_named(attempt: Attempt, settings: Settings) -> None:
    settings.ARTIFACTS_BUCKET = ""
    with pytest.raises(ImproperlyConfigured, match="BENCHLAB_S3_BUCKET"):
        bucket_store()
