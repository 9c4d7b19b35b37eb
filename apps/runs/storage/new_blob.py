"""Bytes that a store is given to keep."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apps.runs.models import Blob


@dataclass(frozen=True)
class NewBlob:
    """A blob whose row is written and whose bytes are not: `blob.packed` bytes of them."""

    blob: Blob
    pieces: Iterable[bytes]
