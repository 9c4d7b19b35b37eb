"""SHA-256 of all migration files. The database stores it (database_version)."""

from __future__ import annotations

import hashlib
from pathlib import Path

from benchlab.local.paths import PROJECT

VERSION_EXISTS = "SELECT to_regclass('public.benchlab_version') IS NOT NULL"
# Of an upgrade that has not ended: only its version continues.
MIGRATIONS = """
SELECT coalesce(nullif(upgrading_to, ''), version),
    coalesce(nullif(upgrading_migrations, ''), migrations)
FROM public.benchlab_version
"""


def migrations_sha256(project: Path = PROJECT) -> str:
    """Return the hash of the path and content of each file."""
    digest = hashlib.sha256()
    for path in sorted(project.glob("apps/*/migrations/*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(project)} {len(content)}\n".encode() + content)
    return digest.hexdigest()
