"""Stored JSON with a type and a version: what a JSON column holds is decoded and checked here.

A shape's type stands in one module of the app that owns it. A document is stored with its version,
so that a release which changes a shape can upgrade documents of the ones before it.
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
    """A value that is not of the shape its column has."""


class VersionedSchema(Generic[T]):
    """One stored shape. `kind` is a type of msgspec's, or a tuple of them.

    An object is stored as its fields beside "version", a list as {"version": n, "rows": [...]}.
    a value of type TranslatableMessage is stored with its template and values, if it has any.
    """

    version = 1

    def __init__(self, kind: type[T]) -> None:
        self.kind = kind

    def read(self, stored: object) -> T:
        """Return the value of a stored document. Raises SchemaError."""
        if not isinstance(stored, dict) or stored.get(VERSION) != self.version:
            raise SchemaError(f"not a document of version {self.version}")
        rest = {name: value for name, value in stored.items() if name != VERSION}
        return self.checked(rest[ROWS] if set(rest) == {ROWS} else rest)

    def checked(self, value: object) -> T:
        """`value` as the schema's type; what is of that type already stays. Raises
        SchemaError.
        """
        try:
            return msgspec.convert(value, self.kind, dec_hook=_sentence)
        except msgspec.ValidationError as error:
            raise SchemaError(str(error)) from error

    def write(self, value: object) -> dict[str, object]:
        """The document to store, with the version. Raises SchemaError for another shape."""
        document = self._told(value, written)
        body = document if isinstance(document, dict) else {ROWS: document}
        return {VERSION: self.version, **body}

    def plain(self, value: object) -> Any:
        """The value as the API and exports show it: JSON without the version."""
        return self._told(value, str)

    def _told(self, value: object, of_text: Callable[[str], object]) -> Any:
        def hook(found: object) -> object:
            if isinstance(found, str):
                return of_text(found)
            raise SchemaError(f"{type(found).__name__} is no value of a schema")

        checked = self.checked(value)
        try:
            text = msgspec.json.encode(checked, enc_hook=hook)
        except UnicodeEncodeError:  # a lone surrogate, as names of files have them
            text = msgspec.json.encode(cleaned(msgspec.to_builtins(checked, enc_hook=hook)))
        return msgspec.json.decode(text)


def _sentence(kind: type, stored: object) -> object:
    """A value of a type that msgspec does not know: a sentence."""
    if kind is not TranslatableMessage:
        raise NotImplementedError(f"{kind.__name__} is no type of a schema")
    return taken(stored)
