"""Documents that the API answers are of the shape that its schema describes: the TypedDict that
builds one and the serializer that documents it have the same members, of the same types.
"""

from __future__ import annotations

import types
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest
from rest_framework import serializers

from apps.analysis.compare.api import ComparisonSerializer
from apps.analysis.compare.documents import ComparisonDocument
from apps.results.expectations.api import HeldDocument, HeldSerializer

Serializer = type[serializers.Serializer[Any]]
PAIRS: list[tuple[Any, Serializer]] = [
    (ComparisonDocument, ComparisonSerializer),
    (HeldDocument, HeldSerializer),
]
KINDS: dict[type[serializers.Field[Any, Any, Any, Any]], type] = {
    serializers.BooleanField: bool,
    serializers.IntegerField: int,
    serializers.FloatField: float,
    serializers.CharField: str,
    serializers.ChoiceField: str,
    serializers.DateTimeField: str,
}


def differences(document: Any, fields: dict[str, Any], path: str) -> list[str]:
    """The members in which a document and a serializer differ, with what each has."""
    hints = get_type_hints(document)
    found = [f"{path}.{name}: only in one" for name in hints.keys() ^ fields.keys()]
    for name in hints.keys() & fields.keys():
        found += _of_field(hints[name], fields[name], f"{path}.{name}")
    return found


def _of_field(hint: Any, field: Any, path: str) -> list[str]:
    inner, may_be_null = _without_none(hint)
    if isinstance(field, serializers.JSONField):
        return []
    if may_be_null != field.allow_null:
        return [f"{path}: {hint}, allow_null={field.allow_null}"]
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        if get_origin(inner) is not list:
            return [f"{path}: {hint} for a list"]
        return _of_field(get_args(inner)[0], field.child, f"{path}[]")
    if isinstance(field, serializers.Serializer):
        if not is_typeddict(inner):
            return [f"{path}: {hint} for an object"]
        return differences(inner, field.get_fields(), path)
    if isinstance(field, serializers.DictField):
        return [] if get_origin(inner) is dict else [f"{path}: {hint} for an object of any names"]
    wanted = next((kind for known, kind in KINDS.items() if isinstance(field, known)), None)
    return [] if inner is wanted else [f"{path}: {hint} for {type(field).__name__}"]


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in (Union, types.UnionType):
        return hint, False
    rest = [kind for kind in get_args(hint) if kind is not type(None)]
    return (rest[0] if len(rest) == 1 else hint), len(rest) < len(get_args(hint))


@pytest.mark.parametrize(("document", "serializer"), PAIRS)
def test_the_schema_says_what_is_answered(document: Any, serializer: Serializer) -> None:
    assert differences(document, serializer().get_fields(), document.__name__) == []


class _Small(serializers.Serializer[Any]):
    name = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    rows = serializers.ListField(child=serializers.IntegerField())


@pytest.mark.parametrize(
    ("hints", "found"),
    [
        ({"name": str, "value": float | None, "rows": list[int]}, 0),
        ({"name": str, "value": float, "rows": list[int]}, 1),
        ({"name": int, "value": float | None, "rows": list[str]}, 2),
        ({"name": str, "value": float | None}, 1),
        ({"name": str, "value": float | None, "rows": list[int], "more": str}, 1),
    ],
)
def test_a_member_that_differs_is_found(hints: dict[str, Any], found: int) -> None:
    made = type("Made", (), {"__annotations__": hints})
    assert len(differences(made, _Small().get_fields(), "Made")) == found
