"""The content of a disk when somebody last allowed it to go: the agent's fingerprints, checked.

Pure functions; nothing here knows the database.
"""

from __future__ import annotations

import re
from typing import Any

from apps.remote.agent.disks.fingerprint import VERSION
from apps.remote.job_spec import BackingFile, Fingerprint

HASHES = re.compile(r"(?:[0-9a-f]{8}){1,400}")
BACKING = ("inode", "birth", "generation")
MARK = "Content: "


def fingerprint_of(told: Any) -> Fingerprint | None:
    """A fingerprint as the agent told it (docs/development/agent.md); None for anything else."""
    if not isinstance(told, dict):
        return None
    blocks, size, version = (told.get(name) for name in ("blocks", "size", "version"))
    if not isinstance(size, int) or not isinstance(version, int) or isinstance(size, bool):
        return None
    if not isinstance(blocks, str) or not HASHES.fullmatch(blocks):
        return None
    return {
        "version": version,
        "size": size,
        "blocks": blocks,
        "written": told.get("written") is True,
        "discarded": told.get("discarded") is True,
        "backing": _backing(told.get("backing")),
    }


def _backing(told: Any) -> BackingFile | None:
    if not isinstance(told, dict):
        return None
    values = [told.get(name) for name in BACKING]
    if not all(v is None or isinstance(v, int) or len(str(v)) <= 40 for v in values):
        return None
    return {
        "inode": told.get("inode"),
        "birth": told.get("birth"),
        "generation": told.get("generation"),
    }


def unknown_content(before: Fingerprint | None, size: int) -> Fingerprint:
    """After a test of ours that did not get to its end: anything may be on a disk of so many bytes,
    but it is ours, and on the same file.
    """
    if before is not None:
        return {**before, "blocks": None, "written": True}
    return {
        "version": VERSION,
        "size": size,
        "blocks": None,
        "written": True,
        "discarded": False,
        "backing": None,
    }


def content_status(known: Fingerprint | None) -> str:
    """The state of knowledge about a disk's content: "" nothing, "enrolment" as it was then, "test"
    as our last test left it, "unfinished" a test of ours did not get to its end.
    """
    if known is None:
        return ""
    if known["blocks"] is None:
        return "unfinished"
    return "test" if known["written"] else "enrolment"


def content_sentence(reason: str) -> str:
    """The part of an agent's reasons that says that a disk's content is another one; "" if none
    does.
    """
    _before, mark, rest = reason.partition(MARK)
    return (mark + rest)[:2000] if mark else ""
