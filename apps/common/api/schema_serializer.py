"""Serializer fields of a stored struct; a group of fields is a nested serializer."""

from __future__ import annotations

from functools import cache
from inspect import cleandoc
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from rest_framework import serializers

from apps.common.api.serializers import StrictSerializer
from apps.common.schemas.struct_fields import Struct, StructField, struct_fields

SerializerField = serializers.Field[Any, Any, Any, Any]


class StructSerializer(StrictSerializer):
    """Serializer of a struct; validated data are an instance of it."""

    struct: ClassVar[Struct]

    def get_fields(self) -> dict[str, SerializerField]:
        return {
            each.name: _serializer_field(each, required=True)
            if each.required
            else _serializer_field(each, default=each.default)
            for each in struct_fields(self.struct)
        }

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        missing = [
            each.name
            for each in struct_fields(self.struct)
            if each.required and each.name not in values
        ]
        if missing:  # DRF does not require them in a PATCH, but a group is replaced as a whole
            message = _("This field is required.")
            raise serializers.ValidationError({name: [message] for name in missing})
        return self.struct(**values)


def serializer_fields(struct: Struct, *, source: str) -> dict[str, SerializerField]:
    """Return a field for each member of a struct that an object has at `source`."""
    return {
        each.name: _serializer_field(each, required=False, source=f"{source}.{each.name}")
        for each in struct_fields(struct)
    }


@cache
def struct_serializer(struct: Struct) -> type[StructSerializer]:
    """Return the serializer of a struct. It has the struct's name in the API's schema."""
    members = {"struct": struct, "__doc__": cleandoc(struct.__doc__ or "")}
    return type(f"{struct.__name__}Serializer", (StructSerializer,), members)


def _serializer_field(each: StructField, **options: Any) -> SerializerField:
    if each.optional:
        options["allow_null"] = True
    if each.group is not None:
        return struct_serializer(each.group)(**options)
    options["help_text"] = _help(each)
    limits: dict[str, Any] = {"min_value": each.minimum, "max_value": each.maximum}
    kind = each.field.kind
    if kind == "flag":
        return serializers.BooleanField(**options)
    if kind == "int":
        return serializers.IntegerField(**limits, **options)
    if kind == "number":
        return serializers.FloatField(**limits, **options)
    if each.choices:
        choices = [(value, label) for value, label in each.choices if value]
        return serializers.ChoiceField(choices, allow_blank="" in each.field.choices, **options)
    return serializers.CharField(
        max_length=each.max_length, allow_blank=each.default == "", **options
    )


def _help(each: StructField) -> str:
    field = each.field
    example = f'For example "{field.example}".' if field.example else ""
    return " ".join(filter(None, (f"{field.label}.", field.help, example)))
