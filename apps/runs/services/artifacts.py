"""Artifacts as bytes: stored once for each content, and back exactly as the host wrote them."""

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

# Bytes of one file. The agent ends a tool that writes more in all, so no result is lost with it.
MOST_READ = 256 << 20


class Removed(ServiceError):
    """The bytes are not kept any more; the message says since when and by which rule."""

    def __init__(self, artifact: Artifact) -> None:
        said = _("%(name)s was removed on %(day)s: %(why)s")
        day = artifact.removed_at.strftime("%Y-%m-%d") if artifact.removed_at else ""
        words = {"name": artifact.name, "day": day, "why": artifact.removed_by}
        super().__init__(said % words, status=410)


def artifact_of(attempt: Attempt, name: str, content: bytes) -> Artifact:
    """The row (not saved yet) of a file with these bytes, which are stored."""
    digest = hashlib.sha256(content).hexdigest()
    packed = compress(content)
    stored = CompressedContent(digest, len(content), len(packed), lambda: [packed])
    with transaction.atomic():
        blob = blobs_ensure([stored])[digest]
    return Artifact(attempt=attempt, name=name, size=len(content), sha256=digest, blob=blob)


def artifacts_store(files: Iterable[tuple[Attempt, str, CompressedContent]]) -> None:
    """Write artifacts of these attempts, names and contents, in the transaction that is open.
    Raises OSError.
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
    """Store an attempt's files in place of those it has, in the transaction that is open. Raises
    OSError.
    """
    artifacts_remove(attempt.artifacts.all())
    artifacts_store((attempt, name, file.as_content()) for name, file in sorted(files.items()))


def artifacts_remove(rows: QuerySet[Artifact]) -> int:
    """Remove artifacts, and the blobs that only they referred to, after the commit of an open
    transaction; how many artifacts.
    """
    blobs = sorted(set(rows.order_by().values_list("blob_id", flat=True)) - {None})
    removed, _each = rows.delete()
    if blobs:
        transaction.on_commit(lambda: blobs_delete_unreferenced(blobs))
    return removed


def artifact_pieces(artifact: Artifact) -> Iterator[bytes]:
    """Yield an artifact's bytes as the host wrote them. Raises: Removed, BlobDamaged, OSError."""
    if artifact.blob is None:
        raise Removed(artifact)
    return blob_pieces(artifact.blob)


def artifact_bytes(artifact: Artifact) -> bytes:
    """The same at once. Raises Removed, BlobDamaged."""
    try:
        return join_pieces(artifact_pieces(artifact))
    except BlobDamaged:
        # Perhaps moved to another store just now: its row says where it is.
        artifact.refresh_from_db(fields=["blob"])
        return join_pieces(artifact_pieces(artifact))


def attempt_files(attempt: Attempt, *, most: int | None = None) -> Mapping[str, bytes]:
    """Every stored file of an attempt, without those that are `too_large` or have more than `most`
    bytes. Of an imported file with several results, the attempt of the first one keeps the bytes
    for all (`imported.bytes_of`); imports have a limit of their own. Raises Removed.
    """
    bearer = attempt.imported.bytes_of if attempt.imported else None
    kept = Artifact.objects.filter(attempt_id=bearer) if bearer else attempt.artifacts.all()
    limit = MOST_READ if most is None else most
    read = kept if attempt.imported is not None else kept.filter(size__lte=limit)
    return {artifact.name: artifact_bytes(artifact) for artifact in read.select_related("blob")}


def too_large(attempt: Attempt) -> list[str]:
    """The names of stored files that are kept and never read here."""
    return list(attempt.artifacts.filter(size__gt=MOST_READ).values_list("name", flat=True))


def bytes_to_read(attempt: Attempt) -> int:
    """The number of bytes that `attempt_files` gives."""
    read = attempt.artifacts.filter(size__lte=MOST_READ)
    return int(read.aggregate(total=Sum("size"))["total"] or 0)


def attempt_stderr(attempt: Attempt, *, most: int = 20_000) -> str:
    """The end of what the tool said on stderr, at most `most` bytes of it, of several hosts each
    one's under its name; "" when it said nothing, or when it was removed.
    """
    named = Q(name="stderr") | Q(name__endswith="/stderr")
    kept = attempt.artifacts.filter(named, size__gt=0, blob__isnull=False)
    rows = list(kept.select_related("blob").order_by("name"))
    said = [_end_of(row, most // len(rows)) for row in rows]
    return "\n".join(said)


def _end_of(artifact: Artifact, most: int) -> str:
    host, _, _name = artifact.name.rpartition("/")
    end = b""
    for piece in artifact_pieces(artifact):  # never the whole, which may be hundreds of MB
        end = (end + piece)[-most:]
    text = end.decode("utf-8", "replace")
    return f"{host}:\n{text}" if host else text
