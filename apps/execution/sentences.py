"""What people are told about jobs that left no result."""

from __future__ import annotations

from typing import Any

CANCELLED = "ended before its time because the run was cancelled"
GONE = "the host no longer has this attempt's folder"


def refusal_text(refused: Any) -> str:
    """The reasons of a refused.json as one text."""
    reasons = refused.get("reasons") if isinstance(refused, dict) else refused
    if isinstance(reasons, (list, tuple)):
        return " ".join(str(reason) for reason in reasons)
    return str(reasons)


def lost_because(begun: bool) -> str:
    """Why a job is lost; `begun`: its host still knows in which boot it began."""
    restarted = " (the host may have restarted)" if begun else ""
    return f"it can never finish: its processes are gone and left no exit code{restarted}"
