"""A list of keys in a body: limited, and read with one query."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from pytest_django import DjangoAssertNumQueries
from rest_framework import serializers

from apps.common.api.key_lists import LONGEST, RowField

pytestmark = pytest.mark.django_db


class Body(serializers.Serializer[Any]):
    kinds = RowField(queryset=ContentType.objects.all(), many=True, required=False)


def errors_of(value: object) -> list[str]:
    body = Body(data={"kinds": value})
    return [] if body.is_valid() else [str(text) for text in body.errors["kinds"]]


def test_rows_come_in_order_with_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    keys = list(ContentType.objects.order_by("-pk").values_list("pk", flat=True)[:5])
    with django_assert_num_queries(1):
        body = Body(data={"kinds": [*keys, str(keys[0])]})
        assert body.is_valid()
    assert [kind.pk for kind in body.validated_data["kinds"]] == [*keys, keys[0]]


def test_list_of_too_many_keys_is_refused_without_a_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(0):
        assert errors_of([1] * (LONGEST + 1)) == ["At most 1000 keys."]


@pytest.mark.parametrize(
    "value", [1, "1", {"a": 1}, None, [True], [1.5], [None], [[]], [0], [-1], [10**40], ["x"], [""]]
)
def test_what_is_no_key_of_a_row_is_refused(value: object) -> None:
    assert len(errors_of(value)) == 1


def test_empty_list_is_valid() -> None:
    assert errors_of([]) == []
