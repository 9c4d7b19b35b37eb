"""Marks of translatable texts. Plugins do not import Django; pages translate the texts."""

from __future__ import annotations


def gettext_noop(text: str) -> str:
    """Return the text unchanged; `makemessages` extracts it."""
    return text
