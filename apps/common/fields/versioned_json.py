"""JSON columns whose values have a versioned schema."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from django.db import models
from django.db.models.fields.json import KeyTransform

from apps.common.schemas.versioned_json import VersionedSchema


class SchemaField(models.JSONField):
    """JSON column whose Python value has a schema's type; migrations use a JSONField."""

    def __init__(self, *args: Any, schema: VersionedSchema[Any], **kwargs: Any) -> None:
        self.schema = schema
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs

    def clone(self) -> SchemaField:
        _name, _path, args, kwargs = self.deconstruct()
        return type(self)(*args, schema=self.schema, **kwargs)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        plain = self._plain(value, expression, connection)
        if plain is None or isinstance(expression, KeyTransform):
            return plain
        return self.schema.read(plain)

    def _plain(self, value: Any, expression: Any, connection: Any) -> Any:
        """Decode with msgspec, which is faster; fall back to json for a lone surrogate."""
        if isinstance(value, str):
            with suppress(msgspec.MsgspecError, UnicodeEncodeError):
                return msgspec.json.decode(value)
        return super().from_db_value(value, expression, connection)

    def get_default(self) -> Any:
        value = super().get_default()
        return None if value is None else self.schema.checked(value)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        """Write a value in the schema's format; values of lookups stay as they are."""
        if value is not None and not hasattr(value, "resolve_expression"):
            value = self.schema.write(value)
        return super().get_db_prep_save(value, connection)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Convert a value given as plain JSON to the schema's type."""
        value = super().pre_save(model_instance, add)
        if value is not None and not hasattr(value, "resolve_expression"):
            value = self.schema.checked(value)
            setattr(model_instance, self.attname, value)
        return value

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        plain = None if value is None else self.schema.plain(value)
        super().validate(plain, model_instance)
