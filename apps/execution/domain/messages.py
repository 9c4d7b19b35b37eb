"""Texts about jobs without a result."""

from __future__ import annotations

from typing import Any

from apps.remote.errors import MAX_DETAIL_LENGTH
from apps.tools.messages import message

MAX_REASONS = 20

CANCELLED = message("ended before its time because the run was cancelled")
NEVER_STARTED = message("cancelled before it started")
GONE = message("the host no longer has this attempt's folder")


def load_ended(why: str) -> str:
    """Return why an attempt ended with its background load."""
    return message("the background load ended before the test: %(why)s", why=why)


def refusal_text(refused: Any) -> str:
    """Return the reasons of a refused.json as one text."""
    reasons = refused.get("reasons") if isinstance(refused, dict) else refused
    if isinstance(reasons, (list, tuple)):
        return " ".join(str(reason)[:MAX_DETAIL_LENGTH] for reason in reasons[:MAX_REASONS])
    return str(reasons)[:MAX_DETAIL_LENGTH]


def lost_because(why: Any) -> str:
    """Return the text for a lost job; `why`: the agent's reason, if any."""
    lost = message("it can never finish, as its processes are gone and left no exit code")
    return message("%(what)s: %(why)s", what=lost, why=str(why)) if why else lost


def bad_answer_text(host: str, bad: str) -> str:
    """Return the text for a host's invalid answer about the end of its test."""
    return message(
        "%(host)s answered what cannot be (%(answer)s); nothing of this test is believed",
        host=host,
        answer=bad,
    )
