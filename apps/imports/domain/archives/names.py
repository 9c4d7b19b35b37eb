"""Names inside folders and archives: relative, plain, and of bounded length, or not taken."""

from __future__ import annotations

import re

from apps.imports.domain.limits import DEEPEST_PATH, LONGEST_PATH

# Also what turns the direction of writing around (UAX #9) or is not seen at all.
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_DRIVE = re.compile(r"^[A-Za-z]:")
# What operating systems and version control leave in folders.
_JUNK = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini"})


def safe_path(name: str) -> str | None:
    """The name as a relative path with slashes; None for one that leads elsewhere or is too long.

    Nothing is ever written under this name: it is only shown and told apart.
    """
    plain = _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", name.replace("\\", "/"))
    if plain.startswith("/") or _DRIVE.match(plain):
        return None
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    if not parts or ".." in parts or len(parts) > DEEPEST_PATH:
        return None
    path = "/".join(parts)
    return path if len(path) <= LONGEST_PATH else None


def is_junk(path: str) -> bool:
    """Whether a file was never anybody's result: hidden, or an operating system's own."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in (".", "..")]
    return any(part.startswith(".") or part in _JUNK for part in parts)


def shown(name: str) -> str:
    """A name that is not taken, as it may be printed in a sentence."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", name)[:LONGEST_PATH]
