"""Messages in the database: template and values, so that each reader gets their language.

A column contains `{"message": "cancelled by %(who)s", "values": {"who": "anna"}, "version": 1}`, or
plain text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from django.db import models

from apps.common.schemas.messages import StoredMessage, document_of, message_of
from apps.common.schemas.versioned_json import SchemaError, VersionedSchema
from apps.tools.messages import TranslatableMessage

MESSAGE_SCHEMA: VersionedSchema[StoredMessage] = VersionedSchema(StoredMessage)
BEGINNING = '{"message":'


def stored(text: str) -> str:
    """Return the column's text of a message; other text unchanged."""
    if not isinstance(text, TranslatableMessage):
        return text
    document = MESSAGE_SCHEMA.write(document_of(text))
    return msgspec.json.encode(document, order="sorted").decode()


def read(column: str) -> str:
    """Return the message of a column's text, or the text itself."""
    if not column.startswith(BEGINNING):
        return column
    try:
        return message_of(MESSAGE_SCHEMA.read(msgspec.json.decode(column)))
    except (msgspec.DecodeError, SchemaError, KeyError, ValueError, TypeError):
        return column


if TYPE_CHECKING:
    TextColumn = models.TextField[str, str]
else:
    TextColumn = models.TextField


class MessageField(TextColumn):
    """A text column that also stores messages. Migrations use a TextField."""

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs

    def from_db_value(self, value: str | None, _expression: object, _connection: object) -> Any:
        return None if value is None else read(value)

    def to_python(self, value: Any) -> Any:
        return value if isinstance(value, TranslatableMessage) else super().to_python(value)

    def get_prep_value(self, value: Any) -> Any:
        return (
            stored(value)
            if isinstance(value, TranslatableMessage)
            else super().get_prep_value(value)
        )
