"""Raw output moves from one store to another, proved by its hash, and may be stopped anywhere."""

from __future__ import annotations

from io import StringIO
from itertools import islice
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import User
from apps.blobs.domain.names import storage_name
from apps.blobs.models import Blob, BlobContent, BlobStore
from apps.blobs.selectors import storage_for, stored_sha256s
from apps.blobs.services.migration import blobs_move
from apps.runs.models import Attempt
from apps.runs.services.artifacts import artifact_bytes, artifact_of, attempt_files
from apps.runs.tests.factories import create_attempt, create_run

FILES = {f"file{number}": b"%d\n" % number * 20_000 for number in range(5)}


@pytest.fixture
def attempt(owner: User, artifact_dir: Path) -> Attempt:
    attempt = create_attempt(create_run(owner=owner).cases.get())
    for name, content in FILES.items():
        artifact_of(attempt, name, content).save()
    return attempt


def command_output(*words: str) -> str:
    out = StringIO()
    call_command("artifacts", *words, stdout=out, stderr=out)
    return out.getvalue()


@pytest.mark.parametrize(("name", "label"), [("files", "files"), ("s3", "S3")])
def test_there_and_back(attempt: Attempt, bucket: str, name: str, label: str) -> None:
    store = storage_for(name)
    assert "would move 5 files" in command_output("move", name)
    assert not list(stored_sha256s(store))
    assert f"moved 5 files, 0.0 MB, to {label}" in command_output("move", name, "--do")
    assert not BlobContent.objects.exists()
    assert len(list(stored_sha256s(store))) == 5
    assert dict(attempt_files(attempt)) == FILES
    assert "5 files read, 0 are not" in command_output("check")
    assert f"{label}: 5 files" in command_output("show")
    assert "moved 0 files" in command_output("move", name, "--do")
    assert "moved 5 files" in command_output("move", "postgresql", "--do")
    assert not list(stored_sha256s(store))
    assert dict(attempt_files(attempt)) == FILES


def test_from_a_folder_into_a_bucket(attempt: Attempt, bucket: str) -> None:
    command_output("move", "files", "--do")
    assert "moved 5 files" in command_output("move", "s3", "--do")
    assert not list(stored_sha256s(storage_for("files")))
    assert dict(attempt_files(attempt)) == FILES


def test_what_was_stopped_goes_on(attempt: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.blobs.services.migration.BATCH_SIZE", 2)
    assert len(list(islice(blobs_move(target=BlobStore.FILES), 2))) == 2
    assert Blob.objects.filter(store=BlobStore.FILES).count() == 2
    assert dict(attempt_files(attempt)) == FILES
    assert "moved 3 files" in command_output("move", "files", "--do")
    assert dict(attempt_files(attempt)) == FILES


def test_move_of_damaged_file_reports_error(attempt: Attempt) -> None:
    content = BlobContent.objects.order_by("pk")[2]
    content.content = bytes(content.content)[:-9] + bytes(9)
    content.save()
    with pytest.raises(CommandError, match="1 files could not be moved"):
        command_output("move", "files", "--do")
    assert Blob.objects.get(store=BlobStore.POSTGRESQL).pk == content.pk
    assert len(list(stored_sha256s(storage_for("files")))) == 4
    with pytest.raises(CommandError, match="1 files are damaged"):
        command_output("check")


def test_move_of_missing_file_reports_error(attempt: Attempt) -> None:
    command_output("move", "files", "--do")
    storage_for("files").delete(storage_name(Blob.objects.order_by("pk")[0].sha256))
    with pytest.raises(CommandError, match="1 files are damaged or missing"):
        command_output("check")
    with pytest.raises(CommandError, match="1 files could not be moved"):
        command_output("move", "postgresql", "--do")


def test_what_nothing_refers_to_is_tidied_away(attempt: Attempt) -> None:
    attempt.artifacts.filter(name="file0").delete()
    assert "would remove 1 files" in command_output("tidy")
    assert Blob.objects.count() == 5
    command_output("tidy", "--do")
    assert Blob.objects.count() == BlobContent.objects.count() == 4


def test_who_reads_a_file_that_is_just_moved_finds_it(attempt: Attempt) -> None:
    row = attempt.artifacts.select_related("blob").get(name="file1")
    command_output("move", "files", "--do")
    assert artifact_bytes(row) == FILES["file1"]
