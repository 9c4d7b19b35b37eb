"""Names of blobs in a storage: `ab/abcd...`, from the SHA-256 of the uncompressed bytes.

The folder keeps directories small: each holds a 256th of the blobs.
"""

from __future__ import annotations

import re

SHA256 = re.compile("[0-9a-f]{64}")


def storage_name(sha256: str) -> str:
    return f"{sha256[:2]}/{sha256}"


def sha256_from_name(name: str) -> str | None:
    """Return the SHA-256 of a storage name, None for a name of another form."""
    _folder, _slash, sha256 = name.partition("/")
    return sha256 if SHA256.fullmatch(sha256) and name == storage_name(sha256) else None
