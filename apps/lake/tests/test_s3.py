"""Lakes in a bucket."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.lake.domain.file_names import MANIFEST, counted_manifest
from apps.lake.services.folders import folder_of
from apps.lake.services.folders.s3 import S3Folder
from apps.lake.tests.world import create_ended_run, export, reparse

pytestmark = pytest.mark.django_db(transaction=True)


def test_manifest_in_a_bucket_is_continued_by_one_writer(
    owner: User, bucket: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run = create_ended_run(owner)
    location = f"s3://{bucket}/deep/lake"
    made = export(location + "/")
    assert made.location == location
    folder = folder_of(location)
    assert isinstance(folder, S3Folder)
    assert folder.read(MANIFEST) == folder.read(counted_manifest(1)) == folder.manifest_read()
    assert _iops(folder, tmp_path) == [32_768.0]
    before = _manifest(folder)

    write = S3Folder.manifest_write

    def second(self: S3Folder, generation: int, document: bytes) -> None:
        """Another writer is first."""
        monkeypatch.setattr(S3Folder, "manifest_write", write)
        export(location)
        write(self, generation, document)

    monkeypatch.setattr(S3Folder, "manifest_write", second)
    reparse(run, iops=1.0)
    with pytest.raises(ServiceError, match="meanwhile"):
        export(location)
    assert _manifest(folder)["generation"] == 2
    assert _iops(folder, tmp_path) == [1.0]
    replaced = {one["path"] for one in _manifest(folder)["replaced"]}
    assert replaced < {one["path"] for one in before["files"]}

    # Killed between the two names: the counted manifest holds.
    folder.write(MANIFEST, json.dumps(before).encode())
    export(location)
    assert _manifest(folder)["generation"] == 3


def test_raw_output_and_other_objects_are_refused(owner: User, bucket: str) -> None:
    from apps.blobs.models import BlobStore
    from apps.blobs.selectors import storage_for

    storage_for(BlobStore.S3)  # claims its prefix
    for prefix in ("lab", ""):
        with pytest.raises(ServiceError, match="did not write"):
            export(f"s3://{bucket}/{prefix}")
    with pytest.raises(OSError, match="NoSuchBucket"):
        export("s3://no-such-bucket/lake")


def _manifest(folder: S3Folder) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(folder.read(MANIFEST) or b"")
    return document


def _iops(folder: S3Folder, tmp_path: Path) -> list[float]:
    """The figures in the files that the manifest names."""
    local = tmp_path / "copy.parquet"
    (path,) = (one["path"] for one in _manifest(folder)["files"] if one["table"] == "measurements")
    local.write_bytes(folder.read(path) or b"")
    rows = duckdb.execute("SELECT iops FROM read_parquet(?)", [str(local)]).fetchall()
    return [iops for (iops,) in rows]
