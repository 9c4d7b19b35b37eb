"""The stored form of messages: template and values. Plain text is stored unchanged."""

from __future__ import annotations

import msgspec

from apps.tools.messages import TranslatableMessage, Value, as_message


class StoredMessage(msgspec.Struct, omit_defaults=True):
    """A stored message; a value that is an object is a message too."""

    message: str
    plural: str = ""
    values: dict[str, str | int | float | StoredMessage] = {}


def document_of(text: TranslatableMessage) -> StoredMessage:
    """Return the stored form of a message."""
    values = {
        name: document_of(value) if isinstance(value, TranslatableMessage) else value
        for name, value in text.values.items()
    }
    return StoredMessage(text.message, text.plural, values)


def message_of(stored: StoredMessage) -> TranslatableMessage:
    """Return the message of a stored form.

    Raise KeyError, ValueError or TypeError if a parameter has no value.
    """
    values: dict[str, Value] = {
        name: message_of(value) if isinstance(value, StoredMessage) else value
        for name, value in stored.values.items()
    }
    return TranslatableMessage(stored.message, stored.plural, values)


def written(text: str) -> object:
    """Return the stored form of a message with parameters, else the plain text."""
    return document_of(text) if isinstance(text, TranslatableMessage) and text.values else str(text)


def taken(stored: object) -> TranslatableMessage:
    """Return the message of a part of a stored document. Raises: ValueError."""
    if isinstance(stored, str):
        return as_message(stored)
    try:
        return message_of(msgspec.convert(stored, StoredMessage))
    except (msgspec.ValidationError, KeyError, TypeError) as error:
        raise ValueError(f"no message: {error}") from error
