"""Sentences of the plugins. Plugins know no Django, so they only mark what pages translate."""

from __future__ import annotations


def gettext_noop(text: str) -> str:
    """The same text: `makemessages` finds it, and the page that shows it asks gettext."""
    return text
