"""Artifacts: write, read and delete the files of attempts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext as _

from apps.blobs.domain.compression import BlobDamaged, compress, join_pieces
from apps.blobs.schemas import CompressedContent
from apps.blobs.selectors import blob_pieces
from apps.blobs.services.blobs import blobs_delete_unreferenced, blobs_ensure
from apps.blobs.services.spool import CompressedFile
from apps.common.errors import ServiceError
from apps.runs.models import Artifact, Attempt
from apps.runs.models.jobs import BACKGROUND_FILES

# Bytes of one file. The agent ends a tool that writes more in all, so no result is lost with it.
MOST_READ = 256 << 20


class ArtifactDeleted(ServiceError):
    """The bytes of an artifact were deleted; the message has the date and the rule."""

    def __init__(self, artifact: Artifact) -> None:
        text = _("%(name)s was removed on %(day)s: %(why)s")
        day = artifact.removed_at.strftime("%Y-%m-%d") if artifact.removed_at else ""
        words = {"name": artifact.name, "day": day, "why": artifact.removed_by}
        super().__init__(text % words, status=410)


def artifact_of(attempt: Attempt, name: str, content: bytes) -> Artifact:
    """Store content and return its unsaved artifact."""
    digest = hashlib.sha256(content).hexdigest()
    packed = compress(content)
    stored = CompressedContent(digest, len(content), len(packed), lambda: [packed])
    with transaction.atomic():
        blob = blobs_ensure([stored])[digest]
    return Artifact(attempt=attempt, name=name, size=len(content), sha256=digest, blob=blob)


def artifacts_store(files: Iterable[tuple[Attempt, str, CompressedContent]]) -> None:
    """Create artifacts within the open transaction.

    Raises:
        OSError: the blob store fails.
    """
    files = list(files)
    blobs = blobs_ensure(content for _attempt, _name, content in files)
    Artifact.objects.bulk_create(
        [
            Artifact(
                attempt=attempt,
                name=name,
                size=content.size_bytes,
                sha256=content.sha256,
                blob=blobs[content.sha256],
            )
            for attempt, name, content in files
        ]
    )


def artifacts_replace(attempt: Attempt, files: Mapping[str, CompressedFile]) -> None:
    """Replace the artifacts of an attempt within the open transaction.

    Raises:
        OSError: the blob store fails.
    """
    artifacts_remove(attempt.artifacts.all())
    artifacts_store((attempt, name, file.as_content()) for name, file in sorted(files.items()))


def artifacts_remove(rows: QuerySet[Artifact]) -> int:
    """Delete artifacts, and after the commit the blobs that only they referred to.

    Returns the number of artifacts.
    """
    blobs = sorted(set(rows.order_by().values_list("blob_id", flat=True)) - {None})
    removed, _each = rows.delete()
    if blobs:
        transaction.on_commit(lambda: blobs_delete_unreferenced(blobs))
    return removed


def artifact_pieces(artifact: Artifact) -> Iterator[bytes]:
    """Yield the bytes of an artifact.

    Raises:
        ArtifactDeleted: the bytes were deleted. BlobDamaged, OSError: they cannot be read.
    """
    if artifact.blob is None:
        raise ArtifactDeleted(artifact)
    return blob_pieces(artifact.blob)


def artifact_bytes(artifact: Artifact) -> bytes:
    """Return the bytes of an artifact.

    Raises:
        ArtifactDeleted: the bytes were deleted. BlobDamaged, OSError: they cannot be read.
    """
    try:
        return join_pieces(artifact_pieces(artifact))
    except BlobDamaged:
        # Perhaps moved to another store just now: its row says where it is.
        artifact.refresh_from_db(fields=["blob"])
        return join_pieces(artifact_pieces(artifact))


def attempt_files(attempt: Attempt, *, most: int | None = None) -> Mapping[str, bytes]:
    """Return the files of an attempt by name, without those larger than `most` bytes (256 MiB).

    Several imported results of one file share the artifact of the first (`imported.bytes_of`).
    Imports have their own size limit.

    Raises:
        ArtifactDeleted: the bytes of a file were deleted.
    """
    bearer = attempt.imported.bytes_of if attempt.imported else None
    artifacts = Artifact.objects.filter(attempt_id=bearer) if bearer else attempt.artifacts.all()
    limit = MOST_READ if most is None else most
    read = artifacts if attempt.imported is not None else artifacts.filter(size__lte=limit)
    return {artifact.name: artifact_bytes(artifact) for artifact in read.select_related("blob")}


def too_large(attempt: Attempt) -> list[str]:
    """Return the names of files that are too large to parse, without those of a background load."""
    large = attempt.artifacts.filter(size__gt=MOST_READ)
    return list(large.exclude(name__startswith=BACKGROUND_FILES).values_list("name", flat=True))


def bytes_to_read(attempt: Attempt) -> int:
    """Return the number of bytes that `attempt_files` returns."""
    read = attempt.artifacts.filter(size__lte=MOST_READ)
    return int(read.aggregate(total=Sum("size"))["total"] or 0)


def attempt_stderr(attempt: Attempt, *, most: int = 20_000) -> str:
    """Return the last `most` bytes of stderr, of several hosts each under its name.

    Empty if there is none or it was deleted.
    """
    named = Q(name="stderr") | Q(name__endswith="/stderr")
    artifacts = attempt.artifacts.filter(named, size__gt=0, blob__isnull=False)
    rows = list(artifacts.select_related("blob").order_by("name"))
    texts = [_end_of(row, most // len(rows)) for row in rows]
    return "\n".join(texts)


def _end_of(artifact: Artifact, most: int) -> str:
    host, _, _name = artifact.name.rpartition("/")
    end = b""
    for piece in artifact_pieces(artifact):  # never the whole, which may be hundreds of MB
        end = (end + piece)[-most:]
    text = end.decode("utf-8", "replace")
    return f"{host}:\n{text}" if host else text
