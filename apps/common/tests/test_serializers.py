"""Serializers refuse what they do not know and what cannot be stored."""

from __future__ import annotations

import pytest
from rest_framework import serializers

from apps.common.api.serializers import StrictSerializer, storable


class Body(StrictSerializer):
    id = serializers.IntegerField(read_only=True)
    name = serializers.CharField()
    params = serializers.JSONField(required=False)


def test_known_fields_are_taken() -> None:
    body = Body(data={"name": "a", "params": {"size": ["1G", 2, None, True]}})
    assert body.is_valid(), body.errors


def test_an_unknown_field_is_an_error() -> None:
    body = Body(data={"name": "a", "nmae": "b"})
    assert not body.is_valid()
    assert list(body.errors) == ["nmae"]


def test_a_read_only_field_that_was_read_may_be_sent_back() -> None:
    body = Body(data={"id": 7, "name": "a"})
    assert body.is_valid()
    assert "id" not in body.validated_data


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_text_that_the_database_cannot_hold_is_an_error_however_deep(text: str) -> None:
    body = Body(data={"name": "a", "params": {"list": [{"x": text}]}})
    assert not body.is_valid()
    assert list(body.errors) == ["params"]


def test_names_inside_json_are_looked_at_too() -> None:
    assert not storable({"a\0": 1})
    assert storable({"ä": ["😀", 1.5]})
