"""Artifacts as bytes: packed for the database, and back exactly as the host wrote them."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from django.db import connection
from django.db.models import Q, Sum
from django.utils import timezone

from apps.common.downloads import column_pieces
from apps.runs.models import Artifact, Attempt
from apps.runs.packing import Packed, unpacked

ENCODING = "zlib"
# Bytes of one file. The agent ends a tool that writes more in all, so no result is lost with it.
MOST_READ = 256 << 20
# PostgreSQL's binary numbers, and the moment its clock begins.
_COUNT, _LENGTH, _INT8 = struct.Struct("!h"), struct.Struct("!i"), struct.Struct("!q")
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def artifact_of(attempt: Attempt, name: str, content: bytes) -> Artifact:
    """The row (not saved yet) that keeps these bytes."""
    return Artifact(
        attempt=attempt,
        name=name,
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        encoding=ENCODING,
        content=zlib.compress(content, 6),
    )


def artifacts_copy(attempt: Attempt, files: Mapping[str, Packed]) -> None:
    """Store packed files with PostgreSQL's COPY, a piece at a time, in the transaction that is
    open. The format is that of "Binary Format" in PostgreSQL's page about COPY.
    """
    columns = "attempt_id, name, size, sha256, encoding, created_at, content"
    statement = f"COPY {Artifact._meta.db_table} ({columns}) FROM STDIN (FORMAT BINARY)"
    now = round((timezone.now() - _EPOCH) / timedelta(microseconds=1))
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        for name, file in sorted(files.items()):
            texts = (name.encode(), _INT8.pack(file.size), file.sha256.encode(), ENCODING.encode())
            row = (attempt.pk.bytes, *texts, _INT8.pack(now))
            copy.write(_COUNT.pack(len(row) + 1) + b"".join(map(_field, row)))
            copy.write(_LENGTH.pack(file.packed))
            for piece in file.pieces():
                copy.write(piece)
        copy.write(_COUNT.pack(-1))


def _field(value: bytes) -> bytes:
    return _LENGTH.pack(len(value)) + value


def artifact_bytes(artifact: Artifact) -> bytes:
    """An artifact's bytes as the host wrote them."""
    packed = bytes(artifact.content)
    return zlib.decompress(packed) if artifact.encoding == ENCODING else packed


def artifact_pieces(artifact: Artifact) -> Iterator[bytes]:
    """The same a piece at a time, of a row without its content (`defer`). Raises zlib.error where
    the row is gone before its end."""
    packed = column_pieces(Artifact.objects.filter(pk=artifact.pk), "content")
    return unpacked(packed) if artifact.encoding == ENCODING else packed


def attempt_files(attempt: Attempt) -> Mapping[str, bytes]:
    """Every stored file of an attempt, without those that are `too_large`. Of an imported file with
    several results, the attempt of the first one keeps the bytes for all
    (`spec["imported"]["bytes_of"]`); imports have a limit of their own.
    """
    bearer = (attempt.spec.get("imported") or {}).get("bytes_of")
    kept = Artifact.objects.filter(attempt_id=bearer) if bearer else attempt.artifacts.all()
    read = kept if "imported" in attempt.spec else kept.filter(size__lte=MOST_READ)
    return {artifact.name: artifact_bytes(artifact) for artifact in read}


def too_large(attempt: Attempt) -> list[str]:
    """The names of stored files that are kept and never read here."""
    return list(attempt.artifacts.filter(size__gt=MOST_READ).values_list("name", flat=True))


def bytes_to_read(attempt: Attempt) -> int:
    """How many bytes `attempt_files` gives."""
    read = attempt.artifacts.filter(size__lte=MOST_READ)
    return int(read.aggregate(total=Sum("size"))["total"] or 0)


def attempt_stderr(attempt: Attempt, *, most: int = 20_000) -> str:
    """The end of what the tool said on stderr, at most `most` bytes of it, of several hosts each
    one's under its name; "" when it said nothing.
    """
    named = Q(name="stderr") | Q(name__endswith="/stderr")
    rows = list(attempt.artifacts.filter(named, size__gt=0).order_by("name").defer("content"))
    said = [_end_of(row, most // len(rows)) for row in rows]
    return "\n".join(said)


def _end_of(artifact: Artifact, most: int) -> str:
    host, _, _name = artifact.name.rpartition("/")
    end = b""
    for piece in artifact_pieces(artifact):  # never the whole, which may be hundreds of MB
        end = (end + piece)[-most:]
    text = end.decode("utf-8", "replace")
    return f"{host}:\n{text}" if host else text
