"""Sentences that are translated when they are shown: an English message with named parts and the
values of these. Plain Python, so that plugins and the engine can make them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

Value = str | int | float
"""A part of a sentence; of text also another sentence."""


class Translator(Protocol):
    """Django's gettext and ngettext, or a test's own."""

    def gettext(self, message: str) -> str: ...

    def ngettext(self, one: str, many: str, number: int) -> str: ...


class Sentence(str):
    """An English sentence that knows what it was made of. Code that joins it to other text gets
    text. `plural` is the message for several, by the value `count`; "" where nothing is counted.
    """

    message: str
    plural: str
    values: Mapping[str, Value]

    def __new__(cls, message: str, plural: str, values: Mapping[str, Value]) -> Sentence:
        chosen = plural if plural and values["count"] != 1 else message
        made = super().__new__(cls, chosen % values)
        made.message, made.plural, made.values = message, plural, dict(values)
        return made

    def __getnewargs__(self) -> tuple[str, str, Mapping[str, Value]]:  # type: ignore[override]  # of pickle and copy
        return self.message, self.plural, self.values

    def in_words(self, translator: Translator) -> str:
        """The sentence in the translator's language; in English where its translation names parts
        that there are not.
        """
        values = {name: _in_words(value, translator) for name, value in self.values.items()}
        count = values.get("count")
        try:
            if self.plural and isinstance(count, int):
                return translator.ngettext(self.message, self.plural, count) % values
            return translator.gettext(self.message) % values
        except (KeyError, ValueError, TypeError):
            return str(self)


def sentence(message: str, **values: Value) -> Sentence:
    """`message` with named parts: sentence("cancelled by %(who)s", who="anna")."""
    return Sentence(message, "", values)


def as_sentence(text: str) -> Sentence:
    """The text itself where it is a sentence; else a sentence without parts."""
    return text if isinstance(text, Sentence) else Sentence(text.replace("%", "%%"), "", {})


def said_by(error: Exception) -> str:
    """The sentence that an error was raised with; of another error its text."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, str) else str(error)


def counted(one: str, many: str, count: int, **values: Value) -> Sentence:
    """As `sentence`, with a message for one and another for several: `%(count)d`."""
    return Sentence(one, many, {"count": count, **values})


def joined(*parts: str, between: str = "; ") -> str:
    """Parts of a list of reasons, or whole sentences with a space between; the only one is itself,
    and "" without any.
    """
    if len(parts) < 2:
        return parts[0] if parts else ""
    text = between.join(f"%(part{number})s" for number in range(len(parts)))
    return Sentence(text, "", {f"part{number}": part for number, part in enumerate(parts)})


def _in_words(value: Value, translator: Translator) -> Value:
    return value.in_words(translator) if isinstance(value, Sentence) else value
