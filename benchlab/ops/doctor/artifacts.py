"""Check raw output outside the database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.blobs.models import Blob, BlobStore
from apps.blobs.selectors import blob_is_stored, storage_for
from benchlab.ops.findings import Finding, or_ok, wrong

# Checked by name and size only; `bin/manage artifacts check` reads every byte.
NEWEST = 1_000
NEWEST_OBJECTS = 20
"""Objects that are checked, with a request each."""


def artifacts() -> list[Finding]:
    """Check the folder or bucket, and that the newest files exist."""
    result = chain(_wrong_in_folder(), _wrong_in_bucket())
    return or_ok(result, "raw output of tests is where its rows say")


def _wrong_in_bucket() -> Iterator[Finding]:
    rows = list(Blob.objects.filter(store=BlobStore.S3).order_by("-pk")[:NEWEST_OBJECTS])
    if not rows and settings.ARTIFACT_STORE != BlobStore.S3:
        return
    try:
        storage_for(BlobStore.S3)  # also without rows
        missing = [row.sha256 for row in rows if not blob_is_stored(row)]
    except (OSError, ImproperlyConfigured) as error:
        yield wrong(f"the bucket of raw output: {error}", "see BENCHLAB_S3_BUCKET and its keys")
        return
    if missing:
        text = f"{len(missing)} of the newest {len(rows)} files of raw output are not in the bucket"
        yield wrong(text, f"bin/manage artifacts check names all; {missing[0]}")


def _wrong_in_folder() -> Iterator[Finding]:
    folder = Path(storage_for(BlobStore.FILES).path(""))
    stored = Blob.objects.filter(store=BlobStore.FILES)
    if (
        settings.ARTIFACT_STORE == BlobStore.FILES
        and folder.exists()
        and not os.access(folder, os.W_OK)
    ):
        yield wrong(f"{folder} cannot be written", "give it to benchlab's user")
    if not stored.exists():
        return
    if not folder.is_dir():
        todo = "mount it, or set BENCHLAB_ARTIFACT_DIR to where it is now"
        yield wrong(f"{folder}, which holds raw output, is not there", todo)
        return
    rows = stored.order_by("-pk")[:NEWEST]
    missing = [row.sha256 for row in rows if not blob_is_stored(row)]
    if missing:
        text = f"{len(missing)} files of raw output are missing or cut in {folder}"
        yield wrong(text, f"restore them from a backup: bin/manage artifacts check; {missing[0]}")
