"""Raw output in a bucket of an S3: whose it is, what is in it, and what happens when it is away."""

from __future__ import annotations

import secrets
import uuid

import boto3
import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django.fixtures import Settings

from apps.accounts.models import User
from apps.blobs.domain.compression import BlobDamaged
from apps.blobs.domain.names import storage_name
from apps.blobs.models import Blob, BlobStore, StoreIdentity
from apps.blobs.selectors import storage_for, stored_sha256s
from apps.blobs.services.blobs import MEMORY_BYTES
from apps.blobs.services.migration import blob_verify
from apps.runs.models import Artifact, Attempt
from apps.runs.services.artifacts import artifact_bytes, artifact_of
from apps.runs.tests.factories import create_attempt, create_run
from tests.harness.s3_fixtures import storage_options

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt(owner: User, settings: Settings, bucket: str) -> Attempt:
    settings.ARTIFACT_STORE = BlobStore.S3
    return create_attempt(create_run(owner=owner).cases.get())


def test_objects_lie_below_the_prefix_by_their_hash(
    attempt: Attempt, bucket: str, s3_address: str
) -> None:
    artifact_of(attempt, "stdout", b"read : io=4096.0MB").save()
    sha256 = Blob.objects.get().sha256
    listed = boto3.client("s3", endpoint_url=s3_address).list_objects_v2(Bucket=bucket)
    keys = {each["Key"] for each in listed["Contents"]}
    assert keys == {"lab/benchlab", f"lab/{sha256[:2]}/{sha256}"}
    assert artifact_bytes(Artifact.objects.get()) == b"read : io=4096.0MB"


def test_more_than_fits_into_memory_comes_back_whole(attempt: Attempt) -> None:
    noise = secrets.token_bytes(MEMORY_BYTES + 1_000_003)
    artifact_of(attempt, "noise", noise).save()
    blob_verify(Blob.objects.get())
    assert artifact_bytes(Artifact.objects.get()) == noise


def test_a_prefix_belongs_to_one_installation(attempt: Attempt, settings: Settings) -> None:
    """Another one would remove, as unknown to its rows, what this one keeps."""
    assert not list(stored_sha256s(storage_for("s3")))
    StoreIdentity.objects.update(token=uuid.uuid4())
    storage_options(settings, "artifacts-s3", {"location": "lab/"})
    with pytest.raises(OSError, match="in use by another installation"):
        storage_for("s3")
    storage_options(settings, "artifacts-s3", {"location": "elsewhere"})
    assert not list(stored_sha256s(storage_for("s3")))


def test_an_object_that_is_gone_is_damage(attempt: Attempt) -> None:
    artifact_of(attempt, "stdout", b"read : io=4096.0MB").save()
    blob = Blob.objects.get()
    storage_for("s3").delete(storage_name(blob.sha256))
    with pytest.raises(BlobDamaged, match="missing"):
        blob_verify(blob)


def test_a_bucket_that_is_not_there_is_an_error_of_storage(
    attempt: Attempt, settings: Settings
) -> None:
    storage_options(settings, "artifacts-s3", {"bucket_name": "no-such-bucket"})
    with pytest.raises(OSError, match=r"S3: .*bucket"):
        artifact_of(attempt, "stdout", b"read : io=4096.0MB").save()


def test_a_bucket_must_be_named(attempt: Attempt, settings: Settings) -> None:
    storage_options(settings, "artifacts-s3", {"bucket_name": ""})
    with pytest.raises(ImproperlyConfigured, match="BENCHLAB_S3_BUCKET"):
        storage_for("s3")
