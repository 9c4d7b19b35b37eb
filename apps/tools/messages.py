"""Messages that pages translate: an English text with named parameters and their values.

Plain Python, for tools, the agent's client and the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

Value = str | int | float
"""Value of a parameter; a `str` may be a message itself."""


class Translator(Protocol):
    """The gettext and ngettext of a language, and what it does with other text."""

    def gettext(self, message: str) -> str: ...

    def ngettext(self, one: str, many: str, number: int) -> str: ...

    def plain(self, text: str) -> str:
        """Return the text of a parameter that is no message."""


class TranslatableMessage(str):
    """English text with its template and the values of its parameters.

    Joined to other text it becomes plain text. `plural` is the template for a `count` other than 1;
    "" for a message without a count.
    """

    message: str
    plural: str
    values: Mapping[str, Value]

    def __new__(cls, message: str, plural: str, values: Mapping[str, Value]) -> TranslatableMessage:
        chosen = plural if plural and values["count"] != 1 else message
        made = super().__new__(cls, chosen % values)
        made.message, made.plural, made.values = message, plural, dict(values)
        return made

    def __getnewargs__(self) -> tuple[str, str, Mapping[str, Value]]:  # type: ignore[override]  # of pickle and copy
        return self.message, self.plural, self.values

    def render(self, translator: Translator) -> str:
        """Return the text in the translator's language.

        Returns the English text if the translation names parameters that have no value.
        """
        values = {name: _render(value, translator) for name, value in self.values.items()}
        count = values.get("count")
        try:
            if self.plural and isinstance(count, int):
                return translator.ngettext(self.message, self.plural, count) % values
            return translator.gettext(self.message) % values
        except (KeyError, ValueError, TypeError):
            return str(self)


def message(template: str, /, **values: Value) -> TranslatableMessage:
    """Build a message: message("cancelled by %(who)s", who="anna")."""
    return TranslatableMessage(template, "", values)


def plural_message(one: str, many: str, count: int, **values: Value) -> TranslatableMessage:
    """Build a message with a template for 1 and one for other counts: `%(count)d`."""
    return TranslatableMessage(one, many, {"count": count, **values})


def as_message(text: str) -> TranslatableMessage:
    """Return a message unchanged, other text as a message without parameters."""
    if isinstance(text, TranslatableMessage):
        return text
    return TranslatableMessage(text.replace("%", "%%"), "", {})


def error_message(error: Exception) -> str:
    """Return the message that an error was raised with, or its text."""
    first = error.args[0] if error.args else ""
    return first if isinstance(first, str) else str(error)


def join_messages(*parts: str, between: str = "; ") -> str:
    """Join texts into one message; a single text is returned unchanged, none as ""."""
    if len(parts) < 2:
        return parts[0] if parts else ""
    template = between.join(f"%(part{number})s" for number in range(len(parts)))
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return TranslatableMessage(template, "", values)


def _render(value: Value, translator: Translator) -> Value:
    if isinstance(value, TranslatableMessage):
        return value.render(translator)
    return translator.plain(value) if isinstance(value, str) else value
