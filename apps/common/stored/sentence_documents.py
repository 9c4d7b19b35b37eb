"""The stored form of sentences: message and values, so that each reader gets them in the own
language. Plain text is a sentence without parts, and is stored as it is.
"""

from __future__ import annotations

import msgspec

from apps.tools.sentences import Sentence, Value, as_sentence


class StoredSentence(msgspec.Struct, omit_defaults=True):
    """A sentence as it is stored; a value that is an object is a sentence too."""

    message: str
    plural: str = ""
    values: dict[str, str | int | float | StoredSentence] = {}


def document_of(text: Sentence) -> StoredSentence:
    """The stored form of a sentence."""
    values = {
        name: document_of(value) if isinstance(value, Sentence) else value
        for name, value in text.values.items()
    }
    return StoredSentence(text.message, text.plural, values)


def sentence_of(kept: StoredSentence) -> Sentence:
    """The sentence of a stored form. Raises KeyError, ValueError or TypeError for a message whose
    parts are not there.
    """
    values: dict[str, Value] = {
        name: sentence_of(value) if isinstance(value, StoredSentence) else value
        for name, value in kept.values.items()
    }
    return Sentence(kept.message, kept.plural, values)


def written(text: str) -> object:
    """A text inside of a stored document: its stored form where it has parts, else as it is."""
    return document_of(text) if isinstance(text, Sentence) and text.values else str(text)


def taken(stored: object) -> Sentence:
    """The sentence of a part of a stored document. Raises ValueError for what is none."""
    if isinstance(stored, str):
        return as_sentence(stored)
    try:
        return sentence_of(msgspec.convert(stored, StoredSentence))
    except (msgspec.ValidationError, KeyError, TypeError) as error:
        raise ValueError(f"no sentence: {error}") from error
