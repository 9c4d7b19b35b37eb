"""Folders and times at which an export writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.accounts.models import User
from apps.blobs.models import StoreIdentity
from apps.common.errors import ServiceError
from apps.lake.models import LakeExport
from apps.lake.services.folders.local import LocalFolder
from apps.lake.tests.world import (
    create_ended_run,
    export,
    files,
)

pytestmark = pytest.mark.django_db(transaction=True)


def test_folder_that_is_not_its_own_is_refused(owner: User, tmp_path: Path) -> None:
    create_ended_run(owner)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ServiceError, match=r"did not write: notes\.txt"):
        export(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    (tmp_path / "notes.txt").unlink()
    export(tmp_path)
    foreign = tmp_path / "runs" / "month=2026-11" / "other.parquet"
    foreign.touch()
    with pytest.raises(ServiceError, match=r"other\.parquet"):
        export(tmp_path)
    foreign.unlink()
    written = files(tmp_path)
    StoreIdentity.objects.all().delete()
    with pytest.raises(ServiceError, match="another installation"):
        export(tmp_path)
    (tmp_path / "_lake.json").write_text("[]")
    with pytest.raises(ServiceError, match="another installation"):
        export(tmp_path)
    assert files(tmp_path) == written
    errors = [row.error != "" for row in LakeExport.objects.order_by("pk")]
    assert errors == [True, False, True, True, True]


def test_two_writers_at_once_are_refused(owner: User, tmp_path: Path) -> None:
    create_ended_run(owner)
    with (
        LocalFolder(tmp_path).exclusive(),
        pytest.raises(ServiceError, match="Another export writes"),
    ):
        export(tmp_path)
    assert export(tmp_path).error == ""


@pytest.mark.parametrize("broken", [b"", b"{}", b"[1", b'{"format": "other"}'])
def test_broken_manifest_is_refused(owner: User, tmp_path: Path, broken: bytes) -> None:
    export(tmp_path)
    (tmp_path / "_manifest.json").write_bytes(broken)
    with pytest.raises(ServiceError, match="cannot be read"):
        export(tmp_path)
    assert (tmp_path / "_manifest.json").read_bytes() == broken
