"""Messages in the language of a reader."""

from __future__ import annotations

from django.utils import translation
from django.utils.functional import Promise

from apps.remote.agent_texts import agent_text
from apps.tools.messages import TranslatableMessage, message


class _Reader:
    """The active language; texts of the agent in it too."""

    def gettext(self, message: str) -> str:
        return translation.gettext(message)

    def ngettext(self, one: str, many: str, number: int) -> str:
        return translation.ngettext(one, many, number)

    def plain(self, text: str) -> str:
        known = agent_text(text)
        return known.render(self) if isinstance(known, TranslatableMessage) else text


READER = _Reader()


def localize_message(text: str) -> str:
    """Return a message, or a text of the agent, in the active language; other text unchanged."""
    return text.render(READER) if isinstance(text, TranslatableMessage) else READER.plain(text)


def label(text: str | Promise) -> TranslatableMessage:
    """Return a lazy label as a message, to be a value of another message."""
    with translation.override("en"):
        return message(str(text).replace("%", "%%"))
