"""Fingerprints of disk contents, as the agent reports them, validated.

Pure functions without database access.
"""

from __future__ import annotations

import re
from typing import Any

from apps.remote.agent.disks.fingerprint import VERSION
from apps.remote.job_spec import BackingFile, Fingerprint

HASHES = re.compile(r"(?:[0-9a-f]{8}){1,400}")
BACKING = ("inode", "birth", "generation")
MARK = "Content: "


def fingerprint_of(reported: Any) -> Fingerprint | None:
    """Return a fingerprint of the agent (docs/development/agent.md); None for any other value."""
    if not isinstance(reported, dict):
        return None
    blocks, size, version = (reported.get(name) for name in ("blocks", "size", "version"))
    if not isinstance(size, int) or not isinstance(version, int) or isinstance(size, bool):
        return None
    if not isinstance(blocks, str) or not HASHES.fullmatch(blocks):
        return None
    return {
        "version": version,
        "size": size,
        "blocks": blocks,
        "written": reported.get("written") is True,
        "discarded": reported.get("discarded") is True,
        "backing": _backing(reported.get("backing")),
    }


def _backing(reported: Any) -> BackingFile | None:
    if not isinstance(reported, dict):
        return None
    values = [reported.get(name) for name in BACKING]
    if not all(v is None or isinstance(v, int) or len(str(v)) <= 40 for v in values):
        return None
    return {
        "inode": reported.get("inode"),
        "birth": reported.get("birth"),
        "generation": reported.get("generation"),
    }


def unknown_content(before: Fingerprint | None, size: int) -> Fingerprint:
    """Return the fingerprint after an unfinished test of benchlab.

    The content is arbitrary, but benchlab's own; the size in bytes and the file stay.
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
    """Return what is known of a disk's content.

    "": nothing; "enrolment": as enrolled; "test": as the last test left it; "unfinished": a test
    did not end.
    """
    if known is None:
        return ""
    if known["blocks"] is None:
        return "unfinished"
    return "test" if known["written"] else "enrolment"


def content_sentence(reason: str) -> str:
    """Return the part of a refusal that states a changed disk content; "" if none."""
    _before, mark, rest = reason.partition(MARK)
    return (mark + rest)[:2000] if mark else ""
