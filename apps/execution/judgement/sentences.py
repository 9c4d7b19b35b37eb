"""Sentences about jobs that left no result."""

from __future__ import annotations

from typing import Any

CANCELLED = "ended before its time because the run was cancelled"
NEVER_STARTED = "cancelled before it started"
GONE = "the host no longer has this attempt's folder"


def refusal_text(refused: Any) -> str:
    """The reasons of a refused.json as one text."""
    reasons = refused.get("reasons") if isinstance(refused, dict) else refused
    if isinstance(reasons, (list, tuple)):
        return " ".join(str(reason) for reason in reasons)
    return str(reasons)


def lost_because(why: Any) -> str:
    """Why a job is lost; `why`: what its agent said of it, if anything."""
    because = f": {why}" if why else ""
    return f"it can never finish, as its processes are gone and left no exit code{because}"


def bad_answer_text(host: str, bad: str) -> str:
    """The sentence for a host's impossible answer about the end of its test."""
    return f"{host} answered what cannot be ({bad}); nothing of this test is believed"
