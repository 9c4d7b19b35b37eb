"""Artifacts as bytes: packed for the database, and back exactly as the host wrote them."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping

from django.db.models import Q

from apps.runs.models import Artifact, Attempt

ENCODING = "zlib"


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


def artifact_bytes(artifact: Artifact) -> bytes:
    """An artifact's bytes as the host wrote them."""
    packed = bytes(artifact.content)
    return zlib.decompress(packed) if artifact.encoding == ENCODING else packed


def attempt_files(attempt: Attempt) -> Mapping[str, bytes]:
    """Every stored file of an attempt. Of an imported file with several results, the attempt of the
    first one keeps the bytes for all (`spec["imported"]["bytes_of"]`).
    """
    bearer = (attempt.spec.get("imported") or {}).get("bytes_of")
    kept = Artifact.objects.filter(attempt_id=bearer) if bearer else attempt.artifacts.all()
    return {artifact.name: artifact_bytes(artifact) for artifact in kept}


def attempt_stderr(attempt: Attempt, *, most: int = 20_000) -> str:
    """The end of what the tool said on stderr, at most `most` bytes of it, of several hosts each
    one's under its name; "" when it said nothing.
    """
    named = Q(name="stderr") | Q(name__endswith="/stderr")
    rows = list(attempt.artifacts.filter(named, size__gt=0).order_by("name"))
    said = [_end_of(row, most // len(rows)) for row in rows]
    return "\n".join(said)


def _end_of(artifact: Artifact, most: int) -> str:
    host, _, _name = artifact.name.rpartition("/")
    text = artifact_bytes(artifact)[-most:].decode("utf-8", "replace")
    return f"{host}:\n{text}" if host else text
