"""Lists of rows by their keys, of limited length and read with one query."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.relations import MANY_RELATION_KWARGS

from apps.common.domain.keys import parse_key

LONGEST = 1_000
"""Keys in a list. Bookings, acceptances and plans have lower limits of their own."""


class RowListField(serializers.ManyRelatedField):
    """Rows by their keys. DRF's field reads each row with a query of its own."""

    default_error_messages = {
        "too_long": _("At most {limit} keys."),
    }

    def to_internal_value(self, data: Any) -> list[Any]:
        if not isinstance(data, list):
            self.fail("not_a_list", input_type=type(data).__name__)
        if len(data) > LONGEST:
            self.fail("too_long", limit=LONGEST)
        if not data and not self.allow_empty:
            self.fail("empty")
        child = self.child_relation
        for value in data:
            if isinstance(value, bool) or not isinstance(value, int | str):
                child.fail("incorrect_type", data_type=type(value).__name__)
        keys = [parse_key(str(value)) for value in data]
        queryset = child.get_queryset()
        assert queryset is not None, "a field that is written has rows to choose from"
        rows = queryset.in_bulk(set(keys))
        for key, value in zip(keys, data, strict=True):
            if key not in rows:
                child.fail("does_not_exist", pk_value=value)
        return [rows[key] for key in keys]


class RowField(serializers.PrimaryKeyRelatedField[Any]):
    """A row by its key; with `many=True` a list of rows."""

    @classmethod
    def many_init(cls, *args: Any, **kwargs: Any) -> RowListField:
        wanted = {name: kwargs[name] for name in MANY_RELATION_KWARGS if name in kwargs}
        return RowListField(child_relation=cls(*args, **kwargs), **wanted)
