"""Bytes of an import's files: compressed in the row, or in an artifact once stored."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from django.db.models import QuerySet

from apps.blobs.domain.compression import decompress, join_pieces
from apps.common.web.downloads import column_pieces
from apps.imports.models import ImportFile
from apps.runs.models import Artifact
from apps.runs.services.artifacts import artifact_bytes, artifact_pieces


def content_of(row: ImportFile) -> bytes:
    """Return the bytes of a file as submitted."""
    packed = bytes(row.content)
    if packed:
        return join_pieces(decompress([packed], row.size))
    artifact = _stored(row).first()
    return artifact_bytes(artifact) if artifact else b""


def content_pieces(row: ImportFile) -> Iterator[bytes]:
    """Return the bytes of a file in pieces, for a row without its content (`defer`)."""
    waiting = column_pieces(ImportFile.objects.filter(pk=row.pk), "content")
    if first := next(waiting, b""):
        return decompress(chain([first], waiting), row.size)
    artifact = _stored(row).first()
    return artifact_pieces(artifact) if artifact else iter(())


def _stored(row: ImportFile) -> QuerySet[Artifact]:
    owner = row.primary_file.case_id if row.primary_file else row.case_id
    stored = Artifact.objects.filter(attempt__case_id=owner or 0, name=row.role)
    return stored.filter(sha256=row.sha256)


def head_of(row: ImportFile, size: int) -> bytes:
    """Return the first `size` bytes of a file that is not stored."""
    return next(decompress([bytes(row.content)], row.size), b"")[:size]
