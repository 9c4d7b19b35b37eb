"""A list of keys in a body: limited, and read with one query."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework import serializers

from apps.accounts.models import Team
from apps.accounts.tests.factories import create_team
from apps.common.api.key_lists import LONGEST, RowField

pytestmark = pytest.mark.django_db


class Body(serializers.Serializer[Any]):
    teams = RowField(queryset=Team.objects.all(), many=True, required=False)


def errors_of(value: object) -> list[str]:
    body = Body(data={"teams": value})
    return [] if body.is_valid() else [str(text) for text in body.errors["teams"]]


def test_rows_come_in_order_with_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    teams = [create_team() for _number in range(5)]
    keys = [team.pk for team in reversed(teams)]
    with django_assert_num_queries(1):
        body = Body(data={"teams": keys})
        assert body.is_valid()
    assert [team.pk for team in body.validated_data["teams"]] == keys
    assert Body({"teams": teams}).data["teams"] == [team.pk for team in teams]


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
