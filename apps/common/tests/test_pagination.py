"""Positions of the API's lists: what is not one is refused, a defect elsewhere stays a defect."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import quote

import pytest
from django.contrib.auth.models import Group
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from apps.common.api.pagination import NewestFirst

pytestmark = pytest.mark.django_db


def page_request(position: str) -> Request:
    cursor = b64encode(f"p={quote(position)}".encode()).decode()
    return Request(APIRequestFactory().get("/", {"cursor": cursor}))


@pytest.mark.parametrize("position", ["", "abc", "1.5", "nan", "\0", "1e3", "--1"])
def test_what_is_no_value_of_the_column_is_no_position(position: str) -> None:
    with pytest.raises(ValidationError, match="not a position"):
        NewestFirst().paginate_queryset(Group.objects.all(), page_request(position))


@pytest.mark.parametrize("position", ["0", "7", "-1", str(2**80)])
def test_any_value_of_the_column_is_a_position(position: str) -> None:
    assert NewestFirst().paginate_queryset(Group.objects.all(), page_request(position)) == []


def test_other_error_of_a_list_is_no_invalid_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_args: object) -> int:
        raise ValueError("a defect")

    monkeypatch.setattr(NewestFirst, "get_page_size", broken)
    with pytest.raises(ValueError, match="a defect"):
        NewestFirst().paginate_queryset(Group.objects.all(), page_request("7"))
