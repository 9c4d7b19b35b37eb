"""Names of packed bytes in stores outside the database: `ab/abcd…`, by the SHA-256 of the bytes
unpacked, so that no folder holds more than a 256th of them. Plain Python.
"""

from __future__ import annotations

import re

SHA256 = re.compile("[0-9a-f]{64}")


def stored_name(sha256: str) -> str:
    """The relative name of this content."""
    return f"{sha256[:2]}/{sha256}"


def sha256_of(name: str) -> str | None:
    """The SHA-256 that a relative name stands for; None where the name is not one of a store's."""
    _folder, _slash, sha256 = name.partition("/")
    return sha256 if SHA256.fullmatch(sha256) and name == stored_name(sha256) else None
