"""Serializers that take nothing they do not know: a misspelt field is an error, not silence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import Model
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

Row = TypeVar("Row", bound=Model)
UNKNOWN = _("There is no such field.")
UNSTORABLE = _("Text may hold neither NUL nor half characters.")


class _Strict:
    """Refuses unknown fields, and text that PostgreSQL cannot store (also inside JSON values).

    A read-only field is taken and ignored, so that a script may send back what it read.
    """

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            fields = self.fields  # type: ignore[attr-defined] # the serializer this is mixed into
            wrong = {str(name): [UNKNOWN] for name in data if name not in fields}
            wrong |= {
                str(name): [UNSTORABLE] for name, value in data.items() if not storable(value)
            }
            if wrong:
                raise serializers.ValidationError(wrong)
        return super().to_internal_value(data)  # type: ignore[misc] # as above


class StrictSerializer(_Strict, serializers.Serializer[Any]):
    """For input that is not a row: actions, comparisons."""


class ArchiveSerializer(StrictSerializer):
    """Body of the actions that take a row out of the lists, or put it back."""

    archived = serializers.BooleanField(default=True, help_text="false restores it")


class StrictModelSerializer(_Strict, serializers.ModelSerializer[Row]):
    """For rows. Writing is the services' work: views call them in `perform_create` and
    `perform_update`."""


def storable(value: Any) -> bool:
    """Whether PostgreSQL takes every text in this JSON value: no NUL, no lone surrogate."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= sign <= "\udfff" for sign in value)
    if isinstance(value, Mapping):
        return all(storable(name) and storable(inner) for name, inner in value.items())
    if isinstance(value, list):
        return all(storable(inner) for inner in value)
    return True
