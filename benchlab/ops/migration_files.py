"""SHA-256 of all migration files, stored as the comment of Django's migration table."""

from __future__ import annotations

import hashlib
from pathlib import Path

from benchlab.local.paths import PROJECT

ANOTHER_VERSION = (
    "This database was made by another development version. Use that version, or another "
    "BENCHLAB_HOME."
)
STORED = "SELECT obj_description(to_regclass('public.django_migrations'), 'pg_class')"


def migrations_sha256(project: Path = PROJECT) -> str:
    """Return the hash of the path and content of each file."""
    digest = hashlib.sha256()
    for path in sorted(project.glob("apps/*/migrations/*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(project)} {len(content)}\n".encode() + content)
    return digest.hexdigest()
