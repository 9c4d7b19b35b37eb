"""Strict serializers: an unknown field is an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

import msgspec
from django.db import models
from django.db.models import Model
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.fields.versioned_json import SchemaField

AnyModel = TypeVar("AnyModel", bound=Model)
UNKNOWN = _("There is no such field.")
UNSTORABLE = _("Text may hold neither NUL nor half characters.")


class _Strict:
    """Rejects unknown fields, text that PostgreSQL cannot store, and JSON values of a wrong type.

    DRF would accept 0 for a text and "no" for false. A read-only field is ignored, so that a script
    may send back what it read.
    """

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            fields = self.fields  # type: ignore[attr-defined] # the serializer this is mixed into
            wrong = {str(name): [UNKNOWN] for name in data if name not in fields}
            wrong |= {
                str(name): [UNSTORABLE] for name, value in data.items() if not storable(value)
            }
            wrong |= _of_another_type(self.fields, data)  # type: ignore[attr-defined] # as above
            if wrong:
                raise serializers.ValidationError(wrong)
        return super().to_internal_value(data)  # type: ignore[misc] # as above


JSON_TYPES: tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], Any, Any], ...] = (
    (serializers.CharField, str, _("This must be a text.")),
    (serializers.BooleanField, bool, _("This must be true or false.")),
    (serializers.IntegerField, int | float, _("This must be a number.")),
    (serializers.FloatField, int | float, _("This must be a number.")),
)


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "number"}]})
class TextOrNumberField(serializers.CharField):
    """Text; a number becomes its digits."""


def _of_another_type(fields: Mapping[str, Any], data: Mapping[Any, Any]) -> dict[str, list[Any]]:
    if isinstance(data, MultiValueDict):  # form data are text only
        return {}
    return {
        str(name): [words]
        for name, value in data.items()
        for kind, wanted, words in JSON_TYPES
        if _is_checked(fields.get(name), kind) and not _is_a(value, wanted)
    }


def _is_checked(field: Any, kind: type) -> bool:
    is_own = isinstance(field, kind) and not isinstance(field, TextOrNumberField)
    return is_own and not field.read_only


def _is_a(value: Any, wanted: Any) -> bool:
    """Return True if a JSON value has the documented type; null is checked elsewhere.

    A bool is an int in Python, but not in JSON.
    """
    if value is None:
        return True
    return isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))


Validated = dict[str, Any]
"""Validated data of a serializer by field name."""
ExtraKeywords = dict[str, dict[str, list[object]]]
"""Keyword arguments of generated serializer fields."""


class StrictSerializer(_Strict, serializers.Serializer[Any]):
    """Serializer of input that is not a row: actions, comparisons."""


class ArchiveSerializer(StrictSerializer):
    """Body of the actions that archive or restore a row."""

    archived = serializers.BooleanField(default=True, help_text="false restores it")


class SchemaSerializerField(serializers.JSONField):
    """Value of a versioned schema, without its version."""

    def to_representation(self, value: object) -> Any:
        return msgspec.to_builtins(value, enc_hook=_in_english)


def _in_english(result: object) -> str:
    """Return a TranslatableMessage in English, as the API shows it."""
    if isinstance(result, str):
        return str(result)
    raise NotImplementedError(f"{type(result).__name__} is no value of a schema")


class StrictModelSerializer(_Strict, serializers.ModelSerializer[AnyModel]):
    """Serializer of a row. Views call services in `perform_create` and `perform_update`."""

    serializer_field_mapping: ClassVar[dict[type[models.Field[Any, Any]], type]] = {
        **serializers.ModelSerializer.serializer_field_mapping,
        SchemaField: SchemaSerializerField,
    }


def storable(value: Any) -> bool:
    """Return True if PostgreSQL can store every text of a value: no NUL, no lone surrogate."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= sign <= "\udfff" for sign in value)
    if isinstance(value, Mapping):
        return all(storable(name) and storable(inner) for name, inner in value.items())
    if isinstance(value, list):
        return all(storable(inner) for inner in value)
    return True
