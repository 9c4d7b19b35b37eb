"""Names inside folders and archives: relative, printable and of limited length."""

from __future__ import annotations

import re

from apps.imports.domain.limits import MAX_PATH_DEPTH, MAX_PATH_LENGTH

# Includes bidirectional controls (UAX #9) and invisible characters.
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_DRIVE = re.compile(r"^[A-Za-z]:")
# Files that operating systems create in folders.
_JUNK = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini"})


def safe_path(name: str) -> str | None:
    """Return the name as a relative path with slashes.

    None for a name that is absolute, leaves its folder or is too long. The path identifies a file
    in the UI; no file is written under it.
    """
    plain = _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", name.replace("\\", "/"))
    if plain.startswith("/") or _DRIVE.match(plain):
        return None
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    if not parts or ".." in parts or len(parts) > MAX_PATH_DEPTH:
        return None
    path = "/".join(parts)
    return path if len(path) <= MAX_PATH_LENGTH else None


def is_junk(path: str) -> bool:
    """Return True for a hidden file or a file created by an operating system."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in (".", "..")]
    return any(part.startswith(".") or part in _JUNK for part in parts)


def shown(name: str) -> str:
    """Return a rejected name in printable form, for a message."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", name)[:MAX_PATH_LENGTH]
