"""Find the template of an English text by plain search, in time linear in its length.

A host may send any text, so there is no backtracking: a parameter ends where the next literal part
of the template occurs first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from apps.tools.messages import TranslatableMessage, Translator, Value

_PARAMETER = re.compile(r"%\((\w+)\)s")
MAX_SENTENCE = 2_000
MAX_TEXT = 12_000


@dataclass(frozen=True)
class Template:
    """A translatable text with its literal parts and the names of the parameters between them."""

    text: str
    literals: tuple[str, ...]
    names: tuple[str, ...]

    def match(self, text: str) -> TranslatableMessage | None:
        """Return the message whose English text is `text`, None if the template does not fit."""
        first, last = self.literals[0], self.literals[-1]
        if not text.startswith(first):
            return None
        if not self.names:
            return TranslatableMessage(self.text, "", {}) if text == first else None
        if not text.endswith(last) or len(text) < len(first) + len(last):
            return None
        values = self._values(text, len(first), len(text) - len(last))
        return None if values is None else TranslatableMessage(self.text, "", values)

    def _values(self, text: str, start: int, end: int) -> dict[str, str] | None:
        values: dict[str, str] = {}
        for name, literal in zip(self.names[:-1], self.literals[1:-1], strict=True):
            at = text.find(literal, start + 1, end)
            if at < 0:
                return None
            values[name] = text[start:at]
            start = at + len(literal)
        if start >= end:
            return None
        values[self.names[-1]] = text[start:end]
        return values


def templates(texts: Iterable[str]) -> tuple[Template, ...]:
    """Return the templates, those with most literal text first."""
    parts = [(text, _PARAMETER.split(text)) for text in texts]
    rows = [Template(text, tuple(row[::2]), tuple(row[1::2])) for text, row in parts]
    return tuple(sorted(rows, key=lambda row: -sum(map(len, row.literals))))


class MessageWithoutStop(TranslatableMessage):
    """A sentence that stands inside another one, without its full stop."""

    def __new__(cls, message: str, plural: str, values: Mapping[str, Value]) -> MessageWithoutStop:
        made = str.__new__(cls, (message % values).removesuffix("."))
        made.message, made.plural, made.values = message, plural, dict(values)
        return made

    def render(self, translator: Translator) -> str:
        return super().render(translator).rstrip(".。")
