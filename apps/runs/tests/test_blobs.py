"""Each content is stored once, and is gone with the last artifact that refers to it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from threading import Barrier, Thread

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError
from pytest_django import DjangoCaptureOnCommitCallbacks
from pytest_django.fixtures import Settings

from apps.accounts.models import User
from apps.blobs.domain.names import storage_name
from apps.blobs.models import Blob, BlobContent, BlobStore
from apps.blobs.selectors import external_stores, storage_for, stored_sha256s
from apps.blobs.services.blobs import (
    blobs_delete_unreferenced,
    files_lock_shared,
    stray_files_delete,
    unknown_files_delete,
)
from apps.blobs.services.spool import SpoolFile, compress_into
from apps.runs.models import Artifact, Attempt
from apps.runs.services.artifacts import (
    artifact_bytes,
    artifact_of,
    artifacts_remove,
    artifacts_replace,
    attempt_files,
)
from apps.runs.tests.factories import create_attempt, create_run

TEXT = b"read : io=4096.0MB, bw=81967KB/s, iops=20491\n" * 5_000
pytestmark = pytest.mark.django_db
STORES = list(BlobStore)


@pytest.fixture
def attempts(owner: User) -> list[Attempt]:
    case = create_run(owner=owner).cases.get()
    return [create_attempt(case, state="failed"), create_attempt(case)]


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, settings: Settings, artifact_dir: Path) -> str:
    settings.ARTIFACT_STORE = request.param
    if request.param == BlobStore.S3:
        request.getfixturevalue("bucket")
    return str(request.param)


def files() -> set[str]:
    """Names of the files in the stores outside the database."""
    return {sha256 for name in external_stores() for sha256 in stored_sha256s(storage_for(name))}


def test_equal_files_share_their_bytes(attempts: list[Attempt], store: str) -> None:
    with SpoolFile() as spool:
        for attempt in attempts:
            names = {"a": TEXT, "b": TEXT, "c": TEXT + b"x", "none": b""}
            artifacts_replace(
                attempt, {name: compress_into(spool, data) for name, data in names.items()}
            )
    assert Artifact.objects.count() == 8
    assert Blob.objects.count() == 3
    assert set(Blob.objects.values_list("store", flat=True)) == {store}
    assert BlobContent.objects.count() == (3 if store == BlobStore.POSTGRESQL else 0)
    assert len(files()) == (0 if store == BlobStore.POSTGRESQL else 3)
    assert [dict(attempt_files(attempt)) for attempt in attempts] == [names, names]
    blob = Blob.objects.get(sha256=hashlib.sha256(TEXT).hexdigest())
    assert blob.size_bytes == len(TEXT)
    assert blob.compressed_bytes < 500


def test_bytes_go_with_the_last_file_that_has_them(
    attempts: list[Attempt],
    store: str,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    for attempt in attempts:
        artifact_of(attempt, "same", TEXT).save()
    artifact_of(attempts[0], "own", b"own").save()
    with django_capture_on_commit_callbacks(execute=True):
        assert artifacts_remove(attempts[0].artifacts.all()) == 2
    assert Blob.objects.get().sha256 == hashlib.sha256(TEXT).hexdigest()
    assert len(files()) + BlobContent.objects.count() == 1
    assert artifact_bytes(attempts[1].artifacts.get()) == TEXT
    with django_capture_on_commit_callbacks(execute=True):
        artifacts_remove(attempts[1].artifacts.all())
    assert not Blob.objects.exists()
    assert not BlobContent.objects.exists()
    assert not files()


def test_a_file_stored_again_takes_the_place_of_the_old_one(
    attempts: list[Attempt],
    store: str,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """As after a worker died between the commit and its own next step."""
    with SpoolFile() as spool, django_capture_on_commit_callbacks(execute=True):
        for data in (b"first", TEXT, TEXT):
            artifacts_replace(attempts[0], {"stdout": compress_into(spool, data)})
    assert dict(attempt_files(attempts[0])) == {"stdout": TEXT}
    assert Blob.objects.count() == 1


def test_bytes_somebody_refers_to_cannot_be_removed(attempts: list[Attempt]) -> None:
    artifact_of(attempts[0], "stdout", TEXT).save()
    blob = Blob.objects.get()
    assert blobs_delete_unreferenced([blob.pk]) == 0
    with pytest.raises(ProtectedError):
        blob.delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        Artifact.objects.update(blob=None)  # nobody said that they were removed
    assert artifact_bytes(Artifact.objects.get()) == TEXT


@pytest.mark.parametrize("store", [BlobStore.FILES, BlobStore.S3], indirect=True)
def test_files_of_an_undone_transaction_are_removed_later(
    attempts: list[Attempt], store: str
) -> None:
    artifact_of(attempts[0], "kept", b"kept").save()
    with transaction.atomic():
        artifact_of(attempts[0], "undone", b"undone").save()
        transaction.set_rollback(True)
    assert len(files()) == 2
    assert stray_files_delete() == 1
    assert artifact_bytes(Artifact.objects.get()) == b"kept"


@pytest.mark.django_db(transaction=True)
def test_files_nobody_knows_yet_are_not_removed(artifact_dir: Path) -> None:
    """A file is there before the row that knows it is committed."""
    path = artifact_dir / storage_name("ab" * 32)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"being stored")
    removed: list[int] = []

    def tidy() -> None:
        removed.append(unknown_files_delete("files", ["ab" * 32]))
        connection.close()

    with transaction.atomic():
        files_lock_shared()
        thread = Thread(target=tidy)
        thread.start()
        thread.join()
    assert removed == [0]
    assert path.exists()
    tidy()
    assert not path.exists()


@pytest.mark.django_db(transaction=True)
def test_many_who_store_the_same_at_once_store_it_once(owner: User) -> None:
    case = create_run(owner=owner).cases.get()
    attempts = [create_attempt(case, state="failed") for _number in range(4)]
    together = Barrier(len(attempts))

    def store(attempt: Attempt) -> None:
        together.wait()
        artifact_of(attempt, "stdout", TEXT).save()
        connection.close()

    threads = [Thread(target=store, args=[attempt]) for attempt in attempts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Artifact.objects.count() == 4
    assert Blob.objects.count() == BlobContent.objects.count() == 1
