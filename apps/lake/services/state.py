"""State of a lake before an export, and the reasons to refuse it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from apps.blobs.models import StoreIdentity
from apps.common.errors import ServiceError
from apps.lake.domain.file_names import IDENTITY, LOCK, UNFINISHED, foreign_names
from apps.lake.domain.manifest import FORMAT, Manifest, changed_type, decode
from apps.lake.domain.tables import SCHEMA_VERSION, TABLES
from apps.lake.services.folders import Folder

SHOWN = 3
BEFORE_IDENTITY = {LOCK, f"{IDENTITY}{UNFINISHED}"}
"""Files of an export that was killed before it had claimed the folder."""


@dataclass(frozen=True)
class LakeState:
    """Manifest (None before the first export), all files, and whether the lake has an owner."""

    manifest: Manifest | None
    names: dict[str, datetime]
    is_claimed: bool


def installation_id() -> str:
    """Return the public identity of this installation, which a restored backup keeps."""
    identity, _created = StoreIdentity.objects.get_or_create()
    return hashlib.sha256(f"lake {identity.token}".encode()).hexdigest()[:16]


def identity_document(installation: str) -> bytes:
    """Return the content of the identity file."""
    return json.dumps({"format": FORMAT, "installation": installation}).encode() + b"\n"


def state_of(folder: Folder, installation: str) -> LakeState:
    """Return the state of a lake that this installation may write.

    Raises: ServiceError for files, an owner or a schema that this export must not replace; OSError.
    """
    names = folder.names() if folder.exists() else {}
    identity = folder.read(IDENTITY) if names else None
    if identity is None and (others := names.keys() - BEFORE_IDENTITY):
        raise ServiceError(_foreign(folder, sorted(others)))
    if identity is not None and _owner(identity) != installation:
        raise ServiceError(f"{folder.location} is the lake of another installation.")
    manifest = _manifest(folder) if identity is not None else None
    if manifest is not None:
        _check(folder, manifest, installation)
    written = manifest.paths() if manifest else set()
    if foreign := foreign_names(names, installation, written):
        raise ServiceError(_foreign(folder, foreign))
    return LakeState(manifest, names, identity is not None)


def _owner(identity: bytes) -> str:
    try:
        document = json.loads(identity)
    except ValueError:
        return ""
    return str(document.get("installation", "")) if isinstance(document, dict) else ""


def _manifest(folder: Folder) -> Manifest | None:
    document = folder.manifest_read()
    try:
        return decode(document) if document is not None else None
    except ValueError as error:
        raise ServiceError(f"The manifest of {folder.location} cannot be read: {error}") from None


def _check(folder: Folder, manifest: Manifest, installation: str) -> None:
    if manifest.installation != installation:
        raise ServiceError(f"{folder.location} has the manifest of another installation.")
    if manifest.schema_version > SCHEMA_VERSION:
        version = manifest.benchlab_version
        raise ServiceError(f"{folder.location} was written by a newer benchlab, {version}.")
    if column := changed_type(manifest, TABLES):
        raise ServiceError(f"{column} has another type in {folder.location}. Use another folder.")


def _foreign(folder: Folder, names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return (
        f"{folder.location} has files that this installation did not write: "
        f"{', '.join(names[:SHOWN])}{more}. Use an empty folder."
    )
