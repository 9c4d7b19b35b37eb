"""The texts of the agent in the language of a reader.

The agent answers in plain English, and its texts are stored, logged and returned by the API as they
are. Pages look them up here: a text that a template makes becomes a message with the template's
translation. Any other text stays as it is, so an older or newer agent loses nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from apps.remote.agent_texts import arrays, ceph, disks, jobs, settings
from apps.remote.agent_texts.match import (
    MAX_SENTENCE,
    MAX_TEXT,
    MessageWithoutStop,
    Template,
    templates,
)
from apps.tools.messages import TranslatableMessage, join_messages, message

_PARTS = (arrays, disks, jobs, settings, ceph)
SENTENCES = templates(text for part in _PARTS for text in part.SENTENCES)
CLAUSES = templates(text for part in _PARTS for text in part.CLAUSES)
_BOUNDARY = re.compile(r"(?<=[.?]) ")
_PREFIX = "Tuning: "  # before the reason of an invalid setting
_LOOK_AHEAD = 12  # full stops that one sentence may contain
_MAX_STOPS = 80  # of a text: 20 reasons of a refusal with their notes


@lru_cache(maxsize=4096)
def agent_text(text: str) -> str:
    """Return a text of the agent as a message; an unknown text, or part of it, unchanged."""
    if not text.strip() or len(text) > MAX_TEXT:
        return text
    if (whole := _clause(text)) is not None:
        return whole
    parts = _sentences(text)
    if not any(isinstance(part, TranslatableMessage) for part in parts):
        return text
    result = join_messages(*parts, between=" ")
    return result if result == text else text


def _sentences(text: str) -> list[str]:
    """Split a text into known sentences and the unknown text between them."""
    result: list[str] = []
    ends = [stop.start() for stop in _BOUNDARY.finditer(text)] + [len(text)]
    if len(ends) > _MAX_STOPS:
        return [text]
    start = 0
    while start < len(text):
        later = [end for end in ends if end > start][:_LOOK_AHEAD]
        known = next(((m, end) for end in later if (m := _sentence(text[start:end]))), None)
        part, end = known or (text[start : later[0]], later[0])
        result.append(part)
        start = end + 1
    return result


def _sentence(text: str) -> TranslatableMessage | None:
    if len(text) > MAX_SENTENCE:
        return None
    if known := _first(SENTENCES, text):
        return known
    if text.startswith(_PREFIX) and (rest := _clause(text.removeprefix(_PREFIX))):
        return message("Tuning: %(reason)s", reason=rest)
    return None


def _clause(text: str) -> TranslatableMessage | None:
    """Return a part of a sentence, or a sentence that has lost its full stop."""
    if len(text) > MAX_SENTENCE:
        return None
    known = _first(CLAUSES, text)
    if known is None and not text.endswith((".", "?")) and (whole := _sentence(f"{text}.")):
        return MessageWithoutStop(whole.message, "", whole.values)
    return known


def _first(rows: tuple[Template, ...], text: str) -> TranslatableMessage | None:
    return next((made for row in rows if (made := row.match(text)) is not None), None)
