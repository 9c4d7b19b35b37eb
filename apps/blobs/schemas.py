"""Data that callers pass to the services."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class CompressedContent:
    """Compressed bytes to store; `size_bytes` and `sha256` are of the uncompressed bytes.

    `pieces` is called only if no blob has this content yet.
    """

    sha256: str
    size_bytes: int
    compressed_bytes: int
    pieces: Callable[[], Iterable[bytes]]
