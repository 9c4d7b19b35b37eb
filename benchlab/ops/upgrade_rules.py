"""Which versions of benchlab upgrade which database. No Django: a restore uses the rules too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from packaging.version import InvalidVersion, Version

from benchlab.ops.findings import Finding, wrong

BACKUP = "or restore the backup from before it"


@dataclass(frozen=True)
class StoredVersion:
    """Version and hash of the migration files of a database or of the code.

    `upgrading_to`: the version of an upgrade that has not ended.
    """

    version: str
    migrations: str
    upgrading_to: str = ""
    upgrading_migrations: str = ""


def unknown_database() -> Finding:
    """Return the refusal of a database with tables and without a version."""
    return wrong(
        "the database has tables, but no version of benchlab",
        "Use the version that made it, another BENCHLAB_HOME, or an empty database",
    )


def upgrade_refusal(
    stored: StoredVersion, code: StoredVersion, stops: Sequence[str]
) -> Finding | None:
    """Return why the code does not upgrade the database, with the path to take."""
    if stored.upgrading_to:
        return _unfinished(stored, code)
    if stored.migrations == code.migrations:
        return None
    old, new = _parse(stored.version), _parse(code.version)
    if old is None or new is None or old.is_devrelease or old == new:
        return _another_development(stored, code)
    if old > new:
        return wrong(
            f"the database is of benchlab {old}, which is newer than this, {new}",
            f"Use benchlab {old} or newer; {new} runs with a backup that {new} made",
        )
    if path := [stop for stop in stops if old < Version(stop)]:
        steps = ", then ".join([*path, str(new)])
        return wrong(
            f"the database is of benchlab {old}; {new} upgrades from {stops[-1]} on",
            f"Upgrade to {steps}. Run bin/manage upgrade with each",
        )
    return None


def _parse(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None


def _unfinished(stored: StoredVersion, code: StoredVersion) -> Finding | None:
    """Return the refusal of an interrupted upgrade, unless this code began it."""
    if stored.upgrading_migrations == code.migrations:
        return None
    begun = f"the upgrade from benchlab {stored.version} to {stored.upgrading_to} has not ended"
    if stored.upgrading_to == code.version:
        begun += ", and the migrations of this code are others"
    return wrong(begun, f"Run bin/manage upgrade of that {stored.upgrading_to}, {BACKUP}")


def _another_development(stored: StoredVersion, code: StoredVersion) -> Finding:
    return wrong(
        f"the database was made by another development version ({stored.version}; this is "
        f"{code.version})",
        "Use the version that made it, or another BENCHLAB_HOME",
    )
