"""The bytes of an import's files: packed where they wait, in an artifact once they are stored."""

from __future__ import annotations

import zlib

from apps.imports.models import ImportFile
from apps.runs.artifacts import artifact_bytes
from apps.runs.models import Artifact


def content_of(row: ImportFile) -> bytes:
    """A file's bytes as they were sent."""
    packed = bytes(row.content)
    if packed:
        return zlib.decompress(packed)
    owner = row.belongs_to.case_id if row.belongs_to else row.case_id
    stored = Artifact.objects.filter(attempt__case_id=owner or 0, name=row.role)
    artifact = stored.filter(sha256=row.sha256).first()
    return artifact_bytes(artifact) if artifact else b""


def head_of(row: ImportFile, size: int) -> bytes:
    """A file's first bytes."""
    return zlib.decompressobj().decompress(bytes(row.content), size)
