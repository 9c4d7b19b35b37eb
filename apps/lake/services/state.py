"""State of a lake before an export, and the reasons to refuse it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from apps.blobs.models import StoreIdentity
from apps.lake.domain.file_names import IDENTITY, LOCK, UNFINISHED, foreign_names
from apps.lake.domain.manifest import FORMAT, Manifest, changed_type, decode
from apps.lake.domain.refusal import LakeRefusal
from apps.lake.domain.tables import SCHEMA_VERSION, TABLES
from apps.lake.services.folders import Folder
from apps.tools.messages import message

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

    Raises: LakeRefusal for files, an owner or a schema that this export must not replace; OSError.
    """
    names = folder.names() if folder.exists() else {}
    identity = folder.read(IDENTITY) if names else None
    if identity is None and (others := names.keys() - BEFORE_IDENTITY):
        raise _foreign(folder, sorted(others))
    if identity is not None and _owner(identity) != installation:
        raise LakeRefusal(
            message("%(location)s is the lake of another installation.", location=folder.location)
        )
    manifest = _manifest(folder) if identity is not None else None
    if manifest is not None:
        _check(folder, manifest, installation)
    written = manifest.paths() if manifest else set()
    if foreign := foreign_names(names, installation, written):
        raise _foreign(folder, foreign)
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
        text = message(
            "The manifest of %(location)s cannot be read: %(why)s",
            location=folder.location,
            why=str(error),
        )
        raise LakeRefusal(text) from None


def _check(folder: Folder, manifest: Manifest, installation: str) -> None:
    location = folder.location
    if manifest.installation != installation:
        raise LakeRefusal(
            message("%(location)s has the manifest of another installation.", location=location)
        )
    if manifest.schema_version > SCHEMA_VERSION:
        text = message(
            "%(location)s was written by a newer benchlab, %(version)s.",
            location=location,
            version=manifest.benchlab_version,
        )
        raise LakeRefusal(text)
    if column := changed_type(manifest, TABLES):
        text = message(
            "%(column)s has another type in %(location)s. Use another folder.",
            column=column,
            location=location,
        )
        raise LakeRefusal(text)


def _foreign(folder: Folder, names: list[str]) -> LakeRefusal:
    shown = ", ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")
    return LakeRefusal(
        message(
            "%(location)s has files that this installation did not write: %(names)s. "
            "Use an empty folder.",
            location=folder.location,
            names=shown,
        )
    )
