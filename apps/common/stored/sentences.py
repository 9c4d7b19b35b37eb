"""Sentences in the database: stored as message and values, so that each reader gets them in the own
language, and whoever reads a row in five years finds the English message in it.

A column holds `{"message": "cancelled by %(who)s", "values": {"who": "anna"}, "version": 1}`, or
the text itself where it is no sentence of benchlab's or older than these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from django.db import models
from django.utils import translation
from django.utils.functional import Promise

from apps.common.stored.contracts import Contract, ContractError
from apps.common.stored.sentence_documents import StoredSentence, document_of, sentence_of
from apps.tools.sentences import Sentence, sentence

SENTENCE: Contract[StoredSentence] = Contract(StoredSentence)
BEGINNING = '{"message":'


def stored(text: str) -> str:
    """The column's text of a sentence; other text as it is."""
    if not isinstance(text, Sentence):
        return text
    document = SENTENCE.write(document_of(text))
    return msgspec.json.encode(document, order="sorted").decode()


def read(column: str) -> str:
    """The sentence of a column's text, or the text where it is none."""
    if not column.startswith(BEGINNING):
        return column
    try:
        return sentence_of(SENTENCE.read(msgspec.json.decode(column)))
    except (msgspec.DecodeError, ContractError, KeyError, ValueError, TypeError):
        return column


def said(text: str) -> str:
    """The text in the reader's language, where it is a sentence."""
    return text.in_words(translation) if isinstance(text, Sentence) else text


def label(text: str | Promise) -> Sentence:
    """A label that gettext translates when it is shown, as a part of a sentence."""
    with translation.override("en"):
        return sentence(str(text).replace("%", "%%"))


if TYPE_CHECKING:
    TextColumn = models.TextField[str, str]
else:
    TextColumn = models.TextField


class SentenceField(TextColumn):
    """A text column whose values may be sentences. Migrations see a TextField."""

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs

    def from_db_value(self, value: str | None, _expression: object, _connection: object) -> Any:
        return None if value is None else read(value)

    def to_python(self, value: Any) -> Any:
        return value if isinstance(value, Sentence) else super().to_python(value)

    def get_prep_value(self, value: Any) -> Any:
        return stored(value) if isinstance(value, Sentence) else super().get_prep_value(value)
