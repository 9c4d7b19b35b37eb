"""Typed and versioned JSON documents of JSON columns.

Each schema is in one module of its app. A document is stored with its version, so that a later
release can upgrade it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from apps.common.schemas.messages import taken, written
from apps.common.schemas.storable import cleaned
from apps.tools.messages import TranslatableMessage

T = TypeVar("T")

VERSION = "version"
ROWS = "rows"


class SchemaError(ValueError):
    """Value that does not match its schema."""


class VersionedSchema(Generic[T]):
    """Schema of a stored document. `kind` is a msgspec type, or a tuple of them.

    An object is stored as its fields beside "version", a list as {"version": n, "rows": [...]}. A
    TranslatableMessage is stored with its template and values, if it has any.
    """

    version = 1

    def __init__(self, kind: type[T]) -> None:
        self.kind = kind

    def read(self, stored: object) -> T:
        """Return the value of a stored document. Raises: SchemaError."""
        if not isinstance(stored, dict) or stored.get(VERSION) != self.version:
            raise SchemaError(f"not a document of version {self.version}")
        rest = {name: value for name, value in stored.items() if name != VERSION}
        return self.checked(rest[ROWS] if set(rest) == {ROWS} else rest)

    def checked(self, value: object) -> T:
        """Convert `value` to the schema's type. Raises: SchemaError."""
        try:
            return msgspec.convert(value, self.kind, dec_hook=_sentence)
        except msgspec.ValidationError as error:
            raise SchemaError(str(error)) from error

    def write(self, value: object) -> dict[str, object]:
        """Return the document to store, with the version. Raises: SchemaError."""
        document = self._encode(value, written)
        body = document if isinstance(document, dict) else {ROWS: document}
        return {VERSION: self.version, **body}

    def plain(self, value: object) -> Any:
        """Return the value as JSON without the version, for the API and exports."""
        return self._encode(value, str)

    def _encode(self, value: object, of_text: Callable[[str], object]) -> Any:
        def hook(result: object) -> object:
            if isinstance(result, str):
                return of_text(result)
            raise SchemaError(f"{type(result).__name__} is no value of a schema")

        checked = self.checked(value)
        try:
            text = msgspec.json.encode(checked, enc_hook=hook)
        except UnicodeEncodeError:  # a lone surrogate, as in file names
            text = msgspec.json.encode(cleaned(msgspec.to_builtins(checked, enc_hook=hook)))
        return msgspec.json.decode(text)


def _sentence(kind: type, stored: object) -> object:
    """Decode a TranslatableMessage, the only type beyond msgspec's."""
    if kind is not TranslatableMessage:
        raise NotImplementedError(f"{kind.__name__} is no type of a schema")
    return taken(stored)
