"""Stored JSON with a type and a version: what a JSON column holds is decoded and checked here.

A shape's type stands in one module of the app that owns it. A document is stored with its version,
so that a release which changes a shape can upgrade documents of the ones before it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

import msgspec
from django.db import models
from django.db.models.fields.json import KeyTransform

from apps.common.database.storable import cleaned
from apps.common.stored.message_documents import taken, written
from apps.tools.messages import TranslatableMessage

T = TypeVar("T")

VERSION = "version"
ROWS = "rows"


class ContractError(ValueError):
    """A value that is not of the shape its column has."""


class Contract(Generic[T]):
    """One stored shape. `kind` is a type of msgspec's, or a tuple of them.

    An object is stored as its fields beside "version", a list as {"version": n, "rows": [...]}.
    a value of type TranslatableMessage is stored with its template and values, if it has any.
    """

    version = 1

    def __init__(self, kind: type[T]) -> None:
        self.kind = kind

    def read(self, stored: object) -> T:
        """Return the value of a stored document. Raises ContractError."""
        if not isinstance(stored, dict) or stored.get(VERSION) != self.version:
            raise ContractError(f"not a document of version {self.version}")
        rest = {name: value for name, value in stored.items() if name != VERSION}
        return self.checked(rest[ROWS] if set(rest) == {ROWS} else rest)

    def checked(self, value: object) -> T:
        """`value` as the contract's type; what is of that type already stays. Raises
        ContractError.
        """
        try:
            return msgspec.convert(value, self.kind, dec_hook=_sentence)
        except msgspec.ValidationError as error:
            raise ContractError(str(error)) from error

    def write(self, value: object) -> dict[str, object]:
        """The document to store, with the version. Raises ContractError for another shape."""
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
            raise ContractError(f"{type(found).__name__} is no value of a contract")

        checked = self.checked(value)
        try:
            text = msgspec.json.encode(checked, enc_hook=hook)
        except UnicodeEncodeError:  # a lone surrogate, as names of files have them
            text = msgspec.json.encode(cleaned(msgspec.to_builtins(checked, enc_hook=hook)))
        return msgspec.json.decode(text)


def _sentence(kind: type, stored: object) -> object:
    """A value of a type that msgspec does not know: a sentence."""
    if kind is not TranslatableMessage:
        raise NotImplementedError(f"{kind.__name__} is no type of a contract")
    return taken(stored)


class ContractField(models.JSONField):
    """A JSON column whose value in Python is of a contract's type. Migrations see a JSONField, and
    so the plain document.
    """

    def __init__(self, *args: Any, contract: Contract[Any], **kwargs: Any) -> None:
        self.contract = contract
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs

    def clone(self) -> ContractField:
        _name, _path, args, kwargs = self.deconstruct()
        return type(self)(*args, contract=self.contract, **kwargs)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        plain = self._plain(value, expression, connection)
        if plain is None or isinstance(expression, KeyTransform):
            return plain
        return self.contract.read(plain)

    def _plain(self, value: Any, expression: Any, connection: Any) -> Any:
        """The document as JSON, by msgspec, which is quicker than json. What it refuses (a lone
        surrogate) is left to json.
        """
        if isinstance(value, str):
            with suppress(msgspec.MsgspecError, UnicodeEncodeError):
                return msgspec.json.decode(value)
        return super().from_db_value(value, expression, connection)

    def get_default(self) -> Any:
        value = super().get_default()
        return None if value is None else self.contract.checked(value)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        """A written value has the contract's shape; a query's values are compared as they stand."""
        if value is not None and not hasattr(value, "resolve_expression"):
            value = self.contract.write(value)
        return super().get_db_prep_save(value, connection)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """A value given as plain JSON has its type from here on."""
        value = super().pre_save(model_instance, add)
        if value is not None and not hasattr(value, "resolve_expression"):
            value = self.contract.checked(value)
            setattr(model_instance, self.attname, value)
        return value

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        plain = None if value is None else self.contract.plain(value)
        super().validate(plain, model_instance)
