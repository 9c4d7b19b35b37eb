"""Messages in the language of a reader."""

from __future__ import annotations

from django.utils import translation
from django.utils.functional import Promise

from apps.tools.messages import TranslatableMessage, message


def localize_message(text: str) -> str:
    """Return a message in the active language; other text unchanged."""
    return text.render(translation) if isinstance(text, TranslatableMessage) else text


def label(text: str | Promise) -> TranslatableMessage:
    """Return a lazy label as a message, to be a value of another message."""
    with translation.override("en"):
        return message(str(text).replace("%", "%%"))
